"""Who asks: a role, at one table or in the whole house."""

from dataclasses import dataclass, field
from typing import Final

ROLES: Final = ("admin", "keeper", "judge", "viewer", "player", "camera")
"""admin: the house; keeper: runs one table; judge: rules at one; viewer: looks on; player: own hand; camera: frames."""
TABLE_ROLES: Final = ROLES[1:]
_ADMIN_MAY: Final = frozenset({"admin", "keeper", "viewer", "camera"})


@dataclass(frozen=True, slots=True)
class Principal:
    """Who sent a request, as far as the server knows.

    Attributes:
        role: one of `ROLES`; somebody without a token is a viewer.
        table: the table that the token opens, or the public table that is looked at; None for the house.
        seat: the seat of a player.
        token: id of the token, for the record of what people said; None without one.
        digest: SHA-256 of the token, by which it is looked up again.
    """

    role: str
    table: str | None
    seat: str | None = None
    token: str | None = None
    digest: str | None = field(default=None, repr=False)

    def may(self, *roles: str) -> bool:
        """Whether this is one of `roles`.

        An admin may do what keepers, cameras and viewers may, but is no judge and no player: whoever made the tables
        does not rule on them by that alone. All may look on.
        """
        held = _ADMIN_MAY if self.role == "admin" else frozenset({self.role, "viewer"})
        return not held.isdisjoint(roles)

    def reaches(self, table: str | None) -> bool:
        """Whether the token opens a table; only the house's tokens open None."""
        return self.role == "admin" or (self.table is not None and self.table == table)
