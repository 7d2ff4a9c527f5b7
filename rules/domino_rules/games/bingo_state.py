"""One hand of Bingo in progress. Source: RULES 3.1 and section 8; seed 002."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from domino_rules.errors import IllegalMoveError
from domino_rules.games.bingo_rules import (
    DECLARATIONS,
    is_unable,
    reply_duties,
    reply_takes,
    scores_for_reply,
    tile_values,
)
from domino_rules.games.bingo_score import Closing, declared_all, hand_outcome, set_events, stops, trick_events
from domino_rules.games.hidden import candidates, may_hold, most_doubles, revealed, unseen
from domino_rules.games.individuals import check_next, not_due, refuse, seat_of
from domino_rules.games.pool import Stock
from domino_rules.games.trick import Trick, broken_duty, following
from domino_rules.moves import Close, Draw, Lead, Move, Reply, Stood
from domino_rules.ruleset import RuleSet
from domino_rules.score import ScoreEvent
from domino_rules.state import Hand, HandResult, LegalMoves
from domino_rules.tile import DOUBLE_SIX, Tile

BINGO_MOVES = (Lead, Reply, Draw, Close)


@dataclass(frozen=True, slots=True)
class BingoState:
    """A hand of Bingo: `Lead` and `Reply`, then both `Draw`, unless the taker says `Close`.

    Built by `BINGO.start`; a position told in the middle of a hand may be built directly.

    Attributes:
        rules: the options.
        players: both, in the order of play.
        held: their hands, in the same order.
        trump: the trump number; 7 means the blanks.
        turn: who moves next (after the last trick, who took it).
        stock: the face-down tiles and, as its last one, the tile turned up.
        lead: the tile led, while the reply is awaited.
        due: who has still to draw, the next one first.
        tricks: the finished tricks.
        closing: who closed, if anybody did.
        events: the scores so far.
        result: how the hand ended.
        opener: who led the first trick.

    Source: RULES 3.1.
    """

    rules: RuleSet
    players: tuple[str, str]
    held: tuple[Hand, Hand]
    trump: int
    turn: str
    stock: Stock = field(default_factory=Stock)
    lead: Lead | None = None
    due: tuple[str, ...] = ()
    tricks: tuple[Trick, ...] = ()
    taker: str | None = None
    closing: Closing | None = None
    events: tuple[ScoreEvent, ...] = ()
    result: HandResult | None = None
    opener: str | None = None

    @property
    def to_move(self) -> str | None:
        """Whose turn it is; None when the hand is over. The taker of a trick may close before the loser draws."""
        return None if self.result else self.turn

    @property
    def hands(self) -> Mapping[str, Hand]:
        """What each player holds."""
        return MappingProxyType(dict(zip(self.players, self.held, strict=True)))

    @property
    def phase(self) -> int:
        """1 while the stock is open and replies are free, 2 once it is exhausted or closed."""
        return 1 if self.stock and self.closing is None else 2

    @property
    def points(self) -> Mapping[str, int]:
        """Each player's points in this hand."""
        totals = dict.fromkeys(self.players, 0)
        for event in self.events:
            if event.unit == "points":
                totals[event.side] += event.points
        return totals

    def hand(self, player: str) -> Hand:
        """Return what `player` holds; raises SetupError `inconsistent_state` if nobody is called so."""
        return self.held[seat_of(player, self.players)]

    def other(self, player: str) -> str:
        """Return the opponent of `player`."""
        return self.players[1] if player == self.players[0] else self.players[0]

    def unseen(self) -> Counter[Tile]:
        """Return the tiles that nobody has seen yet."""
        played = [tile for trick in self.tricks for tile in trick.tiles]
        if self.lead is not None:
            played.append(self.lead.tile)
        return unseen(DOUBLE_SIX, played, self.stock, *(hand.known for hand in self.held))

    def reveal(self, player: str, tiles: Iterable[Tile]) -> BingoState:
        """Return the state in which the hand of `player` is known.

        Raises:
            SetupError: `inconsistent_state` if he cannot hold these tiles, or nobody is called so.
        """
        return replace(self, held=self._holding(player, revealed(player, self.hand(player), tiles, self.unseen)))

    @property
    def legal_moves(self) -> LegalMoves:
        """A live view of the moves that the rules allow now."""
        return LegalMoves(self._generate, self._allows)

    def apply(self, move: Move) -> BingoState:
        """Return the state after `move`.

        Raises:
            IllegalMoveError: `hand_over`, `not_your_turn`, `not_in_hand`, `must_match`, `must_trump`,
                `declare_needs_double`, `declare_lead_only`, `false_declaration`, `only_trick_winner`,
                `nothing_to_close`, `already_drawn`, `must_draw`, `must_play` (a draw that is not due),
                `inconsistent_state` (a told tile cannot be the one drawn), `move_not_due` or `wrong_move`.
        """
        self._check(move)
        match move:
            case Close():
                closing = Closing(move.player, self.points[move.player])
                return replace(self, closing=closing, due=(), turn=move.player)
            case Draw():
                return self._drawn(move)
            case Lead():
                held = self._holding(move.player, self.hand(move.player).without(move.tile))
                return replace(self, held=held, lead=move, turn=self.other(move.player))
            case Reply():
                return self._replied(move)
        raise AssertionError(move)  # pragma: no cover - _check refuses all others

    def let_stand(self, move: Stood) -> BingoState:
        """Return the state after a lead or reply against the rules, or a trick that the wrong player carried off.

        Raises:
            IllegalMoveError: `hand_over`, `not_in_hand`, `move_not_due` (nothing can be led or replied now, or
                the taker does not play) or `wrong_move`.
        """
        play = move.move
        if self.result:
            raise refuse("hand_over", "the hand is over", play)
        kind = Lead if self.lead is None else Reply
        if not isinstance(play, Lead | Reply) or play.player not in self.players:
            raise not_due("bingo", BINGO_MOVES, play, "lead" if self.lead is None else "reply")
        if type(play) is not kind or self.due or (self.lead is not None and play.player == self.lead.player):
            raise refuse("move_not_due", f"{play.player} cannot lay {play.tile} now", play, tile=str(play.tile))
        hand = self.hand(play.player)
        if not hand.size or (hand.tiles is not None and play.tile not in hand.tiles):
            raise refuse("not_in_hand", f"{play.player} does not hold {play.tile}", play, tile=str(play.tile))
        if isinstance(play, Reply):
            if move.taker is not None and move.taker not in self.players:
                message = f"{move.taker} cannot take the trick: {' and '.join(self.players)} play"
                raise refuse("move_not_due", message, play, tile=str(play.tile))
            return self._replied(play, move.taker)
        held = self._holding(play.player, hand.without(play.tile))
        return replace(self, held=held, lead=play, turn=self.other(play.player))

    # --- what is legal -------------------------------------------------------------------------------------------

    def _allows(self, move: object) -> bool:
        if not isinstance(move, Move):
            return False
        try:
            self._check(move)
        except IllegalMoveError:
            return False
        return True

    def _check(self, move: Move) -> None:
        if self.result:
            raise refuse("hand_over", "the hand is over", move)
        if isinstance(move, Close):
            self._check_close(move)
            return
        if move.player != self.turn:
            raise refuse("not_your_turn", f"it is {self.turn}'s turn, not {move.player}'s", move, expected=self.turn)
        match move:
            case Draw() if self.due:
                if move.tile is not None:
                    check_next(move, move.tile, self.stock.next, self.unseen)
            case Draw():
                raise refuse("must_play", f"{self.turn} must play a tile, there is nothing to draw now", move)
            case Lead() | Reply() if self.due:
                raise refuse("must_draw", f"{self.turn} must draw first", move)
            case Lead() if self.lead is None:
                self._check_play(move)
            case Reply() if self.lead is not None:
                self._check_play(move)
            case _:
                raise not_due("bingo", BINGO_MOVES, move, "lead" if self.lead is None else "reply")

    def _check_close(self, move: Close) -> None:
        if self.taker is None or move.player != self.taker:
            raise refuse("only_trick_winner", "only the player who took the last trick may close", move)
        if self.phase == 2:
            raise refuse("nothing_to_close", "the stock is closed or exhausted", move)
        before = len(self.due) == len(self.players)
        after = self.rules["close_timing"] == "until_lead" and not self.due and self.lead is None
        if not (before or after):
            raise refuse("already_drawn", "the time to close has passed: tiles have been drawn", move)

    def _check_play(self, move: Lead | Reply) -> None:
        hand = self.hand(move.player)
        if not may_hold(hand, move.tile, self.unseen):
            raise refuse("not_in_hand", f"{move.player} cannot hold {move.tile}", move, tile=str(move.tile))
        if self.lead is not None:
            lead = self.lead.tile
            duties = reply_duties(lead, self.trump, self.phase, self.rules)
            broken = broken_duty(duties, hand, move.tile, self.unseen)
            if broken is not None:
                message = f"{move.tile} does not answer {lead}: {broken.code}"
                raise refuse(broken.code, message, move, tile=str(move.tile), lead=str(lead), trump=self.trump)
        if move.declare is not None:
            self._check_declaration(move, hand, move.declare)

    def _check_declaration(self, move: Lead | Reply, hand: Hand, declared: int) -> None:
        if not move.tile.is_double:
            raise refuse("declare_needs_double", f"{move.tile} is no double", move, tile=str(move.tile))
        if self.lead is not None and self.rules["declare_when"] == "lead_only":
            raise refuse("declare_lead_only", "only the leader of a trick declares", move, tile=str(move.tile))
        most = most_doubles(hand, move.tile, self.unseen)
        if declared not in DECLARATIONS or declared > most:
            message = f"{declared} doubles cannot be declared: 2 to 7, and {move.player} holds at most {most}"
            raise refuse("false_declaration", message, move, declared=declared, held=most)

    def _generate(self) -> Iterator[Move]:
        if self.result:
            return
        if self.taker is not None and self._allows(Close(self.taker)):
            yield Close(self.taker)
        if self.due:
            yield from self._draws()
        else:
            yield from self._plays()

    def _draws(self) -> Iterator[Move]:
        tile = self.stock.next
        yield Draw(self.turn, tile)
        if tile is None:
            yield from (Draw(self.turn, possible) for possible in sorted(self.unseen()))

    def _plays(self) -> Iterator[Move]:
        hand = self.hand(self.turn)
        kind: type[Lead | Reply] = Lead if self.lead is None else Reply
        declaring = self.lead is None or self.rules["declare_when"] == "any_play"
        for tile in self._playable(hand):
            yield kind(self.turn, tile)
            if declaring and tile.is_double:
                most = most_doubles(hand, tile, self.unseen)
                yield from (kind(self.turn, tile, declared) for declared in DECLARATIONS if declared <= most)

    def _playable(self, hand: Hand) -> Iterable[Tile]:
        tiles = candidates(hand, self.unseen)
        if self.lead is None:
            return tiles
        duties = reply_duties(self.lead.tile, self.trump, self.phase, self.rules)
        if hand.tiles is not None:
            return following(duties, tiles)
        return [tile for tile in tiles if broken_duty(duties, hand, tile, self.unseen) is None]

    # --- what follows --------------------------------------------------------------------------------------------

    def _holding(self, player: str, hand: Hand) -> tuple[Hand, Hand]:
        first, second = self.held
        return (hand, second) if player == self.players[0] else (first, hand)

    def _drawn(self, move: Draw) -> BingoState:
        tile, stock = self.stock.take()
        held = self._holding(move.player, self.hand(move.player).plus(move.tile if tile is None else tile))
        due = self.due[1:]
        turn = due[0] if due else (self.taker or self.turn)
        return replace(self, held=held, stock=stock, due=due, turn=turn)

    def _replied(self, move: Reply, taker: str | None = None) -> BingoState:
        if self.lead is None:  # pragma: no cover - _check refuses a reply without a lead
            raise AssertionError
        trick = self._trick(self.lead, move, taker)
        events = (*self.events, *trick_events(trick, self.trump, self.rules))
        held = self._holding(move.player, self.hand(move.player).without(move.tile))
        state = replace(
            self, held=held, lead=None, taker=trick.taker, turn=trick.taker, tricks=(*self.tricks, trick), events=events
        )
        return _after(state, trick)

    def _trick(self, lead: Lead, reply: Reply, taker: str | None) -> Trick:
        """Return the finished trick; `taker` carried it off, whatever the rules say."""
        takes = reply_takes(lead.tile, reply.tile, self.trump, self.phase, self.rules)
        scores = scores_for_reply(lead.tile, reply.tile, self.trump, takes=takes)
        if taker is not None:
            takes = scores = taker == reply.player
        values = tile_values(self.trump, self.rules)
        return Trick(
            lead,
            reply,
            phase=self.phase,
            taker=reply.player if takes else lead.player,
            points_to=reply.player if scores else lead.player,
            points=values[lead.tile].points + values[reply.tile].points,
            bonus=DECLARATIONS.get((reply if takes else lead).declare or 0, 0),
            unable=is_unable(lead.tile, reply.tile, self.trump, self.phase, self.rules),
        )


def _after(state: BingoState, trick: Trick) -> BingoState:
    """Return the state after the trick: the hand is over, or both draw, or the taker leads."""
    rules, points = state.rules, state.points
    lost = trick.reply.player if trick.unable and rules["unable"] == "lose_hand" else None
    played_out = state.phase == 2 and not any(hand.size for hand in state.held)
    if not (lost or played_out or stops(points, state.closing, rules)):
        if state.phase == 2:
            return state
        due = drawing_order(state, trick.taker)
        return replace(state, due=due, turn=due[0])
    outcome = hand_outcome(
        points,
        rules,
        closing=state.closing,
        seven_doubles=declared_all(state.tricks),
        unable=lost,
        taker=trick.taker,
    )
    events = (*state.events, *set_events(outcome))
    result = HandResult(outcome.kind, outcome.winner, trick.taker, events, opener=state.opener)
    return replace(state, events=events, result=result)


def drawing_order(state: BingoState, taker: str) -> tuple[str, str]:
    """Return who draws first: the taker, unless he is to get the tile turned up, which is always drawn last.

    Source: RULES 3.1 phase 1, B9.
    """
    loser = state.other(taker)
    if len(state.stock) == 2 and state.rules["last_trump_to"] == "winner":
        return (loser, taker)
    return (taker, loser)
