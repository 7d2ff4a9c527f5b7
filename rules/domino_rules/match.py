"""Whole matches."""

from __future__ import annotations

from collections.abc import Sequence

from domino_rules.errors import SetupError


def order_of_play(clockwise: Sequence[str], direction: str, first: str) -> tuple[str, ...]:
    """Return the players in the order of play, from `first`.

    Args:
        clockwise: the seats clockwise as seen from above.
        direction: `clockwise` (the next player sits on the left) or `counter_clockwise` (on the right).
        first: who opens.

    Raises:
        SetupError: `players` if nobody sits there, `bad_option` for another direction.
    """
    if first not in clockwise:
        raise SetupError("players", f"{first} is not among {', '.join(clockwise)}", player=first)
    if direction not in {"clockwise", "counter_clockwise"}:
        raise SetupError("bad_option", f"no direction: {direction!r}", option="direction", value=direction)
    at = clockwise.index(first)
    step = 1 if direction == "clockwise" else -1
    return tuple(clockwise[(at + step * turn) % len(clockwise)] for turn in range(len(clockwise)))
