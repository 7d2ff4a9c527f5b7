"""Sequences of photographs: their files, how moves are scored, and how a table is followed."""

import json

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX, Tile, doubled
from domino_vision.errors import LabelError
from domino_vision.sequences import (
    Follower,
    FrameMoves,
    evaluate_sequences,
    read_sequences,
    score_moves,
)
from domino_vision.types import HALF_CLASSES, TileReadings

A, B, C, D = (Tile.parse(text) for text in ("6-4", "4-4", "4-1", "1-0"))
SIZE = (1280, 720)


def readings(tiles):
    """Readings of tiles given as (halves, x, y); tiles lie lengthwise, 80 px long."""
    quads, logp = [], []
    for halves, x, y in tiles:
        quads.append(np.array([[-40, -20], [-40, 20], [40, 20], [40, -20]]) + np.array([x, y]))
        p = np.full((2, HALF_CLASSES), 0.002)
        p[0, halves[0]] = p[1, halves[1]] = 0.972
        logp.append(np.log(p))
    n = len(tiles)
    corners = np.array(quads, np.float32).reshape(-1, 4, 2)
    values = np.array(logp, np.float32).reshape(-1, 2, HALF_CLASSES)
    return TileReadings(corners, np.zeros(n, np.uint8), np.full(n, 0.9, np.float32), values)


FIRST, SECOND, THIRD = ((6, 4), 300, 300), ((4, 1), 382, 300), ((1, 0), 464, 300)


def test_moves_right_missed_late_and_invented():
    """Each kind of mistake is counted as its key says; the start is not counted."""
    frames = [
        FrameMoves("0", None, (D,)),
        FrameMoves("1", (A,), (A,), asked=True, delay_s=0.5),
        FrameMoves("2", (B,), ()),
        FrameMoves("3", (), (B,), delay_s=0.9),
        FrameMoves("4", (C,), (D,)),
        FrameMoves("5", (), (Tile(2, 2),), reasons=("new_tile_unsure",)),
    ]
    metrics = score_moves(frames)
    figures = metrics.to_json()
    assert (metrics.frames, metrics.moves) == (5, 3)
    assert figures["moves_right"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["moves_missed"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["moves_invented"] == pytest.approx(2 / 3, abs=1e-4)
    assert figures["asked"] == 0.2
    assert figures["commit_delay_s"] == {"p50": 0.7, "p95": 0.88}
    assert [(failure.frame, failure.code) for failure in metrics.failures] == [
        ("2", "late"),
        ("4", "misread"),
        ("5", "invented"),
    ]


def test_nothing_labelled_is_no_division_by_zero():
    """Without moves all shares are zero."""
    assert score_moves([]).to_json()["moves_right"] == 0.0


def test_a_new_tile_at_the_chain_is_a_move():
    """A tile joined to what lies there came; what lies there did not."""
    follower = Follower(DOUBLE_SIX)
    assert follower.step(readings([]), SIZE).tiles == ()
    assert follower.step(readings([FIRST]), SIZE).tiles == (Tile(6, 4),)
    step = follower.step(readings([FIRST, SECOND]), SIZE)
    assert step.tiles == (Tile(4, 1),)
    assert not step.asks


def test_a_tile_far_off_is_loose():
    """Tiles that come to lie aside are no moves."""
    follower = Follower(DOUBLE_SIX)
    follower.step(readings([FIRST, SECOND]), SIZE)
    step = follower.step(readings([FIRST, SECOND, ((5, 5), 1100, 650)]), SIZE)
    assert step.tiles == ()
    assert step.loose == (2,)


def test_a_tile_overlooked_once_is_no_second_move():
    """A known tile that one frame misses and the next shows again did not come anew."""
    follower = Follower(DOUBLE_SIX)
    follower.step(readings([FIRST, SECOND]), SIZE)
    assert follower.step(readings([FIRST]), SIZE).tiles == ()
    assert follower.step(readings([FIRST, SECOND, THIRD]), SIZE).tiles == (Tile(1, 0),)


def test_what_is_known_corrects_a_misreading():
    """A tile read rightly before is not believed to be another for one doubtful look."""
    follower = Follower(DOUBLE_SIX)
    for _ in range(2):
        follower.step(readings([FIRST, SECOND]), SIZE)
    doubtful = readings([FIRST, ((4, 2), 382, 300), ((1, 0), 464, 300)])
    p = np.full(HALF_CLASSES, 0.01)
    p[2], p[1] = 0.6, 0.2
    doubtful.half_logp[1, 1] = np.log(p / p.sum())
    step = follower.step(doubtful, SIZE)
    assert step.tiles == (Tile(1, 0),)
    assert step.observation.tiles[1].tile is Tile(4, 1)


def test_two_sets_mixed_have_every_tile_twice():
    """A set of two keeps its tiles and doubles the copies."""
    two = doubled(DOUBLE_SIX, 2)
    assert two.copies(Tile(6, 6)) == 2
    assert len(two) == 56
    assert doubled(DOUBLE_SIX, 1) is DOUBLE_SIX


def write(folder, raw, frames=("a.jpg", "b.jpg")):
    folder.mkdir(parents=True, exist_ok=True)
    for frame in frames:
        (folder / frame).write_bytes(b"")
    (folder / "sequences.json").write_text(raw if isinstance(raw, str) else json.dumps(raw))


def test_files_are_read_from_a_folder_and_from_folders_in_it(tmp_path):
    """One tile, several, none and a start are told apart; a tile laid twice makes two sets."""
    raw = [{"id": "s", "frames": ["a.jpg", "b.jpg"], "new_tiles": [None, [[6, 4], [4, 6]]]}]
    write(tmp_path / "one", raw)
    found = read_sequences(tmp_path)
    assert [sequence.id for sequence in found] == ["s"]
    assert found[0].new_tiles == (None, (A, A))
    assert found[0].moves == 2
    assert found[0].tile_set.copies(A) == 2
    assert read_sequences(tmp_path / "one") == found


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("{", "label_syntax"),
        ({}, "label_syntax"),
        ([3], "label_field"),
        ([{"frames": [], "new_tiles": []}], "label_field"),
        ([{"frames": ["a.jpg"], "new_tiles": []}], "label_field"),
        ([{"frames": ["zzz.jpg"], "new_tiles": [None]}], "label_field"),
        ([{"frames": ["a.jpg"], "new_tiles": [[6, "4"]]}], "label_field"),
        ([{"frames": ["a.jpg"], "new_tiles": [[6, 40]]}], "label_field"),
        ([{"frames": ["a.jpg"], "new_tiles": [7]}], "label_field"),
    ],
)
def test_broken_files_are_refused(tmp_path, raw, code):
    """A broken file names its fault with a code."""
    write(tmp_path, raw)
    with pytest.raises(LabelError) as caught:
        read_sequences(tmp_path)
    assert caught.value.code == code


def test_no_sequences_is_said(tmp_path):
    """A folder without sequences is refused."""
    with pytest.raises(LabelError) as caught:
        read_sequences(tmp_path)
    assert caught.value.code == "no_sequences"


def test_a_folder_is_evaluated(tmp_path):
    """Moves of a folder are followed with the readings of its pictures, and told as figures and as text."""
    raw = [{"id": "s", "frames": ["a.jpg", "b.jpg", "c.jpg"], "new_tiles": [None, [4, 1], [1, 0]]}]
    write(tmp_path, raw, ("a.jpg", "b.jpg", "c.jpg"))
    looks = {"a": readings([FIRST]), "b": readings([FIRST, SECOND]), "c": readings([FIRST, SECOND])}
    done = []
    found = evaluate_sequences(
        tmp_path, lambda path: (looks[path.stem], SIZE), progress=lambda at, count: done.append((at, count))
    )
    figures = found.to_json()
    assert (figures["moves_right"], figures["moves_missed"], figures["moves_invented"]) == (0.5, 0.5, 0.0)
    assert figures["by_sequence"]["s"]["moves"] == 2
    assert figures["failures"][0]["code"] == "missed"
    assert "c.jpg: missed: 1-0 laid, nothing reported (no_new_tile_found)" in found.to_text()
    assert done == [(1, 3), (2, 3), (3, 3)]


def test_the_real_sequences_are_well_formed(photos):
    """The labelled sequences beside the checkout can be read, with two sets where a tile occurs twice."""
    found = {sequence.id: sequence for sequence in read_sequences(photos / "sequences")}
    assert found["ddd-1"].tile_set.copies(Tile(0, 0)) == 2
    assert found["hsb-gestell2"].tile_set is DOUBLE_SIX
    assert sum(sequence.moves for sequence in found.values()) == 65
