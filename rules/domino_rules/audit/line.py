"""Audit of the games in which a line of play grows: every move on its own, whatever was wrong before."""

from __future__ import annotations

from domino_rules.audit.case import Case
from domino_rules.games.cincos_score import count_addends, count_event, points_of
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Move, Pass, Play
from domino_rules.notation import BESIDE
from domino_rules.score import ScoreEvent
from domino_rules.tile import Tile


class LineAudit:
    """Follows a hand leniently: an illegal play lies where it was laid, and the hand goes on."""

    def __init__(self, case: Case, *, scoring: bool, kept: int, calls: bool) -> None:
        self.case = case
        self.scoring = scoring
        self.kept = kept
        self.calls = calls
        """Whether the record notes the points that were called."""
        self.layout = Layout(with_spinner=scoring)
        self.turn: str | None = case.context.opener
        self.left = len(case.deal.stock)
        self.sizes = {seat: hand.size for seat, hand in case.deal.hands.items()}
        self.passes = 0
        self.kind: str | None = None
        """How the hand ended: `domino`, `block` or `target`."""
        self.last: str | None = None
        self.last_tile: Tile | None = None
        self.ends_before: tuple[int, ...] = ()
        """The open ends before the last tile was laid."""
        self.opener: str | None = None
        self.events: list[ScoreEvent] = []
        """What was scored during the hand."""

    def run(self) -> None:
        """Look at every move; findings go to the case."""
        for number, record in enumerate(self.case.moves, 1):
            self.case.number = number
            move = record.move
            if move.player not in self.case.seating.seats:
                self.case.find("unknown_player", move.player)
                continue
            self._common(move)
            if isinstance(move, Play):
                self._play(move, record.claim)
            elif isinstance(move, Draw):
                self._draw(move)
            elif isinstance(move, Pass):
                self._pass(move)
            else:
                self.case.find("wrong_move", move.player)
        self.case.number = None

    def _common(self, move: Move) -> None:
        if self.kind is not None:
            self.case.find("hand_over", move.player, kind=self.kind)
        elif self.turn is not None and move.player != self.turn:
            self.case.find("not_your_turn", move.player, expected=self.turn)

    def _after(self, player: str) -> None:
        seats = self.case.seating.seats
        self.turn = seats[(seats.index(player) + 1) % len(seats)]

    def _fits(self, tile: Tile) -> bool:
        return tile not in self.layout and bool(self.layout.fits(tile))

    def _play(self, move: Play, claim: int | None) -> None:
        case, tile = self.case, move.tile
        if tile in self.layout:
            case.find("duplicate_tile", move.player, (tile,))
        else:
            case.check_held(move.player, tile)
        self.ends_before = tuple(end.pips for end in self.layout.open_ends)
        beside = self._lies_beside(move)
        if not beside:
            self._lay(move)
        self.sizes[move.player] -= 1
        self.passes = 0
        self.last, self.last_tile, self.opener = move.player, tile, self.opener or move.player
        self._after(move.player)
        if self.scoring and not beside:
            self._count(move.player)
        if self.sizes[move.player] == 0 and self.kind is None:
            self.kind = "domino"
        if not beside:
            self._points(move.player, claim)

    def _lies_beside(self, move: Play) -> bool:
        """File a tile that touches no open end and was let stand; return whether it is one."""
        stood = self.case.stood.get(self.case.number or 0)
        if stood is None or stood.inner is not None or not self.layout:
            return False
        self.case.find("arm_closed", move.player, (move.tile,), arm=BESIDE)
        return True

    def _count(self, player: str) -> None:
        rules, side = self.case.seating.rules, self.case.side_of(player)
        event = count_event(self.layout, side, player, rules)
        if event is None or self.kind is not None:
            return
        self.events.append(event)
        total = self.case.context.totals.get(side, 0) + sum(e.points for e in self.events if e.side == side)
        if rules["finish"] == "immediate" and total >= rules["target"]:
            self.kind = "target"

    def _lay(self, move: Play) -> None:
        fits = self.layout.fits(move.tile)
        if move.arm in fits and (move.arm is not Arm.START or move.left is None or move.left in move.tile):
            lying = move.tile.high if move.left is None else move.left
            self.layout = self._put(move.tile, move.arm, lying if move.arm is Arm.START else None)
            return
        tiles, arm = (move.tile,), move.arm.value
        opened = {end.arm: end.pips for end in self.layout.open_ends}
        if move.arm not in opened:
            self.case.find("arm_closed", move.player, tiles, arm=arm)
        elif fits:
            ends = ", ".join(fit.value for fit in fits)
            self.case.find("wrong_end", move.player, tiles, arm=arm, pips=opened[move.arm], fits=ends)
        else:
            self.case.find("no_match", move.player, tiles, arm=arm, pips=opened[move.arm])
        self.layout = self._put(move.tile, self._some_arm(move.arm), self._inner_half(move))

    def _put(self, tile: Tile, arm: Arm, inner: int | None) -> Layout:
        if inner is None:
            inner = next(end.pips for end in self.layout.open_ends if end.arm is arm)
        return self.layout.put(tile, arm, inner)

    def _some_arm(self, arm: Arm) -> Arm:
        """Return where a wrong play can lie: the first tile at START, a second first tile at R."""
        if not self.layout:
            return Arm.START
        return Arm.RIGHT if arm is Arm.START else arm

    def _inner_half(self, move: Play) -> int:
        """Return the half of a wrong play that lies inwards: the next tile at that end tells which one faces out."""
        number = self.case.number or 0
        stood = self.case.stood.get(number)
        if stood is not None and stood.inner is not None:
            return stood.inner
        for record in self.case.moves[number:]:
            later = record.move
            if isinstance(later, Play) and later.arm is move.arm:
                outer = next((half for half in move.tile.halves if half in later.tile), None)
                return move.tile.low if outer is None else move.tile.other(outer)
        return move.tile.low

    def _draw(self, move: Draw) -> None:
        case = self.case
        if self.left <= self.kept:
            case.find("no_boneyard", move.player, () if move.tile is None else (move.tile,))
        if self.layout:
            case.find_witness("illegal_draw", move.player, self._fits)
        elif self.turn is not None:
            case.find("illegal_draw", move.player)
        at = len(case.deal.stock) - self.left
        awaited = case.deal.stock[at] if 0 <= at < len(case.deal.stock) else None
        if move.tile is not None and move.tile in self.layout:
            case.find("duplicate_tile", move.player, (move.tile,))
        elif move.tile is not None and awaited not in {None, move.tile}:
            case.find("not_next_tile", move.player, (move.tile,), expected=str(awaited))
        self.left -= 1
        self.sizes[move.player] += 1
        self.turn = move.player

    def _pass(self, move: Pass) -> None:
        if self.left > self.kept:
            self.case.find("must_draw", move.player, left=self.left - self.kept)
        if self.layout:
            ends = ", ".join(str(end.pips) for end in self.layout.open_ends)
            self.case.find_witness("illegal_pass", move.player, self._fits, ends=ends)
        elif self.turn is not None:
            self.case.find("illegal_pass", move.player, ends="")
        self.passes += 1
        self._after(move.player)
        if self.passes == len(self.case.seating.seats) and self.kind is None:
            self.kind = "block"

    def _points(self, player: str, claim: int | None) -> None:
        if not self.scoring or not self.calls:
            return
        addends = count_addends(self.layout, self.case.seating.rules)
        count = sum(addend.value for addend in addends)
        compare_points(self.case, player, claim or 0, points_of(count), tuple(a.tile for a in addends if a.tile), count)


def compare_points(
    case: Case, player: str, claim: int, points: int, tiles: tuple[Tile, ...], count: int | None = None
) -> None:
    """File `points_missed` or `points_wrong` if the points called are not those that the move earned."""
    if claim == points:
        return
    code = "points_missed" if claim == 0 else "points_wrong"
    case.find(code, player, tiles, claimed=claim, points=points, count=points if count is None else count)
