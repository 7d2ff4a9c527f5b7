"""Whether a finding rests on something that nobody saw or told: such a finding is no proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from domino_rules.audit.finding import Finding
from domino_rules.record import BY_TURN_ALONE, GUESSED_ORDER, ONE_LOOK, MoveRecord, Source

_OF_TURNS: Final = frozenset({"not_your_turn", "hand_over"})
"""Findings whose ground is what was done just before."""
_OF_OPENER: Final = frozenset({"opener", "must_lead", "not_your_turn"})
"""Findings on a hand or its first move whose ground is who opened."""
_OF_TABLE: Final = frozenset({"no_match", "wrong_end", "arm_closed", "duplicate_tile", "points_missed", "points_wrong"})
"""Findings whose ground lies on the table, whoever laid it."""
_PARTLY: Final = frozenset({BY_TURN_ALONE, ONE_LOOK})
"""Rules of moves that were seen, but not who made them, or not well."""


def order_guessed(moves: Sequence[MoveRecord]) -> bool:
    """Return whether the order of some of the moves was guessed, so that they may be other players'."""
    return any(_is_guess(record) for record in moves)


def rests_on_inferred(found: Finding, moves: Sequence[MoveRecord], sources: Mapping[str, Source]) -> bool:
    """Return whether a finding would be another one, or none, if what was inferred in its hand is not so.

    Args:
        found: the finding.
        moves: of its hand, as the finding counts them.
        sources: how the facts of the deal are known (see `HandRecord`).
    """
    if found.code in _OF_OPENER and found.move in {None, 1} and sources.get("opener") is Source.INFERRED:
        return True
    if found.move is None:
        return found.code != "hand_unfinished" and (order_guessed(moves) or _proves(found, moves))
    before, own = moves[: found.move - 1], moves[found.move - 1 : found.move]
    if order_guessed(before) or any(record.source is Source.INFERRED for record in own):
        return True
    if found.code in _OF_TABLE:
        return False
    of_turn = found.code in _OF_TURNS and any(takewhile(bool, map(_is_inferred, reversed(before))))
    return of_turn or any(map(_is_inferred, own)) or _proves(found, moves)


def _is_inferred(record: MoveRecord) -> bool:
    return record.source is Source.INFERRED or (record.source is Source.SEEN and record.rule in _PARTLY)


def _is_guess(record: MoveRecord) -> bool:
    return record.source is Source.INFERRED and record.rule == GUESSED_ORDER


def _proves(found: Finding, moves: Sequence[MoveRecord]) -> bool:
    """Return whether a tile that proves the finding is only inferred to have been the player's.

    From a guessed order on every tile may be another player's.
    """
    first_guess = next((at for at, record in enumerate(moves) if _is_guess(record)), len(moves))
    return any(
        (_is_inferred(record) or at > first_guess) and getattr(record.move, "tile", None) in found.tiles
        for at, record in enumerate(moves)
        if found.player in {None, record.move.player}
    )
