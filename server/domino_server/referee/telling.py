"""What people tell, carried out: told beats inferred, and everything behind a correction is worked out anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.tiu_u_score import payments
from domino_rules.moves import Lead, Reply, Stood, plain
from domino_rules.record import HandRecord, MoveRecord, Source
from domino_rules.state import Deal
from domino_rules.tile import Tile
from domino_server.referee.branches import best
from domino_server.referee.calls import FALSE_CALL, report_false_call
from domino_server.referee.events import Event, Question, as_illegal
from domino_server.referee.ledger import RECOUNTED
from domino_server.referee.reader import told as as_told
from domino_server.referee.sight import Kind
from domino_server.referee.taken_over import NEXT_PLAYER, forget, take_over
from domino_server.referee.told import (
    Adjust,
    Answer,
    Correct,
    Declared,
    LetStand,
    Moved,
    Opener,
    Redeal,
    Shown,
    TakeBack,
    Told,
)

if TYPE_CHECKING:
    from domino_server.referee.core import Referee


class Telling:
    """Carries out what people tell a referee."""

    def __init__(self, referee: Referee) -> None:
        """Serve a referee."""
        self._referee = referee
        self._leads: tuple[int, str] | None = None

    def take(self, told: Told) -> list[Event]:  # noqa: C901 - one line for each thing that may be told
        """Carry it out; raises DominoError and changes nothing if it cannot be."""
        out: list[Event] = []
        match told:
            case Opener():
                self._opener(told.player, out)
            case Moved():
                self._moved(told, out)
            case Declared():
                self._declared(told, out)
            case Answer():
                self._answer(told, out)
            case Correct():
                record = None if told.move is None else as_told(told.move)
                self._corrected(told.number - 1, record, out, insert=told.insert)
            case TakeBack():
                self._corrected(len(self._referee.ledger.moves) - 1, None, out)
            case LetStand():
                self._let_stand(out)
            case Shown():
                out += self._referee.ledger.show({told.player: told.tiles}, was_told=True)
                self._referee.after_commit(out)
            case Adjust():
                out += self._referee.ledger.adjust(told.side, told.points, told.note)
            case Redeal():
                while self._referee.ledger.moves:
                    self._corrected(len(self._referee.ledger.moves) - 1, None, out)
                out += forget(self._referee)
                self._referee.forget_table()
        return out

    def _opener(self, player: str, out: list[Event]) -> None:
        referee = self._referee
        seats = referee.ledger.seating.seats
        if player not in seats:
            raise SetupError("players", f"{player} is not among {', '.join(seats)}", player=player)
        if referee.groups and player in referee.groups and "opener" in referee.questions:
            self._answer(Answer("opener", player), out)
            return
        match = referee.ledger.match
        if match.hands and not match.hand_over and not referee.ledger.moves:
            self._leads = (referee.ledger.hand, player)
        else:
            referee.opener = player
        referee.withdraw("opener", out, player)
        out += referee.again()

    def told_before(self, question: Question, out: list[Event]) -> bool:
        """Answer the question who led a hand with what was told before it came up; return whether it was."""
        referee, leads = self._referee, self._leads
        if question.code != "opener" or leads is None or referee.ledger.moves or leads[0] != referee.ledger.hand:
            return False
        self._leads = None
        if leads[1] not in referee.groups:
            return False
        referee.choose_told(referee.groups[leads[1]], out)
        return True

    def _moved(self, told: Moved, out: list[Event]) -> None:
        referee = self._referee
        if not referee.branches:
            raise SetupError("no_hand", "no hand is in progress")
        fitting, refused = [], None
        for branch in referee.branches:
            try:
                branch.state.let_stand(told.move) if isinstance(told.move, Stood) else branch.state.apply(told.move)
            except ValueError as error:
                refused = error
            else:
                fitting.append(branch)
        if not fitting and refused is not None:
            raise refused
        chosen = best(fitting)
        referee.choose_told([chosen], out)
        referee.commit([as_told(told.move)], out)
        referee.reset_branches()
        if referee.pause is not None:
            out += referee.again()

    def _let_stand(self, out: list[Event]) -> None:
        referee = self._referee
        if referee.illegal.standing is None:
            raise SetupError("nothing_stands", "no illegal play lies there that could be let stand")
        referee.illegal.let_stand(out, was_told=True)
        out += referee.again()

    def likelier_reading(self, question: Question) -> bool:
        """Take a tile for what makes it legal if that is likelier than an illegal play; return whether it is."""
        odds = {choice.key: choice.odds or 0.0 for choice in question.choices}
        key = max(odds, key=lambda choice: odds[choice])
        if key == "illegal" or not question.tiles:
            return False
        self._name_tile(question, Tile.parse(key.removeprefix("as:")))
        return True

    def _declared(self, told: Declared, out: list[Event]) -> None:
        """Note a call: for the double that the player has just laid, while it lies there, else for his next one."""
        referee = self._referee
        state, moves = referee.state, referee.ledger.moves
        move = moves[-1].move if moves else None
        lying = () if referee.sight is None else referee.sight.faces(Kind.TRICK)
        made = plain(move) if move is not None else None
        if isinstance(made, Lead | Reply) and state is not None:
            own = made.player == told.player and (isinstance(made, Reply) or state.to_move != told.player)
            if own and made.tile.is_double and made.declare is None and made.tile in lying:
                self._called(type(made)(made.player, made.tile, told.doubles), out)
                return
        referee.declared.setdefault(told.player, []).append(told.doubles)

    def _called(self, move: Lead | Reply, out: list[Event]) -> None:
        """Note a call with the double that was laid last, or report it if the table proves it false."""
        number = len(self._referee.ledger.moves) - 1
        before = self._referee.ledger.moves[number].move
        called = replace(before, move=move) if isinstance(before, Stood) else move
        try:
            self._corrected(number, MoveRecord(called, Source.TOLD), out)
        except IllegalMoveError as error:
            if error.code != FALSE_CALL:
                raise
            report_false_call(self._referee, move, out)

    def _corrected(self, number: int, record: MoveRecord | None, out: list[Event], *, insert: bool = False) -> None:
        referee = self._referee
        if not 0 <= number < len(referee.ledger.moves) + insert:
            message = f"the hand has no move {number + 1}: {len(referee.ledger.moves)} moves"
            raise SetupError("no_such_move", message, move=number + 1)
        asked = referee.questions.get("taken_back")
        taken = record is None and asked is not None and referee.taken_back.number(asked) == number
        out += referee.ledger.correct(number, record, insert=insert)
        referee.reset_branches()
        referee.withdraw("taken_back", out, "taken" if taken else None)
        referee.after_commit(out)

    def _answer(self, told: Answer, out: list[Event]) -> None:  # noqa: C901 - one case for each question
        referee = self._referee
        question = referee.questions.get(told.code)
        if question is None:
            raise SetupError("no_such_question", f"no question {told.code} is open", question=told.code)
        keys = [choice.key for choice in question.choices]
        if told.key not in keys:
            message = f"answer {told.code} with one of {', '.join(keys)}; not {told.key}"
            raise SetupError("no_such_choice", message, question=told.code, key=told.key)
        if told.code == NEXT_PLAYER:
            self._next_player(told.key, out)
            return
        referee.withdraw(told.code, out, told.key)
        match told.code:
            case "opener" | "which_tile" | "order" if told.key in referee.groups:
                referee.choose_told(referee.groups[told.key], out)
            case "opener":
                self._opener(told.key, out)
            case "trump_unseen":
                table = Deal({}, (), (Tile.parse(told.key),))
                referee.deal = referee.ledger.seating.deal(HandRecord(referee.ledger.hand + 1, table))
                out += referee.again()
            case "misread_or_illegal":
                self._misread(question, told.key, out)
            case "taken_back" if told.key == "taken":
                self._taken_back(question, out)
            case "seen_against_told":
                self._seen_against_told(question, told.key, out)
            case "taker_differs" if told.key == "table":
                self._let_stand(out)
            case "piles_differ" if told.key == "piles":
                self._recounted(question, out)
            case "taker_differs" | "piles_differ":
                referee.dismissed.add((question.code, question.tiles))
                referee.illegal.standing = None
                out += referee.again()

    def _next_player(self, player: str, out: list[Event]) -> None:
        """Take over what lies there; if another answer has changed who may be next, it is asked anew."""
        referee, sight = self._referee, self._referee.sight
        overs = {} if sight is None else referee.look_from(best(referee.branches).state, sight).overs
        if player in overs:
            taken = take_over(referee, overs[player])
            referee.withdraw(NEXT_PLAYER, out, player)
            out += taken
        out += referee.again()

    def _taken_back(self, question: Question, out: list[Event]) -> None:
        """Take a tile back; what was taken for the next players' tiles since is looked at anew."""
        referee, number = self._referee, self._referee.taken_back.number(question)
        moves = len(referee.ledger.moves)
        if number is None:
            return
        for last in range(moves - 1, number - 1, -1):
            self._corrected(last, None, out)
        if number < moves - 1:
            out += referee.again()

    def _recounted(self, question: Question, out: list[Event]) -> None:
        """Settle by the piles as they were recounted: what each player pays or gets changes by the difference."""
        referee = self._referee
        rules = referee.ledger.seating.rules
        paid = {name: payments(question.params[name], rules) for name in ("game", "piles")}
        for player in referee.ledger.seating.seats:
            points = paid["piles"][player] - paid["game"][player]
            if points:
                out += referee.ledger.adjust(player, points, RECOUNTED)
        referee.dismissed.add((question.code, question.tiles))
        out += referee.again()

    def _misread(self, question: Question, key: str, out: list[Event]) -> None:
        referee = self._referee
        if key == "illegal":
            illegal = as_illegal(question)
            referee.told_illegal.add((question.code, str(illegal.tile)))
            out += referee.again()
            return
        self._name_tile(question, Tile.parse(key.removeprefix("as:")))
        out += referee.again()

    def _name_tile(self, question: Question, meant: Tile) -> None:
        """Remember what a person said of the tile in question: of two that read alike, of the one in the crop."""
        sight, crop = self._referee.sight, question.crops[0] if question.crops else ()
        alike = [tile for tile in (() if sight is None else sight.tiles) if tile.tile is question.tiles[0]]
        for tile in [tile for tile in alike if crop and tile.quad_px == crop] or alike:
            halves = next((o.halves for o in tile.others if Tile(*o.halves) is meant), meant.halves)
            self._referee.told_tiles.append((tile.at, (halves[0], halves[1])))

    def _seen_against_told(self, question: Question, key: str, out: list[Event]) -> None:
        referee = self._referee
        swap = referee.swaps.asked
        if swap is None:
            return
        if key == "seen":
            self._corrected(swap.number, MoveRecord(swap.move, Source.TOLD), out)
        elif swap.known is not None and question.tiles:
            self._name_tile(question, swap.known)
        referee.swaps.asked = None
        out += referee.again()
