"""Start weights for other architectures; needs the extra `train`."""

from pathlib import Path
from typing import Any

import pytest

from domino_vision.training.box_labels import CLASSES
from domino_vision.training.starts import write_start

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("ultralytics", reason="needs the extra `train`")


def _net(path: Path) -> Any:
    return torch.load(path, weights_only=False)["model"]


def test_what_fits_is_taken_over_and_of_wider_layers_the_first_channels(tmp_path: Path) -> None:
    """The same architecture is copied whole; a narrower one gets the first channels."""
    assert write_start(tmp_path / "a.pt", "yolo11n-obb.yaml") == 0
    assert write_start(tmp_path / "b.pt", "yolo11n-obb.yaml", tmp_path / "a.pt") == 1
    first, again = _net(tmp_path / "a.pt"), _net(tmp_path / "b.pt")
    assert again.task == "obb"
    assert list(again.names.values()) == list(CLASSES)
    for name, value in first.state_dict().items():
        assert torch.equal(value, again.state_dict()[name])
    assert write_start(tmp_path / "c.pt", "0.18:yolo11n-obb.yaml", tmp_path / "a.pt") > 0.9
    narrow = _net(tmp_path / "c.pt").state_dict()
    name = "model.1.conv.weight"
    outputs, inputs = narrow[name].shape[:2]
    assert outputs < first.state_dict()[name].shape[0]
    assert torch.equal(narrow[name], first.state_dict()[name][:outputs, :inputs])
