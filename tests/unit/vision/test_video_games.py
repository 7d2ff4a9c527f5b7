"""Rendered videos: scripts of games, truth, and the same video from the same seed."""

import numpy as np
import pytest

from domino_vision.synth.stage import SceneOptions, set_stage
from domino_vision.synth.video import GameVideo, VideoOptions
from domino_vision.synth.video_games import (
    Catch,
    Mishaps,
    Trick,
    catch_script,
    chain_script,
    trick_script,
)
from domino_vision.synth.video_script import CameraBump, Placing, Pushing, TableState

QUICK = VideoOptions(fps=8, rest_s=0.25, reach_s=0.25, slide_s=0.25)


def stage_of(seed=1, size=(480, 320), fraction=0.06):
    options = SceneOptions(size_wh=size, tile_fraction=(fraction, fraction), tilt_deg=(70, 85))
    return set_stage(np.random.default_rng(seed), options)


def test_a_chain_game_lays_each_tile_once_and_legally():
    """No tile is laid twice, and every tile matches the end that it was laid on."""
    script = chain_script(np.random.default_rng(2), stage_of(), most=20)
    laid = [act for act in script.acts if isinstance(act, Placing)]
    tiles = [tuple(sorted(act.piece.halves)) for act in laid]
    assert len(set(tiles)) == len(tiles) >= 6
    state = TableState()
    for act in laid:
        for own, other, part in act.joins:
            value = {"a": 0, "b": 1, "m": 0}
            assert act.piece.halves[value[own]] == state.pieces[other].halves[value[part]]
        state.apply(act)
    assert all(move["legal"] for move in script.moves.values())
    assert {move["seat"] for move in script.moves.values()} <= set(range(4))


def test_planted_illegal_plays_do_not_match():
    """A planted illegal play is told as such, and its halves differ at the join."""
    script = chain_script(np.random.default_rng(3), stage_of(), most=14, mishaps=Mishaps(illegal=0.5))
    illegal = [number for number, move in script.moves.items() if not move["legal"]]
    assert illegal
    pieces = {act.key: act.piece for act in script.acts if isinstance(act, Placing)}
    for number in illegal:
        act = script.acts[number]
        assert isinstance(act, Placing)
        own, other, part = act.joins[0]
        value = {"a": 0, "b": 1, "m": 0}
        assert act.piece.halves[value[own]] != pieces[other].halves[value[part]]


def test_a_spinner_starts_with_a_double():
    """With a spinner the first tile is a double."""
    script = chain_script(np.random.default_rng(5), stage_of(), most=6, spinner=True)
    first = script.acts[0]
    assert isinstance(first, Placing)
    assert first.piece.halves[0] == first.piece.halves[1]


def test_frames_tell_the_truth():
    """After each act the tiles, joins and counts are those of the script; hands hide tiles and are said to."""
    stage = stage_of()
    script = chain_script(np.random.default_rng(2), stage, most=3)
    shots = list(GameVideo(7, stage, script, QUICK))
    last = shots[-1]
    assert last.resting
    assert last.done == 3
    assert len(last.tiles) == 3
    assert len(last.chain) == 2
    assert min(tile.visible for tile in last.tiles) > 0.85
    assert any(not shot.resting for shot in shots)
    assert [shot.done for shot in shots] == sorted(shot.done for shot in shots)
    corners = np.array([tile.quad for tile in last.tiles])
    assert corners.min() >= 0
    times = np.diff([shot.frame.at for shot in shots])
    assert np.allclose(times, 1 / 8)


def test_the_same_seed_gives_the_same_video():
    """Pictures and truth depend on the seed alone; another seed gives others."""

    def film(seed):
        stage = stage_of()
        script = chain_script(np.random.default_rng(2), stage, most=2)
        return [shot.frame.bgr for shot in GameVideo(seed, stage, script, QUICK)]

    first, again, other = film(3), film(3), film(4)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])


def test_a_bumped_camera_moves_the_truth():
    """After a push the quads are where the tiles are in the picture."""
    stage = stage_of()
    script = chain_script(np.random.default_rng(2), stage, most=1)
    bumped = type(script)((*script.acts, CameraBump((12.0, -7.0))), script.start, script.moves)
    shots = list(GameVideo(7, stage, bumped, QUICK))
    before = next(shot for shot in shots if shot.done == 1)
    delta = shots[-1].tiles[0].quad.mean(0) - before.tiles[0].quad.mean(0)
    assert delta == pytest.approx([12, -7], abs=0.01)


def test_a_game_of_tricks():
    """Lead and reply come to the middle, the taker carries them off face down, and both draw from the stock."""
    stage = stage_of(fraction=0.05)
    tricks = [Trick(0, (6, 5), (6, 1), 0, draws=True), Trick(0, (3, 3), (2, 0), 1, draws=False)]
    script = trick_script(np.random.default_rng(1), stage, (4, 2), tricks)
    roles = [move["role"] for move in script.moves.values()]
    assert roles == ["lead", "reply", "take", "draw", "draw", "lead", "reply", "take"]
    assert {"trick", "trump", "stock", "pile-0", "pile-1"} <= set(script.zones)
    state = TableState(dict(script.start))
    for act in script.acts:
        state.apply(act)
    kinds = [piece.kind for piece in state.pieces.values()]
    assert kinds.count("down") == 4
    low, high = script.zones["pile-0"].min(0) - 0.5, script.zones["pile-0"].max(0) + 0.5
    in_pile = [p for p in state.pieces.values() if (p.centre > low).all() and (p.centre < high).all()]
    assert len(in_pile) == 2
    assert "trump" not in state.pieces


def test_a_game_of_captures():
    """A tile that catches carries its mates to the pile of its player; one that does not stays on the talon."""
    stage = stage_of(fraction=0.04)
    catches = [Catch(0, (6, 1), ((6, 1),)), Catch(1, (5, 2)), Catch(0, (5, 2), ((5, 2),), turned=True)]
    script = catch_script(np.random.default_rng(1), stage, [(6, 1), (4, 3)], catches)
    assert [move["role"] for move in script.moves.values()] == ["lay", "catch", "lay", "lay", "catch"]
    state = TableState(dict(script.start))
    for act in script.acts:
        state.apply(act)
    low, high = script.zones["talon"].min(0), script.zones["talon"].max(0)
    left = [p.halves for p in state.pieces.values() if (p.centre > low).all() and (p.centre < high).all()]
    assert left == [(4, 3)]
    assert script.set_name == "chinese"


def test_mishaps_are_thrown_in():
    """Bumps of the camera and of the table appear at their chance and are no moves."""
    chances = Mishaps(camera_bump=0.5, table_bump=0.9, light=0.3, leaning=0.2)
    script = chain_script(np.random.default_rng(4), stage_of(), most=14, mishaps=chances)
    kinds = {type(act) for number, act in enumerate(script.acts) if number not in script.moves}
    assert {CameraBump, Pushing} <= kinds
