"""Joint decoding of values."""

import itertools

import numpy as np
import pytest

from domino_rules.tile import CHINESE, DOUBLE_SIX, DOUBLE_TWELVE, Tile
from domino_vision.assemble.count import open_end_count
from domino_vision.assemble.decode import ILLEGAL, decode, half_probabilities, within_set
from domino_vision.assemble.tree import part_value
from domino_vision.types import Join
from tests.laid_tables import sharp


def soft(*tiles: tuple[dict[int, float], dict[int, float]]) -> np.ndarray:
    """Return half probabilities (n, 2, 7) with some values given and the rest spread."""
    p = np.full((len(tiles), 2, 7), 1e-4)
    for i, pair in enumerate(tiles):
        for k, values in enumerate(pair):
            for value, weight in values.items():
                p[i, k, value] = weight
    return p / p.sum(-1, keepdims=True)


def test_a_neighbour_corrects_a_misread_half() -> None:
    """A half read 4 or 3 against a sure 3 is a 3."""
    p = soft(({1: 1}, {3: 1}), ({4: 0.6, 3: 0.4}, {5: 1}))
    assert decode(p, [Join(0, "b", 1, "a")], DOUBLE_SIX).halves == ((1, 3), (3, 5))


def test_a_sure_illegal_join_is_not_corrected_away() -> None:
    """Two halves that are both read beyond doubt stay as they are; the join is called unmatched."""
    p = half_probabilities(sharp([(1, 3), (4, 5)], 0.9999), 6)
    found = decode(p, [Join(0, "b", 1, "a")], DOUBLE_SIX)
    assert found.halves == ((1, 3), (4, 5))
    assert found.match_p[0] < 0.1


def test_each_tile_occurs_once() -> None:
    """Of two tiles read alike, the less certain one gives way to its next best."""
    p = soft(({6: 0.99}, {4: 0.99}), ({6: 0.97}, {4: 0.6, 5: 0.4}))
    assert decode(p, [], DOUBLE_SIX).halves == ((6, 4), (6, 5))


def test_a_chinese_tile_may_occur_twice() -> None:
    """Multiplicity comes from the set: 6-4 twice is fine, a tile that the set lacks is impossible."""
    p = soft(({6: 0.99}, {4: 0.99}), ({6: 0.97}, {4: 0.6, 3: 0.4}), ({3: 0.9}, {0: 0.6, 2: 0.4}))
    assert decode(p, [], CHINESE).halves == ((6, 4), (6, 4), (3, 2))


def test_a_crosswise_tile_is_a_double() -> None:
    """A tile that meets another with its long side is read as the double."""
    p = soft(({2: 1}, {5: 1}), ({5: 0.7}, {5: 0.45, 6: 0.55}))
    assert decode(p, [Join(0, "b", 1, "m")], DOUBLE_SIX).halves == ((2, 5), (5, 5))


def test_pips_outside_the_set_are_told() -> None:
    """A sure nine in a double-six set is kept and named; in double-twelve it is in order."""
    p = half_probabilities(sharp([(9, 3), (1, 2)], 0.999), 12)
    found = decode(p, [], DOUBLE_SIX)
    assert found.outside == (0,)
    assert found.halves == ((9, 3), (1, 2))
    assert decode(p, [], DOUBLE_TWELVE).outside == ()


def brute_force(p: np.ndarray, joins: list[Join]) -> dict[tuple[tuple[int, int], ...], float]:
    """Return the probability of every assignment under soft equality, uniqueness left out."""
    states = [
        [((a, b), p[i, 0, a] * p[i, 1, b]) for a in range(7) for b in range(7) if p[i, 0, a] * p[i, 1, b] > 1e-5]
        for i in range(len(p))
    ]
    found = {}
    for combination in itertools.product(*states):
        halves = tuple(state for state, _ in combination)
        if len({Tile(*pair) for pair in halves}) < len(halves):
            continue
        weight = float(np.prod([w for _, w in combination]))
        for join in joins:
            same = part_value(halves[join.a], join.a_part) == part_value(halves[join.b], join.b_part)
            weight *= 1 - ILLEGAL if same else ILLEGAL / 6
        found[halves] = weight
    total = sum(found.values())
    return {halves: weight / total for halves, weight in found.items()}


def test_marginals_and_count_agree_with_brute_force() -> None:
    """On a small chain the message passing gives the probabilities of full enumeration."""
    p = soft(
        ({1: 0.8, 2: 0.2}, {3: 0.6, 4: 0.4}),
        ({3: 0.5, 4: 0.5}, {6: 0.7, 5: 0.3}),
        ({5: 0.4, 6: 0.6}, {0: 0.9, 1: 0.1}),
    )
    joins = [Join(0, "b", 1, "a"), Join(1, "b", 2, "a")]
    truth, found = brute_force(p, joins), decode(p, joins, DOUBLE_SIX)
    assert found.halves == max(truth, key=lambda halves: truth[halves])
    for i in range(3):
        chance = sum(weight for halves, weight in truth.items() if halves[i] == found.halves[i])
        assert found.confidence[i] == pytest.approx(chance, abs=0.01)
    counts: dict[int, float] = {}
    for halves, weight in truth.items():
        count = open_end_count(halves, joins)
        assert count is not None
        counts[count] = counts.get(count, 0) + weight
    for count, chance in counts.items():
        assert found.count_p[count] == pytest.approx(chance, abs=0.01)
    best = max(counts, key=lambda count: counts[count])
    assert found.count_alternatives(1)[0][0] == best


def test_nothing_to_decode() -> None:
    """No tiles give an empty result."""
    assert decode(np.zeros((0, 2, 7)), [], DOUBLE_SIX).halves == ()


def test_a_half_with_more_pips_than_the_set_is_in_doubt() -> None:
    """A nine in double-six may be anything, likeliest what it resembles most; what is read well stays as it is."""
    p = np.full((1, 2, 15), 0.001)
    p[0, 0, 9], p[0, 0, 0] = 0.96, 0.02
    p[0, 1, 4] = 0.986
    logp = np.log(p / p.sum(-1, keepdims=True))
    found = np.exp(within_set(logp, 6))
    assert found.sum(-1) == pytest.approx(np.ones((1, 2)), abs=1e-3)
    assert found[0, 0].argmax() == 0
    assert 0.3 < found[0, 0, 0] < 0.7
    assert (found[..., 7:13] < 1e-9).all()
    assert found[0, 1, 4] == pytest.approx(0.986, abs=0.01)
    assert np.allclose(within_set(logp, 12), logp, atol=1e-5)
