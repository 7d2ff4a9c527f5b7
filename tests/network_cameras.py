"""Cameras in a network that show what a test wants: motion JPEG over HTTP, and RTSP with RTP/JPEG (RFC 2326, 2435)."""

from __future__ import annotations

import socketserver
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import cv2
import numpy as np

Shows = Callable[[], np.ndarray]
"""Returns what lies before the camera now, uint8 BGR (h, w, 3), sides multiples of eight."""
EVERY_S = 0.05
_SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track1\r\n"
_MOST = 1200
"""Bytes of a picture in one packet."""


@contextmanager
def mjpeg_camera(shows: Shows) -> Iterator[str]:
    """Run a camera that sends motion JPEG, and give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            try:
                while True:
                    data = _jpeg(shows())
                    self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                    self.wfile.write(data + b"\r\n")
                    time.sleep(EVERY_S)
            except OSError:
                return

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    with _running(server):
        yield f"http://127.0.0.1:{server.server_address[1]}/video.mjpg"


@contextmanager
def rtsp_camera(shows: Shows) -> Iterator[str]:
    """Run a camera that speaks RTSP, its pictures within the same connection, and give its address."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            try:
                while head := self._request():
                    self._answer(*head)
                    if head[0] == "PLAY":
                        self._play()
                        return
            except OSError:
                return

        def _request(self) -> tuple[str, dict[str, str]] | None:
            lines = [line.decode().strip() for line in iter(self.rfile.readline, b"\r\n") if line.strip()]
            fields = dict(line.split(": ", 1) for line in lines[1:])
            return (lines[0].split()[0], fields) if lines else None

        def _answer(self, method: str, fields: dict[str, str]) -> None:
            more, body, status = "", "", "200 OK"
            if method == "OPTIONS":
                more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
            elif method == "DESCRIBE":
                more, body = f"Content-Type: application/sdp\r\nContent-Length: {len(_SDP)}\r\n", _SDP
            elif method == "SETUP" and "TCP" not in fields.get("Transport", ""):
                status = "461 Unsupported Transport"
            elif method == "SETUP":
                more = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\n"
            head = f"RTSP/1.0 {status}\r\nCSeq: {fields['CSeq']}\r\nSession: 1\r\n{more}\r\n{body}"
            self.wfile.write(head.encode())

        def _play(self) -> None:
            numbers, began = count(), time.monotonic()
            while True:
                stamp = round(90_000 * (time.monotonic() - began))
                for packet in _packets(_jpeg(shows()), numbers, stamp):
                    self.wfile.write(struct.pack("!cBH", b"$", 0, len(packet)) + packet)
                time.sleep(EVERY_S)

    class Threads(socketserver.ThreadingTCPServer):
        daemon_threads = True

    server = Threads(("127.0.0.1", 0), Handler)
    with _running(server):
        yield f"rtsp://127.0.0.1:{server.server_address[1]}/table"


@contextmanager
def _running(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def _jpeg(bgr: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def _packets(jpeg: bytes, numbers: Iterator[int], stamp: int) -> Iterator[bytes]:
    """Yield a picture as RTP packets: its tables before the first part, its header in short in each."""
    tables, (height, width), data = _parts(jpeg)
    quantised = struct.pack("!BBH", 0, 0, len(tables)) + tables
    for at in range(0, len(data), _MOST):
        last = at + _MOST >= len(data)
        head = struct.pack("!BBHII", 0x80, 26 | (0x80 if last else 0), next(numbers) & 0xFFFF, stamp, 1)
        main = struct.pack("!IBBBB", at, 1, 255, width // 8, height // 8)
        yield head + main + (quantised if at == 0 else b"") + data[at : at + _MOST]


def _parts(jpeg: bytes) -> tuple[bytes, tuple[int, int], bytes]:
    """Return the quantisation tables, height and width, and the coded picture of a baseline JPEG."""
    tables, size, at = b"", (0, 0), 2
    while True:
        marker, length = struct.unpack("!HH", jpeg[at : at + 4])
        body = jpeg[at + 4 : at + 2 + length]
        if marker == 0xFFDB:
            tables += b"".join(body[n + 1 : n + 65] for n in range(0, len(body), 65))
        elif marker == 0xFFC0:
            size = struct.unpack("!HH", body[1:5])
        elif marker == 0xFFDA:
            return tables, size, jpeg[at + 2 + length : -2]
        at += 2 + length
