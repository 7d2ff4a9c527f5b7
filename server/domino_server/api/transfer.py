"""A table as one file, out and in again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, File, UploadFile
from fastapi.responses import Response, StreamingResponse

from domino_server.api.deps import Admin, ServicesDep, Staff, in_thread
from domino_server.api.tables import REFUSED, TableDetails, details
from domino_server.judge.export import export_signed
from domino_server.judge.signing import TableKey
from domino_server.services import Services
from domino_server.store import export_table, import_table

router = APIRouter(tags=["transfer"])
_CHUNK: Final = 1 << 20
_ZIP: Final[dict[int | str, dict[str, Any]]] = {
    **REFUSED,
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}},
}


@router.get("/tables/{table}/export", response_class=StreamingResponse, responses=_ZIP)
async def export(services: ServicesDep, table: str, who: Staff) -> Response:
    """Give the table as one file: record, events, evidence, signed by the table's key."""
    del who
    folder = await in_thread(services, lambda: tempfile.TemporaryDirectory(prefix="dominotable-"))
    try:
        out = Path(folder.name) / f"{table}.zip"
        await in_thread(services, lambda: write_table(services, table, out))
    except BaseException:
        await in_thread(services, folder.cleanup)
        raise
    headers = {"Content-Disposition": f'attachment; filename="dominotable-{table}.zip"'}
    return StreamingResponse(_chunks(folder, out), media_type="application/zip", headers=headers)


def write_table(services: Services, table: str, out: Path) -> None:
    """Write a table as one file, signed where the server has a folder for keys; raises StoreError."""
    data = services.options.data
    if data is None:
        export_table(services.store, table, None, out)
        return
    key = TableKey.open(data / "keys", services.store.table(table).origin)
    export_signed(services.store, table, data / "evidence", out, key)


def _chunks(folder: tempfile.TemporaryDirectory[str], out: Path) -> Iterator[bytes]:
    with folder, out.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


@router.post("/tables/import", status_code=201, responses={**REFUSED, 408: REFUSED[400], 413: REFUSED[400]})
async def take_in(
    services: ServicesDep, who: Admin, file: Annotated[UploadFile, File(description="an exported table")]
) -> TableDetails:
    """Take in an exported table under a new id; its events and their hashes stay as they are."""
    del who
    data = services.options.data

    def take() -> TableDetails:
        with tempfile.TemporaryDirectory(prefix="dominotable-") as folder:
            path = Path(folder) / "table.zip"
            with path.open("wb") as out:
                while chunk := file.file.read(_CHUNK):
                    out.write(chunk)
            row = import_table(services.store, path, None if data is None else data / "evidence")
        return details(services.manager, row)

    return await in_thread(services, take)
