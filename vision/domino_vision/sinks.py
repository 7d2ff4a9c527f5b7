"""Writing results: a file is there whole or not at all."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from domino_vision.errors import VisionError
from domino_vision.types import U8Array

_JPEG: Final = [cv2.IMWRITE_JPEG_QUALITY, 92]
_PNG: Final = [cv2.IMWRITE_PNG_COMPRESSION, 4]
_WAYS: Final[dict[str, list[int]]] = {".jpg": _JPEG, ".jpeg": _JPEG, ".png": _PNG}


def check_picture_path(path: Path) -> None:
    """Check that a picture could be written here, before the work for it is done.

    Raises:
        VisionError: `picture_suffix` if the name ends neither in .jpg nor .png, `folder_missing` if its folder is not
            there, `cannot_write` if it is a folder itself, or its folder may not be written to.
    """
    if path.suffix.lower() not in _WAYS:
        known = ", ".join(_WAYS)
        msg = f"cannot write {path}: the name of a picture ends in {known}"
        raise VisionError("picture_suffix", msg, name=str(path), known=list(_WAYS))
    if not path.parent.is_dir():
        raise VisionError("folder_missing", f"cannot write {path}: no folder {path.parent}", name=str(path))
    _check_place(path)


def check_folder(folder: Path) -> None:
    """Check that pictures could be written into a folder, which is made if need be.

    Raises:
        VisionError: `cannot_write`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise _refusal(folder, "there is a file of that name") from error
    except (OSError, ValueError) as error:
        raise _refusal(folder, _reason(error)) from error
    _check_place(folder / "picture.jpg")


def _check_place(path: Path) -> None:
    try:
        if path.is_dir():
            raise _refusal(path, "it is a folder")
        path.exists()
    except OSError as error:  # a name too long, for one
        raise _refusal(path, _reason(error)) from error
    if not os.access(path.parent, os.W_OK):
        raise _refusal(path, f"no permission to write into {path.parent}")


def _refusal(path: Path, reason: str) -> VisionError:
    return VisionError("cannot_write", f"cannot write {path}: {reason}", name=str(path), reason=reason)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def write_picture(path: Path, bgr: U8Array) -> None:
    """Write a picture (h, w, 3) uint8 BGR as JPEG or PNG, by the ending of its name.

    Raises:
        VisionError: `picture_suffix`, `folder_missing` or `cannot_write` (disk full, no permission); what was there
            before is then still there.
    """
    check_picture_path(path)
    write_bytes(path, encode_picture(bgr, path.suffix))


def encode_picture(bgr: U8Array, suffix: str = ".jpg") -> bytes:
    """Return a picture (h, w, 3) uint8 BGR as the bytes of a JPEG or PNG file.

    Raises:
        VisionError: `picture_suffix`.
    """
    way = _WAYS.get(suffix.lower())
    if way is None:
        raise VisionError("picture_suffix", f"no picture format {suffix!r}", suffix=suffix, known=list(_WAYS))
    _, data = cv2.imencode(suffix.lower(), bgr, way)
    return np.asarray(data, dtype=np.uint8).tobytes()


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file at once: into a new file beside it that then takes its name.

    Raises:
        VisionError: `cannot_write`; what was there before is then still there and nothing half-written remains.
    """
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise IsADirectoryError(None, "it is a folder")
            path.write_bytes(data)  # a device or pipe has no half-written state
            return
        _replace(path, data)
    except (OSError, ValueError) as error:
        raise _refusal(path, _reason(error)) from error


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
