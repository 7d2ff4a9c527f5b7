"""What a judge looks at: a hand's timeline, the pictures behind it, its audit, and the report."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from domino_rules.explain import find_language
from domino_rules.record import Record, parse_record
from domino_rules.svg_record import record_svg
from domino_server.api.deps import ServicesDep, Staff, in_thread
from domino_server.api.tables import REFUSED
from domino_server.api.transfer import write_table
from domino_server.judge.pictures import decode, encode, shrunk
from domino_server.judge.renames import with_new_names
from domino_server.judge.reports import build, open_source, render
from domino_server.judge.reports.hindsight import audited, findings_in_words, otherwise_in_words
from domino_server.judge.timeline import KINDS, HandTimeline, evidence_of, of_hand, timeline
from domino_server.judge.verdicts import AuditReport, PassRow
from domino_server.problems import RequestError
from domino_server.services import Services
from domino_server.store import RecordLines, StoredEvent

router = APIRouter(tags=["judge"])
_NAME: Final = r"^[0-9a-f]{64}\.(jpg|webm|mp4)$"
_TYPES: Final = {".jpg": "image/jpeg", ".webm": "video/webm", ".mp4": "video/mp4"}
"""By suffix; clips of earlier versions end in .mp4."""
_FOR_EVER: Final = {"Cache-Control": "private, max-age=31536000, immutable"}
"""A file that is called by its content never changes."""
_THUMB_QUALITY: Final = 80

Hand = Annotated[int, Path(ge=1, le=10_000, description="number of the hand, from 1")]
Lang = Annotated[str, Query(max_length=20, description="language of all words")]


def _files(*types: str) -> dict[int | str, dict[str, Any]]:
    content = {each: {"schema": {"type": "string", "format": "binary"}} for each in types}
    return {**REFUSED, 200: {"content": content}}


@router.get("/tables/{table}/judge/hands/{hand}", responses=REFUSED)
async def hand(services: ServicesDep, table: str, hand: Hand, who: Staff, lang: Lang = "en") -> HandTimeline:
    """Tell what happened in a hand of the match in progress, in its order, and which pictures were kept of it."""
    del who
    find_language(lang)

    def tell() -> HandTimeline:
        record, events = _kept(services, table, hand)
        return timeline(record, events, hand, lang)

    return await in_thread(services, tell)


@router.get(
    "/tables/{table}/judge/hands/{hand}/layout.svg", response_class=Response, responses=_files("image/svg+xml")
)  # fmt: skip
async def layout(
    services: ServicesDep,
    table: str,
    hand: Hand,
    who: Staff,
    move: Annotated[int | None, Query(ge=0, le=1000, description="behind this move; the last one")] = None,
    lang: Lang = "en",
) -> Response:
    """Draw the table as it lay behind a move of a hand."""
    del who
    find_language(lang)
    drawn = await in_thread(services, lambda: record_svg(_kept(services, table, hand)[0], hand, move, lang=lang))
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@router.get("/tables/{table}/judge/hands/{hand}/audit", responses=REFUSED)
async def audit(services: ServicesDep, table: str, hand: Hand, who: Staff, lang: Lang = "en") -> AuditReport:
    """Look again at a hand: every pass, what was against the rules, and what would have changed the result."""
    del who
    find_language(lang)

    def look() -> AuditReport:
        record, events = _kept(services, table, hand)
        found = audited(
            record.corrected(), hand, evidence_of(of_hand(events, hand)), lambda name: _facts(services, table, name)
        )
        if found is None:
            return AuditReport(hand=hand, passes=[], findings=[], otherwise=[])
        passes = [PassRow.of(each, lang) for each in found.passes]
        again = list(otherwise_in_words(found, lang))
        return AuditReport(hand=hand, passes=passes, findings=findings_in_words(found, lang), otherwise=again)

    return await in_thread(services, look)


@router.get(
    "/tables/{table}/judge/evidence/{name}", response_class=Response, responses=_files(*_TYPES.values())
)  # fmt: skip
async def evidence(
    services: ServicesDep,
    table: str,
    name: Annotated[str, Path(max_length=80, pattern=_NAME, description="as an event of this table names it")],
    who: Staff,
    width: Annotated[int | None, Query(ge=16, le=4096, description="a picture is made smaller to this")] = None,
) -> Response:
    """Give a picture or clip that was kept as evidence, whole or small."""
    del who
    data = await in_thread(services, lambda: _evidence(services, table, name))
    if width is not None and name.endswith(".jpg"):
        data = await run_sync(lambda: _small(data, width), limiter=services.drawers)
    return Response(data, media_type=_TYPES[FilePath(name).suffix], headers=_FOR_EVER)


@router.get("/tables/{table}/judge/report", response_class=Response, responses=_files("text/html"))
async def report(
    services: ServicesDep,
    table: str,
    who: Staff,
    lang: Lang = "en",
    hand: Annotated[int | None, Query(ge=1, le=10_000, description="only this hand")] = None,
) -> Response:
    """Write the report of the table, or of one hand, as one self-contained page that is checked against the chain."""
    del who
    find_language(lang)

    def write() -> str:
        with tempfile.TemporaryDirectory(prefix="dominotable-") as folder:
            out = FilePath(folder) / f"{table}.zip"
            write_table(services, table, out)
            with open_source(out) as source:
                return render([build(source, lang, hand=hand)], lang)

    page = await in_thread(services, write)
    headers = {"Content-Disposition": f'attachment; filename="dominotable-{table}.html"', "Cache-Control": "no-store"}
    return Response(page, media_type="text/html", headers=headers)


def _kept(services: Services, table: str, hand: int) -> tuple[Record, tuple[StoredEvent, ...]]:
    """Return the record of the match in progress and the table's events; raises RequestError `no_such_hand`."""
    services.store.table(table)
    events = tuple(with_new_names(services.store.events(table, kinds=KINDS)))
    text = RecordLines(events).texts[-1]
    record = parse_record(text) if text.strip() else None
    if record is None or all(each.number != hand for each in record.hands):
        raise RequestError(404, "no_such_hand", f"the match has no hand {hand}", hand=hand)
    return record, events


def _evidence(services: Services, table: str, name: str) -> bytes:
    """Return an evidence file; raises RequestError `no_such_evidence`, also for what was removed since."""
    path = _path(services, table, name)
    try:
        if path is not None:
            return path.read_bytes()
    except FileNotFoundError:
        pass
    raise RequestError(404, "no_such_evidence", "no such evidence is kept of this table, or it was removed")


def _path(services: Services, table: str, name: str) -> FilePath | None:
    folder = services.options.data
    services.store.table(table)
    if folder is None or re.fullmatch(r"[0-9a-f]{64}\.\w{3,4}", name) is None:
        return None
    return folder / "evidence" / table / name if services.evidence.holds(services.store, table, name) else None


def _facts(services: Services, table: str, name: str) -> Mapping[str, Any]:
    path = _path(services, table, name)
    try:
        found = None if path is None else json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _small(data: bytes, width: int) -> bytes:
    return encode(shrunk(decode(data), width), _THUMB_QUALITY)
