"""A person is asked about a picture only where the answer could change the count or a join's legality."""

from dataclasses import replace

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.assemble.asking import AskingOptions, Believed, at_chain, joins_as_read, questions
from domino_vision.assemble.decode import Decoded
from domino_vision.assemble.hypotheses import best_choices
from domino_vision.assemble.joins import Candidate, JoinOptions
from domino_vision.assemble.posterior import Posterior
from domino_vision.types import BACK_CLASS, Face, Join, TableObservation, TileReadings
from tests.laid_tables import EAST, SOUTH, Camera, LaidTable, codes, line, read_table

CAMERA = Camera()
BACK = np.log(np.eye(15)[BACK_CLASS] * 0.97 + 0.002)


def readings_of(table: LaidTable, sure: float = 0.999) -> TileReadings:
    return read_table(table, CAMERA, np.random.default_rng(0), 0, sure)


def look(readings: TileReadings) -> TableObservation:
    return assemble(readings, CAMERA.size_wh, DOUBLE_SIX)


def hide(readings: TileReadings, index: int, face: Face, score: float = 0.9) -> TileReadings:
    """Let a tile show its back or stand, found as surely as `score`."""
    readings.face[index] = face
    readings.half_logp[index] = BACK
    scores = readings.score.copy()
    scores[index] = score
    return replace(readings, score=scores)


def test_a_surely_read_illegal_join_is_told_and_not_asked_about() -> None:
    """Both halves read surely: an illegal join is a finding, although few joins are illegal."""
    seen = look(readings_of(line((6, 4), (4, 1), (2, 5)), 0.998))
    assert codes(seen) == ["illegal_join"]
    assert seen.problems[0].params["match_p"] > 0.1
    assert not seen.ask


def test_an_illegal_join_in_doubt_is_asked_about() -> None:
    """One of the touching halves may well show what would be legal: a question, even where the count is sure."""
    readings = readings_of(line((6, 4), (4, 1), (2, 5)), 0.998)
    readings.half_logp[2, 0, 1] = np.log(0.005)
    seen = look(readings)
    assert seen.count_confidence > 0.9
    assert seen.ask


def test_only_halves_sure_together_are_taken_as_read() -> None:
    """The threshold is on both halves together; a join that matches is never a finding."""
    half_p = np.full((2, 2, 7), 0.0)
    half_p[0, :, 1], half_p[1, :, 2] = 0.991, 0.991
    join = Join(0, "b", 1, "a")
    assert joins_as_read(half_p, [join], [(1, 1), (2, 2)]) == (join,)
    assert joins_as_read(half_p, [join], [(1, 1), (1, 2)]) == ()
    half_p[1, 0, 2] = 0.98
    assert joins_as_read(half_p, [join], [(1, 1), (2, 2)]) == ()


def test_a_crosswise_tile_is_as_sure_as_both_its_halves() -> None:
    """Met at the middle of its long side a tile shows both halves."""
    half_p = np.full((2, 2, 7), 0.0)
    half_p[0, :, 1], half_p[1, :, 2] = 0.999, 0.999
    half_p[0, 1, 1] = 0.9
    assert joins_as_read(half_p, [Join(0, "a", 1, "a")], [(1, 1), (2, 2)])
    assert not joins_as_read(half_p, [Join(0, "m", 1, "a")], [(1, 1), (2, 2)])


@pytest.mark.parametrize(("illegal_p", "doubt"), [(0.01, False), (0.4, True), (0.7, True), (0.95, False)])
@pytest.mark.parametrize("as_read", [False, True])
def test_legality_is_in_doubt_between_the_thresholds(illegal_p: float, doubt: bool, as_read: bool) -> None:
    """Neither surely legal nor surely illegal is a doubt, but for joins that are findings."""
    join, halves = Join(0, "b", 1, "a"), ((6, 1), (2, 5))
    half_p = np.full((2, 2, 7), 0.0)
    for tile, pair in enumerate(halves):
        half_p[tile, (0, 1), pair] = 0.999 if as_read else 0.97
    sure = Decoded(halves, np.zeros((2, 7, 7)), np.ones(2), (1 - illegal_p,), np.zeros(1), (), np.ones((2, 7, 7)))
    seen = Posterior((join,), (), sure, (1.0,), (illegal_p,), {(0, 1): 1.0})
    table = Believed((), np.array([4, 7]), half_p, seen, None, 1.0, ())
    asked = questions(table, (50.0, 25.0), AskingOptions())
    assert [(q.code, q.tiles) for q in asked] == ([("legality_unsure", (4, 7))] if doubt and not as_read else [])


def with_misread_doubles(*tiles: tuple[int, int]) -> TileReadings:
    """Read a line whose doubles at both ends are read with 0.991, and else as what would fit there."""
    readings = readings_of(line(*tiles), 0.9999)
    last = len(tiles) - 1
    for tile, read, fits in ((0, tiles[0][0], tiles[1][0]), (last, tiles[last][0], tiles[last - 1][1])):
        p = np.full(BACK.size, 1e-7)
        p[[read, fits]] = 0.991, 0.009
        readings.half_logp[tile] = np.log(p / p.sum())
    half_p = np.exp(readings.half_logp.astype(np.float64))
    joins = [Join(0, "m", 1, "a"), Join(last - 1, "b", last, "m")]
    assert joins_as_read(half_p, joins, tiles) == tuple(joins)
    return readings


def test_a_count_that_hangs_on_surely_read_illegal_joins_is_asked_about() -> None:
    """Each double at an end is read surely and fits nothing; what would fit makes the count too unsure to be told."""
    seen = look(with_misread_doubles((4, 4), (3, 5), (5, 1), (1, 6), (6, 0), (2, 2)))
    assert codes(seen) == ["illegal_join", "illegal_join"]
    assert [(q.code, q.tiles, q.params["others"]) for q in seen.questions] == [("count_unsure", (0, 5), [8, 10])]


def test_where_hardly_a_join_matches_illegal_ones_are_no_misreadings() -> None:
    """Two of three joins do not match: no rule is kept on this table, and what is read surely lies there."""
    seen = look(with_misread_doubles((4, 4), (3, 5), (5, 1), (2, 2)))
    assert codes(seen) == ["illegal_join", "illegal_join"]
    assert seen.open_end_count == 12
    assert not seen.ask


def test_where_no_rule_is_kept_the_count_is_no_question() -> None:
    """No game is played with tiles that match nowhere: whether one more touches changes no score."""
    tiles = line((6, 4), (1, 3), (5, 2), (0, 6))
    tiles.add(tiles.centre[3] + np.array([64.0, 3.0]), EAST, (4, 1))
    seen = look(readings_of(tiles))
    assert codes(seen) == ["illegal_join"] * 3
    assert seen.count_confidence < 0.9
    assert not seen.ask


@pytest.mark.parametrize("face", [Face.DOWN, Face.STANDING])
def test_a_tile_without_a_face_beside_the_chain_is_no_doubt(face: Face) -> None:
    """It touches the long side of a tile whose two halves are joined: no end that it could cover."""
    table = line((6, 4), (4, 1), (1, 3))
    table.add(table.centre[1] + np.array([12.5, 12.5 + 1 + 25.0]), SOUTH, (0, 2))
    seen = look(hide(readings_of(table), 3, face, 0.5))
    assert codes(seen) == []
    assert not seen.ask


def test_a_face_down_tile_at_the_end_of_a_double_waits_for_its_sides() -> None:
    """No arm is open at a double until both its long sides are covered; then a back there is in doubt."""
    for tiles, told in (((6, 4), (4, 4)), []), (((6, 4), (4, 4), (4, 1)), ["face_down_at_chain"]):
        table = line(*tiles)
        table.add(table.centre[1] + 51 * SOUTH, SOUTH, (0, 2))
        seen = look(hide(readings_of(table), len(tiles), Face.DOWN))
        assert codes(seen) == told
        assert seen.ask is bool(told)


@pytest.mark.parametrize(("score", "asked"), [(0.95, False), (0.6, True)])
def test_a_tile_that_surely_stands_is_of_a_hand(score: float, asked: bool) -> None:
    """At an open end it is told either way; it is a question only if it may lie."""
    seen = look(hide(readings_of(line((6, 4), (4, 1), (1, 3), (3, 5))), 3, Face.STANDING, score))
    assert codes(seen) == ["face_down_at_chain"]
    assert seen.ask is asked


@pytest.mark.parametrize(("away", "asked"), [(200.0, False), (34.0, True)])
def test_a_doubtful_loose_tile_matters_only_near_the_chain(away: float, asked: bool) -> None:
    """Far from the chain its pips change no count; beside it, it may be a tile of the chain."""
    table = line((6, 4), (4, 1), (1, 3))
    table.add(table.centre[1] + away * SOUTH, EAST, (0, 2))
    readings = readings_of(table)
    readings.half_logp[3] = np.log(np.full((2, 15), 1 / 15))
    seen = look(readings)
    assert len(seen.joins) == 2
    assert seen.ask is asked


def test_without_a_chain_every_doubtful_tile_is_asked_about() -> None:
    """Tiles that merely lie about are what the picture is of, also if two of them touch by chance."""
    for tiles in (((6, 4),), ((6, 4), (4, 1))):
        table = line(*tiles)
        table.add(np.array([25.0, 200.0]), EAST, (0, 2))
        readings = readings_of(table)
        readings.half_logp[len(tiles)] = np.log(np.full((2, 15), 1 / 15))
        assert look(readings).ask


def test_nearness_is_the_gap_between_outlines() -> None:
    """Overlapping tiles and those within reach are near, others not."""
    square = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)
    quads = np.stack([square + np.array([x, 0], np.float32) for x in (0, 5, 18, 40)])
    assert at_chain(quads, [1, 2, 3], [0], 10.0) == [1, 2]


def chosen(candidates: list[Candidate], tiles: int) -> list[tuple[list[str], float]]:
    """Return the best choices of joins and how far each is below the best one."""
    found = best_choices(candidates, tiles, JoinOptions())
    return [(sorted(map(str, choice.joins)), round(found[0].score - choice.score, 6)) for choice in found]


def test_a_near_miss_that_would_close_a_loop_must_oust_the_weakest_join() -> None:
    """A chain has no loop: within one, a near miss weighs against the weakest join on the way."""
    strong = [
        Candidate(Join(0, "b", 1, "a"), (1, 0), 12.0),
        Candidate(Join(1, "b", 2, "a"), (1, 0), 10.0),
    ]
    within = Candidate(Join(0, "a", 2, "b"), (0, 1), -1.0)
    beyond = Candidate(Join(2, "b", 3, "a"), (1, 0), -1.0)
    assert chosen([*strong, within, beyond], 4) == [(["0b~1a", "1b~2a"], 0.0), (["0b~1a", "1b~2a", "2b~3a"], 1.0)]


def test_a_near_miss_beside_a_weak_join_stays_in_doubt() -> None:
    """Where the join that it would oust is hardly likelier, either may be."""
    weak = [Candidate(Join(0, "b", 1, "a"), (1, 0), 12.0), Candidate(Join(1, "b", 2, "a"), (1, 0), 1.0)]
    within = Candidate(Join(0, "a", 2, "b"), (0, 1), -1.0)
    ways = chosen([*weak, within], 3)
    assert ways[:3] == [(["0b~1a", "1b~2a"], 0.0), (["0b~1a"], 1.0), (["0a~2b", "0b~1a"], 2.0)]
    assert len(ways) == 3


@pytest.mark.parametrize(
    ("others", "hidden"),
    [
        ([((38.5, 0), EAST, (5, 3)), ((0, -51), -SOUTH, (5, 0))], ((-38.5, 0), EAST)),
        ([((38.5, 0), EAST, (5, 3)), ((-38.5, 12), EAST, (4, 5))], ((0, -51), SOUTH)),
        ([((0, 51), SOUTH, (5, 3)), ((0, -51), SOUTH, (4, 5))], ((38.5, 0), EAST)),
    ],
    ids=["second side behind an arm", "arm beside a half's side", "side of a double in line"],
)
def test_a_face_down_tile_at_a_spinner_is_a_doubt(others: list[tuple], hidden: tuple) -> None:
    """Wherever another tile can lie at a double and count, a back there makes the count unsure."""
    table = LaidTable()
    table.add(np.zeros(2), SOUTH, (5, 5))
    for at, axis, halves in others:
        table.add(np.array(at, float), axis, halves)
    table.add(np.array(hidden[0], float), hidden[1], (4, 2))
    seen = look(hide(readings_of(table), 3, Face.DOWN))
    assert codes(seen) == ["face_down_at_chain"]
    assert seen.ask


@pytest.mark.parametrize("sure", [0.991, 0.9995])
def test_a_sure_reading_that_is_overruled_is_asked_about(sure: float) -> None:
    """A tile that lies there twice, once against the rules, is not silently read as one that fits."""
    table = line((6, 4), (4, 1), (2, 5))
    table.add(np.array([25.0, 200.0]), EAST, (5, 2))
    assert look(readings_of(table, sure)).ask


def test_a_half_that_its_neighbour_overrules_is_asked_about() -> None:
    """Read as what does not fit with 0.985, decoded as what fits: a person decides."""
    readings = readings_of(line((6, 4), (4, 1), (2, 5)), 0.9995)
    p = np.full(BACK.size, 1e-7)
    p[[2, 1]] = 0.985, 0.015
    readings.half_logp[2, 0] = np.log(p / p.sum())
    assert look(readings).ask
