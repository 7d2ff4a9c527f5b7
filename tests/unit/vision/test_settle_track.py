"""Following tiles in table coordinates: registration, changes, memory, sums of looks, what can be a tile."""

import math
from dataclasses import replace

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX, Tile
from domino_vision.assemble import assemble
from domino_vision.track import (
    CameraMotion,
    DriftWatch,
    TableMemory,
    TableTracker,
    anchored,
    diff,
    plausible,
    register,
)
from domino_vision.track.fuse import effective_looks, fuse_looks
from domino_vision.types import (
    BACK_CLASS,
    HALF_CLASSES,
    UNREADABLE_CLASS,
    ReadTile,
    TableObservation,
    TileReadings,
    TileRole,
)

SIZE = (1280, 720)
TILES = [(6, 6), (6, 1), (1, 4), (4, 4), (2, 5), (0, 3)]
PLACES = [(600, 300, 90), (662, 300, 0), (745, 300, 0), (810, 300, 90), (400, 500, 30), (300, 200, 75)]
LENGTH, WIDTH = 80.0, 40.0


def quad(x, y, degrees, length=LENGTH, width=WIDTH):
    """Corners of a tile in pixels, first half first."""
    angle = math.radians(degrees)
    u = np.array([math.cos(angle), math.sin(angle)]) * length / 2
    v = np.array([-math.sin(angle), math.cos(angle)]) * width / 2
    return np.array([-u - v, -u + v, u + v, u - v]) + np.array([x, y])


def logp(halves, sure=0.97):
    p = np.full((2, HALF_CLASSES), (1 - sure) / (HALF_CLASSES - 1))
    for half, pips in enumerate(halves):
        p[half, pips] = sure
    return np.log(p)


def readings(tiles=TILES, places=PLACES, faces=None, sure=0.97, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    quads = np.array([quad(*place) for place in places], np.float32).reshape(-1, 4, 2)
    quads += rng.normal(0, noise, quads.shape).astype(np.float32) if noise else 0
    values = np.array([logp(tile, sure) for tile in tiles], np.float32).reshape(-1, 2, HALF_CLASSES)
    face = np.zeros(len(quads), np.uint8) if faces is None else np.array(faces, np.uint8)
    return TileReadings(quads, face, np.full(len(quads), 0.9, np.float32), values)


def observed(tiles, quads_mm, roles=None):
    """An observation with tiles at given places, table coordinates alone."""
    base = assemble(readings([], []), SIZE, DOUBLE_SIX)
    roles = roles or [TileRole.LOOSE] * len(tiles)
    read = tuple(
        ReadTile(q.astype(np.float32), q.astype(np.float32), halves, 0.99, role)
        for halves, q, role in zip(tiles, quads_mm, roles, strict=True)
    )
    return replace(base, tiles=read)


def laid(places):
    return [quad(x, y, a, 50.0, 25.0) for x, y, a in places]


AT = laid([(0, 0, 0), (80, 0, 0), (160, 10, 90), (0, 100, 45), (90, 110, 10), (200, 120, 0)])


def shifted(homography, look):
    points = look.corners_px.reshape(-1, 2) @ homography[:, :2].T + homography[:, 2]
    flat = (points[:, :2] / points[:, 2:]).reshape(-1, 4, 2).astype(np.float32)
    return TileReadings(flat, look.face, look.score, look.half_logp)


def test_nothing_changed_is_no_change():
    """The same tiles, turned in memory and shaken by noise, are all the same."""
    rng = np.random.default_rng(1)
    after = [np.roll(q, 2, axis=0) + rng.normal(0, 1.0, (4, 2)) for q in AT]
    change = diff(observed(TILES, AT), observed([t[::-1] for t in TILES], after))
    assert change.is_empty
    assert len(change.same) == 6


def test_new_and_gone_tiles():
    """A tile that came is new; one that was taken is gone."""
    before = observed(TILES[:5], AT[:5])
    after = observed([*TILES[1:5], TILES[5]], [*AT[1:5], AT[5]])
    change = diff(before, after)
    assert change.new == (4,)
    assert change.gone == (0,)
    assert not change.moved


def test_a_tile_swapped_for_another_is_told():
    """Other values in the same place are a new reading of it, neither new nor gone."""
    change = diff(observed(TILES, AT), observed([(5, 5), *TILES[1:]], AT))
    assert change.read_anew == ((0, 0),)
    assert change.new == change.gone == ()


def test_a_tile_carried_elsewhere_is_moved():
    """The same values elsewhere are the same tile, moved, with how far and how much it turned."""
    elsewhere = [quad(400, 300, 90, 50.0, 25.0), *AT[1:]]
    change = diff(observed(TILES, AT), observed(TILES, elsewhere))
    assert [(tile.before, tile.after) for tile in change.moved] == [(0, 0)]
    assert change.moved[0].shift_mm == pytest.approx(500)


def test_a_turned_tile():
    """A tile turned over in its place is told with the face that it shows now."""
    down = [TileRole.DOWN, *[TileRole.LOOSE] * 5]
    hidden = observed([None, *TILES[1:]], AT, down)
    assert [tile.up for tile in diff(hidden, observed(TILES, AT)).turned] == [True]
    assert [tile.up for tile in diff(observed(TILES, AT), hidden).turned] == [False]


def test_an_elbow_moves_a_group_and_is_no_move():
    """Neighbouring tiles that moved by one rigid motion are a pushed group, and nothing else changed."""
    after = [q + np.array([0, 12]) if i < 3 else q for i, q in enumerate(AT)]
    change = diff(observed(TILES, AT), observed(TILES, after))
    assert change.is_empty
    assert len(change.pushed) == 1
    assert sorted(change.pushed[0].tiles) == [(0, 0), (1, 1), (2, 2)]
    assert np.hypot(*change.pushed[0].pose.shift) == pytest.approx(12, abs=0.5)


def test_a_still_camera_keeps_the_table_where_it_was():
    """Noise in the corners does not move the table's coordinates."""
    first = assemble(readings(), SIZE, DOUBLE_SIX)
    memory = TableMemory().after(first)
    again = assemble(readings(noise=0.7, seed=3), SIZE, DOUBLE_SIX)
    found = register(memory.quads_mm, memory.halves, again, first.px_to_mm)
    assert found.motion is CameraMotion.STILL
    assert np.array_equal(found.px_to_mm, first.px_to_mm)


@pytest.mark.parametrize(("turn", "dx", "dy"), [(0.0, 60, -20), (0.05, -100, 30), (0.4, 20, 10)])
def test_a_pushed_camera_is_found_again(turn, dx, dy):
    """After a shift and a turn of the picture all tiles are back in their places on the table."""
    first = assemble(readings(), SIZE, DOUBLE_SIX)
    memory = TableMemory().after(first)
    c, s = math.cos(turn), math.sin(turn)
    push = np.array([[c, -s, 640 - 640 * c + 360 * s + dx], [s, c, 360 - 640 * s - 360 * c + dy], [0, 0, 1.0]])
    pushed = assemble(shifted(push, readings(noise=0.3)), SIZE, DOUBLE_SIX)
    found = register(memory.quads_mm, memory.halves, pushed, first.px_to_mm)
    assert found.motion is CameraMotion.MOVED
    assert found.inliers == len(TILES)
    assert diff(first, anchored(pushed, found.px_to_mm)).is_empty


@pytest.mark.parametrize(("turn", "dx", "dy"), [(0.0, 14, 12), (0.015, -10, 6)])
def test_a_nudged_camera_over_backs_alone_is_found_again(turn, dx, dy):
    """Where no face shows which tile is which, a small motion of all tiles together is one of the camera."""
    places = [(400 + 46 * i, 250 + 92 * j, 90) for i in range(6) for j in range(2)] + [(800, 500, 90), (846, 500, 90)]
    faces = [1] * len(places)
    backs = np.full((2, HALF_CLASSES), -9.0)
    backs[:, BACK_CLASS] = 0.0

    def table(noise=0.0):
        seen = readings([(0, 0)] * len(places), places, faces, noise=noise)
        return replace(seen, half_logp=np.repeat(backs[None], len(places), 0).astype(np.float32))

    first = assemble(table(), SIZE, DOUBLE_SIX)
    memory = TableMemory().after(first)
    c, s = math.cos(turn), math.sin(turn)
    push = np.array([[c, -s, 640 - 640 * c + 360 * s + dx], [s, c, 360 - 640 * s - 360 * c + dy], [0, 0, 1.0]])
    pushed = assemble(shifted(push, table(0.3)), SIZE, DOUBLE_SIX)
    found = register(memory.quads_mm, memory.halves, pushed, first.px_to_mm)
    assert found.motion is CameraMotion.MOVED
    assert diff(first, anchored(pushed, found.px_to_mm)).is_empty


def test_backs_that_were_dealt_anew_are_no_nudge():
    """Half of the tiles pushed aside is no motion of the camera."""
    places = [(400 + 46 * i, 250 + 92 * j, 90) for i in range(6) for j in range(2)]
    other = [(x + 14, y + 12, a) if i < 7 else (x + 150, y + 260, a) for i, (x, y, a) in enumerate(places)]
    faces = [1] * len(places)
    first = assemble(readings([(0, 0)] * 12, places, faces), SIZE, DOUBLE_SIX)
    memory = TableMemory().after(first)
    anew = assemble(readings([(0, 0)] * 12, other, faces), SIZE, DOUBLE_SIX)
    assert register(memory.quads_mm, memory.halves, anew, first.px_to_mm).motion is not CameraMotion.MOVED


def test_an_unknown_table_is_said_to_be_unknown():
    """Other tiles elsewhere tell nothing about the camera."""
    first = assemble(readings(), SIZE, DOUBLE_SIX)
    memory = TableMemory().after(first)
    others = readings([(2, 2), (3, 3), (5, 5)], [(100, 600, 20), (1100, 80, 60), (1000, 650, 0)])
    assert (
        register(memory.quads_mm, memory.halves, assemble(others, SIZE, DOUBLE_SIX), first.px_to_mm).motion
        is CameraMotion.UNKNOWN
    )


def test_looks_add_up():
    """Three unsure looks together are surer than each, and less sure than if they were independent."""
    looks = [readings(sure=0.6, noise=0.5, seed=k) for k in range(3)]
    fused = fuse_looks(looks, np.eye(3) * [[0.6], [0.6], [1]])
    alone, together = float(np.exp(looks[0].half_logp[0, 0, 6])), float(np.exp(fused.half_logp[0, 0, 6]))
    assert alone < together < 1
    assert 1 < effective_looks(3) < 3
    assert len(fused) == len(TILES)


def test_a_tile_in_one_look_of_three_is_not_believed():
    """What only a minority of looks shows is dropped."""
    extra = readings([*TILES, (5, 5)], [*PLACES, (1000, 600, 0)])
    fused = fuse_looks([extra, readings(), readings()], np.eye(3) * [[0.6], [0.6], [1]])
    assert len(fused) == len(TILES)


def test_memory_outvotes_a_doubtful_look_and_yields_to_a_clear_one():
    """A known tile keeps its values under glare; a face that is clearly another one is believed."""
    memory = TableMemory().after(assemble(readings(sure=0.995), SIZE, DOUBLE_SIX))
    plane = assemble(readings(), SIZE, DOUBLE_SIX).px_to_mm
    glare = readings([(5, 6), *TILES[1:]], sure=0.5)
    assert int(memory.prime(glare, plane).half_logp[0, 0].argmax()) == 6
    swapped = readings([(5, 5), *TILES[1:]], sure=0.9999)
    assert int(memory.prime(swapped, plane).half_logp[0, 0].argmax()) == 5


def test_a_back_stays_a_back():
    """A tile that was turned over is not read as what it was."""
    memory = TableMemory().after(assemble(readings(sure=0.995), SIZE, DOUBLE_SIX))
    plane = assemble(readings(), SIZE, DOUBLE_SIX).px_to_mm
    over = readings([(BACK_CLASS, BACK_CLASS), *TILES[1:]], sure=0.99)
    assert int(memory.prime(over, plane).half_logp[0, 0].argmax()) == BACK_CLASS


def test_a_face_stays_up_where_nothing_changed():
    """A known face that looks like a back is misread if nobody touched it; a clear back where one was found is one."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings(sure=0.995)], SIZE))
    faint = readings(sure=0.995)
    faint.half_logp[0] = logp((BACK_CLASS, BACK_CLASS), 0.55)
    clear = readings(sure=0.995, faces=[1, 0, 0, 0, 0, 0])
    clear.half_logp[0] = logp((BACK_CLASS, BACK_CLASS), 0.995)
    for look, still, halves in ((faint, True, (6, 6)), (faint, False, None), (clear, True, None)):
        found = tracker.look([look], SIZE, lambda quad_px, still=still: still).observation
        assert [tile.halves for tile in found.tiles].count((6, 6)) == (halves is not None)
        assert [tile.role for tile in found.tiles].count(TileRole.DOWN) == (halves is None)


@pytest.mark.parametrize(("score", "unreadable", "tiles"), [(0.55, 0.8, 5), (0.55, 0.3, 6), (0.7, 0.8, 6)])
def test_ground_below_a_tile_that_was_taken_away_is_no_tile(score, unreadable, tiles):
    """A doubtful box where a known tile lay and the picture changed, in which nothing can be read, is the ground."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings(sure=0.995)], SIZE))
    look = readings(sure=0.995)
    look.score[4] = score
    look.half_logp[4] = logp((UNREADABLE_CLASS, UNREADABLE_CLASS), unreadable)
    middle = look.corners_px[4].mean(0)
    assert (
        len(tracker.look([look], SIZE, lambda q: bool(np.linalg.norm(q.mean(0) - middle) > 9)).observation.tiles)
        == tiles
    )
    assert len(tracker.look([look], SIZE, lambda q: True).observation.tiles) == 6


def test_a_look_in_doubt_is_not_counted_twice():
    """What a look said of a tile that stays in doubt after an answer about another one adds nothing to the next."""
    tracker = TableTracker(DOUBLE_SIX)
    look = tracker.look([readings(sure=0.6)], SIZE)
    alone = look.observation.tiles[4].confidence
    tracker.commit(look)
    assert tracker.look([readings(sure=0.6)], SIZE).observation.tiles[4].confidence > alone + 0.05
    tracker.memory = tracker.memory.expected(range(6), unsure=[4])
    again = tracker.look([readings(sure=0.6)], SIZE).observation
    assert again.tiles[4].halves == (2, 5)
    assert again.tiles[4].confidence == pytest.approx(alone, abs=0.02)


def test_what_a_person_told_beats_what_is_seen():
    """After an answer the tile is what was told, however it looks."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings(sure=0.9)], SIZE))
    tracker.tell(tracker.memory.quads_mm[4], (2, 2))
    look = tracker.look([readings(sure=0.9)], SIZE)
    assert look.observation.tiles[4].tile is Tile(2, 2)


def test_what_a_person_told_is_as_sure_after_each_commit():
    """Tables that are committed on it wear it down by nothing, though the tile is misread, and surely, each time."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings(sure=0.9)], SIZE))
    tracker.tell(tracker.memory.quads_mm[4], (2, 2))
    for _ in range(4):
        look = tracker.look([readings(sure=0.98)] * 2, SIZE)
        assert look.observation.tiles[4].tile is Tile(2, 2)
        tracker.commit(look)


def test_clear_looks_prove_wrong_what_the_rules_left():
    """A tile that the rules settled is believed while it is hard to read, and read as itself in clear looks."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings(sure=0.9)], SIZE))
    seen = tracker.memory.halves[4]
    tracker.tell(tracker.memory.quads_mm[4], (2, 2), by_person=False)
    assert tracker.look([readings(sure=0.6)], SIZE).observation.tiles[4].tile is Tile(2, 2)
    assert tracker.look([readings(sure=0.999)] * 3, SIZE).observation.tiles[4].halves == seen


def test_half_tiles_and_tiles_in_tiles_are_refused():
    """A detection of half a tile, and one that mostly lies in another, cannot be tiles."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings()], SIZE))
    good = readings()
    half = quad(900, 500, 0, LENGTH / 2, WIDTH).astype(np.float32)
    inside = quad(755, 300, 0).astype(np.float32)
    more = TileReadings(
        np.concatenate([good.corners_px, half[None], inside[None]]),
        np.zeros(8, np.uint8),
        np.concatenate([good.score, [0.8, 0.5]]).astype(np.float32),
        np.concatenate([good.half_logp, np.array([logp((3, 3)), logp((5, 1))], np.float32)]),
    )
    assert tracker.px_to_mm is not None
    kept = plausible(more, tracker.px_to_mm, tracker.memory)
    assert len(kept) == len(good)


def test_an_overlooked_tile_stays_where_nothing_changed():
    """A known tile that a look misses is kept if its pixels are as before, and lost if they are not."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings()], SIZE))
    fewer = readings(TILES[:-1], PLACES[:-1])
    assert len(tracker.look([fewer], SIZE, lambda quad_px: True).observation.tiles) == 6
    assert len(tracker.look([fewer], SIZE, lambda quad_px: False).observation.tiles) == 5


def test_an_overlooked_tile_stays_when_the_camera_is_pushed():
    """It is looked for where it must lie now, in the picture as it was pushed; no other picture tells of it."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings()], SIZE))
    push = np.array([[1, 0, 25], [0, 1, -12], [0, 0, 1.0]])
    fewer = shifted(push, readings(TILES[:-1], PLACES[:-1]))
    asked = []

    def moved(to_mm):
        asked.append(to_mm)
        return lambda quad_px: bool(np.linalg.norm(quad_px.mean(0) - (325, 188)) < 9)

    look = tracker.look([fewer], SIZE, lambda quad_px: False, moved)
    assert look.registration.motion is CameraMotion.MOVED
    assert [tile.halves for tile in look.observation.tiles].count((0, 3)) == 1
    assert np.allclose(asked[0], look.registration.px_to_mm)
    assert len(tracker.look([fewer], SIZE, lambda quad_px: True).observation.tiles) == 5


def test_a_doubtful_tile_does_not_come_where_nothing_changed():
    """A weak detection in a place whose pixels are as before is refused; a strong one may have been overlooked."""
    tracker = TableTracker(DOUBLE_SIX)
    tracker.commit(tracker.look([readings()], SIZE))
    more = readings([*TILES, (5, 5)], [*PLACES, (1000, 600, 0)])
    for score, count in ((0.4, 6), (0.8, 7)):
        more.score[-1] = score
        assert len(tracker.look([more], SIZE, lambda quad_px: True).observation.tiles) == count
    more.score[-1] = 0.4
    assert len(tracker.look([more], SIZE, lambda quad_px: False).observation.tiles) == 7


def test_a_table_of_backs_is_known_after_a_wide_push():
    """No value tells which is which, but all moved together; a row that may have moved either way tells nothing."""
    heap = [(200 + 44 * i, 150, 90) for i in range(6)] + [(200 + 44 * i, 240, 90) for i in range(5)] + [(700, 400, 90)]
    row = [(200 + 82 * i, 150, 0) for i in range(8)]
    for places, push, seen, motion in (
        (heap, 60, 12, CameraMotion.MOVED),
        (row, 41, 8, CameraMotion.MOVED),
        (row, 41, 7, CameraMotion.UNKNOWN),
    ):
        tracker = TableTracker(DOUBLE_SIX)
        tracker.commit(tracker.look([readings([(0, 0)] * len(places), places, [1] * len(places))], SIZE))
        pushed = [(x + push, y, turn) for x, y, turn in places[:seen]]
        found = tracker.look([readings([(0, 0)] * seen, pushed, [1] * seen)], SIZE).registration
        assert found.motion is motion
        if motion is CameraMotion.MOVED:
            assert found.shift_mm == pytest.approx(push * 50 / LENGTH, abs=2)


def test_a_box_across_two_tiles_is_none_where_nothing_changed():
    """A box may lie crosswise over two alike backs in a row: both are still there, nothing came."""
    tracker = TableTracker(DOUBLE_SIX)
    row = [*PLACES, (1000, 600, 90), (1041, 600, 90)]
    faces = [0] * len(TILES) + [1, 1]
    tracker.commit(tracker.look([readings([*TILES, (0, 0), (0, 0)], row, faces)], SIZE))
    wrong = readings([*TILES, (0, 0)], [*PLACES, (1020.5, 600, 0)])
    seen = tracker.look([wrong], SIZE, lambda quad_px: True).observation
    assert [tile.role for tile in seen.tiles].count(TileRole.DOWN) == 2
    assert len(seen.tiles) == 8
    assert len(tracker.look([wrong], SIZE, lambda quad_px: False).observation.tiles) == 7


def test_a_tile_missed_for_a_while_is_no_new_tile():
    """A tile that two commits did not show is still known; then it is forgotten."""
    memory = TableMemory().after(assemble(readings(), SIZE, DOUBLE_SIX))
    fewer = assemble(readings(TILES[:-1], PLACES[:-1]), SIZE, DOUBLE_SIX)
    full = assemble(readings(), SIZE, DOUBLE_SIX)
    once = memory.after(fewer)
    assert once.unknown(full) == ()
    assert once.after(fewer).after(fewer).unknown(full) == (5,)


def test_slow_drift_is_measured_and_a_move_is_not_drift():
    """Tiles that creep together over many commits tell of a drift; one tile that is moved does not."""
    watch = DriftWatch()
    for step in range(20):
        drift = watch.see(observed(TILES, [q + np.array([0.25 * step, 0]) for q in AT]))
    assert drift.significant
    assert drift.shift_mm == pytest.approx(4.75, abs=0.1)
    still = DriftWatch()
    still.see(observed(TILES, AT))
    assert not still.see(observed(TILES, [AT[0] + [0, 10], *AT[1:]])).significant


def test_the_tracker_undoes_a_drift():
    """Zones stay on the table although the camera sinks slowly: the tiles' coordinates do not creep."""
    tracker = TableTracker(DOUBLE_SIX)
    first = tracker.look([readings()], SIZE)
    tracker.commit(first)
    for step in range(1, 16):
        moved = [(x + 0.7 * step, y, a) for x, y, a in PLACES]
        tracker.commit(tracker.look([readings(places=moved)], SIZE))
    drift = np.linalg.norm(tracker.memory.quads_mm[0].mean(0) - first.observation.tiles[0].quad_mm.mean(0))
    assert drift < 4.5


def test_observations_are_values():
    """Anchoring leaves the observation that it was given as it was."""
    first: TableObservation = assemble(readings(), SIZE, DOUBLE_SIX)
    kept = first.tiles[0].quad_mm.copy()
    anchored(first, np.diag([2.0, 2.0, 1.0]))
    assert np.array_equal(first.tiles[0].quad_mm, kept)


def test_a_plane_found_badly_is_found_anew():
    """A table whose plane was guessed from one tile is calibrated again once more tiles lie there; zones can follow."""
    slant = np.array([[1.0, 0.05, 0], [0, 0.8, 60], [0, 0.0006, 1.0]])
    tracker = TableTracker(DOUBLE_SIX)
    assert tracker.commit(tracker.look([shifted(slant, readings(TILES[:1], PLACES[:1]))], SIZE)) is None
    rough = tracker.px_to_mm
    assert rough is not None
    look = tracker.look([shifted(slant, readings())], SIZE)
    transform = tracker.commit(look)
    assert transform is not None
    better = tracker.px_to_mm
    assert better is not None
    assert np.allclose(better, transform @ rough)
    first, then = (anchored(look.observation, plane) for plane in (rough, better))
    unequal = [np.std([np.linalg.norm(t.quad_mm[2] - t.quad_mm[1]) for t in seen.tiles]) for seen in (first, then)]
    assert unequal[1] < 0.6 * unequal[0]
    again = tracker.look([shifted(slant, readings())], SIZE)
    assert again.registration.motion is CameraMotion.STILL
    assert tracker.commit(again) is None
