"""Pictures that were posted."""

from __future__ import annotations

from starlette.datastructures import UploadFile

from domino_server.limits import too_large
from domino_server.services import Services


async def picture_bytes(services: Services, picture: UploadFile) -> bytes:
    """Return what was posted; raises RequestError `upload_too_large`."""
    most = services.options.max_upload_bytes
    data = await picture.read(most + 1)
    if len(data) > most:
        raise too_large(most)
    return data


def name_of(upload: UploadFile, otherwise: str) -> str:
    """Return the name that a picture was sent with, as text that can be answered with."""
    return (upload.filename or otherwise).encode("utf-8", "replace").decode()
