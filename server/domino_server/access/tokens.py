"""Tokens: secrets that open a table. The store keeps their hashes only; a secret is shown once."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final

from domino_server.access.errors import AccessError, token_unknown
from domino_server.access.roles import ROLES, Principal
from domino_server.store import Store, StoreError, TokenRow

PREFIX: Final = "dt_"
_RANDOM_BYTES: Final = 32
_TOKEN: Final = re.compile(r"dt_[A-Za-z0-9_-]{43}", re.ASCII)
MOST_LABEL: Final = 100


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made; its secret cannot be had again."""

    row: TokenRow
    secret: str = field(repr=False)


def new_secret() -> str:
    """Return a new token: 32 random bytes, URL-safe, behind `dt_`."""
    return PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a token, hexadecimal. It needs no salt: a token is 256 random bits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def parse_bearer(header: str | None) -> str | None:
    """Return the token of an `Authorization` header; None if there is no header.

    Raises:
        RequestError: `token_unknown` if the header is no bearer token of ours.
    """
    if header is None:
        return None
    scheme, _, value = header.strip().partition(" ")
    secret = value.strip()
    if scheme.lower() != "bearer" or not is_token(secret):
        raise token_unknown()
    return secret


class Tokens:
    """The tokens in a store. Safe for several threads, as the store is; calls wait for the database."""

    def __init__(self, store: Store) -> None:
        """Keep tokens in `store`."""
        self.store = store

    def create(self, role: str, *, table: str | None, label: str = "", seat: str | None = None) -> NewToken:
        """Make a token.

        Args:
            role: one of `ROLES`.
            table: the table that it opens; None for an admin, who opens all.
            label: whom it is for, at most 100 characters.
            seat: the seat of a player.

        Raises:
            AccessError: `bad_role`, `bad_label`.
            StoreError: `unknown_table`.
        """
        _check(role, table, label, seat)
        secret = new_secret()
        row = self.store.add_token(table=table, role=role, hash=digest_of(secret), label=label, seat=seat)
        return NewToken(row, secret)

    def find(self, secret: str) -> Principal | None:
        """Return whose token this is; None if there is none like it, or it was revoked."""
        return self.lookup(digest_of(secret)) if is_token(secret) else None

    def lookup(self, digest: str) -> Principal | None:
        """Return whose token has this hash; None if there is none, or it was revoked."""
        row = self.store.find_token(digest)
        if row is None or row.revoked_at is not None or not hmac.compare_digest(row.hash, digest):
            return None
        return Principal(row.role, row.table, row.seat, row.id, digest)

    def list(self, table: str | None) -> tuple[TokenRow, ...]:
        """Return the tokens of a table, or with None those of the house, also revoked ones."""
        return self.store.tokens(table)

    def revoke(self, id: str, *, table: str | None = None) -> TokenRow:  # noqa: A002 - the field's own word
        """Let a token hold no longer.

        Args:
            id: the token's id.
            table: if given, the token must be one of this table's.

        Raises:
            StoreError: `unknown_token`.
        """
        if table is not None and all(each.id != id for each in self.store.tokens(table)):
            raise StoreError("unknown_token", f"there is no token {id!r} of this table", token=id)
        return self.store.revoke_token(id)

    def is_public(self, table: str) -> bool:
        """Whether anybody may look on at a table; raises StoreError `unknown_table`."""
        return self.store.table(table).config.get("public", True) is not False


def _check(role: str, table: str | None, label: str, seat: str | None) -> None:
    if role not in ROLES:
        raise AccessError("bad_role", f"{role!r} is no role: {', '.join(ROLES)}", role=role)
    if (role == "admin") != (table is None):
        what = "an admin is one of the whole house, not of a table" if role == "admin" else f"a {role} needs a table"
        raise AccessError("bad_role", what, role=role)
    if (role == "player") != (seat is not None):
        what = "a player needs a seat" if role == "player" else f"a {role} has no seat"
        raise AccessError("bad_role", what, role=role)
    if len(label) > MOST_LABEL or not label.isprintable():
        raise AccessError("bad_label", f"a label is at most {MOST_LABEL} printable characters", most=MOST_LABEL)
