"""Who plays whom: round robin by the circle, Swiss by a matching of greatest weight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import networkx as nx

from domino_server.judge.standings import Game, Row, StandingsError, standings

_MOST: Final = 10**12
"""Weight of a pairing before anything speaks against it: every pairing is better than none."""
_OF_SCORES: Final = 10**6
"""What half a point between two opponents costs; it grows with the square."""
_OF_PLACES: Final = 10
"""What a place away from the ideal opponent costs: the middle of the group with the same score."""


def round_robin(entrants: Sequence[str], *, first: int = 1, tables: Sequence[str] = ()) -> tuple[Game, ...]:
    """Return the games of a round robin: everybody meets everybody once.

    Args:
        entrants: the sides.
        first: number of the first round.
        tables: names of the tables; numbers by default.

    Raises:
        StandingsError: `entrants`.
    """
    _check(entrants)
    ring: list[str | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    games: list[Game] = []
    for turn in range(len(ring) - 1):
        half = len(ring) // 2
        pairs = [(ring[place], ring[-1 - place]) for place in range(half)]
        games += _games(pairs, first + turn, tables)
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return tuple(games)


def next_swiss(games: Sequence[Game], entrants: Sequence[str] = (), tables: Sequence[str] = ()) -> tuple[Game, ...]:
    """Return the games of the next round: opponents of like score who have not met; a bye for the last without one.

    Args:
        games: all games so far.
        entrants: the sides in the order of their seeds, of which those that left are left out; by default all that
            have played.
        tables: names of the tables; numbers by default.

    Raises:
        StandingsError: `entrants`, or `no_pairing` if everybody has met everybody.
    """
    rows = [row for row in standings(games, entrants) if not entrants or row.name in entrants]
    _check([row.name for row in rows])
    number = max((game.round for game in games), default=0) + 1
    met = {frozenset((game.a, game.b)) for game in games if game.b is not None}
    if len(rows) % 2 == 0:
        pairs = _matched(rows, met)
        if pairs is not None:
            return tuple(_games(pairs, number, tables))
    else:
        rested = {game.a for game in games if game.b is None}
        for last in sorted(rows, key=lambda row: (row.name in rested, -rows.index(row))):
            pairs = _matched([row for row in rows if row is not last], met)
            if pairs is not None:
                return tuple(_games([*pairs, (last.name, None)], number, tables))
    raise StandingsError("no_pairing", f"no pairing is left for round {number} in which nobody meets twice")


def _matched(rows: Sequence[Row], met: set[frozenset[str]]) -> list[tuple[str, str | None]] | None:
    """Return the pairs, the highest first; None if somebody is left over."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(rows)))
    for one in range(len(rows)):
        for other in range(one + 1, len(rows)):
            if frozenset((rows[one].name, rows[other].name)) not in met:
                graph.add_edge(one, other, weight=_weight(rows, one, other))
    found = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) < len(rows):
        return None
    places = sorted((min(pair), max(pair)) for pair in found)
    return [(rows[one].name, rows[other].name) for one, other in places]


def _weight(rows: Sequence[Row], one: int, other: int) -> int:
    gap = abs(int(2 * (rows[one].score - rows[other].score)))
    group = sum(row.score == rows[one].score for row in rows)
    astray = abs((other - one) - group // 2) if gap == 0 else other - one
    return _MOST - gap * gap * _OF_SCORES - astray * _OF_PLACES


def _games(pairs: Iterable[tuple[str | None, str | None]], number: int, tables: Sequence[str]) -> list[Game]:
    games: list[Game] = []
    byes: list[Game] = []
    for one, other in pairs:
        a, b = (other, one) if one is None else (one, other)
        if a is None:
            continue
        if b is None:
            byes.append(Game(number, "", a, None))
        else:
            at = len(games)
            games.append(Game(number, tables[at] if at < len(tables) else str(at + 1), a, b))
    return games + byes


def _check(entrants: Sequence[str]) -> None:
    if len(entrants) < 2:
        raise StandingsError("entrants", f"a tournament needs two sides, not {len(entrants)}", entrants=len(entrants))
    twice = sorted({name for name in entrants if entrants.count(name) > 1})
    if twice:
        raise StandingsError("entrants", f"entered twice: {', '.join(twice)}", twice=twice)
