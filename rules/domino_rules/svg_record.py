"""A position of a record as a picture: the layout, or in Bingo the tricks, in Tiu-U talon and captured piles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from domino_rules.audit import case_of
from domino_rules.audit.case import Case
from domino_rules.audit.fishing import FishingAudit
from domino_rules.audit.line import LineAudit
from domino_rules.audit.tricks import TrickAudit
from domino_rules.errors import SetupError
from domino_rules.explain import explain
from domino_rules.games.tiu_u_rules import RED
from domino_rules.record import HandRecord, Record
from domino_rules.record_replay import Seating
from domino_rules.svg import Row, layout_svg, rows_svg


def record_svg(record: Record, hand: int | None = None, move: int | None = None, *, lang: str = "en") -> str:
    """Return the position of a record as an SVG document. Illegal moves are shown as they were made.

    Args:
        record: the match; its corrections are carried out first.
        hand: number of the hand; the last one if None.
        move: number of the move behind which the position is shown, 0 for the start; the last one if None.
        lang: language of the labels in Bingo and Tiu-U.

    Raises:
        SetupError: `no_such_hand`, `no_such_move`, or as `domino_rules.audit.audit`.
    """
    record = record.corrected()
    seating = Seating.of(record)
    shown = _until(_hand(record, hand), move)
    case = case_of(seating, shown)
    title = f"{seating.game.name}, {shown.number}.{len(shown.moves)}"
    if seating.game.name == "bingo":
        return rows_svg(_trick_rows(case, lang), title=title)
    if seating.game.name == "tiu-u":
        return rows_svg(_fishing_rows(case, lang), title=title, red=RED)
    line = LineAudit(case, scoring=seating.game.name == "cincos", kept=0, calls=False)
    line.run()
    return layout_svg(line.layout, title=f"{title}: {line.layout}")


def _hand(record: Record, number: int | None) -> HandRecord:
    if number is None and record.hands:
        return record.hands[-1]
    for hand in record.hands:
        if hand.number == number:
            return hand
    there = ", ".join(str(hand.number) for hand in record.hands) or "none"
    raise SetupError("no_such_hand", f"the record has no hand {number or 1}; it has {there}", hand=number or 1)


def _until(hand: HandRecord, move: int | None) -> HandRecord:
    if move is None:
        return hand
    if not 0 <= move <= len(hand.moves):
        message = f"hand {hand.number} has {len(hand.moves)} moves, not {move}"
        raise SetupError("no_such_move", message, hand=hand.number, move=move, moves=len(hand.moves))
    return replace(hand, moves=hand.moves[:move])


def _trick_rows(case: Case, lang: str) -> Iterator[Row]:
    if not case.deal.table:
        return
    tricks = TrickAudit(case, calls=False)
    tricks.run()
    turned = case.deal.table[0] if tricks.closing is None else None
    if tricks.left:
        yield Row(explain("label.trump", {}, lang), (*(None,) * (tricks.left - 1), turned))
    if tricks.lead is not None:
        yield Row(explain("label.lead", {"player": tricks.lead.player}, lang), (tricks.lead.tile,))
    for player, taken in tricks.taken.items():
        params = {"player": player, "points": tricks.points[player]}
        yield Row(explain("label.tricks", params, lang), tuple(taken))


def _fishing_rows(case: Case, lang: str) -> Iterator[Row]:
    fishing = FishingAudit(case)
    fishing.run()
    yield Row(explain("label.talon", {}, lang), tuple(fishing.talon))
    face_up = tuple(tile for stack in fishing.stock.stacks for tile in stack)
    hidden = len(fishing.stock) - len(face_up)
    if len(fishing.stock):
        yield Row(explain("label.stock", {"tiles": len(fishing.stock)}, lang), (*(None,) * hidden, *face_up))
    for player, pile in fishing.piles.items():
        yield Row(explain("label.captured", {"player": player}, lang), tuple(pile))
