"""The adapters of Tiu-U's conformance vectors, put to cases of their own."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.vectors import Vector, check, ops

OPS = ops("tiu_u")
FULL = ["6-6", "6-5", "5-3", "4-1", "5-2"]


def turn(hand: str, talon: str, stock: list[str], tripled: str = "", **rules: Any) -> dict[str, Any]:
    """Return the set-up of a turn of A."""
    return {
        "rules": rules,
        "player": "A",
        "captured": {"A": [], "B": []},
        "tripled": tripled.split(),
        "hand": hand.split(),
        "talon": talon.split(),
        "stock": stock,
    }


CASES: list[tuple[str, dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = [
    ("composition", {}, [], {"total": 64, "by_weight": {"12": 4, "3": 2}}),
    ("deal", {"players": 4}, [], {"error": "players"}),
    ("deal", {"players": 3}, [], {"hand": 8, "stock": 24}),
    ("pairs", {"rules": {"supreme": "also"}}, [], {"pairs": [["3-3", "4-2"]], "not_pairs": [["2-1", "5-1"]]}),
    ("mates", {}, [], {"mates": {"5-5": ["6-4", "5-5"]}}),
    ("red", {}, [], {"red": {"4-3": 4}}),
    ("tile_scores", {}, [], {"scores": {"6-6": 24}, "grand_total": 592}),
    ("round", {}, [], {"rounded": {"592": 600, "10": 10}}),
    ("score", {"captured": ["6-6", "6-6", "1-1", "1-1"]}, [], {"big": 48, "small": 4, "raw": 52, "final": 60}),
    ("pay", {"raw": {"A": 200, "B": 199, "C": 150}, "rules": {"tie_top": "pay_each"}}, [],
     {"net": {"A": 50, "B": 50, "C": -100}, "winners": ["B", "A"]}),
    ("open66", {"hand": ["6-6", "6-6"]}, [], {"captured": ["6-6", "6-6"], "hand_size": 0}),
    ("final", {"captured": {"A": ["6-6", "6-6"], "B": []}, "hands": {}, "talon": []}, [], {"net": {"A": 50, "B": -50}}),
    ("turn", turn("6-4 1-1", "6-4 2-2 6-4", FULL), [{"triple": "6-4"}],
     {"hand": ["1-1", "6-6", "6-5", "5-3"], "talon": ["2-2", "4-1"], "stock": ["5-2", "6-4", "6-4", "6-4"],
      "tripled": ["6-4"], "captured_A": [], "game_over": False}),
    ("turn", turn("6-4", "6-4 6-4", FULL[:2]), [{"triple": "6-4"}], {"error": "stock_too_small"}),
    ("turn", turn("6-4", "2-2", [*FULL[:2], "6-4", "6-4", "6-4"], "6-4"), [{"quadruple": "6-4"}],
     {"error": "stock_too_small"}),
    ("turn", turn("6-4", "2-2", [*FULL, "6-4", "6-4"], "6-4"), [{"quadruple": "6-4"}], {"error": "no_tripled_stack"}),
    ("turn", turn("1-1", "6-2", ["4-4", "6-6"]), [{"skip": True}, {"drawn": "4-4", "take": None}],
     {"error": "must_capture"}),
    ("turn", turn("1-1", "6-2", ["4-4", "6-6"]), [{"skip": True}], {"error": "must_capture"}),
    ("turn", turn("1-1", "6-2", ["5-5", "6-6"]), [{"skip": True}, {"drawn": "5-5", "take": "6-2"}],
     {"error": "no_pair"}),
]  # fmt: skip


@pytest.mark.parametrize(("op", "setup", "actions", "expect"), CASES)
def test_adapters(op: str, setup: dict[str, Any], actions: list[dict[str, Any]], expect: dict[str, Any]) -> None:
    """Each adapter turns a question into calls of the engine and its answer into plain JSON."""
    assert check(Vector("own", op, setup, actions, expect), OPS).differences == ()


def test_samples_are_not_taken_for_granted() -> None:
    """A pair that is none is found among the samples of a vector."""
    wrong = Vector("own", "pairs", {}, (), {"pairs": [["6-6", "1-1"]], "not_pairs": [["6-6", "6-6"]]})
    assert len(check(wrong, OPS).differences) == 2
