"""The audit of a match after the fact: every move that was not legal, what proves it, and scores that differ.

Unlike a replay it does not stop at the first illegal move: what was laid lies there, and the hand goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType

from domino_rules.audit.case import Case
from domino_rules.audit.deal import audit_deal
from domino_rules.audit.finding import Certainty, Finding
from domino_rules.audit.fishing import FishingAudit
from domino_rules.audit.line import LineAudit
from domino_rules.audit.outcome import line_result, trick_result
from domino_rules.audit.scores import audit_scores
from domino_rules.audit.strict import audit_strictly
from domino_rules.audit.tricks import TrickAudit
from domino_rules.errors import SetupError
from domino_rules.moves import Play
from domino_rules.record import HandRecord, Record
from domino_rules.record_replay import Seating, adjusted, told_result
from domino_rules.score import ScoreEvent
from domino_rules.state import HandContext, HandResult
from domino_rules.tile import Tile

__all__ = ["Certainty", "Finding", "audit", "audit_results", "case_of"]

FinalHands = Mapping[int, Mapping[str, Sequence[Tile]]]


@dataclass(frozen=True, slots=True)
class AuditedHand:
    """A hand that was audited: what was found, and how it ended as far as the facts tell."""

    number: int
    findings: tuple[Finding, ...]
    result: HandResult | None


def audit(record: Record, final_hands: FinalHands | None = None) -> tuple[Finding, ...]:
    """Return everything in a record that was not as the rules want it, in the order of play.

    Args:
        record: the match; its corrections are carried out first.
        final_hands: by number of the hand and by player, tiles shown at the end besides those in the record.

    Raises:
        SetupError: if the headers name no game that can be played (see `Seating.of`), `bad_correction`,
            `unknown_player` in a deal.
        ParseError: `notation_name` in the header `Seats`.
    """
    return tuple(found for hand in audit_results(record, final_hands) for found in hand.findings)


def audit_results(record: Record, final_hands: FinalHands | None = None) -> tuple[AuditedHand, ...]:
    """Return the findings hand by hand, with the result of each hand as it was played. Raises as `audit`."""
    record = record.corrected()
    seating = Seating.of(record)
    calls = any(move.claim is not None for hand in record.hands for move in hand.moves)
    hands: list[AuditedHand] = []
    results: list[HandResult] = []
    for hand in record.hands:
        shown = {**hand.shown, **(final_hands or {}).get(hand.number, {})}
        case = _case(seating, hand, results, shown)
        only_told = hand.result is not None and not hand.moves
        result = None if only_told else _follow(case, calls=calls)
        if not only_told:
            audit_deal(case)
            audit_strictly(case)
        if result is not None:
            audit_scores(case, result)
        if result is None and (hand.result is not None or hand is not record.hands[-1]):
            result = _told_result(case)
        result = adjusted(result, hand, seating.game.unit)
        results += [] if result is None else [result]
        found = sorted(case.findings, key=lambda found: found.move or 0)
        hands.append(AuditedHand(hand.number, tuple(found), result))
    return tuple(hands)


def case_of(seating: Seating, hand: HandRecord) -> Case:
    """Return a hand ready for an audit on its own, as if it were the first of its match. Raises as `audit`."""
    return _case(seating, hand, (), hand.shown)


def _case(
    seating: Seating, hand: HandRecord, results: Sequence[HandResult], shown: Mapping[str, Sequence[Tile]]
) -> Case:
    deal = seating.deal(hand)
    final = MappingProxyType({player: tuple(tiles) for player, tiles in shown.items()})
    buys = seating.rules["quad_buys"] if seating.game.name == "tiu-u" else 0
    context, refused = _context(seating, hand, results)
    case = Case(seating, hand, deal, context, final, buys)
    if refused is not None:
        case.find(refused.code, hand.opener, **refused.params)
    return case


def _context(
    seating: Seating, hand: HandRecord, results: Sequence[HandResult]
) -> tuple[HandContext, SetupError | None]:
    """Return what the hand knows of its match, and why it should not have been played like that."""
    game, rules, seats = seating.game, seating.rules, seating.seats
    try:
        return game.next_context(seats, rules, results, hand.opener), None
    except SetupError as error:
        refused = error
    with suppress(SetupError):
        return game.next_context(seats, rules, results), refused
    return HandContext(hand.number, hand.opener), refused


def _told_result(case: Case) -> HandResult:
    """Return the result of a hand whose end does not follow from its moves: what the table wrote down."""
    if case.hand.result is not None:
        return told_result(case.hand, case.hand.result, case.seating.game.unit)
    told = tuple(ScoreEvent(score.side, score.points, "told", unit=score.unit or case.seating.game.unit)
                 for score in case.hand.scores if score.side in case.seating.sides)  # fmt: skip
    if not told:
        case.number = None
        case.find("hand_unfinished")
        return HandResult("tie", None, None, ())
    best = max(told, key=lambda event: event.points)
    last = next((record.move.player for record in reversed(case.moves) if isinstance(record.move, Play)), None)
    return HandResult("block", best.side, last, told)


def _follow(case: Case, *, calls: bool) -> HandResult | None:
    """Look at every move leniently, and return how the hand ended as far as the facts tell."""
    name, rules = case.seating.game.name, case.seating.rules
    if name == "bingo":
        if not case.deal.table:
            case.find("no_trump_tile")
            return None
        tricks = TrickAudit(case, calls=calls)
        tricks.run()
        return trick_result(case, tricks)
    if name == "tiu-u":
        fishing = FishingAudit(case)
        fishing.run()
        return fishing.result
    scoring = name == "cincos"
    line = LineAudit(case, scoring=scoring, kept=rules["boneyard_keeps"] if scoring else 0, calls=calls)
    line.run()
    return line_result(case, line)
