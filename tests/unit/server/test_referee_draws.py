"""Draws that the boneyard tells of: refuted by a boneyard that grows again, and no proof after one look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domino_rules.audit import Finding, audit
from domino_rules.layout import Layout
from domino_rules.moves import Draw
from domino_server.judge.after_hand import audit_hand
from domino_server.judge.alerts import Alerts
from domino_server.referee import Found, Kind, Moved, Opener, Referee, Sight, event_json
from tests.referee_games import Camera, Seen, Table, backs, lay_line

SEATS = ("A", "B")
LINE = ("5-5", "5-5 L:5-4", "5-5 L:5-4 R:5-3", "5-5 L:5-4 R:5-3 R:3-3", "5-5 L:5-4 L:4-2 R:5-3 R:3-3")
"""A lays the odd ones, and 4-2 would have fitted before he laid 5-3."""


def sight(line: str, stock: int, *actors: str) -> Sight:
    """Return the sight of a line, with so many backs in the boneyard."""
    table = Table()
    lay_line(table, Layout.parse(line), Random(1))
    backs(table, stock, 1, 0)
    camera = Camera(SEATS, Seen(), 1)
    camera.waiting = list(actors)
    return camera.sight(table)


def shown(referee: Referee, *sights: Sight, alerts: Alerts | None = None) -> list[dict[str, Any]]:
    """Show tables to a referee; return the alerts."""
    told = alerts or Alerts()
    return [alert for s in sights for alert in told.take(referee, [event_json(e) for e in referee.see(s)])]


def certainties(referee: Referee, alerts: Alerts, *sights: Sight) -> set[str]:
    """Return how sure it is that A drew illegally, by the alerts that tables bring."""
    return {a["certainty"] for a in shown(referee, *sights, alerts=alerts) if a["code"] == "illegal_draw"}


def begun() -> Referee:
    referee = Referee.start("cincos", SEATS)
    referee.tell(Opener("A"))
    referee.see(sight(LINE[0], 14, "A"))
    referee.see(sight(LINE[1], 14, "B"))
    return referee


def drawn(referee: Referee) -> list[str]:
    return [record.move.player for record in referee.ledger.moves if isinstance(record.move, Draw)]


def test_backs_that_an_arm_covered_at_one_look_were_not_drawn() -> None:
    """The whole boneyard is seen again: the draws are taken out of the record, and prove nothing."""
    referee = begun()
    assert shown(referee, sight(LINE[2], 12, "A")) == []
    assert drawn(referee) == ["A", "A"]
    assert shown(referee, sight(LINE[2], 14), sight(LINE[3], 14, "B"), sight(LINE[4], 14, "A")) == []
    assert drawn(referee) == []
    assert referee.settled


def test_only_the_draws_are_refuted_whose_tiles_lie_there_again() -> None:
    """Of two draws one is left where one back more is seen."""
    referee = begun()
    shown(referee, sight(LINE[2], 12, "A"), sight(LINE[2], 13))
    assert drawn(referee) == ["A"]


@pytest.mark.parametrize(("looks", "left"), [(1, ["A", "A"]), (2, [])])
def test_boneyard_seen_smaller_twice_is_refuted_by_two_looks(looks: int, left: list[str]) -> None:
    """One look with backs too many does not outweigh two."""
    referee = begun()
    shown(referee, sight(LINE[2], 12, "A"), sight(LINE[2], 12), sight(LINE[2], 14))
    assert drawn(referee) == ["A", "A"]
    shown(referee, *(sight(LINE[2], 14) for _ in range(looks - 1)))
    assert drawn(referee) == left


def test_draws_of_one_look_are_no_proof() -> None:
    """Only when the boneyard is seen so small once more, the draw is proved illegal by the tile that was laid."""
    referee = begun()
    unseen = [replace(sight(*look), hidden=frozenset({Kind.STOCK})) for look in ((LINE[3], 0, "B"), (LINE[4], 0, "A"))]
    alerts = Alerts()
    assert certainties(referee, alerts, sight(LINE[2], 12, "A"), *unseen) == {"possible"}
    assert drawn(referee) == ["A", "A"]
    assert certainties(referee, alerts, sight(f"{LINE[4]} R:3-1", 12, "B")) == {"proved"}


def test_a_look_taken_again_is_no_second_look() -> None:
    """Somebody names a tile, or a question is answered: the same table is judged anew."""
    referee = begun()
    referee.see(sight(LINE[2], 12, "A"))
    referee.again()
    number = next(n for n, record in enumerate(referee.ledger.moves) if isinstance(record.move, Draw))
    assert not referee.draws.is_sure(number)
    referee.see(sight(LINE[2], 12))
    assert referee.draws.is_sure(number)


def test_draws_that_were_told_are_sure_and_stay() -> None:
    """A person said so; what the camera counts does not take it out."""
    referee = begun()
    referee.tell(Moved(Draw("A")))
    shown(referee, sight(LINE[2], 14, "A"), sight(LINE[2], 14))
    assert drawn(referee) == ["A"]
    assert referee.draws.is_sure(2)


def test_draws_of_a_hand_that_is_taken_up_were_seen_before() -> None:
    """A referee that goes on with a record does not doubt what it holds."""
    referee = begun()
    referee.see(sight(LINE[2], 12, "A"))
    again = Referee(referee.ledger.journal)
    assert drawn(again) == ["A", "A"]
    assert again.draws.is_sure(2)


def ended(*looks: Sight) -> tuple[Referee, list[str]]:
    """Return a referee after a hand in which A drew twice though 4-2 fitted, and how sure the audit was, in order."""
    referee = Referee.start("cincos", SEATS, {"target": "20"})
    referee.tell(Opener("A"))
    events = [e for s in (sight(LINE[0], 14, "A"), sight(LINE[1], 14, "B"), *looks) for e in referee.see(s)]
    assert referee.ledger.match.hand_over
    return referee, sureness(event for event in events if isinstance(event, Found))


def sureness(found: Iterable[Found | Finding]) -> list[str]:
    """Return how sure it is that A held 4-2 when he drew for the second time."""
    return [str(finding.certainty) for finding in found if (finding.code, finding.move) == ("illegal_draw", 4)]


def unseen(line: str, *actors: str) -> Sight:
    """Return a sight of a line that does not show the boneyard."""
    return replace(sight(line, 0, *actors), hidden=frozenset({Kind.STOCK}))


LAST = (unseen(LINE[3], "B"), unseen(LINE[4], "A"), unseen(f"{LINE[4]} U:5-2", "B"))


@pytest.mark.parametrize(
    ("looks", "sure"),
    [
        ((sight(LINE[2], 12, "A"), *LAST), ["possible"]),
        ((sight(LINE[2], 12, "A"), sight(LINE[2], 12), *LAST), ["proved"]),
        ((sight(LINE[2], 12, "A"), *LAST, sight(f"{LINE[4]} U:5-2", 12)), ["possible", "proved"]),
    ],
    ids=["one look", "two looks", "the second when the hand is over"],
)
def test_the_audit_of_a_hand_says_of_a_draw_what_was_seen_of_it(looks: list[Sight], sure: list[str]) -> None:
    """The referee, the alerts and the record, audited by whomever, say the same."""
    referee, found = ended(*looks)
    assert found == sure
    taken_up = Referee(referee.ledger.journal).ledger.audit()
    for findings in (audit(referee.record), audit_hand(referee.record, 1).findings, taken_up):
        assert sureness(f for f in findings if isinstance(f, Found | Finding)) == sure[-1:]
    alerts = Alerts().take(referee, [{"event": "hand_end"}])
    assert [alert["certainty"] for alert in alerts if alert["move"] == 4] == sure[-1:]
