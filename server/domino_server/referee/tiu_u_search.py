"""What a table of Tiu-U shows, and all sequences of moves that lead to it, within a budget for one look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.tiu_u_rules import TWO_CHINESE, mates
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Move, Pass, Quadruple, Stood, Triple, Turn
from domino_rules.tile import Tile
from domino_server.referee.reader import MOST_PATHS, PAIR_UNREAD, Path, inferred, seen
from domino_server.referee.sight import Kind, Place, Sight

_MOST_NODES: Final = 2000
_MOST_DEPTH: Final = 24
_LOOK_NODES: Final = 6000
_LEAST_NODES: Final = 100
_ANY: Final = -1
"""However many tiles the stock may have."""
KINDS: Final = frozenset(TWO_CHINESE.kinds)
_PASSED: Final = 0.1
"""How much less likely a path is with each pass: with many tiles in hand and on the talon there is mostly a pair."""
_UNREAD: Final = 0.05
"""How much less likely a path is with each tile that came before a player and was not found."""
PAIR: Final = 2
SURE: Final = 0.9
"""Of a tile that is read less surely than this, other readings are followed too."""


class Budget:
    """How many positions may still be looked at for one look at the table, from whatever state and reading."""

    def __init__(self) -> None:
        """Start with a whole budget."""
        self._left, self._at = _LOOK_NODES, 0.0

    def look(self, at: float) -> None:
        """Begin with a look; one that is taken in again has what is left, and a little."""
        if at == 0 or at != self._at:
            self._left, self._at = _LOOK_NODES, at
        self._left = max(self._left, _LEAST_NODES)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self._left <= 0

    def spend(self) -> bool:
        """Look at one more position; return whether that is still within the budget."""
        self._left -= 1
        return self._left >= 0


@dataclass(frozen=True, slots=True)
class Fishes:
    """What lies face up: on the talon, before each player, at the left of the stock; and how many are face down.

    Where nothing changed at the stock as many lie there as before, even if they were miscounted: alike backs in a row.
    What was captured lies there even if it is not found, unless a tile of the last pair is back on the talon.

    Attributes:
        unread: how many tiles may lie before each player that are not read: a pair where something was overlooked, and
            what looks like a back there.
    """

    talon: Counter[Tile]
    piles: Mapping[str, Counter[Tile]]
    stacks: Counter[Tile]
    stock: int | None
    unread: Mapping[str, int] = field(default_factory=dict)

    @property
    def tiles(self) -> frozenset[Tile]:
        """All tiles that show their faces."""
        return frozenset(self.talon | self.stacks | sum(self.piles.values(), Counter[Tile]()))

    @classmethod
    def of(cls, sight: Sight, state: TiuUState) -> Fishes:
        """Return what a sight shows, if the sight before was explained up to a state."""
        stock = len(state.stock.face_down) if sight.is_undisturbed(Kind.STOCK) else sight.backs(Kind.STOCK)
        talon, stacks = Counter(sight.faces(Kind.TALON)), Counter(sight.faces(Kind.STOCK))
        piles = {player: Counter(sight.faces(Kind.PILE, player)) for player in state.players}
        unread = {
            p: PAIR * sight.overlooked.count(Place(Kind.PILE, p)) + sight.backs(Kind.PILE, p) for p in state.players
        }
        for player, pile in state.captured.items():
            put_back = (talon - Counter(state.talon)) & Counter(pile[-PAIR:])
            there = Counter(pile[:-PAIR] if put_back else pile) - piles[player]
            piles[player] += there
            unread[player] = max(0, unread[player] - there.total())
        return cls(talon, piles, stacks, stock if sight.shows(Kind.STOCK) else None, unread)

    @property
    def found(self) -> Fishes:
        """The same without anything that may lie there unread."""
        return replace(self, unread={})

    def room(self, state: TiuUState, player: str) -> int:
        """Return how many tiles more may lie unread before a player in a state; negative if too many do already."""
        return self.unread.get(player, 0) - (Counter(state.captured[player]) - self.piles[player]).total()


def explaining(state: TiuUState, sight: Sight, budget: Budget, *, unread: bool) -> tuple[list[Path], bool]:
    """Return the legal paths to what is seen, and whether there was no end to them.

    Args:
        state: where the hand stands.
        sight: what is seen.
        budget: for the whole look.
        unread: whether captured tiles may lie where something was overlooked; then as few of them as possible.
    """
    found: list[Path] = []
    overflow = False
    for reading, weight in _readings(sight):
        fishes = Fishes.of(reading, state)
        search = Search(fishes if unread else fishes.found, budget)
        search.run(state)
        if search.cut_short and fishes.stock is not None:  # of many orders those are followed that fit the stock
            exact = Search(search.fishes, budget, stock=fishes.stock)
            exact.run(state)
            search = exact if exact.found else search
        found += [replace(path, weight=path.weight * weight) for path in search.found]
        overflow |= search.overflow
        if overflow:
            break
    fewest = min((_unread(path) for path in found), default=0)
    return [path for path in found if _unread(path) == fewest], overflow


def _unread(path: Path) -> int:
    """Return how many moves of a path laid a tile that nobody read."""
    return sum(record.rule == PAIR_UNREAD for record in path.moves)


@dataclass(slots=True)
class Search:
    """All sequences of moves that lead to what is seen: legal ones, but for `allowed` captures or turned tiles.

    They leave `stock` tiles face down, if that is given.
    """

    fishes: Fishes
    budget: Budget
    allowed: int = 0
    stock: int = _ANY
    found: list[Path] = field(default_factory=list)
    overflow: bool = False
    _nodes: int = 0
    _dead: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def cut_short(self) -> bool:
        """Whether there are more sequences than were found."""
        return self.overflow or len(self.found) > MOST_PATHS

    def run(self, state: TiuUState) -> None:
        """Look from a state; a tile that the set does not have is misread, and nothing explains it."""
        if all(tile in KINDS for tile in self.fishes.tiles):
            self._step(Path((), state), state, 0)

    def _step(self, path: Path, state: TiuUState, depth: int) -> None:
        self._nodes += 1
        many = self._nodes > _MOST_NODES or not self.budget.spend()
        if many or depth > _MOST_DEPTH or len(self.found) > MOST_PATHS:
            self.overflow |= many
            return
        left = len(state.stock.face_down)
        if _reached(state, self.fishes) and self.stock in {_ANY, left}:
            self.found.append(path)
            return
        if state.result is not None or left < self.stock or not _possible(state, self.fishes):
            return
        stood = sum(isinstance(record.move, Stood) for record in path.moves)
        here, before = _position(state, stood), len(self.found)
        if here in self._dead:  # it was come to by another order, and led nowhere
            return
        for move in self._moves(state):
            try:
                after = state.apply(move)
            except IllegalMoveError:
                if stood < self.allowed and isinstance(move, Capture | Turn):
                    self._let_stand(path, state, Stood(move), depth)
                continue
            passed = isinstance(move, Pass)
            unread = max(0, self.fishes.room(state, move.player) - self.fishes.room(after, move.player))
            rule = "no_capture_seen" if passed else PAIR_UNREAD if unread else None
            record = seen(move) if rule is None else inferred(move, rule)
            weight = path.weight * (_PASSED if passed else 1.0) * _UNREAD**unread
            self._step(Path((*path.moves, record), after, weight), after, depth + 1)
        if len(self.found) == before and not self.overflow:
            self._dead.add(here)

    def _let_stand(self, path: Path, state: TiuUState, move: Stood, depth: int) -> None:
        try:
            after = state.let_stand(move)
        except IllegalMoveError:
            return
        self._step(Path((*path.moves, seen(move)), after, path.weight), after, depth + 1)

    def _unread_pairs(self, state: TiuUState) -> Iterator[tuple[Tile, Tile]]:
        """Yield pairs with a tile that left the talon, if not all of them is read before the player, but may be."""
        wanted, room = wanted_tiles(state, self.fishes, state.turn), self.fishes.room(state, state.turn)
        gone = Counter(state.talon) - self.fishes.talon
        for take in gone if room > 0 else ():
            for tile in mates(take, TWO_CHINESE.kinds, state.rules):
                unread = (Counter((tile, take)) - wanted).total()
                if 0 < unread <= room:
                    yield tile, take

    def _moves(self, state: TiuUState) -> Iterator[Move]:
        player = state.turn
        wanted = wanted_tiles(state, self.fishes, player)
        elsewhere = sum((wanted_tiles(state, self.fishes, p) for p in state.players if p != player), Counter[Tile]())
        if state.drawing:
            yield from self._turns(state, player, wanted, elsewhere)
            return
        for take in dict.fromkeys(state.talon):
            if wanted[take]:
                for tile in wanted:
                    if wanted[tile] > (tile is take):
                        yield Capture(player, tile, take)
        yield from (Capture(player, tile, take) for tile, take in self._unread_pairs(state))
        for tile in self.fishes.stacks:
            yield Triple(player, tile)
            yield Quadruple(player, tile)
        if self.allowed:
            yield from self._out_of_turn(state)
        yield Pass(player)

    def _out_of_turn(self, state: TiuUState) -> Iterator[Move]:
        for player in state.players:
            wanted = wanted_tiles(state, self.fishes, player) if player != state.turn else Counter[Tile]()
            for take in dict.fromkeys(state.talon):
                if wanted[take]:
                    yield from (Capture(player, tile, take) for tile in wanted if wanted[tile] > (tile is take))

    def _turns(self, state: TiuUState, player: str, wanted: Counter[Tile], elsewhere: Counter[Tile]) -> Iterator[Move]:
        for tile in wanted:
            takes = dict.fromkeys(state.talon) if self.allowed else mates(tile, state.talon, state.rules)
            for take in takes:
                if wanted[take] > (tile is take):
                    yield Turn(player, tile, take)
        yield from (Turn(player, tile, take) for tile, take in self._unread_pairs(state))
        lying = self.fishes.talon - Counter(state.talon)
        for tile in dict.fromkeys((*lying, *elsewhere, *wanted)):
            yield Turn(player, tile)
        for tile in self.fishes.stacks:
            yield Quadruple(player, tile)


def _readings(sight: Sight) -> Iterator[tuple[Sight, float]]:
    """Yield the sight and, for a tile that is read unsurely, the sights with its other readings."""
    yield sight, 1.0
    for index, seen_tile in enumerate(sight.tiles):
        if seen_tile.halves is None or seen_tile.confidence >= SURE:
            continue
        for other in seen_tile.others:
            yield sight.read_as(index, other.halves), other.p / max(seen_tile.confidence, 1e-3)


def wanted_tiles(state: TiuUState, fishes: Fishes, player: str) -> Counter[Tile]:
    """Return the tiles that lie before a player and are not known to have been captured."""
    return fishes.piles[player] - Counter(state.captured[player])


def _position(state: TiuUState, stood: int) -> tuple[object, ...]:
    """Return what of a state decides how it may go on, whatever order led to it."""
    piles = (frozenset(Counter(pile).items()) for pile in state.piles)
    held = tuple(hand.size for hand in state.held)
    talon = frozenset(Counter(state.talon).items())
    return stood, state.turn, state.drawing, talon, *piles, held, len(state.stock.face_down), state.stock.stacks


def _stacked(state: TiuUState) -> Counter[Tile]:
    return Counter(tile for stack in state.stock.stacks for tile in stack)


def _reached(state: TiuUState, fishes: Fishes) -> bool:
    if Counter(state.talon) != fishes.talon or _stacked(state) != fishes.stacks:
        return False
    return all(not wanted_tiles(state, fishes, p) and fishes.room(state, p) >= 0 for p in state.players)


def _possible(state: TiuUState, fishes: Fishes) -> bool:
    """Return whether what is seen can still come about: captured tiles stay, tiles leave the talon only into piles."""
    rooms = [fishes.room(state, player) for player in state.players]
    if min(rooms) < 0:
        return False
    unread = sum(rooms)
    open_ = sum((wanted_tiles(state, fishes, player) for player in state.players), Counter[Tile]())
    if not unread and (open_.total() % 2 or (not open_ and Counter(state.talon) - fishes.talon - fishes.stacks)):
        return False
    leaving = Counter(state.talon) - fishes.talon
    return (leaving - open_ - (fishes.stacks - _stacked(state))).total() <= unread
