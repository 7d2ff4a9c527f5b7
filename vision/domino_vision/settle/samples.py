"""What a frame tells about rest and motion: numbers, no pictures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Sample:
    """One frame as the state machine sees it.

    Attributes:
        at: when it was taken, monotonic seconds.
        motion: share of the table region that differs from the frame before, 0 to 1, after light is evened out.
        changed: share of the region that differs from the table as last committed, 0 to 1.
        hand: whether something reaches over the table: a large change that touches the region's edge, or moves.
        stays_s: for how many seconds all that lies over the table has lain there unchanged, whatever moved elsewhere.
        covered: share of the region under the largest connected change, 0 to 1.
        gain: brightness over that of the table as last committed (1 = as bright).
        shift_px: how far the whole picture moved against the committed one, pixels of the frame, 0 if it did not.
        sharpness: mean absolute second derivative of the region, grey levels; only comparable within a camera.
        dark: whether there is no picture to speak of: black, white, or all of one grey.
    """

    at: float
    motion: float = 0.0
    changed: float = 0.0
    hand: bool = False
    stays_s: float = 0.0
    covered: float = 0.0
    gain: float = 1.0
    shift_px: float = 0.0
    sharpness: float = 0.0
    dark: bool = False


class SettleState(StrEnum):
    """What the program is doing about the table."""

    WAIT = "wait"
    HAND = "hand"
    STABLE = "stable"
    READ = "read"
    COMMIT = "commit"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a state was entered: a stable code and what it speaks of, fit to be shown in any language."""

    code: str
    params: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, code: str, **params: Any) -> Reason:
        """Return a reason with parameters."""
        return cls(code, tuple(sorted(params.items())))

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {"code": self.code, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Transition:
    """A change of state, or news within one (`state` as before).

    Attributes:
        at: when, seconds.
        before: the state that was left.
        state: the state that is entered.
        reason: why.
    """

    at: float
    before: SettleState
    state: SettleState
    reason: Reason
