"""The shipped demo pictures are what the demo command makes."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.synth.demo import DEMOS, main


def test_demo_command_rebuilds_the_shipped_pictures(tmp_path: Path, demo: Path) -> None:
    """Labels come out byte for byte; pixels as good as equal, whatever the JPEG encoder."""
    assert main([str(tmp_path)]) == 0
    for entry in DEMOS:
        for suffix in ("jpg", "json"):
            assert (demo / f"{entry.name}.{suffix}").is_file()
        assert (tmp_path / f"{entry.name}.json").read_bytes() == (demo / f"{entry.name}.json").read_bytes()
        made, kept = (cv2.imread(str(folder / f"{entry.name}.jpg")) for folder in (tmp_path, demo))
        assert made is not None
        assert kept is not None
        assert np.abs(made.astype(int) - kept).mean() < 1.0
    for folder in (tmp_path, demo):
        assert sorted(path.name for path in (folder / "game").iterdir()) == [f"{n:02d}.jpg" for n in range(12)]
    for path in (tmp_path / "game").iterdir():
        made, kept = cv2.imread(str(path)), cv2.imread(str(demo / "game" / path.name))
        assert made is not None
        assert kept is not None
        assert np.abs(made.astype(int) - kept).mean() < 1.0


@pytest.mark.parametrize(
    ("name", "up", "down", "joins"), [("cincos", 14, 0, 10), ("pincset", 18, 0, 17), ("hand", 7, 5, 0)]
)
def test_demo_pictures_hold_what_they_say(demo: Path, name: str, up: int, down: int, joins: int) -> None:
    """The labels count the tiles and joins that the folder's README names."""
    label = json.loads((demo / f"{name}.json").read_text())
    assert len(label["tiles"]) == up
    assert len(label["down"]) == down
    assert len(label["chain"] or []) == joins


def test_demo_command_wants_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a folder the command says how it is called and fails."""
    assert main([]) == 2
    assert "OUTDIR" in capsys.readouterr().err
