"""Labels of the detector's training: quads, rectangles, shares of tables."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domino_vision.errors import TrainingError
from domino_vision.training.box_labels import (
    FACE_DOWN,
    FACE_UP,
    STANDING,
    Picture,
    mean_rectangle,
    read_folder,
    read_picture,
    share_out,
    tile_length,
    visible_part,
)
from domino_vision.training.box_pseudo import match_boxes

TILE = np.array([[10, 10], [10, 30], [50, 30], [50, 10]], np.float32)


def write_label(folder: Path, name: str, table: str = "t", **lists: object) -> Path:
    path = folder / f"{name}.json"
    content = {"image": f"{name}.jpg", "table": table, "tiles": [], "down": [], "ignore": []} | lists
    path.write_text(json.dumps(content), encoding="utf-8")
    path.with_suffix(".jpg").write_bytes(b"")
    return path


def test_label_file_gives_boxes_of_three_classes(tmp_path: Path) -> None:
    """Face-up and face-down tiles become boxes; ignored ones become standing tiles only where that was checked."""
    quad = TILE.tolist()
    label = write_label(tmp_path, "a", tiles=[{"quad": quad}], down=[quad], ignore=[quad])
    plain, checked = read_picture(label), read_picture(label, standing=True)
    assert [box.kind for box in plain.boxes] == [FACE_UP, FACE_DOWN]
    assert len(plain.ignore) == 1
    assert [box.kind for box in checked.boxes] == [FACE_UP, FACE_DOWN, STANDING]
    assert checked.ignore == ()


def test_folder_leaves_out_tables(tmp_path: Path) -> None:
    """Tables that are checked on are left out, whatever folder they lie in."""
    (tmp_path / "deep").mkdir()
    write_label(tmp_path, "a", table="keep")
    write_label(tmp_path / "deep", "b", table="held-out")
    assert [picture.table for picture in read_folder(tmp_path, skip_tables=["held-out"])] == ["keep"]


@pytest.mark.parametrize("text", ["no json", "{}", '{"image": "a", "table": "t", "tiles": [{"quad": [[1, 2]]}]}'])
def test_bad_label_is_named(tmp_path: Path, text: str) -> None:
    """A file that is no label is refused with its path."""
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TrainingError) as caught:
        read_picture(path)
    assert caught.value.code == "bad_label"
    assert caught.value.params["path"] == str(path)


def test_missing_folder_is_named(tmp_path: Path) -> None:
    """A folder that does not exist is refused."""
    with pytest.raises(TrainingError) as caught:
        read_folder(tmp_path / "none")
    assert caught.value.code == "missing_folder"


@given(
    st.floats(20, 200),
    st.floats(0.3, 0.9),
    st.floats(-3.1, 3.1),
    st.integers(0, 3),
    st.floats(-500, 500),
    st.booleans(),
)
def test_mean_rectangle_of_a_rectangle_is_itself(
    length: float, ratio: float, angle: float, first: int, shift: float, mirrored: bool
) -> None:
    """A turned rectangle keeps its four corners, whichever comes first and whichever way round."""
    flat = np.array([[-1, -ratio], [1, -ratio], [1, ratio], [-1, ratio]]) * length / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    quad = (np.roll(flat[::-1] if mirrored else flat, first, axis=0) @ turn.T + shift).astype(np.float32)
    result = mean_rectangle(quad)
    distances = np.linalg.norm(result[:, None] - quad[None], axis=2).min(axis=1)
    assert float(distances.max()) < 0.05
    assert tile_length(quad) == pytest.approx(length, rel=1e-3)


def test_visible_part_of_a_cut_tile() -> None:
    """A tile half outside the window is half visible, and its rectangle ends at the border."""
    share, part = visible_part(TILE - np.array([30, 0], np.float32), 640)
    assert share == pytest.approx(0.5, abs=0.02)
    assert part[:, 0].min() == pytest.approx(0, abs=0.5)
    assert part[:, 0].max() == pytest.approx(20, abs=0.5)


def test_tile_outside_is_not_visible() -> None:
    """A tile beyond the window is not visible at all."""
    assert visible_part(TILE + 1000, 640)[0] == 0


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(0, 500))
def test_shares_add_up_and_large_tables_weigh_less(sizes: list[int], count: int) -> None:
    """All windows are given out; a picture of a larger table never gets clearly more than one of a smaller."""
    pictures = [Picture(Path("x"), f"t{n}", (), ()) for n, size in enumerate(sizes) for _ in range(size)]
    shares = share_out(pictures, count)
    assert sum(shares) == count
    by_table = {n: [s for s, p in zip(shares, pictures, strict=True) if p.table == f"t{n}"] for n in range(len(sizes))}
    small, large = min(range(len(sizes)), key=sizes.__getitem__), max(range(len(sizes)), key=sizes.__getitem__)
    assert min(by_table[large]) <= max(by_table[small]) + 1


def test_proposals_need_a_box_of_their_class() -> None:
    """A proposal completes a given box only where place and class agree; each box is completed once."""
    box = np.array([10.0, 10.0, 50.0, 30.0])
    assert match_boxes([(box, FACE_UP)], [(TILE, FACE_DOWN)]) == [None]
    assert match_boxes([(box, FACE_UP)], [(TILE + 100, FACE_UP)]) == [None]
    matched = match_boxes([(box, FACE_UP)], [(TILE, FACE_UP), (TILE + 1, FACE_UP)])
    assert matched[0] is TILE
