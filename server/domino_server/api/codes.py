"""Links as QR codes, for phones to scan."""

from __future__ import annotations

import io
from typing import Annotated, Any, Final

import segno
from fastapi import APIRouter, Depends
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from domino_server.access import Principal, anywhere
from domino_server.api.tables import REFUSED

router = APIRouter(tags=["links"])
_SVG: Final[dict[int | str, dict[str, Any]]] = {
    **REFUSED,
    200: {"content": {"image/svg+xml": {"schema": {"type": "string"}}}},
}


class Link(BaseModel):
    """An address; it is sent in the body, for it may hold a token."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=1000, pattern=r"^https?://[\x21-\x7e]+$")]


@router.post("/qr", response_class=Response, responses=_SVG)
def qr(link: Link, who: Annotated[Principal, Depends(anywhere("keeper", "judge"))]) -> Response:
    """Draw an address as a QR code, for those who keep a table or judge there."""
    del who
    out = io.BytesIO()
    segno.make(link.text, error="m", micro=False).save(out, kind="svg", border=2, omitsize=True, dark="#000")
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})
