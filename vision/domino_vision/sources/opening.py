"""One word for every source: what a user writes after `--source`."""

import glob
import re
from pathlib import Path
from typing import Final

from domino_vision.errors import SourceError
from domino_vision.sources.base import Source
from domino_vision.sources.pictures import SUFFIXES, PictureSource, list_pictures, natural_key
from domino_vision.sources.video import LiveSource, VideoFileSource

_SCHEMES: Final = ("http://", "https://", "rtsp://", "rtsps://")
_MOST_DIGITS: Final = 6
_MAGIC: Final = frozenset("*?[")
_VIDEO_SUFFIXES: Final = frozenset(
    {".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpg", ".mjpeg", ".mpg", ".mpeg", ".ts", ".3gp", ".ogv", ".wmv"}
)


def open_source(spec: str | Path) -> Source:
    """Open where frames come from.

    Args:
        spec: a digit for a camera (`0`), a URL (`rtsp://`, `http://`), a picture, a folder of pictures, a pattern
            (`shots/*.jpg`) or a video file.

    Returns:
        The source; use it in a `with` statement.

    Raises:
        SourceError: `source_empty` (no word, or nothing that matches), `source_missing`, `camera_missing`,
            `stream_unreachable` or `video_unreadable`. Pictures raise their own errors when their turn comes.
    """
    text = str(spec)
    if not text.strip():
        raise SourceError("source_empty", "no source named: give a picture, folder, video, camera index or URL")
    if text.isascii() and text.isdigit():
        return _camera(text)
    if text.lower().startswith(_SCHEMES):
        return LiveSource(text)
    path = Path(text)
    try:
        if path.is_dir():
            return _folder(path)
        if path.exists():
            return _file(path)
    except SourceError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError("source_unreadable", f"cannot open {text!r}: {reason}", name=text, reason=reason) from error
    if _MAGIC & set(text):
        return _pattern(text)
    raise SourceError("source_missing", f"no such picture, folder or video: {text}", name=text)


def _folder(path: Path) -> Source:
    pictures = list_pictures(path)
    if not pictures:
        raise SourceError("source_empty", f"no pictures in the folder {path}", name=str(path))
    return PictureSource(pictures, str(path))


def _file(path: Path) -> Source:
    if not path.is_file():
        return _device(path)
    suffix = path.suffix.lower()
    if suffix in _VIDEO_SUFFIXES:
        return VideoFileSource(path)
    if suffix in SUFFIXES or _starts_as_picture(path):
        return PictureSource([path], str(path))
    return VideoFileSource(path)


def _camera(digits: str) -> Source:
    if len(digits) > _MOST_DIGITS:
        raise SourceError("camera_missing", f"no camera with index {digits}", index=digits)
    return LiveSource(int(digits))


def _device(path: Path) -> Source:
    """`/dev/video0` is camera 0; other devices and pipes never end and cannot be looked at twice."""
    camera = re.fullmatch(r"/dev/video(\d+)", str(path.resolve()))
    if camera:
        return _camera(camera[1])
    reason = "it is a device or pipe, no picture, folder or video file"
    raise SourceError("source_unreadable", f"cannot open {str(path)!r}: {reason}", name=str(path), reason=reason)


def _starts_as_picture(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(12)
    known = (b"\xff\xd8", b"\x89PNG", b"BM", b"II*\x00", b"MM\x00*")
    return start.startswith(known) or (start[:4] == b"RIFF" and start[8:] == b"WEBP")


def _pattern(text: str) -> Source:
    found = sorted((Path(name) for name in glob.glob(text, recursive=True)), key=natural_key)  # noqa: PTH207
    pictures = [path for path in found if path.suffix.lower() in SUFFIXES and path.is_file()]
    if not pictures:
        raise SourceError("source_empty", f"no picture matches {text}", name=text)
    return PictureSource(pictures, text)
