"""The contract that every game fulfils: a state, its legal moves, a deal, and a game that starts and ends hands.

A state is one hand (one deal) in progress. It never changes: `apply` returns the next one, or raises and changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any, Protocol, Self

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.moves import Move, Stood
from domino_rules.ruleset import Option, RuleSet
from domino_rules.score import ScoreEvent
from domino_rules.tile import Tile, TileSet


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles that a player holds; hidden hands know only their size (then legality means *possible*).

    Attributes:
        tiles: what the hand holds; None while it is hidden.
        size: how many tiles it holds.
        shown: tiles that a hidden hand is known to hold among others, such as one drawn face up.
    """

    tiles: tuple[Tile, ...] | None
    size: int
    shown: tuple[Tile, ...] = ()

    @classmethod
    def of(cls, tiles: Iterable[Tile]) -> Hand:
        """Return a hand whose tiles are known."""
        known = tuple(tiles)
        return cls(known, len(known))

    @classmethod
    def hidden(cls, size: int, shown: Iterable[Tile] = ()) -> Hand:
        """Return a hand of which only the size is known, and perhaps some of its tiles."""
        return cls(None, size, tuple(shown))

    @property
    def pips(self) -> int | None:
        """The pips in the hand; None while it is hidden (an empty hand has 0)."""
        if self.tiles is None:
            return 0 if self.size == 0 else None
        return sum(tile.pips for tile in self.tiles)

    @property
    def known(self) -> tuple[Tile, ...]:
        """The tiles that are known to be in the hand: all of them, or those shown of a hidden one."""
        return self.shown if self.tiles is None else self.tiles

    @property
    def unknown(self) -> int:
        """How many of its tiles are not known."""
        return self.size - len(self.known)

    def may_hold(self, tile: Tile) -> bool:
        """Return whether the tile is in the hand, or could be, as far as the hand alone tells."""
        return tile in self.known or self.unknown > 0

    def without(self, tile: Tile) -> Hand:
        """Return the hand after one copy of `tile` has left it."""
        if self.tiles is None:
            return Hand(None, self.size - 1, _less(self.shown, tile) if tile in self.shown else self.shown)
        return Hand(_less(self.tiles, tile), self.size - 1)

    def plus(self, tile: Tile | None) -> Hand:
        """Return the hand with one more tile; an unseen tile makes a known hand hidden but for what it showed."""
        if tile is None:
            return Hand(None, self.size + 1, self.known)
        if self.tiles is None:
            return Hand(None, self.size + 1, (*self.shown, tile))
        return Hand((*self.tiles, tile), self.size + 1)


def _less(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    at = tiles.index(tile)
    return (*tiles[:at], *tiles[at + 1 :])


@dataclass(frozen=True, slots=True)
class Deal:
    """How a hand begins.

    Attributes:
        hands: by player, in the order of play.
        stock: the tiles to be drawn, the next one first; None for a tile nobody has seen.
        table: tiles face up from the start: Bingo's turned-up tile, Tiu-U's talon.
    """

    hands: Mapping[str, Hand]
    stock: tuple[Tile | None, ...] = ()
    table: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class HandContext:
    """What a hand must know of its match.

    Attributes:
        index: number of the hand in the match, from 1.
        opener: who leads; None where the rules find the opener from the deal.
        totals: each side's total before the hand, in the unit that decides the match.
        facts: further facts of the match that a game needs (such as `first_block_used`), by name.
    """

    index: int = 1
    opener: str | None = None
    totals: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    facts: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended: `kind` (domino, block, tie, points ...), the side that won, who laid the last tile, scores.

    `events` are all score events of the hand, those earned during play included; `pending` says that a score waits
    for hands that are still hidden; `opener` is who led, where the next opener depends on it.
    """

    kind: str
    side: str | None
    player: str | None
    events: tuple[ScoreEvent, ...]
    pending: bool = False
    opener: str | None = None


class GameState(Protocol):
    """One hand in progress."""

    @property
    def rules(self) -> RuleSet:
        """The rules it is played by."""
        ...

    @property
    def to_move(self) -> str | None:
        """Whose turn it is; None when the hand is over, or while nobody can tell who leads (then `result` is None)."""
        ...

    @property
    def hands(self) -> Mapping[str, Hand]:
        """What each player holds."""
        ...

    @property
    def legal_moves(self) -> LegalMoves:
        """A live view of the moves that the rules allow now."""
        ...

    @property
    def events(self) -> tuple[ScoreEvent, ...]:
        """The scores of this hand so far."""
        ...

    @property
    def result(self) -> HandResult | None:
        """How the hand ended; None while it goes on."""
        ...

    def let_stand(self, move: Stood) -> Self:
        """Return the state after a move against the rules that the table let stand.

        Raises:
            IllegalMoveError: if it cannot even lie there: `hand_over`, `not_in_hand`, `not_on_talon`, `move_not_due`,
                `arm_closed`, `wrong_move`.
        """
        ...

    def apply(self, move: Move) -> Self:
        """Return the state after `move`.

        Raises:
            IllegalMoveError: with a reason code of RULES section 0; this state stays as it is.
        """
        ...

    def reveal(self, player: str, tiles: Iterable[Tile]) -> Self:
        """Return the state in which a hidden hand has been shown; scores that waited for it are added.

        Raises:
            SetupError: `inconsistent_state` if the player cannot hold these tiles.
        """
        ...


def refusal(state: GameState, move: Move) -> str | None:
    """Return why the rules refuse a move now, by its reason code; None if they allow it."""
    try:
        state.apply(move)
    except IllegalMoveError as error:
        return error.code
    return None


class LegalMoves:
    """A view of a state's legal moves: iterable, `move in view`, `len`, `bool`, `count()`; computed when asked."""

    __slots__ = ("_allows", "_generate", "_moves")

    def __init__(self, generate: Callable[[], Iterator[Move]], allows: Callable[[Move], bool]) -> None:
        self._generate = generate
        self._allows = allows
        self._moves: tuple[Move, ...] | None = None

    def __iter__(self) -> Iterator[Move]:
        return self._generate() if self._moves is None else iter(self._moves)

    def __contains__(self, move: object) -> bool:
        return self._allows(move)  # type: ignore[arg-type]  # anything may be asked for

    def __len__(self) -> int:
        if self._moves is None:  # a state never changes; and list() asks for the length first
            self._moves = tuple(self._generate())
        return len(self._moves)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def count(self) -> int:
        """Return how many moves are legal."""
        return len(self)

    def __repr__(self) -> str:
        return f"<LegalMoves {list(self)!r}>"


class Game(Protocol):
    """A game: its options, seats, deals, and what a match makes of its hands."""

    name: str
    aliases: tuple[str, ...]
    options: tuple[Option, ...]
    tile_set: TileSet
    player_counts: tuple[int, ...]
    unit: str
    """The unit of the totals that decide a match: points, sets or payment."""

    def rules(self, **options: Any) -> RuleSet:
        """Return a rule set with the given options; raises SetupError `unknown_option` or `bad_option`."""
        ...

    def sides(self, seats: Sequence[str], rules: RuleSet) -> Mapping[str, tuple[str, ...]]:
        """Return the scoring sides by name, each with its players; raises SetupError `players`."""
        ...

    def shuffled_deal(self, seats: Sequence[str], rules: RuleSet, random: Random) -> Deal:
        """Return a random deal for the seats, which are given in the order of play."""
        ...

    def start(self, deal: Deal, rules: RuleSet, context: HandContext) -> GameState:
        """Return the first state of a hand; raises SetupError `inconsistent_state` if the deal cannot be."""
        ...

    def next_context(
        self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult], opener: str | None = None
    ) -> HandContext:
        """Return what the next hand must know after `results`; `opener` is a told choice where the rules leave one.

        Raises:
            SetupError: `match_over` if the match is decided, `opener` if the told opener may not lead.
        """
        ...

    def winner(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> str | None:
        """Return the side that has won the match after `results`, None while it goes on."""
        ...


def find_game(name: str) -> Game:
    """Return the game called `name` or by one of its aliases.

    Raises:
        SetupError: `unknown_game`, with the known names.
    """
    from domino_rules.games import GAMES

    wanted = name.strip().lower()
    for game in GAMES:
        if wanted == game.name or wanted in game.aliases:
            return game
    known = ", ".join(game.name for game in GAMES)
    raise SetupError("unknown_game", f"unknown game {name!r}; known: {known}", name=name, known=known)
