"""Standings of a tournament over several tables: results of games between two sides, with tie-breaks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from domino_rules.errors import DominoError

COLUMNS: Final = ("round", "table", "a", "b", "points_a", "points_b", "winner")
_NEEDED: Final = ("round", "a", "b")
DRAW: Final = "draw"
BYE_SCORE: Final = Fraction(1)


class StandingsError(DominoError):
    """A pairing list that cannot be used.

    `pairing_columns`, `pairing_round`, `pairing_points`, `pairing_winner`, `pairing_twice` (a side plays twice in a
    round), `pairing_itself`, `no_pairing` (nobody is left whom somebody has not met), `entrants` (too few, or twice).
    """


@dataclass(frozen=True, slots=True)
class Game:
    """A game between two sides in a round.

    Attributes:
        round: from 1.
        table: where.
        a: one side.
        b: the other one; None is a bye.
        points_a: points of `a`; None while it is not played.
        points_b: points of `b`.
        winner: who won, or `draw`, where points alone do not tell; None goes by the points.
    """

    round: int
    table: str
    a: str
    b: str | None
    points_a: int | None = None
    points_b: int | None = None
    winner: str | None = None

    @property
    def over(self) -> bool:
        """Whether it counts: it was played, or is a bye."""
        return self.b is None or self.winner is not None or (self.points_a is not None and self.points_b is not None)

    @property
    def score_a(self) -> Fraction:
        """What `a` gets: 1, ½ or 0."""
        if self.b is None:
            return BYE_SCORE
        if self.winner is not None:
            return Fraction(1, 2) if self.winner == DRAW else Fraction(int(self.winner == self.a))
        gap = (self.points_a or 0) - (self.points_b or 0)
        return Fraction(1, 2) if gap == 0 else Fraction(int(gap > 0))


@dataclass(frozen=True, slots=True)
class Row:
    """Where a side stands.

    Attributes:
        rank: from 1; sides that no tie-break parts share it.
        name: the side.
        played: games played, byes not counted.
        won: games won.
        drawn: games drawn.
        lost: games lost.
        byes: rounds without an opponent.
        score: 1 for a win or a bye, ½ for a draw.
        buchholz: sum of the opponents' scores.
        berger: sum of the scores of those whom the side beat, and half of those with whom it drew.
        difference: points made less points against.
        points: points made.
    """

    rank: int
    name: str
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    score: Fraction
    buchholz: Fraction
    berger: Fraction
    difference: int
    points: int

    @property
    def order(self) -> tuple[Fraction | int, ...]:
        """What decides the rank, the first first."""
        return self.score, self.buchholz, self.berger, self.difference, self.points


def read_pairings(text: str) -> tuple[Game, ...]:
    """Return the games of a pairing list.

    Args:
        text: CSV with a header: `round`, `table`, `a`, `b` (empty: a bye), `points_a`, `points_b`, `winner`; the order
            of columns does not matter, and only `round`, `a` and `b` are needed. Commas or semicolons part them.

    Raises:
        StandingsError: see there, with the `line`.
    """
    head = text.lstrip("\ufeff").split("\n", 1)[0]
    delimiter = ";" if head.count(";") > head.count(",") else ","
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter)
    names = [(name or "").strip().lower() for name in reader.fieldnames or ()]
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        message = f"the pairing list has no column {', '.join(missing)}"
        raise StandingsError("pairing_columns", message, missing=missing)
    reader.fieldnames = names
    games = []
    for number, row in enumerate(reader, 2):
        cells = {name: (value or "").strip() for name, value in row.items() if isinstance(value, str | None) and name}
        if any(cells.values()):
            games.append(_game(number, cells))
    _check(games)
    return tuple(games)


def _game(line: int, cells: dict[str, str]) -> Game:
    points: list[int | None] = []
    for name in ("points_a", "points_b"):
        try:
            points.append(int(cells[name]) if cells.get(name) else None)
        except ValueError:
            message = f"line {line}: {name} is no whole number: {cells[name]!r}"
            raise StandingsError("pairing_points", message, line=line) from None
    if not cells["round"].isdecimal() or int(cells["round"]) < 1 or not cells["a"]:
        raise StandingsError("pairing_round", f"line {line}: a game has a round from 1 and a side", line=line)
    a, b, winner = cells["a"], cells["b"] or None, cells.get("winner") or None
    if winner not in {None, a, b, DRAW}:
        message = f"line {line}: {winner} does not play here; the winner is {a}, {b} or draw"
        raise StandingsError("pairing_winner", message, line=line)
    if a == b:
        raise StandingsError("pairing_itself", f"line {line}: {a} cannot play itself", line=line)
    return Game(int(cells["round"]), cells.get("table", ""), a, b, points[0], points[1], winner)


def _check(games: Iterable[Game]) -> None:
    seen: set[tuple[int, str]] = set()
    for game in games:
        for side in (game.a, game.b):
            if side is not None and (game.round, side) in seen:
                message = f"{side} plays twice in round {game.round}"
                raise StandingsError("pairing_twice", message, side=side, round=game.round)
            if side is not None:
                seen.add((game.round, side))


def write_pairings(games: Iterable[Game]) -> str:
    """Return games as CSV that `read_pairings` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in games:
        cells = (game.round, game.table, game.a, game.b, game.points_a, game.points_b, game.winner)
        writer.writerow(["" if cell is None else cell for cell in cells])
    return out.getvalue()


def entrants_of(games: Iterable[Game]) -> tuple[str, ...]:
    """Return the sides of some games in the order in which they come up."""
    return tuple(dict.fromkeys(side for game in games for side in (game.a, game.b) if side is not None))


def standings(games: Sequence[Game], entrants: Sequence[str] = ()) -> tuple[Row, ...]:
    """Return the standings after all games that are over.

    Args:
        games: the games of all rounds; those that are not over count nothing.
        entrants: all sides, in the order of their seeds; those that have not played yet stand there too.
    """
    over = [game for game in games if game.over]
    names = tuple(dict.fromkeys((*entrants, *entrants_of(games))))
    scores = dict.fromkeys(names, Fraction(0))
    for game in over:
        scores[game.a] += game.score_a
        if game.b is not None:
            scores[game.b] += 1 - game.score_a
    rows = [_row(name, over, scores) for name in names]
    rows.sort(key=lambda row: row.order, reverse=True)  # stable: equal ones keep the order of their seeds
    ranked: list[Row] = []
    for place, row in enumerate(rows, 1):
        rank = ranked[-1].rank if ranked and ranked[-1].order == row.order else place
        ranked.append(replace(row, rank=rank))
    return tuple(ranked)


def _row(name: str, over: Sequence[Game], scores: dict[str, Fraction]) -> Row:
    won = drawn = lost = byes = made = against = 0
    buchholz = berger = Fraction(0)
    for game in over:
        if name not in {game.a, game.b}:
            continue
        if game.b is None:
            byes += 1
            continue
        mine = game.a == name
        score = game.score_a if mine else 1 - game.score_a
        other = game.b if mine else game.a
        points = (game.points_a or 0, game.points_b or 0)
        made, against = made + points[not mine], against + points[mine]
        won, drawn, lost = won + (score == 1), drawn + (score == Fraction(1, 2)), lost + (score == 0)
        buchholz += scores[other]
        berger += score * scores[other]
    played = won + drawn + lost
    return Row(0, name, played, won, drawn, lost, byes, scores[name], buchholz, berger, made - against, made)
