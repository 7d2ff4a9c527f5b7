"""Pictures as a stream: motion JPEG, the parts of a multipart answer that replace each other."""

from __future__ import annotations

from typing import Any, Final

from domino_server.api.tables import REFUSED

_BOUNDARY: Final = "picture"
MEDIA_TYPE: Final = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
MJPEG: Final[dict[int | str, dict[str, Any]]] = {
    **REFUSED,
    200: {"content": {"multipart/x-mixed-replace": {"schema": {"type": "string", "format": "binary"}}}},
}
"""What a route answers that streams pictures."""


def part(jpeg: bytes) -> bytes:
    """Return a picture as the next part of a stream."""
    head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
    return head.encode() + jpeg + b"\r\n"
