"""When the table is at rest: what is read then, what is believed, and what a person is asked."""

from domino_vision.settle.judge import Doubt, JudgeOptions
from domino_vision.settle.machine import SettleMachine, SettleOptions, Verdict
from domino_vision.settle.samples import Reason, Sample, SettleState, Transition
from domino_vision.settle.settler import Ask, Commit, Event, Settler, bumped
from domino_vision.settle.stillness import WHOLE, Region, Stillness, region_of

__all__ = [
    "WHOLE",
    "Ask",
    "Commit",
    "Doubt",
    "Event",
    "JudgeOptions",
    "Reason",
    "Region",
    "Sample",
    "SettleMachine",
    "SettleOptions",
    "SettleState",
    "Settler",
    "Stillness",
    "Transition",
    "Verdict",
    "bumped",
    "region_of",
]
