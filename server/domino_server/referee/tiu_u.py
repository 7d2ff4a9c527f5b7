"""Reads the tables of Tiu-U: the talon, the stock with its stacks, and what each player has captured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import hypot
from typing import Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.tiu_u import TALON
from domino_rules.games.tiu_u_rules import OPENING_TILE, TWO_CHINESE
from domino_rules.games.tiu_u_score import Catch
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Pass, Stood, Turn
from domino_rules.record import HandRecord
from domino_rules.record_replay import Seating
from domino_rules.state import Deal, GameState, Hand
from domino_rules.tile import Tile
from domino_server.referee.events import Choice, IllegalPlay, Pause, Question
from domino_server.referee.reader import MOST_PATHS, Explained, Path, Swap
from domino_server.referee.sight import Kind, Point, Sight
from domino_server.referee.tiu_u_doubts import Doubts, Reading, guessed_otherwise, turned_otherwise
from domino_server.referee.tiu_u_meanwhile import Meanwhile, stock_odds
from domino_server.referee.tiu_u_search import KINDS, SURE, Budget, Fishes, Search, explaining

_MOST_AROUND: Final = 4
"""With more moves at once than these no player is blamed: rather something was not seen, or not as it was."""
_MOST_STRAYS: Final = 2
"""Of a talon that was noted more tiles do not come to lie elsewhere with what is played first."""
_SAME_SPOT_MM: Final = 12.0


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
        self._doubts = Doubts()
        self._budget = Budget()

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
        self._spots, self._laid, self._doubts = [], {}, Doubts()
        usual = self._seating.deal(HandRecord(len(match.hands) + 1, Deal({}, (), talon)))
        hands = {
            seat: Hand.hidden(hand.size, (OPENING_TILE,) * pairs[seat, OPENING_TILE])
            for seat, hand in usual.hands.items()
        }
        return Deal(hands, usual.stock, talon)

    def note(self, sight: Sight) -> None:
        """Note a whole talon and what lies before the players then; what was read unsurely is filled in later."""
        lying, piled = ([t for t in sight.within(kind) if t.tile is not None] for kind in (Kind.TALON, Kind.PILE))
        sure = [(t.at, t.tile) for t in lying if t.confidence >= SURE and t.tile in KINDS]
        laid = [(t.at, t.tile) for t in piled if t.confidence >= SURE and t.tile in KINDS]
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
        if state.result is not None:
            return Explained((Path((), state),), question=_piles_differ(state, sight))
        self._meanwhile.look(sight)
        self._budget.look(sight.at)
        sight = self._meanwhile.still_overlooked(sight, state)
        return next(answer for answer in self._answers(state, sight) if answer is not None)

    def _answers(self, state: TiuUState, sight: Sight) -> Iterator[Explained | None]:
        """Yield what may explain a table, the likeliest first; at last why the game waits."""
        readings = [Reading(sight), *self._doubts.cleaned(state, sight)]
        yield self._as_one_of(readings, state, unread=False)
        yield _swapped(guessed_otherwise(state, sight, self._budget))
        yield self._as_one_of(readings, state, unread=True)
        for reading in readings:
            yield _swapped(_swap(state, reading.sight))
        yield _swapped(turned_otherwise(state, sight, self._budget))
        for reading in reversed(readings):
            yield self._illegal(state, reading.sight)
        for several in self._doubts.misread(state, sight) if sight.believed else ():
            yield self._as_one_of(several, state)
        fishes = Fishes.of(sight, state)
        self._meanwhile.unexplained(sight, fishes)
        self._doubts.unexplained(state, sight)
        yield Explained(pause=_pause(state, fishes, too_many=self._budget.spent))

    def _as_one_of(
        self, readings: Iterable[Reading], state: TiuUState, *, unread: bool | None = None
    ) -> Explained | None:
        """Return what explains a table, by legal moves.

        Args:
            readings: ways to read it.
            state: where the hand stands.
            unread: whether captured tiles may lie there unread. The first reading that anything explains counts; if
                None, all of them together, with as few unread tiles as can be.
        """
        kept, overflow, fitting = list[Path](), False, list[Reading]()
        for reading in readings:
            for may_lie in (False, True) if unread is None else (unread,):
                found, many = self._paths(state, reading.sight, unread=may_lie)
                if found:
                    kept += found
                    overflow |= many
                    fitting.append(reading)
                    break
            if fitting and unread is not None:
                break
        if not fitting:
            return None
        self._doubts.explained(fitting[0], alone=len(fitting) == 1)
        self._meanwhile.explained(fitting[0].sight, kept)
        return Explained(tuple(kept[:MOST_PATHS]), pause=Pause("too_many_orders") if overflow else None)

    def _paths(self, state: TiuUState, sight: Sight, *, unread: bool) -> tuple[list[Path], bool]:
        """Return the legal paths to what is seen, the likeliest first, and whether there was no end to them."""
        meanwhile, fishes = self._meanwhile, Fishes.of(sight, state)
        if unread and not any(fishes.unread.values()):
            return [], False
        found, overflow = explaining(state, sight, self._budget, unread=unread)
        short = meanwhile.short(state, sight)
        led = [meanwhile.led_over(state, path, short) for path in found]
        return _fitting_stock(led, fishes.stock, short, counts=meanwhile.counts(sight)), overflow

    def _illegal(self, state: TiuUState, sight: Sight) -> Explained | None:
        """Return what was done against the rules, if that explains what is seen."""
        fishes = Fishes.of(sight, state)
        illegal = _against_rules(state, sight, fishes.found, self._budget)
        if illegal is None and any(fishes.unread.values()):
            illegal = _against_rules(state, sight, fishes, self._budget)
        return illegal

    def shown(self, state: GameState, sight: Sight) -> dict[str, tuple[Tile, ...]]:
        """Return nothing: tiles left in hands do not count."""
        del state, sight
        return {}


def _near(at: Point, tiles: Iterable[tuple[Point, Tile | None]]) -> Tile | None:
    """Return the tile that lies at a place."""
    return next((tile for there, tile in tiles if _away(at, there) < _SAME_SPOT_MM), None)


def _away(at: Point, there: Point) -> float:
    return hypot(at[0] - there[0], at[1] - there[1])


def _swapped(swap: Swap | None) -> Explained | None:
    return None if swap is None else Explained(swaps=(swap,))


def _against_rules(state: TiuUState, sight: Sight, fishes: Fishes, budget: Budget) -> Explained | None:
    """Return the pair that is none, the mate that was left, or the capture out of turn that explains what is seen."""
    search = Search(fishes, budget, allowed=1)
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
        if sure < SURE or (error.code == "not_your_turn" and _turn_unseen(shortest, fishes)):
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


def _swap(state: TiuUState, sight: Sight) -> Swap | None:
    """Return the tile on the talon that is read otherwise than when it was turned, if that alone differs."""
    fishes = Fishes.of(sight, state)
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


def _pause(state: TiuUState, fishes: Fishes, *, too_many: bool) -> Pause:
    """Return what differs: tiles that should lie there, and in `params` those that should not.

    `too_many`: there were more ways to come there than could be looked at.
    """
    expected = Counter(state.talon) + sum((Counter(pile) for pile in state.piles), Counter[Tile]())
    there = fishes.talon + sum(fishes.piles.values(), Counter[Tile]())
    if not there:
        return Pause("table_cleared", tuple((expected - there).elements()))
    params = {"surplus": [str(tile) for tile in (there - expected).elements()]}
    code = "too_many_orders" if too_many else "unexplained"
    return Pause(code, tuple((expected - there).elements()), params)
