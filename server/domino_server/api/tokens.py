"""Tokens of a table: given out, listed, revoked."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from domino_server.access import Principal, access_of
from domino_server.api.deps import Keeper, ServicesDep, in_thread
from domino_server.api.tables import REFUSED
from domino_server.problems import RequestError
from domino_server.store import StoreError, TokenRow

router = APIRouter(tags=["tokens"])
_PAGES: Final = {"keeper": "table", "judge": "table", "viewer": "table", "camera": "camera"}
_ABOVE: Final = frozenset({"judge"})
"""Roles that only the house gives and takes: a keeper is no judge, nor chooses one."""


class NewTokenRequest(BaseModel):
    """A token to be made."""

    model_config = ConfigDict(extra="forbid")

    role: Literal["keeper", "judge", "viewer", "camera"]
    label: Annotated[str, Field(max_length=100)] = ""


class TokenInfo(BaseModel):
    """A token without its secret."""

    id: str
    role: str
    label: str
    seat: str | None
    created_at: str
    revoked_at: str | None


class MadeToken(TokenInfo):
    """A token that was just made; the secret is shown once."""

    token: str
    link: str


def _info(row: TokenRow) -> dict[str, Any]:
    return {
        "id": row.id, "role": row.role, "label": row.label, "seat": row.seat, "created_at": row.created_at.isoformat(),
        "revoked_at": None if row.revoked_at is None else row.revoked_at.isoformat(),
    }  # fmt: skip


@router.get("/tables/{table}/tokens", responses=REFUSED)
async def listed(services: ServicesDep, request: Request, table: str, who: Keeper) -> list[TokenInfo]:
    """List the tokens of the table, revoked ones too."""
    del who
    rows = await in_thread(services, lambda: access_of(request).tokens.list(table))
    return [TokenInfo(**_info(row)) for row in rows]


@router.post("/tables/{table}/tokens", status_code=201, responses=REFUSED)
async def create(services: ServicesDep, request: Request, table: str, who: Keeper, new: NewTokenRequest) -> MadeToken:
    """Make a token; its secret is shown this once. A judge's is made by the house alone."""
    _check(who, new.role)
    make = access_of(request).tokens.create
    made = await in_thread(services, lambda: make(new.role, table=table, label=new.label))
    link = f"/{_PAGES[new.role]}/{table}#token={made.secret}"
    return MadeToken(**_info(made.row), token=made.secret, link=link)


@router.delete("/tables/{table}/tokens/{token}", responses=REFUSED)
async def revoke(services: ServicesDep, request: Request, table: str, token: str, who: Keeper) -> TokenInfo:
    """Revoke a token; whoever uses it is let go within seconds."""
    tokens = access_of(request).tokens

    def do() -> TokenRow:
        row = next((each for each in tokens.list(table) if each.id == token), None)
        if row is None:
            raise StoreError("unknown_token", f"there is no token {token!r} of this table", token=token)
        _check(who, row.role)
        return tokens.revoke(token, table=table)

    return TokenInfo(**_info(await in_thread(services, do)))


def _check(who: Principal, role: str) -> None:
    if role in _ABOVE and who.role != "admin":
        raise RequestError(403, "not_allowed", f"the token of a {role} is the house's to give and take", role=who.role)
