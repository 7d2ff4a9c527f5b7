"""A hand looked at again with the readings that were kept as evidence, in words of five languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_rules.explain import explain
from domino_rules.notation import parse_move
from domino_rules.record import Record
from domino_rules.tile import Tile
from domino_server.judge.after_hand import HandAudit, alternatives_of, audit_hand
from domino_server.judge.reports.moves import move_text
from domino_server.rules_view import finding_text
from domino_server.store import StoredEvent

_MOST_DOUBTS: Final = 12
"""So many other readings are tried, the likeliest."""

FactsOf = Callable[[str], Mapping[str, Any]]
"""Returns the facts that an evidence file holds; nothing if it is gone."""


def audited(record: Record, number: int, evidence: Sequence[StoredEvent], facts_of: FactsOf) -> HandAudit | None:
    """Look again at a hand; None if the rules cannot play it.

    Args:
        record: the match, corrected.
        number: of the hand.
        evidence: the hand's events of kind `evidence`, in their order.
        facts_of: reads the facts that they name.
    """
    hand = next(hand for hand in record.hands if hand.number == number)
    told = [event.data for event in evidence if event.data.get("facts")]
    doubts = alternatives_of([(data, facts_of(str(data["facts"]))) for data in told], hand)
    likely = sorted(((p, move, tile) for move, others in doubts.items() for tile, p in others), reverse=True)
    chosen: dict[int, list[tuple[Tile, float]]] = {}
    for p, move, tile in likely[:_MOST_DOUBTS]:
        chosen.setdefault(move, []).append((tile, p))
    frames: dict[int, str] = {}
    for event in evidence:
        if "frame" in event.data:
            frames |= dict.fromkeys(event.data.get("moves", ()), str(event.data["frame"]))
    try:
        return audit_hand(record, number, alternatives=chosen, frames=frames)
    except DominoError:
        return None


def otherwise_in_words(audit: HandAudit, lang: str) -> Iterator[dict[str, Any]]:
    """Yield what would end the hand otherwise, the likeliest first; readings that leave the end open are left out."""
    for other in audit.counterfactuals:
        if other.result is None:
            continue
        kind, side = other.result
        points = ", ".join(f"{name} {value:+d}" for name, value in other.points.items())
        ended = explain(f"result.{kind}", {"side": side, "player": side}, lang)
        what = move_text(parse_move(other.instead), lang)
        yield {"move": other.move, "instead": what, "probability": other.probability, "text": points or ended}


def findings_in_words(audit: HandAudit, lang: str) -> list[dict[str, Any]]:
    """Return what was against the rules."""
    return [
        {
            "move": found.move,
            "player": found.player,
            "code": found.code,
            "text": finding_text(found, lang),
            "certainty": explain(f"certainty.{found.certainty.value}", {}, lang),
            "rule": found.rule,
        }
        for found in audit.findings
    ]
