"""Results of tables put into a pairing list, by the names of those who played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from domino_server.judge.reports.model import MatchReport, TableReport
from domino_server.judge.standings import Game

_PARTED: Final = re.compile(r"\s*[+/&,]\s*")


def with_results(games: Sequence[Game], tables: Sequence[TableReport]) -> tuple[tuple[Game, ...], tuple[str, ...]]:
    """Return the games with the results of tables, and the matches that belong to no game of the list.

    A match is the first game without a result between the same two sides. Sides are the same if their players are,
    however the pairing list writes them: `Ana+Cleo`, `Cleo / Ana`. Matches that are not decided are left out.

    Args:
        games: of a pairing list.
        tables: reports of exported tables.
    """
    left, strange = list(games), list[str]()
    for table in tables:
        for match in table.matches:
            sides = list(match.sides)
            if match.winner is None or len(sides) != 2:
                continue
            at = _game_of(left, match)
            if at is None:
                strange.append(f"{table.name}: {' – '.join(sides)}")
            else:
                left[at] = _with(left[at], match, table.name)
    return tuple(left), tuple(strange)


def players_of(name: str) -> frozenset[str]:
    """Return the players that a side's name holds."""
    return frozenset(part.casefold() for part in _PARTED.split(name.strip()) if part)


def _game_of(games: Sequence[Game], match: MatchReport) -> int | None:
    wanted = {frozenset(name.casefold() for name in players) for players in match.sides.values()}
    for at, game in enumerate(games):
        if game.b is not None and not game.over and {players_of(game.a), players_of(game.b)} == wanted:
            return at
    return None


def _with(game: Game, match: MatchReport, table: str) -> Game:
    points: dict[frozenset[str], int] = {}
    winner: str | None = None
    for side, players in match.sides.items():
        who = frozenset(name.casefold() for name in players)
        points[who] = match.totals.get(side, 0)
        if side == match.winner:
            winner = game.a if who == players_of(game.a) else game.b
    a, b = points[players_of(game.a)], points[players_of(game.b or "")]
    return replace(game, table=game.table or table, points_a=a, points_b=b, winner=winner)
