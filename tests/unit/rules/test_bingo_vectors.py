"""The adapters of Bingo's conformance vectors, put to cases of their own."""

from __future__ import annotations

from typing import Any

import pytest

from domino_rules.vectors import Vector, check, ops

OPS = ops("bingo")
HAND = ["6-6", "5-5", "4-4", "3-2", "6-5", "1-0", "4-3"]
DOUBLES = ["6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0"]


def play(player: str, tile: str, declare: int | None = None) -> dict[str, Any]:
    """Return an action."""
    return {"player": player, "play": tile, "declare": declare}


CASES: list[tuple[str, dict[str, Any], list[dict[str, Any]], dict[str, Any]]] = [
    ("deal", {"players": 2, "hand_size": 7}, [], {"stock_total": 14, "face_down": 13, "tricks_phase1_max": 7}),
    ("starter", {"drawer": "B", "guesser": "A", "drawn": "6-6", "guess": "even"}, [], {"trump_drawn_by": "B"}),
    ("trump", {"turned_up": "4-0", "rules": {"preset": "classic"}}, [], {"trump": 7}),
    ("trick", {"trump": 4, "phase": 2}, [play("B", "2-1"), play("A", "6-5")], {"taker": "B", "points": 14}),
    ("trick", {"trump": 4, "phase": 2}, [play("A", "0-0"), play("B", "4-4")], {"taker": "A", "points_to": "B"}),
    ("declare", {"hand_A": DOUBLES, "phase": 1, "trump": 2}, [play("A", "6-6", 7), play("B", "6-4")],
     {"bonus": 210, "A": 232, "B": 0}),
    ("declare", {"hand_A": DOUBLES[1:], "phase": 1, "trump": 6}, [play("A", "0-0", 2), play("B", "6-6")],
     {"taker": "A", "tile_points": 42, "bonus": 20, "A": 20, "B": 42}),
    ("declare", {"hand_A": HAND, "phase": 1, "trump": 2}, [play("A", "6-6", 4), play("B", "6-4")],
     {"error": "false_declaration"}),
    ("declare", {"hand_A": HAND, "phase": 1, "trump": 2, "rules": {"preset": "classic"}},
     [play("B", "3-0"), play("A", "6-6", 2)], {"error": "declare_lead_only"}),
    ("draw", {"face_down": 1, "face_up_trump": True, "trick_winner": "B", "rules": {"last_trump_to": "loser"}}, [],
     {"order": ["B", "A"], "A": "trump", "B": "face_down", "face_down_after": 0, "phase_after": 2}),
    ("close", {"last_trick_winner": "B", "drawn_after_trick": False, "stock_open": True, "hand_sizes": [6, 6]},
     [{"player": "B", "close": True}], {"closer": "B", "hand_sizes": [6, 6], "phase": 2}),
    ("close", {"last_trick_winner": "B", "drawn_after_trick": True, "stock_open": True, "hand_sizes": [7, 7]},
     [{"player": "B", "close": True}], {"error": "already_drawn"}),
    ("legal_follow", {"trump": 2, "phase": 2, "lead": "5-4", "hand": ["6-6", "3-1"]}, [], {"legal": ["3-1", "6-6"]}),
    ("legal_follow", {"trump": 2, "phase": 1, "lead": "5-4", "hand": ["6-6", "5-1"]}, [], {"legal": ["6-6", "5-1"]}),
    ("follow_error", {"trump": 2, "phase": 2, "lead": "5-4", "hand": ["0-0", "6-6"]}, [play("B", "6-6")],
     {"error": "must_trump"}),
    ("tile_points", {"trump": 7}, [], {"points": {"0-0": 28, "6-0": 6}, "total": 203}),
    ("totals", {"rules": {"preset": "classic"}}, [], {"totals": {"1": 135, "7": 143}}),
    ("sets", {"points": {"A": 69, "B": 0}, "closer": "A", "points_at_close": 5}, [], {"sets": {"A": 0, "B": 2}}),
    ("match", {"hands": [["A", 3], ["A", 3], ["B", 2], ["A", 2]]}, [],
     {"sets": {"A": 8, "B": 2}, "over": True, "winner": "A"}),
]  # fmt: skip


@pytest.mark.parametrize(("op", "setup", "actions", "expect"), CASES)
def test_adapters(op: str, setup: dict[str, Any], actions: list[dict[str, Any]], expect: dict[str, Any]) -> None:
    """Each adapter turns a question into calls of the engine and its answer into plain JSON."""
    assert check(Vector("own", op, setup, actions, expect), OPS).differences == ()


def trace(taker: str) -> Vector:
    """Return a trace of one trick that A takes, with what it says of the taker."""
    setup = {
        "hands": {"A": ["6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "6-5"], "B": ["6-4", "5-4", "4-3", "3-2", "2-1"]},
        "turned_up": "6-2",
        "face_down_order": ["4-2", "5-2", "3-1", "4-1", "5-1", "6-1", "0-0", "1-0", "2-0", "3-0", "4-0", "5-0", "6-3"],
        "starter": "A",
    }
    setup["hands"]["B"] += ["6-0", "5-3"]  # type: ignore[index]
    action = {"lead": play("A", "6-6"), "follow": play("B", "6-4"), "taker": taker, "points": 38, "phase": 1}
    action["drawn"] = {"A": "4-2", "B": "5-2"}
    return Vector("own", "trace", setup, [action], {"trump": 6, "final": {"A": 38, "B": 0}, "tricks": 1})


def test_a_trace_is_compared_trick_by_trick() -> None:
    """A trace that says something wrong of a trick fails, though its end were right."""
    assert check(trace("A"), OPS).passed
    (difference,) = check(trace("B"), OPS).differences
    assert "trace_differs" in difference
