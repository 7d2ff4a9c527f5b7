"""Reads the tables of Tiu-U: the talon, the stock with its stacks, and what each player has captured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.tiu_u import TALON
from domino_rules.games.tiu_u_rules import OPENING_TILE, TWO_CHINESE, mates
from domino_rules.games.tiu_u_score import Catch
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Capture, Move, Pass, Quadruple, Stood, Triple, Turn
from domino_rules.record import HandRecord
from domino_rules.record_replay import Seating
from domino_rules.state import Deal, GameState, Hand
from domino_rules.tile import Tile
from domino_server.referee.events import Choice, IllegalPlay, Pause, Question
from domino_server.referee.reader import MOST_PATHS, Explained, Path, Swap, inferred, seen
from domino_server.referee.sight import Kind, Place, Point, Sight
from domino_server.referee.tiu_u_meanwhile import Meanwhile, stock_odds

_MOST_NODES: Final = 2000
_MOST_DEPTH: Final = 24
_ANY: Final = -1
"""However many tiles the stock may have."""
_KINDS: Final = frozenset(TWO_CHINESE.kinds)
_MOST_AROUND: Final = 4
"""With more moves at once than these no player is blamed: rather something was not seen, or not as it was."""
_PASSED: Final = 0.1
"""How much less likely a path is with each pass: with many tiles in hand and on the talon there is mostly a pair."""
_MOST_STRAYS: Final = 2
"""Of a talon that was noted more tiles do not come to lie elsewhere with what is played first."""
_SAME_SPOT_MM: Final = 12.0
_UNREAD: Final = 0.05
"""How much less likely a path is with each tile that came before a player and was not found."""
PAIR_UNREAD: Final = "pair_unread"
"""The rule of captures of which not all tiles were read: what left the talon, and where something was laid, tells."""
_PAIR: Final = 2
_SURE: Final = 0.9
"""Of a tile that is read less surely than this, other readings are followed too."""


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
            p: _PAIR * sight.overlooked.count(Place(Kind.PILE, p)) + sight.backs(Kind.PILE, p) for p in state.players
        }
        for player, pile in state.captured.items():
            put_back = (talon - Counter(state.talon)) & Counter(pile[-_PAIR:])
            there = Counter(pile[:-_PAIR] if put_back else pile) - piles[player]
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


class TiuUReader:
    """Finds out what was captured, turned, tripled."""

    needs_opener = True

    def __init__(self, seating: Seating) -> None:
        """Start for a game.

        Args:
            seating: the game, its rules, the seats.
        """
        self._seating = seating
        self._spots: list[tuple[Point, Tile | None]] = []
        self._laid: dict[Point, tuple[str | None, Tile | None]] = {}
        self._meanwhile = Meanwhile()

    def begins(self, match: Match, sight: Sight, *, cleared: bool) -> Deal | None:
        """Return a deal of hidden hands if a whole talon lies turned up, and nothing but pairs of 6-6 before players.

        A tile that is read unsurely may be read in one of the next tables, even if others have left by then.
        """
        if match.hands and not cleared:
            return None
        self.note(sight)
        talon = tuple(tile for _, tile in self._spots if tile is not None)
        pairs = Counter(self._laid.values())
        if len(talon) != TALON or any(count > TWO_CHINESE.copies(tile) for tile, count in Counter(talon).items()):
            return None
        if any(tile is not OPENING_TILE or count % 2 for (_, tile), count in pairs.items()):
            return None
        self._spots, self._laid = [], {}
        usual = self._seating.deal(HandRecord(len(match.hands) + 1, Deal({}, (), talon)))
        hands = {
            seat: Hand.hidden(hand.size, (OPENING_TILE,) * pairs[seat, OPENING_TILE])
            for seat, hand in usual.hands.items()
        }
        return Deal(hands, usual.stock, talon)

    def note(self, sight: Sight) -> None:
        """Note a whole talon and what lies before the players then; what was read unsurely is filled in later."""
        lying, piled = ([t for t in sight.within(kind) if t.tile is not None] for kind in (Kind.TALON, Kind.PILE))
        sure = [(t.at, t.tile) for t in lying if t.confidence >= _SURE and t.tile in _KINDS]
        laid = [(t.at, t.tile) for t in piled if t.confidence >= _SURE and t.tile in _KINDS]
        strays = sum(all(_away(t.at, there) >= _SAME_SPOT_MM for there, _ in self._spots) for t in lying)
        if not lying or strays > _MOST_STRAYS:  # gathered, or laid out anew
            self._spots, self._laid = [], {}
        if len(lying) == TALON:
            known = self._spots
            self._spots = [(t.at, _near(t.at, sure) or _near(t.at, known)) for t in lying]
            before = [(at, tile) for at, (_, tile) in self._laid.items()]
            self._laid = {t.at: (t.place.seat, _near(t.at, laid) or _near(t.at, before)) for t in piled}
        elif all(_near(at, self._spots) in {None, tile} for at, tile in sure):  # nothing was moved about
            self._spots = [(at, tile or _near(at, sure)) for at, tile in self._spots]
            self._laid = {at: (seat, tile or _near(at, laid)) for at, (seat, tile) in self._laid.items()}

    def asks(self, sight: Sight) -> Question | None:
        """Return nothing: the tiles with which a hand begins are seen sooner or later."""
        del sight
        return None

    def explain(self, state: GameState, sight: Sight, where: Mapping[Tile, Point]) -> Explained:
        """Return how what lies there may have come about."""
        del where
        assert isinstance(state, TiuUState)  # noqa: S101 - the reader of this game
        meanwhile = self._meanwhile
        meanwhile.look(sight)
        sight = meanwhile.still_overlooked(sight)
        fishes = Fishes.of(sight, state)
        if state.result is not None:
            return Explained((Path((), state),), question=_piles_differ(state, sight))
        found, overflow = _explaining(state, sight, unread=False)
        if not found and any(fishes.unread.values()):
            found, overflow = _explaining(state, sight, unread=True)
        if found:
            short = meanwhile.short(state, sight)
            led = [meanwhile.led_over(state, path, short) for path in found]
            kept = _fitting_stock(led, fishes.stock, short, counts=meanwhile.counts(sight))
            meanwhile.explained(sight, kept)
            return Explained(tuple(kept[:MOST_PATHS]), pause=Pause("too_many_orders") if overflow else None)
        swap = _swap(state, sight, fishes)
        if swap is not None:
            return Explained(swaps=(swap,))
        illegal = _against_rules(state, sight, fishes.found)
        if illegal is None and any(fishes.unread.values()):
            illegal = _against_rules(state, sight, fishes)
        if illegal is None:
            meanwhile.unexplained(sight, fishes)
        return illegal or Explained(pause=_pause(state, fishes))

    def shown(self, state: GameState, sight: Sight) -> dict[str, tuple[Tile, ...]]:
        """Return nothing: tiles left in hands do not count."""
        del state, sight
        return {}


def _near(at: Point, tiles: Iterable[tuple[Point, Tile | None]]) -> Tile | None:
    """Return the tile that lies at a place."""
    return next((tile for there, tile in tiles if _away(at, there) < _SAME_SPOT_MM), None)


def _away(at: Point, there: Point) -> float:
    return hypot(at[0] - there[0], at[1] - there[1])


def _explaining(state: TiuUState, sight: Sight, *, unread: bool) -> tuple[list[Path], bool]:
    """Return the legal paths to what is seen, and whether there was no end to them.

    Args:
        state: where the hand stands.
        sight: what is seen.
        unread: whether captured tiles may lie where something was overlooked; then as few of them as possible.
    """
    found: list[Path] = []
    overflow = False
    for reading, weight in _readings(sight):
        fishes = Fishes.of(reading, state)
        search = _Search(fishes if unread else fishes.found)
        search.run(state)
        if search.cut_short and fishes.stock is not None:  # of many orders those are followed that fit the stock
            exact = _Search(search.fishes, stock=fishes.stock)
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
class _Search:
    """All sequences of moves that lead to what is seen: legal ones, but for `allowed` captures or turned tiles.

    They leave `stock` tiles face down, if that is given.
    """

    fishes: Fishes
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
        if all(tile in _KINDS for tile in self.fishes.tiles):
            self._step(Path((), state), state, 0)

    def _step(self, path: Path, state: TiuUState, depth: int) -> None:
        self._nodes += 1
        if self._nodes > _MOST_NODES or depth > _MOST_DEPTH or len(self.found) > MOST_PATHS:
            self.overflow = self._nodes > _MOST_NODES
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
        wanted, room = _wanted(state, self.fishes, state.turn), self.fishes.room(state, state.turn)
        gone = Counter(state.talon) - self.fishes.talon
        for take in gone if room > 0 else ():
            for tile in mates(take, TWO_CHINESE.kinds, state.rules):
                unread = (Counter((tile, take)) - wanted).total()
                if 0 < unread <= room:
                    yield tile, take

    def _moves(self, state: TiuUState) -> Iterator[Move]:
        player = state.turn
        wanted = _wanted(state, self.fishes, player)
        elsewhere = sum((_wanted(state, self.fishes, p) for p in state.players if p != player), Counter[Tile]())
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
            wanted = _wanted(state, self.fishes, player) if player != state.turn else Counter[Tile]()
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


def _against_rules(state: TiuUState, sight: Sight, fishes: Fishes) -> Explained | None:
    """Return the pair that is none, the mate that was left, or the capture out of turn that explains what is seen."""
    search = _Search(fishes, allowed=1)
    search.run(state)
    paths = _fitting_stock(search.found, fishes.stock)
    if search.overflow or not paths:
        return None
    shortest = min(paths, key=lambda path: len(path.moves))
    made = shortest.moves
    if sum(not isinstance(record.move, Pass) for record in made) > _MOST_AROUND:
        return None
    at = next((n for n, record in enumerate(made) if isinstance(record.move, Stood)), -1)
    if at < 0:
        return None
    before, stood = state, made[at].move
    for record in made[:at]:
        before = before.apply(record.move)
    assert isinstance(stood, Stood)  # noqa: S101 - picked so
    try:
        before.apply(stood.move)
    except IllegalMoveError as error:
        tiles = [tile for tile in (stood.tile, getattr(stood.move, "take", None)) if tile is not None]
        shown = [t for t in sight.tiles if t.tile in tiles and t.place.kind in {Kind.PILE, Kind.TALON}]
        sure = min((max(t.confidence for t in shown if t.tile is tile) for tile in tiles if shown), default=0.0)
        if sure < _SURE or (error.code == "not_your_turn" and _turn_unseen(shortest, fishes)):
            return None
        params = {} if len(tiles) == 1 else {"take": str(tiles[1])}
        illegal = IllegalPlay(error.code, stood.player, stood.tile, sure, tuple(t.quad_px for t in shown), params)
        pause = Pause("illegal_play", tuple(tiles), {"code": error.code, "player": stood.player})
        return Explained((Path(made[:at], before),), pause=pause, illegal=illegal, stands=made[at])
    return None


def _turn_unseen(path: Path, fishes: Fishes) -> bool:
    """Return whether the stock is shorter than a path leaves it: a tile of it was turned that is not seen to lie."""
    assert isinstance(path.state, TiuUState)  # noqa: S101 - made by the search
    return fishes.stock is not None and fishes.stock < len(path.state.stock.face_down)


def _readings(sight: Sight) -> Iterator[tuple[Sight, float]]:
    """Yield the sight and, for a tile that is read unsurely, the sights with its other readings."""
    yield sight, 1.0
    for index, seen_tile in enumerate(sight.tiles):
        if seen_tile.halves is None or seen_tile.confidence >= _SURE:
            continue
        for other in seen_tile.others:
            yield sight.read_as(index, other.halves), other.p / max(seen_tile.confidence, 1e-3)


def _swap(state: TiuUState, sight: Sight, fishes: Fishes) -> Swap | None:
    """Return the tile on the talon that is read otherwise than when it was turned, if that alone differs."""
    missing, extra = Counter(state.talon) - fishes.talon, fishes.talon - Counter(state.talon)
    piled = all(Counter(pile) == fishes.piles[player] for player, pile in state.captured.items())
    if not piled or missing.total() != 1 or extra.total() != 1:
        return None
    known, now = next(iter(missing)), next(iter(extra))
    lying = [(i, t) for i, t in enumerate(sight.tiles) if t.place.kind is Kind.TALON and t.tile is now]
    index, shown = min(lying, key=lambda item: item[1].confidence)
    if not shown.undisturbed and fishes.stock is not None and fishes.stock < len(state.stock.face_down):
        return None  # it was turned just now, and the other one is gone
    return Swap(-1, Turn("", now), shown.confidence, "read_anew", index, known)


def _wanted(state: TiuUState, fishes: Fishes, player: str) -> Counter[Tile]:
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
    return all(not _wanted(state, fishes, p) and fishes.room(state, p) >= 0 for p in state.players)


def _possible(state: TiuUState, fishes: Fishes) -> bool:
    """Return whether what is seen can still come about: captured tiles stay, tiles leave the talon only into piles."""
    rooms = [fishes.room(state, player) for player in state.players]
    if min(rooms) < 0:
        return False
    unread = sum(rooms)
    open_ = sum((_wanted(state, fishes, player) for player in state.players), Counter[Tile]())
    if not unread and (open_.total() % 2 or (not open_ and Counter(state.talon) - fishes.talon - fishes.stacks)):
        return False
    leaving = Counter(state.talon) - fishes.talon
    return (leaving - open_ - (fishes.stacks - _stacked(state))).total() <= unread


def _fitting_stock(paths: list[Path], stock: int | None, short: int = 0, *, counts: bool = True) -> list[Path]:
    """Return the paths after which the stock is as long as it is seen, or all by how near they come.

    All are returned if none fits, or if the stock was miscounted of late, by `short` tiles; alike ones once.
    """
    distinct: dict[tuple[object, ...], Path] = {}
    for path in paths:
        distinct.setdefault(tuple(record.move for record in path.moves), path)
    odds = [(path, stock_odds(path.state, stock, short)) for path in distinct.values()]
    fitting = [path for path, likely in odds if likely == 1.0] if counts else []
    near = [replace(path, weight=path.weight * likely) for path, likely in odds]
    return fitting or sorted(near, key=lambda path: -path.weight)


def _piles_differ(state: TiuUState, sight: Sight) -> Question | None:
    """Return a question if a recount of what lies before the players gives other scores than the game has."""
    counted = {player: sight.faces(Kind.PILE, player) for player in state.players}
    if sum(map(len, counted.values())) != sum(map(len, state.piles)):
        return None
    finals = {player: Catch.of(pile).final(state.rules) for player, pile in counted.items()}
    if finals == dict(state.finals):
        return None
    choices = (Choice("game", "as played", None, dict(state.finals)), Choice("piles", "as recounted", None, finals))
    return Question("piles_differ", choices, (), (), {"game": dict(state.finals), "piles": finals})


def _pause(state: TiuUState, fishes: Fishes) -> Pause:
    """Return what differs: tiles that should lie there, and in `params` those that should not."""
    expected = Counter(state.talon) + sum((Counter(pile) for pile in state.piles), Counter[Tile]())
    there = fishes.talon + sum(fishes.piles.values(), Counter[Tile]())
    if not there:
        return Pause("table_cleared", tuple((expected - there).elements()))
    params = {"surplus": [str(tile) for tile in (there - expected).elements()]}
    return Pause("unexplained", tuple((expected - there).elements()), params)
