"""Whole hands as one camera sees them: every part of the table lies in its zone, and what lies there stays put."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.moves import Close, Draw, Lead, Pass, Reply
from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_rules.ruleset import RuleSet
from domino_rules.state import GameState
from domino_server.referee.arms import SEATED
from domino_server.referee.places import seat_names
from domino_server.referee.sight import Kind, Place
from domino_vision.types import TileRole
from domino_vision.zones import Zone
from domino_vision.zones_presets import Rect, preset
from tests.referee_games import LENGTH, WIDTH, Seen, Table, place_of, start_of, table_of
from tests.table_frames import PX_PER_MM, SIZE_WH

_INSET = 0.02
_GAP_MM = 5.0

Halves = tuple[int, int] | None


@dataclass(frozen=True)
class Scene:
    """What happens next at a table.

    Attributes:
        moves: how many moves of the hand are known afterwards.
        player: who does it; None for the table as it is dealt.
        table: what lies there then; None if he passes, which no camera sees.
        side: from which side of the picture he reaches over the table (see `draw_arm`).
        doubles: how many doubles he calls with it, in Bingo; None if he calls none.
    """

    moves: int
    player: str | None = None
    table: Table | None = None
    side: int = 0
    doubles: int | None = None


class Surface:
    """A table in the picture, with the zones that a program gives it by itself; tiles stay where they were laid."""

    def __init__(self, game: str, seats: Sequence[str], rules: RuleSet, *, zones: bool = True) -> None:
        """Begin empty; `seats` in the order of play; without `zones` only the line of play is seen."""
        self._seen = Seen(stock=zones)
        self._seats = seat_names(seats, rules)
        self._zones = preset(game, len(seats), _view_mm())
        self._lying: dict[str, dict[int, Halves]] = {}

    def lay(self, state: GameState, *, turned_up: bool = False, tidy: bool = False) -> Table:
        """Return the table at a state (see `table_of`)."""
        far = table_of(state, self._seen, Random(1), turned_up=turned_up, tidy=tidy)
        where = place_of(tuple(state.hands))
        table = Table(joins=far.joins)
        parts: dict[str, list[Halves]] = {name: [] for name in self._lying}
        for centre, axis, halves, role in far.tiles:
            place = where((float(centre[0]), float(centre[1])))
            if place.kind is Kind.LAYOUT:
                table.tiles.append((centre, axis, halves, role))
            else:
                parts.setdefault(self._zone(place), []).append(halves)
        for name, tiles in parts.items():
            self._keep(name, tiles)
            slots = _slots(self._zones[name])
            for slot, halves in sorted(self._lying[name].items()):
                table.add(slots[slot], (0, 1), halves, TileRole.DOWN if halves is None else TileRole.LOOSE)
        return table

    def side(self, player: str) -> int:
        """Return on which side of the picture a player sits."""
        return SEATED[len(self._seats)][self._seats.index(player)]

    def _zone(self, place: Place) -> str:
        return place.kind.value if place.seat is None else f"{place.kind.value}-{self._seats.index(place.seat)}"

    def _keep(self, name: str, tiles: Sequence[Halves]) -> None:
        """Take away what is gone, put what is new into free places."""
        left, kept = Counter(tiles), dict[int, Halves]()
        for slot, halves in sorted(self._lying.get(name, {}).items()):
            if left[halves]:
                left[halves] -= 1
                kept[slot] = halves
        for halves in left.elements():
            kept[next(slot for slot in range(len(kept) + 1) if slot not in kept)] = halves
        self._lying[name] = kept


def scenes(record: Record, *, zones: bool = True) -> Iterator[Scene]:
    """Yield what a camera, and who sits at the table, tell of the first hand of a game; its hands lie open at the end.

    That a player draws, and at Tiu-U that he captures nothing, is known by what he does next.

    Args:
        record: the game.
        zones: whether the camera sees more than the line of play.
    """
    played = replay(record)
    steps = played.hands[0].steps
    surface = Surface(record.game, record.seats, played.match.rules, zones=zones)
    yield Scene(0, table=surface.lay(start_of(played.match, 0)))
    known = 0
    for number, step in enumerate(steps, 1):
        move, state, last = step.record.move, step.state, number == len(steps)
        chain = isinstance(state, ChainState)
        known = known if isinstance(move, Draw) or (isinstance(move, Pass) and not chain) else number
        done = Scene(known, move.player, side=surface.side(move.player))
        if chain and isinstance(move, Pass):
            yield done
        elif chain or not isinstance(move, Draw | Pass):
            called = move.declare if isinstance(move, Lead | Reply) else None
            yield replace(done, table=surface.lay(state, tidy=isinstance(move, Close)), doubles=called)
        if isinstance(state, BingoState) and isinstance(move, Reply) and not last:
            taker = state.tricks[-1].taker
            yield Scene(known, taker, surface.lay(state, tidy=True), surface.side(taker))
        if last and chain and zones:
            yield replace(done, table=surface.lay(state, turned_up=True))


def _view_mm() -> Rect:
    """Return what the camera sees whole of the table, in its millimetres: left, top, right, bottom."""
    (left, top), (right, bottom) = (
        ((share - 0.5) * SIZE_WH[0] / PX_PER_MM, (share - 0.5) * SIZE_WH[1] / PX_PER_MM)
        for share in (_INSET, 1 - _INSET)
    )
    return left, top, right, bottom


def _slots(zone: Zone) -> list[tuple[float, float]]:
    """Return places for upright tiles in a zone, row by row."""
    (left, top), (right, bottom) = zone.points.min(axis=0), zone.points.max(axis=0)
    across, down = WIDTH + _GAP_MM, LENGTH + _GAP_MM
    columns, rows = int((right - left) // across), max(1, int((bottom - top) // down))
    return [
        (float(left + (column + 0.5) * across), float(top + (bottom - top) / 2 + (row - (rows - 1) / 2) * down))
        for row in range(rows)
        for column in range(columns)
    ]
