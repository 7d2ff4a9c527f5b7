"""Audit of Bingo: every lead, reply, draw and closing on its own, whatever was wrong before."""

from __future__ import annotations

from domino_rules.audit.case import Case
from domino_rules.audit.line import compare_points
from domino_rules.games.bingo_rules import (
    DECLARATIONS,
    is_unable,
    reply_duties,
    reply_takes,
    scores_for_reply,
    tile_values,
    trump_number,
)
from domino_rules.games.bingo_score import Closing, stops
from domino_rules.moves import Close, Draw, Lead, Move, Reply
from domino_rules.tile import Tile


class TrickAudit:
    """Follows a hand of Bingo leniently."""

    def __init__(self, case: Case, *, calls: bool) -> None:
        self.case = case
        self.calls = calls
        self.rules = case.seating.rules
        self.trump = trump_number(case.deal.table[0], self.rules)
        self.turn: str | None = case.context.opener
        self.lead: Lead | None = None
        self.due: list[str] = []
        self.taker: str | None = None
        self.left = len(case.deal.stock) + 1
        self.closing: Closing | None = None
        self.points = dict.fromkeys(case.seating.seats, 0)
        self.sizes = {seat: hand.size for seat, hand in case.deal.hands.items()}
        self.taken: dict[str, list[Tile]] = {seat: [] for seat in case.seating.seats}
        """The tiles of the tricks that each player took."""
        self.over = False
        self.opener: str | None = None
        self.unable: str | None = None
        """Who could neither match nor trump, where that loses the hand."""
        self.seven_doubles: str | None = None

    @property
    def phase(self) -> int:
        """2 once nobody draws any more."""
        return 2 if self.closing is not None or self.left == 0 else 1

    def run(self) -> None:
        """Look at every move; findings go to the case."""
        for number, record in enumerate(self.case.moves, 1):
            self.case.number = number
            move = record.move
            if move.player not in self.case.seating.seats:
                self.case.find("unknown_player", move.player)
                continue
            if self.over:
                self.case.find("hand_over", move.player, kind="points")
            self._look(move, record.claim)
        self.case.number = None

    def _look(self, move: Move, claim: int | None) -> None:
        match move:
            case Close():
                self._close(move)
            case Draw():
                self._draw(move)
            case Lead():
                self._lead(move)
            case Reply():
                self._reply(move, claim)
            case _:
                self.case.find("wrong_move", move.player)

    def _other(self, player: str) -> str:
        return next(seat for seat in self.case.seating.seats if seat != player)

    def _close(self, move: Close) -> None:
        if move.player != self.taker:
            self.case.find("only_trick_winner", move.player)
        if self.phase == 2:
            self.case.find("nothing_to_close", move.player)
        elif len(self.due) < 2 and not self._may_close_late():
            self.case.find("already_drawn", move.player)
        self.closing = self.closing or Closing(move.player, self.points[move.player])
        self.due = []
        self.turn = self.taker or move.player

    def _may_close_late(self) -> bool:
        return self.rules["close_timing"] == "until_lead" and not self.due and self.lead is None

    def _draw(self, move: Draw) -> None:
        if move.player not in self.due:
            self.case.find("move_not_due", move.player, kind="Draw", expected="Lead" if self.lead is None else "Reply")
        elif move.player != self.due[0]:
            self.case.find("not_your_turn", move.player, expected=self.due[0])
        stock = (*self.case.deal.stock, *self.case.deal.table)
        awaited = stock[-self.left] if self.left else None
        if move.tile is not None and awaited not in {None, move.tile}:
            self.case.find("not_next_tile", move.player, (move.tile,), expected=str(awaited))
        if move.player in self.due:
            self.due.remove(move.player)
        self.left = max(self.left - 1, 0)
        self.sizes[move.player] += 1
        if not self.due:
            self.turn = self.taker

    def _lead(self, move: Lead) -> None:
        if self.due:
            self.case.find("move_not_due", move.player, kind="Lead", expected="Draw")
        elif self.lead is not None:
            self.case.find("move_not_due", move.player, kind="Lead", expected="Reply")
        elif self.turn not in {None, move.player}:
            self.case.find("not_your_turn", move.player, expected=self.turn)
        self._lay(move)
        self.due = []
        self.opener = self.opener or move.player
        self.lead = move
        self.turn = self._other(move.player)

    def _lay(self, move: Lead | Reply) -> None:
        self.case.check_held(move.player, move.tile)
        self.sizes[move.player] -= 1
        if move.declare is None:
            return
        held = self.case.now(move.player)
        doubles = sum(tile.is_double for tile in held.certain)
        if not move.tile.is_double:
            self.case.find("declare_needs_double", move.player, (move.tile,))
        elif isinstance(move, Reply) and self.rules["declare_when"] == "lead_only":
            self.case.find("declare_lead_only", move.player, (move.tile,))
        elif move.declare not in DECLARATIONS or (held.complete and move.declare > doubles):
            tiles = tuple(sorted(tile for tile in held.certain if tile.is_double))
            self.case.find("false_declaration", move.player, tiles, declared=move.declare, held=doubles)

    def _reply(self, move: Reply, claim: int | None) -> None:
        lead = self.lead
        if lead is None:
            self.case.find("move_not_due", move.player, kind="Reply", expected="Draw" if self.due else "Lead")
            self._lay(move)
            return
        if move.player == lead.player:
            self.case.find("not_your_turn", move.player, expected=self._other(lead.player))
        self._duties(lead.tile, move)
        self._lay(move)
        self._score(lead, move, claim)

    def _duties(self, lead: Tile, move: Reply) -> None:
        """File the first duty that the reply broke, proved by a tile that the player still had."""
        for duty in reply_duties(lead, self.trump, self.phase, self.rules):
            if duty.met_by(move.tile):
                return
            meets = duty.met_by
            params = {"lead": str(lead), "reply": str(move.tile), "trump": self.trump}
            if self.case.find_witness(duty.code, move.player, lambda t, m=meets: t is not move.tile and m(t), **params):  # type: ignore[misc]
                return

    def _score(self, lead: Lead, reply: Reply, claim: int | None) -> None:
        takes = reply_takes(lead.tile, reply.tile, self.trump, self.phase, self.rules)
        scores = scores_for_reply(lead.tile, reply.tile, self.trump, takes=takes)
        stood = self.case.stood.get(self.case.number or 0)
        if stood is not None and stood.taker is not None:
            if takes is not (stood.taker == reply.player):
                rightful = reply.player if takes else lead.player
                self.case.find("wrong_taker", stood.taker, (lead.tile, reply.tile), expected=rightful)
            takes = scores = stood.taker == reply.player
        taker, other = (reply, lead) if takes else (lead, reply)
        values = tile_values(self.trump, self.rules)
        points = values[lead.tile].points + values[reply.tile].points
        bonus = DECLARATIONS.get(taker.declare or 0, 0)
        self.points[reply.player if scores else lead.player] += points
        self.points[taker.player] += bonus
        self.taken[taker.player] += [lead.tile, reply.tile]
        if self.calls:
            compare_points(self.case, taker.player, claim or 0, points + bonus, (lead.tile, reply.tile))
        unable = is_unable(lead.tile, reply.tile, self.trump, self.phase, self.rules)
        if unable and self.rules["unable"] == "lose_hand":
            self.unable = self.unable or reply.player
        if bonus == DECLARATIONS[7]:
            self.seven_doubles = self.seven_doubles or taker.player
        played_out = self.phase == 2 and not any(size > 0 for size in self.sizes.values())
        decided = self.unable is not None or stops(self.points, self.closing, self.rules)
        self.over = self.over or played_out or decided
        self.lead, self.taker, self.turn = None, taker.player, taker.player
        self.due = [] if self.phase == 2 else [taker.player, other.player]
        if self.left == 2 and self.rules["last_trump_to"] == "winner":
            self.due.reverse()
