"""Sources: every kind is opened, every refusal names its cause."""

import os
import struct
import threading
import time
import zlib
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.errors import SourceError
from domino_vision.sources import (
    LiveSource,
    PictureSource,
    VideoFileSource,
    decode_picture,
    list_pictures,
    open_source,
    read_picture,
    readable,
)
from domino_vision.sources.headers import read_header
from domino_vision.sources.video import without_password


def picture(seed: int = 0, height: int = 60, width: int = 80) -> np.ndarray:
    """A smooth picture that JPEG keeps well."""
    rng = np.random.default_rng(seed)
    return cv2.resize(rng.integers(0, 255, (5, 5, 3), dtype=np.uint8), (width, height), interpolation=cv2.INTER_CUBIC)


def encoded(suffix: str, bgr: np.ndarray | None = None) -> bytes:
    done, data = cv2.imencode(suffix, picture() if bgr is None else bgr)
    assert done
    return data.tobytes()


def code_of(read: Callable[[], object]) -> str:
    with pytest.raises(SourceError) as caught:
        read()
    assert "\n" not in caught.value.message
    return caught.value.code


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds no pixel."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    end = b"\0\0\0\0IEND" + struct.pack(">I", zlib.crc32(b"IEND"))
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body)) + end


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_formats_are_decoded(suffix: str) -> None:
    """Each format gives back the picture, and its header tells the size."""
    data = encoded(suffix)
    header = read_header(data)
    assert header is not None
    assert (header.width, header.height, header.whole) == (80, 60, True)
    assert np.abs(decode_picture(data, "x").astype(int) - picture().astype(int)).mean() < 6


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_cut_off_pictures_are_refused(suffix: str, share: float, capfd: pytest.CaptureFixture[str]) -> None:
    """A picture that ends early is refused, and the decoder does not write to the terminal."""
    data = encoded(suffix)
    assert code_of(lambda: decode_picture(data[: int(len(data) * share)], "x")) == "picture_damaged"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_changed_bytes_are_refused(suffix: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A picture with a stretch of wrong bytes in its pixels is refused silently."""
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    data = bytearray(encoded(suffix, noise))
    middle = len(data) // 2
    data[middle : middle + 40] = b"\x13" * 40
    assert code_of(lambda: decode_picture(bytes(data), "x")) == "picture_damaged"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "picture_empty"),
        (b"this is text", "not_a_picture"),
        (b"\xff\xd8", "not_a_picture"),
        (b"\x89PNG\r\n\x1a\n", "not_a_picture"),
        (b"BM", "not_a_picture"),
        (b"II*\0\xff\xff\xff\xff", "not_a_picture"),
        (b"RIFF\0\0\0\0WAVEfmt ", "not_a_picture"),
        (png_header(10_000, 10_000), "picture_too_large"),
        (png_header(1, 1), "picture_too_small"),
        (png_header(0, 500), "picture_too_small"),
        (png_header(64, 64), "picture_damaged"),
    ],
)
def test_bad_bytes_have_a_code(data: bytes, code: str) -> None:
    """What is no usable picture is refused with the code for its cause."""
    assert code_of(lambda: decode_picture(data, "x")) == code


def test_hundred_megapixels_are_refused_quickly() -> None:
    """A large picture is refused by its header, before it is decoded."""
    data = encoded(".png", np.zeros((10_000, 10_000, 3), np.uint8))
    start = time.perf_counter()
    assert code_of(lambda: decode_picture(data, "x")) == "picture_too_large"
    assert time.perf_counter() - start < 0.2


def test_kinds_of_pixels_become_bgr() -> None:
    """Grey, transparent and 16-bit pictures become 8-bit BGR."""
    grey, clear = picture()[..., 0], cv2.cvtColor(picture(), cv2.COLOR_BGR2BGRA)
    for bgr in (grey, clear, picture().astype(np.uint16) * 257):
        read = decode_picture(encoded(".png", bgr), "x")
        assert (read.shape, read.dtype) == ((60, 80, 3), np.uint8)


def test_orientation_is_respected_unless_told() -> None:
    """A picture that says it lies on its side is turned, but not for those who ask for the stored one."""
    tiff = b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + b"\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    jpeg = encoded(".jpg")
    turned = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]
    assert decode_picture(turned, "x").shape == (80, 60, 3)
    assert decode_picture(turned, "x", upright=False).shape == (60, 80, 3)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Missing files, folders and names that no system allows are refused."""
    assert code_of(lambda: read_picture(tmp_path / "no.jpg")) == "picture_missing"
    assert code_of(lambda: read_picture(tmp_path)) == "picture_is_folder"
    assert code_of(lambda: read_picture("a\0b.jpg")) == "picture_unreadable"


def test_names_in_any_script(tmp_path: Path) -> None:
    """Names outside ASCII work for files and folders."""
    folder = tmp_path / "Стол ñ 卓"
    folder.mkdir()
    (folder / "płytki ђ.jpg").write_bytes(encoded(".jpg"))
    with open_source(folder) as source:
        assert next(source).frame.size_wh == (80, 60)


def test_folder_in_natural_order(tmp_path: Path) -> None:
    """A folder gives its pictures in natural order, a second apart, and leaves out what is none."""
    for name in ("10.jpg", "2.JPG", "1.png", ".3.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(encoded(Path(name).suffix.lower()) if name != "notes.txt" else b"x")
    assert [path.name for path in list_pictures(tmp_path)] == ["1.png", "2.JPG", "10.jpg"]
    with open_source(str(tmp_path)) as source:
        shots = list(source)
    assert [Path(shot.name).name for shot in shots] == ["1.png", "2.JPG", "10.jpg"]
    assert [shot.frame.at for shot in shots] == [0.0, 1.0, 2.0]


def test_broken_picture_does_not_end_a_folder(tmp_path: Path) -> None:
    """After the error for a broken picture the next one comes."""
    (tmp_path / "1.jpg").write_bytes(b"text")
    (tmp_path / "2.jpg").write_bytes(encoded(".jpg"))
    source = open_source(tmp_path)
    assert code_of(lambda: next(source)) == "not_a_picture"
    assert Path(next(source).name).name == "2.jpg"
    with pytest.raises(StopIteration):
        next(source)


def test_pattern_and_single_picture(tmp_path: Path) -> None:
    """A pattern picks pictures; a single picture is one frame, whatever its name ends in."""
    for name in ("a1.jpg", "a2.jpg", "b1.jpg"):
        (tmp_path / name).write_bytes(encoded(".jpg"))
    (tmp_path / "upload").write_bytes(encoded(".png"))
    assert len(list(open_source(f"{tmp_path}/a*.jpg"))) == 2
    source = open_source(tmp_path / "upload")
    assert isinstance(source, PictureSource)
    assert len(list(source)) == 1


def test_picture_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    """A file that is there is opened though its name holds brackets."""
    (tmp_path / "table[1].jpg").write_bytes(encoded(".jpg"))
    assert len(list(open_source(tmp_path / "table[1].jpg"))) == 1


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("", "source_empty"),
        ("no-such-thing.jpg", "source_missing"),
        ("no-such-*.jpg", "source_empty"),
        ("97", "camera_missing"),
        ("rtsp://127.0.0.1:9/x", "stream_unreachable"),
        ("x" * 5000, "source_unreadable"),
        ("a\0b", "source_missing"),
    ],
)
def test_sources_that_are_not_there(spec: str, code: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What cannot be opened says why, and nothing below writes to the terminal."""
    assert code_of(lambda: open_source(spec)) == code
    assert capfd.readouterr().err == ""


def test_missing_camera_names_its_index() -> None:
    """The error of a missing camera carries the index."""
    with pytest.raises(SourceError, match="97") as caught:
        open_source("97")
    assert caught.value.params["index"] == 97


def test_empty_folder_and_text_file(tmp_path: Path) -> None:
    """A folder without pictures and a file that is neither picture nor video are refused."""
    assert code_of(lambda: open_source(tmp_path)) == "source_empty"
    (tmp_path / "notes.txt").write_text("hello")
    assert code_of(lambda: open_source(tmp_path / "notes.txt")) == "video_unreadable"


def make_video(path: Path, frames: int = 7, codec: str = "MJPG", step: int = 30) -> None:
    """Write a film of ten frames a second, each a step brighter than the one before."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 10, (80, 60))
    assert writer.isOpened()
    for at in range(frames):
        writer.write(np.full((60, 80, 3), step * at, np.uint8))
    writer.release()


def test_video_gives_every_frame(tmp_path: Path) -> None:
    """A video file gives all its frames in order, with their time in the video."""
    make_video(tmp_path / "play.avi")
    with open_source(tmp_path / "play.avi") as source:
        assert isinstance(source, VideoFileSource)
        shots = list(source)
    assert [round(float(shot.frame.bgr.mean()) / 30) for shot in shots] == list(range(7))
    assert shots[3].frame.at == pytest.approx(0.3)
    assert shots[3].name.endswith("play.avi#4")


@pytest.mark.parametrize(("suffix", "codec"), [("avi", "MJPG"), ("mp4", "mp4v")])
def test_video_goes_on_in_the_middle(tmp_path: Path, suffix: str, codec: str) -> None:
    """From a time on it gives the same frames as when it is shown whole; past the end none."""
    path = tmp_path / f"play.{suffix}"
    make_video(path, 40, codec, 6)
    with VideoFileSource(path) as source:
        whole = [float(shot.frame.bgr.mean()) for shot in source]
    for at, first in ((0.0, 0), (2.5, 25), (3.9, 39)):
        with VideoFileSource(path) as source:
            source.skip_to(at)
            shots = list(source)
        assert [float(shot.frame.bgr.mean()) for shot in shots] == pytest.approx(whole[first:], abs=2)
        assert shots[0].frame.at == pytest.approx(at)
        assert shots[0].name.endswith(f"#{first + 1}")
    with VideoFileSource(path) as source:
        source.skip_to(100.0)
        assert list(source) == []


def test_video_cut_off(tmp_path: Path) -> None:
    """A video cut off in its header is refused."""
    make_video(tmp_path / "play.avi")
    whole = (tmp_path / "play.avi").read_bytes()
    (tmp_path / "cut.avi").write_bytes(whole[:200])
    assert code_of(lambda: list(open_source(tmp_path / "cut.avi"))) == "video_unreadable"


def test_video_without_a_frame(tmp_path: Path) -> None:
    """A video that holds no frame says so once, and has ended then."""
    make_video(tmp_path / "none.avi", frames=0)
    with open_source(tmp_path / "none.avi") as source:
        assert code_of(lambda: next(source)) == "video_unreadable"
        assert list(source) == []


def test_readable_frames_pass_over_the_others(tmp_path: Path) -> None:
    """What cannot be read is told and passed over; where nothing can be read that is an error."""
    for name in ("1.jpg", "3.jpg"):
        (tmp_path / name).write_bytes(b"text")
    told: list[SourceError] = []
    assert code_of(lambda: list(readable(open_source(tmp_path), told.append))) == "source_empty"
    assert code_of(lambda: list(readable(open_source(tmp_path / "1.jpg")))) == "not_a_picture"
    (tmp_path / "2.jpg").write_bytes(encoded(".jpg"))
    assert [Path(shot.name).name for shot in readable(open_source(tmp_path), told.append)] == ["2.jpg"]
    assert [Path(error.params["name"]).name for error in told] == ["1.jpg", "3.jpg"] * 2


def test_passwords_stay_out_of_names() -> None:
    """The name of a stream never shows the password in its URL."""
    assert without_password("rtsp://me:secret@cam.local:554/a?b=1") == "rtsp://cam.local:554/a?b=1"
    with pytest.raises(SourceError) as caught:
        open_source("rtsp://me:secret@127.0.0.1:9/x")
    assert "secret" not in f"{caught.value.message}{dict(caught.value.params)}"


class _Stream(BaseHTTPRequestHandler):
    """Sends grey frames that become lighter, 50 a second, 60 in all."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for at in range(60):
            data = encoded(".jpg", np.full((60, 80, 3), 4 * at, np.uint8))
            try:
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(data))
                self.wfile.write(data + b"\r\n")
            except OSError:
                return
            time.sleep(0.02)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_stream_gives_the_newest_frame() -> None:
    """Who comes late to a stream gets its newest frame, not the oldest one that waited."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Stream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with open_source(f"http://127.0.0.1:{server.server_port}/video.mjpg") as source:
            assert isinstance(source, LiveSource)
            first = next(source)
            time.sleep(0.7)
            second = next(source)
        assert source.live
        assert second.frame.bgr.mean() > first.frame.bgr.mean() + 20
        assert second.frame.at > first.frame.at
        with pytest.raises(StopIteration):
            next(source)
    finally:
        server.shutdown()
        server.server_close()


def test_camera_that_is_unplugged_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A camera that stops sending ends in an error, not in waiting for ever."""

    class Unplugged:
        left = 2

        def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
            return True

        def set(self, *_: object) -> bool:
            return True

        def read(self) -> tuple[bool, np.ndarray | None]:
            self.left -= 1
            return (True, picture()[..., 0]) if self.left >= 0 else (False, None)

        def release(self) -> None:
            self.left = 0

    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: Unplugged())
    with LiveSource(0) as source:
        assert next(source).frame.bgr.shape == (60, 80, 3)
        assert code_of(lambda: [next(source) for _ in range(3)]) == "camera_lost"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(tmp_path: Path) -> None:
    """A file that may not be read is refused with the system's reason."""
    path = tmp_path / "x.jpg"
    path.write_bytes(encoded(".jpg"))
    path.chmod(0)
    assert code_of(lambda: read_picture(path)) == "picture_unreadable"
