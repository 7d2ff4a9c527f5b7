"""Reading and writing label files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_vision.errors import LabelError
from domino_vision.labels import Label, label_files, read_label, write_label
from domino_vision.types import Join

QUAD = [[0, 0], [0, 20], [40, 20], [40, 0]]


def raw_label(**changes: Any) -> dict[str, Any]:
    label = {
        "image": "x.jpg",
        "source": "own",
        "set": "double-six",
        "table": "t1",
        "tiles": [{"quad": QUAD, "halves": [6, 4]}, {"quad": QUAD, "halves": [4, 4]}],
        "down": [QUAD],
        "ignore": [],
        "chain": [[0, "b", 1, "m"]],
        "note": "",
    }
    return {**label, **changes}


def saved(folder: Path, raw: object) -> Path:
    path = folder / "x.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def test_a_label_is_read(tmp_path: Path) -> None:
    """Quads become float32 arrays, the chain joins."""
    label = read_label(saved(tmp_path, raw_label()))
    assert label.quads_px.shape == (2, 4, 2)
    assert label.quads_px.dtype == np.float32
    assert label.halves == ((6, 4), (4, 4))
    assert label.chain == (Join(0, "b", 1, "m"),)
    assert label.down_px.shape == (1, 4, 2)
    assert label.ignore_px.shape == (0, 4, 2)
    assert label.has_chain


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    """Writing and reading a label changes nothing, and leaves no other file."""
    label = read_label(saved(tmp_path, raw_label(note="näher")))
    write_label(tmp_path / "y.json", label)
    again = read_label(tmp_path / "y.json")
    assert again.note == "näher"
    assert again.chain == label.chain
    assert np.array_equal(again.quads_px, label.quads_px)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.json", "y.json"]


def test_tiles_that_merely_lie_about_have_no_chain(tmp_path: Path) -> None:
    """A null chain is None; an empty one opens a line of play only with a single tile."""
    assert read_label(saved(tmp_path, raw_label(chain=None))).chain is None
    assert not read_label(saved(tmp_path, raw_label(chain=[]))).has_chain
    one = raw_label(chain=[], tiles=[{"quad": QUAD, "halves": [6, 4]}])
    assert read_label(saved(tmp_path, one)).has_chain


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tiles": None}, "tiles"),
        ({"tiles": {}}, "tiles"),
        ({"tiles": [7]}, "tiles[0]"),
        ({"tiles": [{"halves": [1, 2]}]}, "tiles[0].quad"),
        ({"tiles": [{"quad": QUAD[:3], "halves": [1, 2]}]}, "tiles[0].quad"),
        ({"tiles": [{"quad": [*QUAD[:3], [1, float("nan")]], "halves": [1, 2]}]}, "tiles[0].quad"),
        ({"tiles": [{"quad": [*QUAD[:3], [1, "2"]], "halves": [1, 2]}]}, "tiles[0].quad"),
        ({"tiles": [{"quad": QUAD}]}, "tiles[0].halves"),
        ({"tiles": [{"quad": QUAD, "halves": [1, 13]}]}, "tiles[0].halves"),
        ({"tiles": [{"quad": QUAD, "halves": [1, True]}]}, "tiles[0].halves"),
        ({"down": [[1, 2]]}, "down[0]"),
        ({"ignore": "none"}, "ignore"),
        ({"set": "double-seven"}, "set"),
        ({"table": 3}, "table"),
        ({"chain": [[0, "b", 2, "m"]]}, "chain[0]"),
        ({"chain": [[-1, "b", 1, "m"]]}, "chain[0]"),
        ({"chain": [[0, "c", 1, "m"]]}, "chain[0]"),
        ({"chain": [[0, "b", 0, "a"]]}, "chain[0]"),
        ({"chain": [[0, "b", 1]]}, "chain[0]"),
        ({"chain": "0b1m"}, "chain"),
    ],
)
def test_a_broken_field_is_named(tmp_path: Path, changes: dict[str, Any], field: str) -> None:
    """What is wrong is one typed error that names file and field."""
    path = saved(tmp_path, raw_label(**changes))
    with pytest.raises(LabelError) as caught:
        read_label(path)
    assert caught.value.code == "label_field"
    assert caught.value.params["field"] == field
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "\x00", "[" * 100_000])
def test_a_file_that_is_no_label_is_refused(tmp_path: Path, text: str) -> None:
    """No JSON, or JSON that is no object, is one typed error."""
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LabelError, match=r"x\.json") as caught:
        read_label(path)
    assert caught.value.code == "label_syntax"


def test_missing_files_are_told(tmp_path: Path) -> None:
    """A missing label, a missing folder and a folder without labels are typed errors."""
    with pytest.raises(LabelError) as missing:
        read_label(tmp_path / "no.json")
    assert missing.value.code == "label_missing"
    for folder in (tmp_path, tmp_path / "no"):
        with pytest.raises(LabelError) as none:
            label_files(folder)
        assert none.value.code == "no_labels"


def test_only_labels_beside_pictures_are_taken(tmp_path: Path) -> None:
    """Other JSON files of a folder, such as a list of sequences, are no labels."""
    for name in ("b.json", "b.jpg", "a.json", "a.jpg", "sequences.json", "c.jpg"):
        (tmp_path / name).touch()
    assert [file.name for file in label_files(tmp_path)] == ["a.json", "b.json"]


def test_an_unwritable_place_is_told(tmp_path: Path) -> None:
    """Writing into a folder that is missing is one typed error."""
    none = np.zeros((0, 4, 2), np.float32)
    label = Label("x.jpg", "", "double-six", "", none, (), none, none, None)
    with pytest.raises(LabelError) as caught:
        write_label(tmp_path / "no" / "x.json", label)
    assert caught.value.code == "label_unwritable"


def test_every_shared_label_is_read(photos: Path) -> None:
    """All labels of the real photographs follow the format."""
    folders = [photos / name for name in ("train", "dev", "negatives", "sequences/hsb", "sequences/ddd-1")]
    labels = [read_label(file) for folder in folders for file in label_files(folder)]
    assert len(labels) > 300
    assert all(len(label.quads_px) == len(label.halves) for label in labels)


def test_several_sets_may_be_mixed(tmp_path: Path) -> None:
    """A label says of how many sets the tiles are; one by default, and never none or a hundred."""
    assert read_label(saved(tmp_path, raw_label())).sets == 1
    label = read_label(saved(tmp_path, raw_label(sets=2)))
    assert label.sets == 2
    write_label(tmp_path / "y.json", label)
    assert read_label(tmp_path / "y.json").sets == 2
    for bad in (0, 100, 1.5, "2", True, None):
        with pytest.raises(LabelError) as caught:
            read_label(saved(tmp_path, raw_label(sets=bad)))
        assert caught.value.params["field"] == "sets"
