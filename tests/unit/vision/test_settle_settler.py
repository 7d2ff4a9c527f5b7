"""Frames in, commits and questions out, on small rendered videos whose truth is read instead of a network."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX, Tile
from domino_vision.settle import Ask, Commit, Settler, SettleState, Transition, bumped
from domino_vision.synth.board import Piece
from domino_vision.synth.demo import DEMOS
from domino_vision.synth.stage import SceneOptions, set_stage
from domino_vision.synth.video import GameVideo, VideoOptions
from domino_vision.synth.video_games import Trick, trick_script
from domino_vision.synth.video_script import (
    Blackout,
    CameraBump,
    Leaning,
    LightChange,
    Moving,
    Placing,
    Pushing,
    Script,
    Taking,
)
from domino_vision.synth.video_truth import TruthReader
from domino_vision.synth.video_zones import script_zones
from domino_vision.types import HALF_CLASSES, Frame, TileReadings

CHAIN = [(6, 5), (5, 5), (5, 2), (2, 4), (4, 1)]


@pytest.fixture(scope="module")
def stage():
    """A small picture of a table seen from above."""
    assert DEMOS
    options = SceneOptions(size_wh=(640, 400), tile_fraction=(0.09, 0.09), tilt_deg=(80, 86), harm=0.2)
    return set_stage(np.random.default_rng(11), options)


def pieces(stage, count=5):
    """A straight chain in the middle of the view."""
    length = stage.board.length
    middle = stage.view.mean(axis=0)
    found = []
    for i, halves in enumerate(CHAIN[:count]):
        centre = middle + np.array([(i - 2) * (length + 0.05), 0.0])
        found.append((f"t{i}", Piece("up", centre, 0.0, length, halves=halves)))
    return found


def follow(stage, acts, start=(), reader=None, settler=None, seed=4, options=None):
    """Play a script; return the settler, its events, and the reader."""
    reader = reader or TruthReader(seed, misread=0.0)
    settler = settler or Settler(reader, DOUBLE_SIX)
    video = GameVideo(seed, stage, Script(tuple(acts), tuple(start)), options or VideoOptions(rest_s=0.9, noise=1.5))
    events = []
    for shot in video:
        events += settler.push(reader.watch(shot))
    return settler, events, reader


def commits(events):
    return [event for event in events if isinstance(event, Commit)]


def new_tiles(commit):
    return [str(commit.observation.tiles[i].tile) for i in commit.change.new]


def test_tiles_that_are_laid_are_committed_one_by_one(stage):
    """Each tile that a hand lays is one commit with that tile as new, in less than a second."""
    laid = pieces(stage, 3)
    settler, events, reader = follow(stage, [Placing(key, piece, seat) for seat, (key, piece) in enumerate(laid)])
    moves = [commit for commit in commits(events) if commit.change.new]
    assert [new_tiles(commit) for commit in moves] == [["6-5"], ["5-5"], ["5-2"]]
    assert all(commit.delay_s is not None and commit.delay_s < 1.0 for commit in moves)
    assert settler.state is SettleState.WAIT
    assert reader.reads < 15
    assert moves[-1].to_json()["new"] == ["5-2"]


@pytest.mark.parametrize(("turn", "pitch"), [(0.0, "length"), (np.pi / 2, "width")])
def test_backs_lie_undisturbed_unless_one_of_them_goes(stage, turn, pitch):
    """End to end or side by side: a tile laid elsewhere disturbs none, one that is taken away all."""
    length = stage.board.length
    step = (length if pitch == "length" else 1.0) + 0.3
    low = stage.view[0]
    backs = [
        (f"b{i}", Piece("down", low + np.array([1.2 * length + i * step, 1.3 * length]), turn, length))
        for i in range(4)
    ]
    laid = pieces(stage, 1)
    _, events, _ = follow(stage, [Placing(*laid[0]), Taking(("b1",))], backs)
    first, placed, taken = commits(events)[:3]
    seen = [
        [still for still, tile in zip(each.undisturbed, each.observation.tiles, strict=True) if tile.halves is None]
        for each in (first, placed, taken)
    ]
    assert seen == [[False] * 4, [True] * 4, [False] * 3]


def test_bumps_and_light_are_no_moves(stage):
    """A pushed camera, an elbow and another lamp change no tile; the next move is seen all the same."""
    laid = pieces(stage)
    keys = tuple(key for key, _ in laid[:3])
    acts = [CameraBump((14.0, -9.0), 0.5), Pushing(keys, (0.0, 0.45)), LightChange(0.75), Placing(*laid[4])]
    _, events, _ = follow(stage, acts, laid[:4])
    found = commits(events)
    assert new_tiles(found[0]) != []
    assert [new_tiles(commit) for commit in found[1:] if not commit.change.is_empty] == [["4-1"]]
    codes = [commit.reason.code for commit in found]
    assert "camera_moved" in codes
    assert "tiles_pushed" in codes
    told = [event.reason.code for event in events if isinstance(event, Transition | Commit)]
    assert "light_changed" in told
    assert [bumped(commit) for commit in found].count(True) >= 2


def test_black_frames_and_somebody_leaning_end_well(stage):
    """A blackout and a visitor are waited out with a name; nothing is committed as a change."""
    laid = pieces(stage, 4)
    settler, events, _ = follow(stage, [Blackout(1.0), Leaning(2.5, 0)], laid)
    codes = [event.reason.code for event in events if isinstance(event, Transition)]
    assert "no_picture" in codes
    assert "picture_back" in codes
    assert all(commit.change.is_empty for commit in commits(events)[1:])
    assert settler.state is SettleState.WAIT


def test_tiles_swept_away_are_gone(stage):
    """Tiles that hands take off the table are gone, and an empty table is committed as cleared."""
    laid = pieces(stage, 3)
    settler, events, _ = follow(stage, [Taking(tuple(key for key, _ in laid))], laid)
    last = commits(events)[-1]
    assert last.reason.code == "table_cleared"
    assert len(last.change.gone) == 3
    assert settler.state is SettleState.WAIT


def test_a_tile_turned_over_and_carried_off(stage):
    """A tile moved to a pile is told as moved, one turned in its place as turned."""
    laid = pieces(stage, 3)
    pile = stage.view.mean(axis=0) + np.array([0.0, -2.2])
    length = stage.board.length
    moved = Piece("up", pile, 0.0, length, halves=laid[0][1].halves)
    turned = Piece("down", laid[2][1].centre, 0.0, length, halves=laid[2][1].halves)
    _, events, _ = follow(stage, [Moving((("t0", moved),)), Moving((("t2", turned),))], laid)
    changes = [commit.change for commit in commits(events)[1:] if not commit.change.is_empty]
    assert [len(change.moved) for change in changes] == [1, 0]
    assert [tile.up for tile in changes[1].turned] == [False]


class Doubter(TruthReader):
    """Reads every tile so badly that nobody should believe it."""

    def _logp(self, halves):
        p = np.full((2, 15), 0.01)
        for half, pips in enumerate(halves):
            p[half, pips] = 0.42
            p[half, (pips + 1) % 7] = 0.45
        return np.log(p / p.sum(1, keepdims=True)).astype(np.float32)


def test_doubt_becomes_a_question_and_an_answer_a_commit(stage):
    """A tile that cannot be read is asked about; told what it is, the table is committed with that."""
    reader = Doubter(3)
    settler, events, _ = follow(stage, [], pieces(stage, 1), reader, options=VideoOptions(rest_s=2.0))
    asks = [event for event in events if isinstance(event, Ask)]
    assert len(asks) == 1
    assert asks[0].reason.code == "new_tile_unsure"
    assert asks[0].to_json()["doubts"][0]["tiles"] == [0]
    assert settler.state is SettleState.ASK
    halves = asks[0].observation.tiles[0].halves
    assert halves is not None
    told = (6, 5) if sorted(halves) != [5, 6] else halves
    answered = settler.answer(0, told)
    assert [str(event.state) for event in answered if isinstance(event, Transition)] == ["read"]
    assert len(answered) == 1
    video = GameVideo(4, stage, Script((), tuple(pieces(stage, 1))), VideoOptions(rest_s=1.0))
    events = []
    for shot in video:
        late = reader.watch(shot)
        reader.watch(replace(shot, frame=Frame(late.bgr, late.at + 2)))
        events += settler.push(Frame(late.bgr, late.at + 2))
    assert commits(events)[-1].observation.tiles[0].tile is Tile(*told)


def test_a_reading_may_be_accepted_as_it_is(stage):
    """A person who says yes to the question commits what was read."""
    settler, _, _ = follow(stage, [], pieces(stage, 1), Doubter(3), options=VideoOptions(rest_s=2.0))
    events = settler.accept()
    assert [event.reason.code for event in events] == ["accepted"]
    assert settler.accept() == ()


def test_late_frames_are_dropped_but_not_for_ever(stage):
    """Frames that come too late are not looked at, except for one now and then."""
    reader = TruthReader(1)
    settler = Settler(reader, DOUBLE_SIX, late_s=0.3)
    video = GameVideo(1, stage, Script((), ()), VideoOptions(rest_s=1.0))
    for shot in video:
        settler.push(reader.watch(shot), now=shot.frame.at + 1.0)
    assert settler.dropped == 12
    assert settler.sample is not None


def test_restart_forgets_the_table(stage):
    """Before a new hand everything is read afresh: all tiles are new again."""
    laid = pieces(stage, 2)
    settler, _, reader = follow(stage, [], laid)
    assert settler.committed is not None
    settler.restart(1.0)
    assert settler.committed is None
    video = GameVideo(4, stage, Script((), tuple(laid)), VideoOptions(rest_s=1.5))
    events = [event for shot in video for event in settler.push(reader.watch(shot))]
    assert len(commits(events)[0].change.new) == 2


def test_a_trick_is_followed_from_zone_to_zone():
    """Lead and reply appear in the trick zone, then lie in the taker's pile; a drawn tile leaves the stock."""
    options = SceneOptions(size_wh=(800, 480), tile_fraction=(0.06, 0.06), tilt_deg=(84, 88), harm=0.2)
    table = set_stage(np.random.default_rng(21), options)
    tricks = [Trick(0, (6, 5), (6, 1), 1, draws=True)]
    script = trick_script(np.random.default_rng(2), table, (4, 2), tricks)
    reader = TruthReader(5, misread=0.0)
    settler = Settler(reader, DOUBLE_SIX, region=(0.0, 0.0, 1.0, 1.0))
    seen = []
    for shot in GameVideo(6, table, script, VideoOptions(rest_s=0.9, noise=1.5)):
        for event in settler.push(reader.watch(shot)):
            if isinstance(event, Commit):
                zones = script_zones(script, shot, event.observation.px_to_mm, "bingo")
                found = zones.sorted_tiles(event.observation)
                seen.append({name: len(tiles) for name, tiles in found.items()})
    assert seen[0] == {"trump": 1, "stock": 1}
    assert {"trick": 1, "trump": 1, "stock": 1} in seen
    assert {"trick": 2, "trump": 1, "stock": 1} in seen
    assert {"pile-1": 2, "trump": 1, "stock": 1} in seen
    assert seen[-1] == {"pile-1": 2}


class Scripted:
    """Shows a picture with tiles, and an arm where one is, and reads the tiles that are in it."""

    def __init__(self):
        self.tiles: dict[tuple[int, int], tuple[int, int]] = {}
        self.arm: tuple[int, int] | None = None

    def picture(self):
        """Return the frame (720, 1280, 3)."""
        bgr = np.full((720, 1280, 3), (90, 140, 100), np.uint8)
        for x, y in self.tiles.values():
            cv2.rectangle(bgr, (x - 20, y - 10), (x + 20, y + 10), (235, 235, 235), -1)
        if self.arm is not None:
            cv2.rectangle(bgr, (self.arm[0] - 50, 0), (self.arm[0] + 50, self.arm[1]), (90, 120, 190), -1)
        return bgr

    def readings(self, frame, near=None):
        """Return the tiles in the picture."""
        del frame, near
        quads = [np.array([[-20, -10], [-20, 10], [20, 10], [20, -10]]) + at for at in self.tiles.values()]
        logp = np.full((len(quads), 2, HALF_CLASSES), np.log(0.001), np.float32)
        for at, halves in enumerate(self.tiles):
            logp[at, (0, 1), halves] = np.log(0.98)
        quads = np.array(quads, np.float32).reshape(-1, 4, 2)
        return TileReadings(quads, np.zeros(len(quads), np.uint8), np.full(len(quads), 0.9, np.float32), logp)


def test_a_tile_in_the_hand_of_who_takes_it_back_lies_nowhere():
    """Who carries a tile off is still seen with it beyond what is watched: it does not come to lie there."""
    table = Scripted()
    table.tiles = {(6, 5): (560, 500), (5, 5): (610, 500), (5, 2): (660, 500)}
    settler = Settler(table, DOUBLE_SIX)
    events, at = [], 0.0

    def show(count):
        nonlocal at
        for _ in range(count):
            events.extend(settler.push(Frame(table.picture(), at)))
            at += 1 / 15

    show(20)
    for y in range(0, 520, 40):
        table.arm = (660, y)
        show(1)
    carried = [*range(500, 90, -40), *range(90, 10, -6)]
    for y in carried:
        table.arm, table.tiles[5, 2] = (660, y - 5), (660, y)
        show(1)
    del table.tiles[5, 2]
    table.arm = None
    show(30)
    made = commits(events)
    assert [len(commit.observation.tiles) for commit in made] == [3, 2]
    assert len(made[-1].change.gone) == 1
