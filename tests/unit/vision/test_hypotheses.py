"""The k best ways in which tiles may be joined, and what is believed over all of them."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import AssembleOptions, assemble
from domino_vision.assemble.decode import half_probabilities
from domino_vision.assemble.hypotheses import UNJOINED, Hypothesis, best_choices, ways_joined
from domino_vision.assemble.joins import Candidate, JoinChoice, JoinOptions, TileRects, choose_joins, join_candidates
from domino_vision.assemble.posterior import believe
from domino_vision.types import Join, Part, TableObservation
from tests.laid_tables import EAST, SOUTH, Camera, LaidTable, codes, lay_chain, line, read_table, sharp

CAMERA = Camera()


def look(table: LaidTable, sure: float = 0.999, options: AssembleOptions | None = None) -> TableObservation:
    readings = read_table(table, CAMERA, np.random.default_rng(0), 0, sure)
    return assemble(readings, CAMERA.size_wh, DOUBLE_SIX, options=options)


def rects_of(table: LaidTable) -> TileRects:
    return TileRects.from_quads(table.quads(), (50.0, 25.0))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(2, 12), noise=st.sampled_from([0.0, 2.0, 5.0]))
def test_ways_are_ranked_and_differ(seed: int, count: int, noise: float) -> None:
    """Probabilities fall and sum to 1, no two ways are alike, and the best one is no worse than the greedy one."""
    table = lay_chain(random.Random(seed), count, gap=10.0)
    shaken = rects_of(table).centre + np.random.default_rng(seed).normal(0, noise, (len(table.halves), 2))
    rects = TileRects(shaken, rects_of(table).axis, (50.0, 25.0))
    half_p = half_probabilities(sharp(table.halves), 6)
    ways = ways_joined(rects, half_p)
    p = [way.p for way in ways]
    assert sum(p) == pytest.approx(1)
    assert p == sorted(p, reverse=True)
    assert len({(frozenset(way.choice.joins), way.illegal) for way in ways}) == len(ways)
    options = JoinOptions()
    candidates = join_candidates(rects, half_p, options)
    greedy = choose_joins(candidates, len(half_p), options)
    assert best_choices(candidates, len(half_p), options)[0].score == pytest.approx(greedy.score)


def test_the_best_choices_are_those_of_all_choices() -> None:
    """Against every choice of four candidates that may all be taken together: none of the best is left out."""
    scores = (3.0, 1.0, 0.5, -0.5)
    sides: tuple[tuple[Part, int], ...] = (("m", 6), ("m", 7), ("a", 0), ("b", 1))
    candidates = [
        Candidate(Join(0, part, k, "a"), (edge, 0), score)
        for k, ((part, edge), score) in enumerate(zip(sides, scores, strict=True), 1)
    ]
    found = best_choices(candidates, 5, JoinOptions(pair=-9, apart=-9))
    sums = [sum(s for k, s in enumerate(scores) if mask >> k & 1) for mask in range(16)]
    assert [choice.score for choice in found] == pytest.approx(sorted(sums, reverse=True)[: len(found)])
    assert len(found) == 6


def test_a_doubtful_join_that_changes_no_count_is_no_question() -> None:
    """At which edge of a half a tile touches does not matter to the count: no way of joining changes it."""
    half_p = half_probabilities(sharp([(6, 4), (4, 1)], 0.999), 6)
    ways = [_way(Join(0, "b", 1, "a"), 0.6), _way(Join(0, "b", 1, "a"), 0.4)]
    seen = believe(half_p, ways, DOUBLE_SIX)
    assert seen.decoded.count_p[7] > 0.99
    assert seen.pairs_in_doubt(0.05) == []


def test_the_count_is_as_sure_as_the_joins_it_hangs_on() -> None:
    """With 0.7 the tile at the end is joined, else it lies there by itself: the count is as likely."""
    half_p = half_probabilities(sharp([(6, 4), (4, 1), (1, 3)], 0.999), 6)
    first = Candidate(Join(0, "b", 1, "a"), (1, 0), 5.0)
    both = (first, Candidate(Join(1, "b", 2, "a"), (1, 0), 1.0))
    ways = [Hypothesis(JoinChoice(both), 0.7, 0.01), Hypothesis(JoinChoice((first,)), 0.3, 0.01)]
    seen = believe(half_p, ways, DOUBLE_SIX)
    assert seen.decoded.count_p[9] == pytest.approx(0.7, abs=0.01)
    assert seen.decoded.count_p[7] == pytest.approx(0.3, abs=0.01)
    assert seen.joined_p == pytest.approx((1.0, 0.7))
    assert seen.pairs_in_doubt(0.05) == [(1, 2, pytest.approx(0.7))]
    assert seen.illegal_p == pytest.approx((0.0, 0.0), abs=0.01)


def test_a_table_without_joins_has_no_count() -> None:
    """What is missing from the distribution of the count is the probability that there is no chain."""
    half_p = half_probabilities(sharp([(6, 4), (4, 1)], 0.999), 6)
    seen = believe(half_p, [_way(Join(0, "b", 1, "a"), 0.8), Hypothesis(JoinChoice(()), 0.2, 0.01)], DOUBLE_SIX)
    assert seen.decoded.count_p.sum() == pytest.approx(0.8)
    assert believe(half_p, [UNJOINED], DOUBLE_SIX).decoded.count_p.size == 0


def test_a_tile_pushed_against_the_side_of_the_line_is_asked_about() -> None:
    """No rule lets a half carry two tiles: one that touches the side of a joined half may match there by chance."""
    table = line((5, 5), (5, 3), (3, 6), (6, 1))
    half = table.centre[2] - 12.5 * EAST
    table.add(half + (12.5 + 25 + 2) * SOUTH, SOUTH, (3, 2))
    seen = look(table)
    assert [(q.code, q.tiles) for q in seen.questions] == [("count_unsure", ()), ("join_unsure", (2, 4))]


def test_where_no_rule_is_kept_a_half_may_carry_three() -> None:
    """Tiles laid as a cross about a plain tile, half of them matching nothing: all that touch are joined."""
    table = LaidTable()
    table.add(np.zeros(2), SOUTH, (2, 4))
    table.add(np.array([0.0, -51.0]), SOUTH, (3, 4))
    table.add(np.array([-38.5, -12.5]), EAST, (1, 2))
    table.add(np.array([38.5, -12.5]), EAST, (2, 6))
    table.add(np.array([0.0, 51.0]), SOUTH, (3, 3))
    table.add(np.array([0.0, -102.0]), SOUTH, (0, 3))
    seen = look(table)
    assert len(seen.joins) == 5
    assert codes(seen) == ["branch", "illegal_join", "illegal_join"]
    assert seen.open_end_count == 0 + 1 + 6 + 6


def test_one_illegal_join_in_a_line_that_keeps_the_rule_is_told() -> None:
    """The rule holds elsewhere: the join is kept, and told for what it is."""
    seen = look(line((6, 4), (4, 1), (1, 3), (2, 5), (5, 0)), 0.9995)
    assert len(seen.joins) == 4
    assert codes(seen) == ["illegal_join"]


def test_pairs_that_lie_about_are_no_chains() -> None:
    """Tiles strewn about of which some touch: one pair may be the line of play, not three."""
    table = LaidTable()
    tiles = [(6, 4), (5, 1), (2, 5), (4, 0), (3, 1), (0, 6)]
    for k, halves in enumerate(tiles):
        table.add(np.array([(k % 2) * 54.0, (k // 2) * 150.0]), EAST, halves)
    assert len(look(table).joins) < 3


def test_without_a_line_of_play_nothing_is_joined_and_every_tile_matters() -> None:
    """In Bingo or Tiu-U tiles touch by chance: a doubtful one far away is asked about all the same."""
    table = line((6, 4), (4, 1), (1, 3), (3, 5))
    table.add(np.array([25.0, 200.0]), EAST, (0, 2))
    readings = read_table(table, CAMERA, np.random.default_rng(0), 0, 0.999)
    readings.half_logp[4] = np.log(np.full((2, 15), 1 / 15))
    with_line = assemble(readings, CAMERA.size_wh, DOUBLE_SIX)
    assert not with_line.ask
    seen = assemble(readings, CAMERA.size_wh, DOUBLE_SIX, options=AssembleOptions(line=False))
    assert (seen.joins, seen.layouts, seen.open_end_count) == ((), (), None)
    assert [(q.code, q.tiles) for q in seen.questions] == [("tile_unsure", (4,))]


def _way(join: Join, p: float) -> Hypothesis:
    return Hypothesis(JoinChoice((Candidate(join, (1, 0), 5.0),)), p, 0.01)
