"""Score events and totals."""

from domino_rules.score import Addend, Ledger, ScoreEvent


def test_totals_are_derived_by_side_and_unit() -> None:
    """Totals add the events of one unit; a side without an event has 0."""
    ledger = Ledger().add(ScoreEvent("A", 15, "count"), ScoreEvent("B", 1, "won", unit="sets"))
    ledger = ledger.add(ScoreEvent("A", -5, "correction", note="counted twice"))
    assert ledger.totals(["A", "B"]) == {"A": 10, "B": 0}
    assert ledger.totals(["A", "B"], "sets") == {"A": 0, "B": 1}
    assert len(ledger.events) == 3


def test_an_event_is_a_value() -> None:
    """Events with the same content are equal, whatever made them."""
    first, second = (ScoreEvent("A", 6, "count", (Addend("tip", 6),), "A") for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
