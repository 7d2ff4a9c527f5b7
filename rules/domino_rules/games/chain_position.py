"""A position in a game with a line of play: what lies where, and what may be done there and why not.

Tiles are bits, open ends are small numbers, and the `Layout` is built only when asked for.
"""
# ruff: noqa: SLF001 - a position reads the positions that it came from

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

from domino_rules.errors import IllegalMoveError
from domino_rules.games.chain_table import ALL, CLOSED, FIT, SLOT, START, Table, mask_of, tiles_of
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Move, Pass, Play, Stood
from domino_rules.ruleset import RuleSet
from domino_rules.score import ScoreEvent
from domino_rules.state import Hand, HandResult, LegalMoves
from domino_rules.tile import Tile


class ChainPosition:
    """What lies where, whose turn it is, and what the rules allow. It never changes.

    Like `fractions.Fraction` it keeps its fields private instead of guarding them, which makes it fast.
    """

    __slots__ = (
        "_ends", "_events", "_hands", "_laid", "_layout", "_move", "_parent", "_passes", "_result", "_stock", "_table",
        "_turn", "_unknown",
    )  # fmt: skip

    _table: Table
    _turn: int
    _hands: tuple[int, ...]
    """By seat the mask of the tiles that he is known to hold."""
    _unknown: tuple[int, ...]
    """By seat how many tiles he holds besides."""
    _stock: tuple[Tile | None, ...]
    _laid: int
    _ends: tuple[int, int, int, int]
    _passes: int
    _events: tuple[ScoreEvent, ...]
    _result: HandResult | None
    _parent: Self | None
    _move: Move | tuple[Move, ...] | None
    """What led here from `_parent`: a move, several at once, or none (a hand was shown)."""
    _layout: Layout | None

    @property
    def rules(self) -> RuleSet:
        """The rules it is played by."""
        return self._table.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order of play."""
        return self._table.players

    @property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The scoring sides with their players."""
        return self._table.sides

    @property
    def to_move(self) -> str | None:
        """Whose turn it is; None when the hand is over, or while nobody can tell who leads."""
        if self._result is not None or self._turn < 0:
            return None
        return self._table.players[self._turn]

    @property
    def openers(self) -> tuple[str, ...]:
        """Who may lead, before the first tile is laid."""
        if self._laid:
            return ()
        return tuple(player for player, mask in zip(self.players, self._table.lead.masks, strict=True) if mask)

    @property
    def hands(self) -> Mapping[str, Hand]:
        """What each player holds."""
        return {
            player: Hand.hidden(mask.bit_count() + unknown, tiles_of(mask)) if unknown else Hand.of(tiles_of(mask))
            for player, mask, unknown in zip(self._table.players, self._hands, self._unknown, strict=True)
        }

    @property
    def boneyard(self) -> tuple[Tile | None, ...]:
        """The tiles left to draw, the next one first; None for one that nobody has seen."""
        return self._stock

    @property
    def layout(self) -> Layout:
        """The layout so far."""
        path: list[Move] = []
        state: ChainPosition = self
        while (layout := state._layout) is None:
            path.extend(reversed(state._made))
            assert state._parent is not None  # noqa: S101 - the first state has no parent, but it has a layout
            state = state._parent
        for move in reversed(path):
            if isinstance(move, Stood):
                layout = with_stood(layout, move)
            elif isinstance(move, Play):
                lone = move.arm is Arm.START and move.left is not None
                layout = layout.put(move.tile, move.arm, move.left or 0) if lone else layout.place(move.tile, move.arm)
        self._layout = layout
        return layout

    @property
    def beside(self) -> tuple[Tile, ...]:
        """The tiles that were let stand though they touch no open end; the layout does not have them."""
        return tuple(move.tile for move in self.moves if isinstance(move, Stood) and _is_beside(move))

    @property
    def ends(self) -> tuple[int, ...]:
        """The pips of the open ends in the order L, R, U, D."""
        return tuple(pips for pips in self._ends if pips != CLOSED)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here."""
        path: list[Move] = []
        state: ChainPosition | None = self
        while state is not None:
            path.extend(reversed(state._made))
            state = state._parent
        return tuple(reversed(path))

    @property
    def events(self) -> tuple[ScoreEvent, ...]:
        """The scores of this hand so far."""
        return self._events if self._result is None else self._result.events

    @property
    def result(self) -> HandResult | None:
        """How the hand ended; None while it goes on."""
        return self._result

    @property
    def blocked(self) -> bool:
        """Whether nobody can play and nothing can be drawn; with hidden hands: whether that is certain."""
        return (
            self._laid != 0 and not self._drawable and not any(self._fitting(seat) for seat in range(len(self._hands)))
        )

    @property
    def legal_moves(self) -> LegalMoves:
        """A live view of the moves that the rules allow now; with hidden hands those that are possible."""
        return ChainMoves(self, self._generate())

    @property
    def _made(self) -> tuple[Move, ...]:
        move = self._move
        return move if isinstance(move, tuple) else () if move is None else (move,)

    # What is possible

    @property
    def _drawable(self) -> int:
        return max(0, len(self._stock) - self._kept)

    @property
    def _kept(self) -> int:
        """How many tiles of the boneyard nobody may draw."""
        return 0

    @property
    def _unseen(self) -> int:
        """The tiles whose place nobody knows."""
        known = self._laid
        for mask in self._hands:
            known |= mask
        return ALL & ~known & ~mask_of(tile for tile in self._stock if tile is not None)

    def _possible(self, seat: int) -> int:
        """The tiles that the player holds or may hold."""
        return self._hands[seat] | self._unseen if self._unknown[seat] else self._hands[seat]

    def _fitting(self, seat: int) -> int:
        """Return the tiles that the player holds, or may hold, and that fit somewhere."""
        left, right, up, down = self._ends
        return self._possible(seat) & (FIT[left] | FIT[right] | FIT[up] | FIT[down])

    def _must_play(self) -> bool:
        """Return whether the player to move certainly holds a tile that fits."""
        turn = self._turn
        fitting = self._fitting(turn)
        if not self._unknown[turn] or fitting & self._hands[turn]:
            return fitting != 0
        return (self._unseen & ~fitting).bit_count() < self._unknown[turn]

    def _generate(self) -> tuple[Move, ...]:
        if self._result is not None:
            return ()
        if not self._laid:
            return tuple(self._leads())
        turn = self._turn
        unknown = self._unknown[turn]
        mask = self._possible(turn) if unknown else self._hands[turn]
        left, right, up, down = self._ends
        tables = self._table.plays[turn]
        plays = tables[0][mask & FIT[left]] + tables[1][mask & FIT[right]]
        if up != CLOSED or down != CLOSED:  # one alone where a tile was let stand at an arm that was not open
            plays += tables[2][mask & FIT[up]] + tables[3][mask & FIT[down]]
        if plays and (not unknown or self._must_play()):
            return plays
        player = self._table.players[turn]
        return (*plays, Draw(player, self._stock[0]) if self._drawable else self._table.passes[turn])

    def _leads(self) -> Iterator[Play]:
        for seat, mask in enumerate(self._table.lead.masks):
            if mask:
                plays = self._table.plays[seat][START].play_of
                for tile in tiles_of(mask):
                    yield plays[tile.bit]

    # Refusals

    def _refusal(self, move: object) -> IllegalMoveError | None:
        """Return why the move is illegal, None if it is legal."""
        if not isinstance(move, Play | Draw | Pass):
            return _error("wrong_move", f"no move of this game: {move!r}", move=type(move).__name__)
        if self._result is not None:
            return _error("hand_over", "the hand is over", player=move.player)
        if not self._laid:
            return self._refused_lead(move)
        if self._turn != self._table.seat_of.get(move.player):
            return _error("not_your_turn", f"it is {self.to_move}'s turn", player=move.player, to_move=self.to_move)
        return self._refused_play(move) if isinstance(move, Play) else self._refused_rest(move)

    def _refused_rest(self, move: Draw | Pass) -> IllegalMoveError | None:
        if self._must_play():
            fitting = [str(tile) for tile in tiles_of(self._fitting(self._turn))]
            message = f"{move.player} holds a tile that fits"
            return _error("must_play", message, player=move.player, tiles=fitting)
        return self._refused_draw(move) if isinstance(move, Draw) else self._refused_pass(move)

    def _refused_lead(self, move: Play | Draw | Pass) -> IllegalMoveError | None:
        seat = self._table.seat_of.get(move.player)
        lead = self._table.lead
        if seat is None or not lead.masks[seat]:
            return _error("not_your_turn", f"{move.player} does not lead", player=move.player, to_move=self.to_move)
        if not isinstance(move, Play):
            message = f"{move.player} leads: there is nothing to pass or draw for"
            code = "no_boneyard" if isinstance(move, Draw) and not self._drawable else "must_play"
            return _error(code, message, player=move.player)
        held = self._not_held(seat, move.tile)
        if held is not None:
            return held
        if move.arm is not Arm.START or (move.left is not None and move.left not in move.tile):
            return _error("arm_closed", "the first tile starts the line", tile=str(move.tile), arm=move.arm.value)
        if not lead.masks[seat] & move.tile.bit:
            wanted = [str(tile) for tile in tiles_of(lead.masks[seat])]
            return _error(
                "must_lead", f"{move.player} must lead {' or '.join(wanted)}", player=move.player, tiles=wanted
            )
        return None

    def _refused_play(self, move: Play) -> IllegalMoveError | None:
        held = self._not_held(self._turn, move.tile)
        if held is not None:
            return held
        pips = CLOSED if move.arm is Arm.START else self._ends[SLOT[move.arm]]
        if pips == CLOSED or move.left is not None:
            return _error("arm_closed", f"end {move.arm.value} is not open", tile=str(move.tile), arm=move.arm.value)
        if pips not in move.tile:
            message = f"{move.tile} does not match {pips} at end {move.arm.value}"
            return _error("no_match", message, tile=str(move.tile), arm=move.arm.value, pips=pips)
        return None

    def _not_held(self, seat: int, tile: Tile) -> IllegalMoveError | None:
        if tile.bit & self._hands[seat]:
            return None
        if self._unknown[seat] and tile.bit & self._laid:
            return _error("duplicate_tile", f"{tile} already lies in the layout", tile=str(tile))
        if not self._possible(seat) & tile.bit:
            player = self._table.players[seat]
            return _error("not_in_hand", f"{player} does not hold {tile}", player=player, tile=str(tile))
        return None

    def _refused_draw(self, move: Draw) -> IllegalMoveError | None:
        if not self._drawable:
            return _error("no_boneyard", "there is nothing to draw", player=move.player)
        top, tile = self._stock[0], move.tile
        if tile is None or tile == top:
            return None
        if tile.bit & self._laid:
            return _error("duplicate_tile", f"{tile} already lies in the layout", tile=str(tile))
        if top is not None or not self._unseen & tile.bit:
            return _error("inconsistent_state", f"{tile} cannot be the tile drawn", tile=str(tile), player=move.player)
        return None

    def _refused_pass(self, move: Pass) -> IllegalMoveError | None:
        left = self._drawable
        if left:
            return _error(
                "must_draw", f"{move.player} must draw: {left} in the boneyard", player=move.player, left=left
            )
        return None


class ChainMoves(LegalMoves):
    """The legal moves of a position."""

    __slots__ = ("_legal", "_state")

    def __init__(self, state: ChainPosition, moves: tuple[Move, ...]) -> None:
        self._state = state
        self._legal = moves

    def __iter__(self) -> Iterator[Move]:
        return iter(self._legal)

    def __contains__(self, move: object) -> bool:
        return self._state._refusal(move) is None

    def __len__(self) -> int:
        return len(self._legal)

    def __getitem__(self, at: int) -> Move:
        return self._legal[at]

    def __bool__(self) -> bool:
        return bool(self._legal)

    def __repr__(self) -> str:
        return f"<LegalMoves {list(self._legal)!r}>"


def _is_beside(stood: Stood) -> bool:
    return stood.inner is None and isinstance(stood.move, Play) and stood.move.arm is not Arm.START


def with_stood(layout: Layout, stood: Stood) -> Layout:
    """Return the layout with a tile that was let stand."""
    play = stood.move
    if not isinstance(play, Play) or _is_beside(stood):
        return layout
    inner = stood.inner
    if play.arm is Arm.START:
        inner = play.tile.high if play.left is None else play.left
    return layout if inner is None else layout.put(play.tile, play.arm, inner)


def _error(code: str, message: str, **params: Any) -> IllegalMoveError:
    return IllegalMoveError(code, message, **params)
