"""Audit of Tiu-U: every capture, turn, tripling and quadrupling on its own, whatever was wrong before."""

from __future__ import annotations

from domino_rules.audit.case import Case
from domino_rules.games.pool import Stock
from domino_rules.games.tiu_u import opening_pairs
from domino_rules.games.tiu_u_rules import mates, pairs
from domino_rules.games.tiu_u_score import Catch, rounding_events, settlement, winners
from domino_rules.moves import Capture, Move, Pass, Quadruple, Triple, Turn
from domino_rules.score import ScoreEvent
from domino_rules.state import HandResult
from domino_rules.tile import Tile


class FishingAudit:
    """Follows a hand of Tiu-U leniently."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rules = case.seating.rules
        self.turn: str | None = case.context.opener
        self.drawing = False
        self.talon = list(case.deal.table)
        self.stock = Stock(case.deal.stock)
        self.piles = {seat: list(opening_pairs(hand)[0]) for seat, hand in case.deal.hands.items()}
        self.over = False

    def run(self) -> None:
        """Look at every move; findings go to the case."""
        for number, record in enumerate(self.case.moves, 1):
            self.case.number = number
            move = record.move
            if move.player not in self.case.seating.seats:
                self.case.find("unknown_player", move.player)
                continue
            self._common(move)
            self._look(move)
        self.case.number = None

    @property
    def result(self) -> HandResult | None:
        """How the hand ended; None while it goes on."""
        if not self.over:
            return None
        catches = {player: Catch.of(pile) for player, pile in self.piles.items()}
        finals = {player: catch.final(self.rules) for player, catch in catches.items()}
        best = winners(finals)
        side = best[0] if len(best) == 1 else None
        raw = tuple(ScoreEvent(player, catch.raw, "capture") for player, catch in catches.items() if catch.raw)
        events = (*raw, *rounding_events(catches, self.rules), *settlement(finals, self.rules))
        return HandResult("tie" if side is None else "points", side, self.turn, events, opener=self.case.context.opener)

    def _common(self, move: Move) -> None:
        if self.over:
            self.case.find("hand_over", move.player, kind="points")
        elif self.turn is not None and move.player != self.turn:
            self.case.find("not_your_turn", move.player, expected=self.turn)
            self.drawing = isinstance(move, Turn)
        elif isinstance(move, Turn) != self.drawing and not (isinstance(move, Quadruple) and self._lays_drawn):
            expected = "Turn" if self.drawing else "Capture"
            self.case.find("move_not_due", move.player, kind=type(move).__name__, expected=expected)
        self.turn = move.player

    @property
    def _lays_drawn(self) -> bool:
        return bool(self.rules["quad_source"] == "drawn_too")

    def _look(self, move: Move) -> None:
        match move:
            case Pass():
                self._pass(move)
            case Capture():
                self.case.check_held(move.player, move.tile)
                self._pair(move.player, move.tile, move.take)
            case Triple():
                self._triple(move)
            case Quadruple():
                self._quadruple(move)
            case Turn():
                self._turned(move)
                return
            case _:
                self.case.find("wrong_move", move.player)
        self.drawing = True

    def _pass(self, move: Pass) -> None:
        if self.rules["hand_capture"] == "optional" or self.drawing:
            return
        witness = self.case.now(move.player).witness(lambda tile: bool(mates(tile, self.talon, self.rules)))
        if witness is not None:
            tiles, certainty = witness
            takes = {str(take) for tile in tiles for take in mates(tile, self.talon, self.rules)}
            self.case.find("must_capture", move.player, tiles, certainty, takes=", ".join(sorted(takes)))

    def _pair(self, player: str, tile: Tile, take: Tile) -> None:
        if take not in self.talon:
            self.case.find("not_on_talon", player, (take,))
        else:
            self.talon.remove(take)
        if not pairs(tile, take, self.rules):
            self.case.find("no_pair", player, (tile, take))
        self.piles[player] += [tile, take]

    def _triple(self, move: Triple) -> None:
        tile, there = move.tile, self.talon.count(move.tile)
        self.case.check_held(move.player, tile)
        if there != 2:
            self.case.find("need_two_on_talon", move.player, (tile,), found=there)
        if any(tile in pile for pile in self.piles.values()):
            self.case.find("fourth_already_played", move.player, (tile,))
        needed = self.rules["min_stock_for_triple"]
        if len(self.stock) < needed:
            self.case.find("stock_too_small", move.player, (tile,), found=len(self.stock), expected=needed)
        for _ in range(min(there, 2)):
            self.talon.remove(tile)
        self.stock = self.stock.stacked((tile,) * 3)
        self._buy(3)

    def _quadruple(self, move: Quadruple) -> None:
        tile, height = move.tile, self.stock.height(move.tile)
        if self.drawing:
            self._buy(1)
        else:
            self.case.check_held(move.player, tile)
        if height != 3:
            self.case.find("no_tripled_stack", move.player, (tile,), found=height)
        needed, there = self.rules["quad_buys"], len(self.stock) - height
        if there < needed:
            self.case.find("stock_too_small", move.player, (tile,), found=there, expected=needed)
        self.stock = self.stock.laid_on(tile) if height else self.stock.stacked((tile,))
        self._buy(needed)

    def _buy(self, count: int) -> None:
        _, self.stock = self.stock.buy(min(count, len(self.stock)))

    def _turned(self, move: Turn) -> None:
        if self.stock:
            awaited = self.stock.next
            if awaited not in {None, move.tile}:
                self.case.find("not_next_tile", move.player, (move.tile,), expected=str(awaited))
            self._buy(1)
        if move.take is None:
            takes = mates(move.tile, self.talon, self.rules)
            if takes:
                self.case.find("mate_left", move.player, (move.tile, *takes))
            self.talon.append(move.tile)
        else:
            self._pair(move.player, move.tile, move.take)
        self.over = self.over or not self.stock
        if self.over or (move.take is not None and self.rules["draw_chain"]):
            return
        seats = self.case.seating.seats
        self.turn = seats[(seats.index(move.player) + 1) % len(seats)]
        self.drawing = False
