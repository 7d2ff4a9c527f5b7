"""What the first bytes of a picture say, read before anything is decoded: format, size, whether the file is whole.

Sources: ITU T.81 annex B (JPEG markers), RFC 2083 (PNG chunks), RFC 9649 (WebP), the BMP and TIFF 6.0 headers.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
_JPEG_NEXT: Final = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")


@dataclass(frozen=True, slots=True)
class Header:
    """A picture's format (`jpeg`, `png`, `webp`, `bmp`, `tiff`), width and height in pixels, and whether all is there.

    Width and height are as stored, before any rotation that the file asks for.
    """

    format: str
    width: int
    height: int
    whole: bool


def read_header(data: bytes) -> Header | None:
    """Return what the bytes of a picture file say about themselves, or None if they are no picture known here."""
    try:
        for start, reader in _READERS.items():
            if data.startswith(start):
                return reader(data)
    except (struct.error, IndexError):
        return None
    return None


def _jpeg(data: bytes) -> Header | None:
    size: tuple[int, int] | None = None
    whole = False
    for marker, at in _jpeg_markers(data):
        if marker in _JPEG_FRAMES and size is None:
            height, width = struct.unpack_from(">HH", data, at + 3)
            size = (width, height)
        whole = marker == 0xD9
    return None if size is None else Header("jpeg", *size, whole)


def _jpeg_markers(data: bytes) -> Iterator[tuple[int, int]]:
    """Each marker with the place of what follows it, up to the end of the picture or of the bytes."""
    at = 2
    while found := _JPEG_NEXT.search(data, at):
        marker, at = found[1][0], found.end()
        if marker not in _JPEG_BARE and marker != 0xD9 and at + 2 > len(data):
            return
        yield marker, at
        if marker == 0xD9:
            return
        if marker not in _JPEG_BARE:
            at += int(struct.unpack_from(">H", data, at)[0])


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    at, whole = 8, False
    while at + 12 <= len(data) and not whole:
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 8 + length
        if end + 4 > len(data) or zlib.crc32(data[at + 4 : end]) != struct.unpack_from(">I", data, end)[0]:
            break
        whole = kind == b"IEND"
        at = end + 4
    return Header("png", width, height, whole)


def _webp(data: bytes) -> Header | None:
    if data[8:12] != b"WEBP":
        return None
    whole = len(data) >= struct.unpack_from("<I", data, 4)[0] + 8
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    else:
        return None
    return Header("webp", width, height, whole)


def _bmp(data: bytes) -> Header:
    length = struct.unpack_from("<I", data, 2)[0]
    width, height = struct.unpack_from("<ii", data, 18)
    return Header("bmp", abs(width), abs(height), len(data) >= length)


def _tiff(data: bytes) -> Header | None:
    order = "<" if data.startswith(b"II") else ">"
    at = struct.unpack_from(order + "I", data, 4)[0]
    fields: dict[int, int] = {}
    for number in range(struct.unpack_from(order + "H", data, at)[0]):
        tag, kind, _, long = struct.unpack_from(order + "HHII", data, at + 2 + 12 * number)
        short = struct.unpack_from(order + "H", data, at + 2 + 12 * number + 8)[0]
        fields[tag] = short if kind == 3 else long
    if 256 not in fields or 257 not in fields:
        return None
    return Header("tiff", fields[256], fields[257], whole=True)


_READERS: Final[dict[bytes, Callable[[bytes], Header | None]]] = {
    b"\xff\xd8": _jpeg,
    _PNG: _png,
    b"RIFF": _webp,
    b"BM": _bmp,
    b"II*\x00": _tiff,
    b"MM\x00*": _tiff,
}
