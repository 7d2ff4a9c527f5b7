"""After the hand: every pass looked at again with the hands that were shown, and what would have changed the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from domino_rules.audit import AuditedHand, Finding, audit_results
from domino_rules.errors import DominoError, SetupError
from domino_rules.moves import Capture, Draw, Lead, Move, Pass, Play, Reply, Stood, Turn
from domino_rules.notation import format_move
from domino_rules.record import HandRecord, Record
from domino_rules.record_replay import Seating
from domino_rules.state import HandResult, find_game
from domino_rules.tile import Tile

PASS_CODES: Final = frozenset({"illegal_pass", "must_draw"})
_WITH_TILE: Final = (Play, Lead, Reply, Capture, Turn)

Alternatives = Mapping[int, Sequence[tuple[Tile, float]]]
"""By number of the move, from 1, what its tile may have been instead, and how likely, 0 to 1."""


@dataclass(frozen=True, slots=True)
class PassVerdict:
    """A pass as it looks once the hands are known.

    Attributes:
        move: its number, from 1.
        player: who passed.
        verdict: `proved` or `possible` if he held a tile that fitted; `clear` if he held none for all that is known;
            `unknown` if his hand was never shown to its last tile.
        tiles: the tiles that he held and that fitted.
        rule: where the rule stands.
        evidence: file of the frame by which the pass was seen, if there is one.
    """

    move: int
    player: str
    verdict: str
    tiles: tuple[Tile, ...] = ()
    rule: str = ""
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """A fact that would change the result if it was otherwise.

    Attributes:
        move: number of the move.
        said: the move as it is in the record.
        instead: the move if it is read otherwise.
        probability: how likely that is, 0 to 1.
        result: how the hand would have ended: kind and side.
        points: by side, what the hand would have brought.
        findings: codes of what would then be against the rules.
    """

    move: int
    said: str
    instead: str
    probability: float
    result: tuple[str, str | None] | None
    points: Mapping[str, int]
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandAudit:
    """A hand that is over, looked at again.

    Attributes:
        number: of the hand.
        passes: every pass.
        findings: all that was against the rules, passes included.
        result: how it ended; None if that does not follow from what is known.
        counterfactuals: what would change that, the likeliest first.
    """

    number: int
    passes: tuple[PassVerdict, ...]
    findings: tuple[Finding, ...]
    result: HandResult | None
    counterfactuals: tuple[Counterfactual, ...]


def audit_hand(
    record: Record,
    number: int,
    *,
    final_hands: Mapping[str, Sequence[Tile]] | None = None,
    alternatives: Alternatives | None = None,
    frames: Mapping[int, str] | None = None,
) -> HandAudit:
    """Look again at a hand that is over.

    Args:
        record: the match, at least up to that hand.
        number: of the hand, from 1.
        final_hands: tiles that players showed, besides those in the record.
        alternatives: what tiles of moves may have been instead (see `alternatives_of`).
        frames: by number of the move the file of its frame.

    Raises:
        SetupError: `no_such_hand`, or as `domino_rules.audit.audit`.
    """
    record = _with_shown(record.corrected(), number, final_hands or {})
    hand = _hand(record, number)
    audited = _audited(record, number)
    passes = tuple(_passes(record, hand, audited, frames or {}))
    others = list(_counterfactuals(record, hand, audited, alternatives or {}))
    others.sort(key=lambda other: (-other.probability, other.move))
    return HandAudit(number, passes, audited.findings, audited.result, tuple(others))


def alternatives_of(
    events: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], hand: HandRecord, least: float = 0.005
) -> dict[int, list[tuple[Tile, float]]]:
    """Return what the tiles of a hand's moves may have been instead, by the distributions that were kept as evidence.

    Args:
        events: data of the hand's `evidence` events with the facts that each of them names, in their order.
        hand: the hand, corrected.
        least: readings less likely than this are left out.
    """
    last: dict[Tile, Mapping[str, Any]] = {}
    for _, facts in events:
        for tile in facts.get("tiles", ()):
            if tile.get("tile") and "halves_p" in tile:
                last[Tile.parse(tile["tile"])] = tile
    found: dict[int, list[tuple[Tile, float]]] = {}
    for number, moved in enumerate(hand.moves, 1):
        seen = last.get(getattr(moved.move, "tile", None) or Tile(0, 0))
        if seen is not None and isinstance(moved.move, (*_WITH_TILE, Stood)):
            others = [(tile, p) for tile, p in _readings(seen) if tile is not moved.move.tile and p >= least]
            if others:
                found[number] = others
    return found


def _readings(seen: Mapping[str, Any]) -> Iterator[tuple[Tile, float]]:
    joint: dict[Tile, float] = {}
    first, second = ({int(k): p for k, p in half.items() if k.isdecimal()} for half in seen["halves_p"])
    for a, p in first.items():
        for b, q in second.items():
            joint[Tile(a, b)] = joint.get(Tile(a, b), 0.0) + p * q
    yield from sorted(joint.items(), key=lambda item: -item[1])


def _with_shown(record: Record, number: int, shown: Mapping[str, Sequence[Tile]]) -> Record:
    hands = tuple(
        replace(hand, shown={**hand.shown, **{player: tuple(tiles) for player, tiles in shown.items()}})
        if hand.number == number
        else hand
        for hand in record.hands
    )
    return replace(record, hands=hands)


def _hand(record: Record, number: int) -> HandRecord:
    for hand in record.hands:
        if hand.number == number:
            return hand
    raise SetupError("no_such_hand", f"the record has no hand {number}", hand=number)


def _audited(record: Record, number: int) -> AuditedHand:
    return next(hand for hand in audit_results(record) if hand.number == number)


def _passes(
    record: Record, hand: HandRecord, audited: AuditedHand, frames: Mapping[int, str]
) -> Iterator[PassVerdict]:  # fmt: skip
    by_move = {found.move: found for found in audited.findings if found.code in PASS_CODES}
    for number, moved in enumerate(hand.moves, 1):
        if not isinstance(moved.move, Pass):
            continue
        player, frame = moved.move.player, frames.get(number)
        found = by_move.get(number)
        if found is not None:
            yield PassVerdict(number, player, found.certainty.value, found.tiles, found.rule, frame)
        else:
            yield PassVerdict(number, player, "clear" if _is_known(record, hand, player) else "unknown", (), "", frame)


def _is_known(record: Record, hand: HandRecord, player: str) -> bool:
    """Return whether a player's hand is known to its last tile: he was dealt it openly, showed it, or laid it all."""
    if player in hand.shown:
        return True
    deal = Seating.of(record).deal(hand)
    draws = [moved.move for moved in hand.moves if isinstance(moved.move, Draw) and moved.move.player == player]
    if deal.hands[player].unknown == 0 and all(draw.tile is not None for draw in draws):
        return True
    laid = sum(isinstance(moved.move, Play | Stood) and moved.move.player == player for moved in hand.moves)
    return laid == deal.hands[player].size + len(draws)


def _counterfactuals(
    record: Record, hand: HandRecord, audited: AuditedHand, alternatives: Alternatives
) -> Iterator[Counterfactual]:
    game = find_game(record.game)
    unit = game.unit
    before = _worth(audited.result, unit)
    known = {(found.code, found.move) for found in audited.findings}
    for number, others in alternatives.items():
        moved = hand.moves[number - 1]
        for tile, probability in others:
            instead = _with_tile(moved.move, tile)
            if instead is None or tile not in game.tile_set:
                continue
            moves = (*hand.moves[: number - 1], replace(moved, move=instead), *hand.moves[number:])
            try:
                again = _audited(_replaced(record, replace(hand, moves=moves)), hand.number)
            except DominoError:
                continue
            after = _worth(again.result, unit)
            if after != before:
                fresh = tuple(sorted({f.code for f in again.findings if (f.code, f.move) not in known}))
                ended = None if again.result is None else (again.result.kind, again.result.side)
                yield Counterfactual(
                    number, format_move(moved.move), format_move(instead), probability, ended, dict(after[2]), fresh
                )  # fmt: skip


def _worth(result: HandResult | None, unit: str) -> tuple[str | None, str | None, tuple[tuple[str, int], ...]]:
    if result is None:
        return None, None, ()
    points: dict[str, int] = {}
    for event in result.events:
        if event.unit == unit:
            points[event.side] = points.get(event.side, 0) + event.points
    return result.kind, result.side, tuple(sorted((side, n) for side, n in points.items() if n))


def _with_tile(move: Move, tile: Tile) -> Move | None:
    """Return the move with another tile, lying the same way round as far as that can be."""
    if isinstance(move, Play):
        return replace(move, tile=tile, left=None)
    if isinstance(move, Lead | Reply | Capture | Turn):
        return replace(move, tile=tile)
    return None


def _replaced(record: Record, hand: HandRecord) -> Record:
    return replace(record, hands=tuple(hand if old.number == hand.number else old for old in record.hands))
