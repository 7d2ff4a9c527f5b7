"""Sinks: files are there whole or not at all."""

import errno
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.errors import VisionError
from domino_vision.sinks import check_picture_path, encode_picture, write_bytes, write_picture
from domino_vision.sources import read_picture


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


PICTURE = np.full((40, 50, 3), (10, 120, 200), np.uint8)


@pytest.mark.parametrize("name", ["a.jpg", "b.JPEG", "c.png", "стол.png"])
def test_picture_is_written_by_its_ending(tmp_path: Path, name: str) -> None:
    """The ending chooses the format; nothing else remains in the folder."""
    write_picture(tmp_path / name, PICTURE)
    assert np.abs(read_picture(tmp_path / name).astype(int) - PICTURE).max() <= 3
    assert names(tmp_path) == [name]


@pytest.mark.parametrize(("name", "code"), [("a.gif", "picture_suffix"), ("a", "picture_suffix")])
def test_unknown_ending_is_refused(tmp_path: Path, name: str, code: str) -> None:
    """An ending that is no picture format is refused and nothing is written."""
    with pytest.raises(VisionError) as caught:
        write_picture(tmp_path / name, PICTURE)
    assert caught.value.code == code
    assert names(tmp_path) == []


def test_folder_must_be_there(tmp_path: Path) -> None:
    """A folder that is missing is named before any work is done."""
    with pytest.raises(VisionError, match="no folder") as caught:
        check_picture_path(tmp_path / "no" / "a.jpg")
    assert caught.value.code == "folder_missing"


def test_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full the error says so, the old file stays and no part remains."""
    path = tmp_path / "a.png"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(VisionError, match="No space left") as caught:
        write_picture(path, PICTURE)
    assert caught.value.code == "cannot_write"
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.png"]


def test_folder_in_the_way(tmp_path: Path) -> None:
    """A folder of that name is not replaced."""
    (tmp_path / "a.png").mkdir()
    with pytest.raises(VisionError, match="folder") as caught:
        write_picture(tmp_path / "a.png", PICTURE)
    assert caught.value.code == "cannot_write"


def test_new_file_has_usual_permissions(tmp_path: Path) -> None:
    """The file may be read by whom the umask allows, as if it had been written plainly."""
    (tmp_path / "plain").write_bytes(b"x")
    write_bytes(tmp_path / "whole", b"x")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_devices_are_written_to_not_replaced() -> None:
    """A device such as /dev/null stays what it is."""
    if not Path(os.devnull).is_char_device():
        pytest.skip("no null device here")
    write_bytes(Path(os.devnull), b"x")
    assert Path(os.devnull).is_char_device()


def test_encoding_for_the_network() -> None:
    """A picture is encoded in memory, and unknown formats are refused."""
    decoded = cv2.imdecode(np.frombuffer(encode_picture(PICTURE), np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == PICTURE.shape
    with pytest.raises(VisionError):
        encode_picture(PICTURE, ".exe")
