"""Pictures, from files or from bytes, refused with a clear reason where they cannot be trusted."""

import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from domino_vision.errors import SourceError
from domino_vision.sources.base import Shot, Source
from domino_vision.sources.headers import read_header
from domino_vision.sources.pipes import read_pipe
from domino_vision.sources.quiet import caught_stderr
from domino_vision.types import Frame, U8Array

MIN_SIDE_PX: Final = 32
"""Pictures with a shorter side hold no tile that could be read."""
MAX_PIXELS: Final = 64_000_000
"""Larger pictures are refused before they are decoded."""
MAX_BYTES: Final = 128_000_000
"""Larger files are refused; no more than this is read of any."""
MAX_ASPECT: Final = 16.0
"""Pictures longer than this many times their width show no table."""
PIPE_WAIT_S: Final = 10.0
"""How long a pipe may be silent before it is given up."""
SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
"""Endings by which pictures are found in a folder."""

_HARMLESS_BYTES: Final = 64
"""Some cameras leave a few bytes too many in their JPEG files; more of them mean damage."""
_EXTRANEOUS = re.compile(r"Corrupt JPEG data: (\d+) extraneous bytes")


def read_picture(path: Path | str, *, upright: bool = True) -> U8Array:
    """Read a picture file.

    Args:
        path: a JPEG, PNG, WebP, BMP or TIFF file.
        upright: turn the picture as its EXIF orientation says; labels speak of the stored, unturned picture.

    Returns:
        BGR uint8 (h, w, 3); grey, 16-bit and transparent pictures are converted.

    Raises:
        SourceError: `picture_missing`, `picture_is_folder`, `picture_unreadable`, `picture_empty`, `not_a_picture`,
            `picture_damaged`, `picture_too_small`, `picture_too_large` or `picture_too_narrow`; `params` hold `name`.
    """
    path = Path(path)
    name = str(path)
    try:
        data = _bytes_of(path, name)
    except SourceError:
        raise
    except FileNotFoundError as error:
        raise SourceError("picture_missing", f"no such picture: {name}", name=name) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError("picture_unreadable", f"cannot read {name}: {reason}", name=name, reason=reason) from error
    return decode_picture(data, name, upright=upright)


def _bytes_of(path: Path, name: str) -> bytes:
    """The bytes of a file or a pipe; devices, which may go on for ever, are refused."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise SourceError("picture_is_folder", f"{name} is a folder, not a picture", name=name)
    if stat.S_ISFIFO(mode):
        data = read_pipe(path, MAX_BYTES + 1, PIPE_WAIT_S)
    elif stat.S_ISREG(mode):
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    else:
        reason = "it is a device, not a file"
        raise SourceError("picture_unreadable", f"cannot read {name}: {reason}", name=name, reason=reason)
    if len(data) > MAX_BYTES:
        msg = f"{name} has more than {MAX_BYTES // 1_000_000} MB; larger pictures are not read"
        raise SourceError("picture_too_large", msg, name=name, most_bytes=MAX_BYTES)
    return data


def decode_picture(data: bytes, name: str, *, upright: bool = True) -> U8Array:
    """Decode the bytes of a picture file.

    Args:
        data: the whole file.
        name: what to call it in errors.
        upright: turn the picture as its EXIF orientation says.

    Returns:
        BGR uint8 (h, w, 3).

    Raises:
        SourceError: as `read_picture`, but for what concerns the file system.
    """
    if not data:
        raise SourceError("picture_empty", f"{name} is empty", name=name)
    header = read_header(data)
    if header is None:
        msg = f"{name} is not a picture that can be read (JPEG, PNG, WebP, BMP or TIFF)"
        raise SourceError("not_a_picture", msg, name=name)
    _check_size(name, header.width, header.height)
    if not header.whole:
        msg = f"{name} is damaged: the {header.format.upper()} file is cut off or changed"
        raise SourceError("picture_damaged", msg, name=name, format=header.format)
    way = cv2.IMREAD_COLOR if upright else cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
    with caught_stderr() as caught:
        try:
            bgr = cv2.imdecode(np.frombuffer(data, np.uint8), way)
        except cv2.error:
            bgr = None
    if bgr is None or _damaged(caught.text):
        msg = f"{name} is damaged: it starts as a {header.format.upper()} file but cannot be decoded"
        raise SourceError("picture_damaged", msg, name=name, format=header.format)
    _check_size(name, bgr.shape[1], bgr.shape[0])
    return np.asarray(bgr, dtype=np.uint8)


def list_pictures(folder: Path) -> list[Path]:
    """Return the pictures of a folder, not of its sub-folders, in natural order: `2.jpg` before `10.jpg`."""
    found = (path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    return sorted((path for path in found if not path.name.startswith(".")), key=natural_key)


def natural_key(path: Path) -> list[tuple[int, int, str]]:
    """Sort key under which numbers inside names count as numbers."""
    parts = re.split(r"(\d+)", str(path).casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


class PictureSource(Source):
    """Picture files, one frame each."""

    def __init__(self, paths: Sequence[Path], name: str, seconds_apart: float = 1.0) -> None:
        """Read pictures in the order given.

        Args:
            paths: the files.
            name: what was opened.
            seconds_apart: time between two pictures, so that a folder may stand for a camera.
        """
        self.name = name
        self.paths = tuple(paths)
        self._seconds_apart = seconds_apart
        self._next = 0

    @property
    def at(self) -> float:
        """The time of the picture that was given last, in seconds; 0 before the first."""
        return max(0, self._next - 1) * self._seconds_apart

    def skip_to(self, at: float) -> None:
        """Go on with the picture of a time in seconds; past the last one there is none."""
        self._next = round(at / self._seconds_apart)

    def __len__(self) -> int:
        return len(self.paths)

    def __next__(self) -> Shot:
        if self._next >= len(self.paths):
            raise StopIteration
        at = self._next
        self._next += 1
        path = self.paths[at]
        return Shot(str(path), Frame(read_picture(path), at * self._seconds_apart))


def _check_size(name: str, width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        msg = f"{name} has {width} x {height} pixels; at most {MAX_PIXELS // 1_000_000} megapixels are read"
        raise SourceError("picture_too_large", msg, name=name, width=width, height=height, most=MAX_PIXELS)
    if min(width, height) < MIN_SIDE_PX:
        msg = f"{name} has {width} x {height} pixels; a picture needs at least {MIN_SIDE_PX} on each side"
        raise SourceError("picture_too_small", msg, name=name, width=width, height=height, least=MIN_SIDE_PX)
    if max(width, height) > MAX_ASPECT * min(width, height):
        msg = f"{name} has {width} x {height} pixels: too narrow a strip to show a table"
        raise SourceError("picture_too_narrow", msg, name=name, width=width, height=height, most_aspect=MAX_ASPECT)


def _damaged(warnings: str) -> bool:
    """Whether what the decoder said means that part of the picture was made up."""
    too_many = any(int(found) > _HARMLESS_BYTES for found in _EXTRANEOUS.findall(warnings))
    text = _EXTRANEOUS.sub("", warnings).lower()
    return too_many or "premature end" in text or "bad huffman" in text or "crc error" in text
