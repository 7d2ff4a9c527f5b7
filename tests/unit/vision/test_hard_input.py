"""What is no plain good picture: pipes, devices, strips, folders that refuse, labels and networks of another kind."""

import json
import os
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from domino_vision import weights
from domino_vision.detectors import onnx
from domino_vision.detectors.looks import ScaledLooks
from domino_vision.errors import LabelError, ModelError, SourceError, VisionError
from domino_vision.labels import read_label
from domino_vision.sinks import check_folder, check_picture_path, encode_picture
from domino_vision.sources import open_source, pictures, read_picture
from domino_vision.sources.pipes import read_pipe
from domino_vision.sources.video import without_password
from domino_vision.types import Detections, U8Array

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


@pipes
def test_picture_comes_through_a_pipe(tmp_path: Path, demo: Path) -> None:
    """A pipe with a writer is read like a file."""
    os.mkfifo(tmp_path / "p.jpg")
    data = (demo / "hand.jpg").read_bytes()
    writer = threading.Thread(target=lambda: (tmp_path / "p.jpg").write_bytes(data))
    writer.start()
    read = read_picture(tmp_path / "p.jpg")
    writer.join()
    assert (read == read_picture(demo / "hand.jpg")).all()


@pipes
def test_silent_pipe_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe at which nobody writes does not hang the program; as a source it is refused at once."""
    os.mkfifo(tmp_path / "p.jpg")
    with pytest.raises(TimeoutError):
        read_pipe(tmp_path / "p.jpg", 100, 0.05)
    monkeypatch.setattr(pictures, "PIPE_WAIT_S", 0.05)
    with pytest.raises(SourceError, match="sends nothing") as error:
        read_picture(tmp_path / "p.jpg")
    assert error.value.code == "picture_unreadable"
    with pytest.raises(SourceError, match="device or pipe"):
        open_source(tmp_path / "p.jpg")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_devices_that_never_end_are_refused() -> None:
    """A device is neither a picture nor a video."""
    with pytest.raises(SourceError, match="device"):
        read_picture("/dev/zero")
    with pytest.raises(SourceError, match="device"):
        open_source("/dev/zero")


def test_senseless_cameras_and_addresses_are_refused() -> None:
    """An index of twenty digits and an address that is none are errors of their kind, not of the library below."""
    with pytest.raises(SourceError) as error:
        open_source("9" * 20)
    assert error.value.code == "camera_missing"
    assert without_password("http://user:secret@[bad") == "[bad"


def test_strips_are_refused_before_they_are_decoded(tmp_path: Path) -> None:
    """A picture of 20000 x 40 shows no table."""
    (tmp_path / "s.png").write_bytes(encode_picture(np.zeros((40, 20000, 3), np.uint8), ".png"))
    with pytest.raises(SourceError) as error:
        read_picture(tmp_path / "s.png")
    assert error.value.code == "picture_too_narrow"


def test_large_empty_pictures_are_looked_at_in_small_squares() -> None:
    """No look needs much more memory than the picture has, whatever its shape."""
    sizes: list[int] = []

    class Empty:
        side_px = most_px = 640

        def find(self, bgr: U8Array, scale: float | None = None) -> Detections:
            assert scale is None or scale * max(bgr.shape[:2]) <= self.side_px
            sizes.append(bgr.shape[0] * bgr.shape[1])
            return Detections.none()

    bgr = np.zeros((500, 8000, 3), np.uint8)
    assert len(ScaledLooks(Empty()).find(bgr)) == 0
    assert max(sizes) <= 4096**2


def test_places_that_cannot_be_written_to_are_told_before_the_work(tmp_path: Path) -> None:
    """A folder of the picture's name, a name too long, a file where a folder should be."""
    (tmp_path / "d.jpg").mkdir()
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "d.jpg", tmp_path / ("n" * 300 + ".jpg")):
        with pytest.raises(VisionError) as error:
            check_picture_path(path)
        assert error.value.code == "cannot_write"
    for folder in (tmp_path / "file", tmp_path / "file" / "sub"):
        with pytest.raises(VisionError) as error:
            check_folder(folder)
        assert error.value.code == "cannot_write"
    check_folder(tmp_path / "new" / "folder")
    assert (tmp_path / "new" / "folder").is_dir()


@pytest.mark.parametrize("number", ["1e300", "-1e7", "NaN", "Infinity"])
def test_corners_out_of_this_world_are_refused(tmp_path: Path, number: str) -> None:
    """A corner that lies millions of pixels away is a mistake of the label."""
    raw = json.dumps({"tiles": [{"quad": [["X", 0], [1, 0], [1, 2], [0, 2]], "halves": [1, 2]}]})
    (tmp_path / "a.json").write_text(raw.replace('"X"', number))
    with pytest.raises(LabelError) as error:
        read_label(tmp_path / "a.json")
    assert error.value.code == "label_field"


@pytest.mark.parametrize("name", ["/somewhere/net", "./net", "", "."])
def test_a_path_is_no_name_of_a_model(name: str) -> None:
    """What is written as a path is looked for there and nowhere else."""
    with pytest.raises(ModelError) as error:
        weights.find_model(name)
    assert len(error.value.params["looked"]) == 1


@pytest.mark.parametrize(
    "ports",
    [
        [SimpleNamespace(name="x", type="tensor(uint8)", shape=[1, 3, 640, 640])],
        [SimpleNamespace(name="x", type="tensor(float)", shape=[1, 640, 640, 3])],
        [SimpleNamespace(name="x", type="tensor(float)", shape=[4, 3, 640, 640])],
        [SimpleNamespace(name="x", type="tensor(float)", shape=[1, 3, 640, 640])] * 2,
    ],
)
def test_networks_that_take_something_else_are_refused(
    monkeypatch: pytest.MonkeyPatch, ports: list[SimpleNamespace]
) -> None:
    """A network with the right output but another input is no detector: that is told when it is loaded."""
    meta = SimpleNamespace(custom_metadata_map={"names": "{0: 'face_up'}"})
    session = SimpleNamespace(
        get_inputs=lambda: ports,
        get_outputs=lambda: [SimpleNamespace(shape=[1, 6, 100])],
        get_modelmeta=lambda: meta,
    )
    monkeypatch.setattr(onnx, "open_session", lambda *_: session)
    with pytest.raises(ModelError) as error:
        onnx.OnnxDetector(Path("x.onnx"))
    assert error.value.code == "model_broken"
