"""Properties of following a table: noise is no change, any rigid push is undone, nothing is read in motion."""

import json
import math
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.sequences import FrameMoves, score_moves
from domino_vision.settle import Reason, Sample, SettleMachine, SettleState, Verdict
from domino_vision.track import Pose, diff
from domino_vision.track.fuse import normalised, with_prior
from domino_vision.track.poses import rigid_fit
from domino_vision.types import HALF_CLASSES, ReadTile, TileReadings, TileRole
from domino_vision.zones import Zone, Zones

SET = list(DOUBLE_SIX)
EMPTY = np.zeros(0, np.float32)
NOTHING = assemble(
    TileReadings(EMPTY.reshape(0, 4, 2), EMPTY.astype(np.uint8), EMPTY, EMPTY.reshape(0, 2, HALF_CLASSES)),
    (640, 480),
    DOUBLE_SIX,
)
SURE = Verdict(sure=True, certain=True, reason=Reason.of("tiles_changed"))


def tile_quad(x, y, angle):
    u = np.array([math.cos(angle), math.sin(angle)]) * 25
    v = np.array([-math.sin(angle), math.cos(angle)]) * 12.5
    return np.array([-u - v, -u + v, u + v, u - v]) + np.array([x, y])


@st.composite
def tables(draw):
    """Different tiles on a loose grid, at any angle."""
    count = draw(st.integers(1, 12))
    tiles = draw(st.permutations(SET))[:count]
    cells = draw(st.permutations(range(36)))[:count]
    angles = draw(st.lists(st.floats(0, 6.28), min_size=count, max_size=count))
    quads = [tile_quad(90 * (cell % 6), 90 * (cell // 6), angle) for cell, angle in zip(cells, angles, strict=True)]
    return [tile.halves for tile in tiles], quads


def observed(halves, quads):
    read = [
        ReadTile(quad.astype(np.float32), quad.astype(np.float32), pair, 0.99, TileRole.LOOSE)
        for pair, quad in zip(halves, quads, strict=True)
    ]
    return replace(NOTHING, tiles=tuple(read))


@settings(max_examples=40, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_noise_order_and_half_turns_are_no_change(table, random):
    """The same tiles in another order, seen from the other end, shaken by 2 mm: nothing changed."""
    halves, quads = table
    order = list(range(len(halves)))
    random.shuffle(order)
    after_halves, after_quads = [], []
    for i in order:
        turned = random.random() < 0.5
        shake = np.array([[random.uniform(-2, 2) for _ in range(2)] for _ in range(4)])
        after_quads.append((np.roll(quads[i], 2, axis=0) if turned else quads[i]) + shake)
        after_halves.append(halves[i][::-1] if turned else halves[i])
    change = diff(observed(halves, quads), observed(after_halves, after_quads))
    assert change.is_empty
    assert sorted(pair[0] for pair in change.pairs) == sorted(order)


@settings(max_examples=40, deadline=None)
@given(tables(), tables())
def test_a_change_speaks_of_every_tile_once(before, after):
    """Every tile before is gone or paired, every tile after is new or paired, never both."""
    change = diff(observed(*before), observed(*after))
    old, new = [pair[0] for pair in change.pairs], [pair[1] for pair in change.pairs]
    assert sorted([*old, *change.gone]) == list(range(len(before[0])))
    assert sorted([*new, *change.new]) == list(range(len(after[0])))


@settings(max_examples=60, deadline=None)
@given(tables(), st.floats(-3.1, 3.1), st.floats(-500, 500), st.floats(-500, 500))
def test_a_rigid_motion_is_found_from_its_effect(table, turn, x, y):
    """The motion fitted to moved corners is the motion that moved them."""
    points = np.concatenate(table[1])
    moved = Pose(turn, (x, y)).apply(points)
    assert np.allclose(rigid_fit(points, moved).apply(points), moved, atol=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(0.02, 0.5), st.booleans(), st.floats(0, 0.05), st.booleans()), max_size=80))
def test_nothing_is_read_unless_the_table_was_calm(steps):
    """Whatever happens, READ is entered only after the rest time without motion, and time never runs back."""
    machine, at, calm_since = SettleMachine(), 0.0, None
    for gap, moving, changed, hand in steps:
        at += gap
        before = machine.state
        found = machine.see(Sample(at, motion=0.1 if moving else 0.0, changed=changed, hand=hand and moving))
        calm_since = None if moving else at if calm_since is None else calm_since
        assert all(transition.at == at for transition in found)
        if machine.state is SettleState.READ and before is not SettleState.READ:
            assert calm_since is not None
            assert at - calm_since >= machine.options.rest_s - 1e-9
        if machine.state is SettleState.READ:
            machine.read_done(SURE, at)
            assert machine.state is SettleState.COMMIT


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-20, 0), min_size=30, max_size=30),
    st.lists(st.floats(-20, 0), min_size=30, max_size=30),
)
def test_a_prior_leaves_a_distribution(now, known):
    """A look with what was known before is a distribution again, whatever both say."""
    look = normalised(np.array(now).reshape(2, HALF_CLASSES))
    before = normalised(np.array(known).reshape(2, HALF_CLASSES))
    assert np.allclose(np.exp(with_prior(look, before)).sum(1), 1, atol=1e-4)


names = st.sampled_from(["layout", "stock", "trump", "trick", "talon", "pile-0", "pile-3", "hand-1"])
corners = st.tuples(st.floats(-900, 900), st.floats(-900, 900), st.floats(5, 400), st.floats(5, 400))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(names, corners, max_size=8), st.integers(0, 8))
def test_zones_survive_json(places, seats):
    """Zones written as JSON and read again are the same, and each holds its own middle at no less than its edge."""
    zones = Zones(
        tuple(Zone(name, ((x, y), (x + w, y), (x + w, y + h), (x, y + h))) for name, (x, y, w, h) in places.items()),
        seats,
        "cincos",
    )
    assert Zones.from_json(json.loads(json.dumps(zones.to_json()))) == zones
    for zone in zones.zones:
        assert zone.depth(zone.points.mean(0).tolist()) > 0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from(SET[:8]), max_size=2), st.lists(st.sampled_from(SET[:8]), max_size=2)),
        max_size=12,
    )
)
def test_scores_add_up(rows):
    """Right moves and missed ones never exceed the labelled; right and invented ones never the reported."""
    frames = [FrameMoves(str(k), tuple(label), tuple(report)) for k, (label, report) in enumerate(rows)]
    metrics = score_moves(frames)
    assert metrics.moves == sum(len(label) for label, _ in rows)
    assert metrics.right + metrics.missed <= metrics.moves
    assert metrics.right + metrics.invented <= sum(len(report) for _, report in rows)
