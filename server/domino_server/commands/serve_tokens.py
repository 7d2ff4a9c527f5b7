"""Tokens that a start of the server prints: the newest few hold, so that a restart throws nobody out."""

from typing import Final

from domino_server.access import Tokens

KEPT: Final = 3
"""How many starts a printed link outlives."""


def printed_token(tokens: Tokens, role: str, table: str | None, label: str) -> str:
    """Make a token, let go of those with the same label that are older than the last few, and return its secret."""
    alike = [row for row in tokens.list(table) if row.role == role and row.label == label and row.revoked_at is None]
    for old in alike[: max(0, len(alike) - KEPT + 1)]:
        tokens.revoke(old.id)
    return tokens.create(role, table=table, label=label).secret
