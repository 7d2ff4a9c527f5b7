"""A new tile that is hard to read: which ways to read it legal moves explain, and what is asked of a person."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from domino_server.referee.events import Choice, Question
from domino_server.referee.sight import Reading, Sight

TILE_QUESTION: Final = "tile_unsure"
RIGHT: Final = "right"
AGAIN: Final = "again"
_AGAINST_RULES: Final = 0.02
"""Share of plays that break a rule, well above what is seen at tables."""
_SURE: Final = 0.9
_LEAST: Final = 0.2
"""A reading less likely than this is not believed because it alone is legal."""
_MOST_BESIDE: Final = 2
"""Of so many other tiles in doubt all ways to read them are tried."""


@dataclass(frozen=True, slots=True)
class UnsureTile:
    """A tile of a look that is in doubt.

    Attributes:
        index: of the tile in the look.
        legal: the ways to read it that legal moves explain, the likeliest first.
        illegal: whether no likely way to read it is legal: it breaks a rule whatever it is.
        settled: the one that the rules leave, if they leave one that is likely enough.
        question: what a person is asked; None if nothing legal explains the tile.
    """

    index: int
    legal: tuple[Reading, ...]
    illegal: bool
    settled: tuple[int, int] | None
    question: Question | None

    @classmethod
    def of(
        cls, index: int, sight: Sight, explains: Callable[[Sight], bool], *, beside: Sequence[int] = ()
    ) -> UnsureTile:
        """Weigh the ways to read a tile of a sight.

        Args:
            index: of the tile.
            sight: the look.
            explains: says whether legal moves explain a sight.
            beside: other tiles that are in doubt: a way is legal if it is so with any way to read them. Where they are
                many only the first few are read otherwise, and the rules say nothing for certain.
        """
        ways = _ways(sight, index)
        sights = [sight]
        for other in beside[:_MOST_BESIDE]:
            sights = [_read_as(each, other, way) for each in sights for way in _ways(each, other)]
        legal = tuple(way for way in ways if any(explains(_read_as(each, index, way)) for each in sights))
        others = max(0.0, 1 - sum(way.p for way in ways))  # what is not listed may be legal
        weight = others + sum(way.p if way in legal else way.p * _AGAINST_RULES for way in ways)
        best = max(legal, key=lambda way: way.p, default=None)
        few = len(beside) <= _MOST_BESIDE
        settled = few and best is not None and best.p >= _LEAST and best.p / weight >= _SURE
        question = _question(sight, index, legal) if legal else None
        listed = prod(min(1.0, sum(way.p for way in _ways(sight, i))) for i in (index, *beside))
        illegal = few and not legal and listed > _SURE
        return cls(index, legal, illegal, best.halves if best is not None and settled else None, question)

    def told(self, key: str) -> tuple[int, int] | None:
        """Return the halves that an answer names; None if it names none of those that were offered."""
        return next((way.halves for way in self.legal if key_of(way) == key), None)


def key_of(way: Reading) -> str:
    """Return the answer that means a way to read a tile, such as `4|0`."""
    return f"{way.halves[0]}|{way.halves[1]}"


def _ways(sight: Sight, index: int) -> tuple[Reading, ...]:
    """Return the ways to read a tile, as it is read now first."""
    tile = sight.tiles[index]
    first = () if tile.halves is None else (Reading(tile.halves, tile.confidence),)
    return (*first, *tile.others)


def _read_as(sight: Sight, index: int, way: Reading) -> Sight:
    tiles = list(sight.tiles)
    tiles[index] = replace(tiles[index], halves=way.halves, confidence=way.p)
    return replace(sight, tiles=tuple(tiles))


def _question(sight: Sight, index: int, legal: tuple[Reading, ...]) -> Question:
    seen = sight.tiles[index]
    choices = [Choice(RIGHT if way.halves == seen.halves else key_of(way), _text(way), way.p) for way in legal]
    shown = () if seen.tile is None else (seen.tile,)
    return Question(TILE_QUESTION, (*choices, Choice(AGAIN, "look again")), shown, (seen.quad_px,))


def _text(way: Reading) -> str:
    return "-".join(str(pips) for pips in sorted(way.halves, reverse=True))
