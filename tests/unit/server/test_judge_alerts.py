"""Live alerts: what is reported at once, what is proved by a later move, what it would change, and in which words."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Move, Play, Stood
from domino_rules.notation import parse_move
from domino_rules.record import GUESSED_ORDER, MoveRecord, Source, parse_record
from domino_rules.tile import Tile
from domino_server.judge.alerts import Alerts
from domino_server.judge.chain import canonical
from domino_server.judge.words import alert_text
from domino_server.referee import Answer, IllegalPlay, Moved, Opener, Reading, Referee, Sight
from domino_server.referee.events import event_json
from domino_server.referee.told import Told
from tests.referee_games import Camera, Seen, Table, backs, lay_line

SEATS = ("A", "B", "C", "D")


def sight(line: str, *actors: str, spinner: bool = False, stock: int = 0) -> Sight:
    """Return the sight of a line written as `Layout` prints it."""
    table = Table()
    lay_line(table, Layout.parse(line, with_spinner=spinner), Random(1))
    backs(table, stock, 1, 0)
    camera = Camera(SEATS, Seen(stock=stock > 0), 1)
    camera.waiting = list(actors)
    return camera.sight(table)


class Watched:
    """A referee whose alerts are followed."""

    def __init__(self, game: str = "pincset", seats: tuple[str, ...] = SEATS) -> None:
        self.referee, self.alerts = Referee.start(game, seats), Alerts()
        self.spinner, self.stock = game == "cincos", {("cincos", 2): 14, ("cincos", 4): 8}.get((game, len(seats)), 0)

    def see(self, line: str | Sight, *actors: str) -> list[dict[str, Any]]:
        seen = sight(line, *actors, spinner=self.spinner, stock=self.stock) if isinstance(line, str) else line
        return self.alerts.take(self.referee, [event_json(event) for event in self.referee.see(seen)])

    def tell(self, told: Told) -> list[dict[str, Any]]:
        return self.alerts.take(self.referee, [event_json(event) for event in self.referee.tell(told)])

    def moves(self, *texts: str) -> list[dict[str, Any]]:
        return [alert for text in texts for alert in self.tell(Moved(parse_move(text)))]


def test_an_illegal_join_is_alerted_at_once_with_what_it_changes() -> None:
    """A tile that does not match is reported with the rule, its source, and the totals if it is taken back."""
    table = Watched()
    assert table.see("6-6", "B") == table.see("6-6 R:6-3") == []
    bad = sight("6-6 R:6-3 L:6-4")
    (alert,) = table.see(bad.read_as(2, (5, 4)))
    assert (alert["kind"], alert["code"], alert["player"], alert["tiles"]) == ("illegal_join", "no_match", "D", ["5-4"])
    assert {outcome["key"] for outcome in alert["outcomes"]} >= {"taken_back"}
    assert alert["rule"] == "halves that touch must be equal"
    assert canonical(alert)


def test_a_doubtful_join_carries_the_odds_and_each_reading() -> None:
    """Where another reading would be legal, the alert says how likely that is; the answer withdraws it."""
    table = Watched()
    table.see("6-6", "B")
    table.see("6-6 R:6-3")
    good = sight("6-6 R:6-3 L:6-4")
    right = (6, 4) if good.tiles[2].halves == (6, 4) else (4, 6)
    bad = good.read_as(2, (5, 4) if right == (6, 4) else (4, 5))
    unsure = replace(bad.tiles[2], confidence=0.93, others=(Reading(right, 0.06),))
    bad = replace(bad, tiles=(*bad.tiles[:2], unsure, *bad.tiles[3:]))
    (alert,) = table.see(bad)
    assert (alert["kind"], alert["certainty"]) == ("illegal_join", "possible")
    assert alert["odds"] == pytest.approx(0.94, abs=0.01)
    assert alert["outcomes"][0]["key"] == "as:6-4"
    words = alert_text(alert, "en")
    assert words["odds"].startswith("misread 1 : 16 ")
    (gone,) = table.tell(Answer("misread_or_illegal", "as:6-4"))
    assert (gone["key"], gone["withdrawn"], table.alerts.open) == (alert["key"], True, ())


def test_a_wrong_end_names_the_ends_that_fit() -> None:
    """A tile that would fit elsewhere is a wrong end, not a wrong tile."""
    table = Watched()
    table.see("6-6", "B")
    table.see("6-6 R:6-3")
    bad = sight("6-6 R:6-3 R:3-2").read_as(2, (2, 6))
    (alert,) = table.see(bad)
    assert (alert["kind"], alert["params"]["fits"], alert["tiles"]) == ("wrong_end", "L", ["6-2"])
    assert "6-2" in alert_text(alert, "pl")["text"]


def test_out_of_turn_is_alerted_where_hands_are_seen() -> None:
    """A tile laid by a hand that was not to move, while the player to move had something to draw."""
    table = Watched("cincos")
    table.see("6-6", "A")
    (alert,) = table.see("6-6 R:6-3", "C")
    assert (alert["kind"], alert["player"], alert["tiles"]) == ("out_of_turn", "C", ["6-3"])
    stands = next(outcome for outcome in alert["outcomes"] if outcome["key"] == "stands")
    assert stands["totals"] == {"A": 0, "B": 0, "C": 15, "D": 0}


def test_a_pass_is_proved_by_a_later_tile() -> None:
    """Who passed and then lays a tile that would have fitted is alerted when he lays it."""
    table = Watched()
    table.tell(Opener("A"))
    table.see("6-6", "A")
    assert table.moves("B passes", "C 6-1 L", "D 1-0 L", "A 0-0 L") == []
    (alert,) = table.moves("B 6-4 R")
    assert (alert["kind"], alert["player"], alert["move"], alert["certainty"]) == ("illegal_pass", "B", 2, "proved")
    assert alert["tiles"] == ["6-4"]
    assert "6-4" in alert_text(alert, "es")["text"]


@pytest.mark.parametrize("guessed", ["the pass", "the opener"])
def test_a_pass_that_nobody_saw_is_alerted_but_not_as_proved(guessed: str) -> None:
    """A pass of which only the camera's guess tells, or that follows a guessed opener, is told as possible."""
    table = Watched()
    opener = replace(MoveRecord(parse_move("A 6-6 start")), source=Source.INFERRED, rule=GUESSED_ORDER)
    passed = replace(MoveRecord(parse_move("B passes")), source=Source.INFERRED, rule="later_seat_moved")
    if guessed == "the pass":
        opener = replace(opener, source=Source.SEEN, rule=None)
    table.tell(Opener("A"))
    table.see("6-6")
    table.referee.ledger.correct(0, opener)
    table.referee.ledger.commit([passed])
    table.referee.reset_branches()
    assert table.moves("C 6-1 L", "D 1-0 L", "A 0-0 L") == []
    (alert,) = table.moves("B 6-4 R")
    assert (alert["kind"], alert["player"], alert["move"], alert["certainty"]) == ("illegal_pass", "B", 2, "possible")


def test_an_alert_of_the_audit_is_withdrawn_when_the_move_is_corrected() -> None:
    """If the later tile was another one, the pass was none."""
    from domino_server.referee import Correct

    table = Watched()
    table.tell(Opener("A"))
    table.see("6-6", "A")
    table.moves("B passes", "C 6-1 L", "D 1-0 L", "A 0-0 L")
    (alert,) = table.moves("B 6-4 R")
    gone = table.tell(Correct(6, Play("B", Tile(5, 0), Arm.LEFT)))
    assert [(each["key"], each["withdrawn"]) for each in gone] == [(alert["key"], True)]


def test_a_wrong_claim_shows_both_totals() -> None:
    """Points that are called wrongly are compared with what the move earned."""
    table = Watched("cincos", ("A", "B"))
    table.tell(Opener("A"))
    table.see("5-5", "A")
    assert table.alerts.claimed(table.referee, "A", 10) is None
    alert = table.alerts.claimed(table.referee, "A", 15)
    assert alert is not None
    assert (alert["kind"], alert["code"]) == ("wrong_count", "points_wrong")
    assert [outcome["totals"]["A"] for outcome in alert["outcomes"]] == [15, 10]
    missed = table.alerts.claimed(table.referee, "A", 0)
    assert missed is not None
    assert missed["code"] == "points_missed"
    assert "10" in alert_text(missed, "sr-Cyrl")["text"]


def test_a_draw_with_a_playable_tile_is_proved_by_the_shown_hand() -> None:
    """In Cincos: who draws though he holds a tile that fits, as his later tiles prove."""
    table = Watched("cincos", ("A", "B"))
    table.tell(Opener("A"))
    table.see("5-5", "A")
    moves: list[Move] = [Draw("B", Tile(1, 0)), Play("B", Tile(5, 4), Arm.LEFT)]
    alerts = [alert for move in moves for alert in table.tell(Moved(move))]
    assert [(alert["kind"], alert["player"], alert["tiles"]) for alert in alerts] == [("illegal_draw", "B", ["5-4"])]


def test_a_tile_taken_back_is_asked_and_alerted() -> None:
    """A last tile that is gone twice is alerted with the totals either way."""
    table = Watched("cincos", ("A", "B"))
    table.tell(Opener("A"))
    table.see("5-5", "A")
    table.see("5-5 R:5-0")
    alerts = [alert for _ in range(3) for alert in table.see("5-5")]
    assert [alert["kind"] for alert in alerts] == ["taken_back"]
    keys = {outcome["key"]: outcome["totals"] for outcome in alerts[0]["outcomes"]}
    assert keys["taken"] == {"A": 10, "B": 0}
    assert keys["hidden"] == {"A": 10, "B": 10}


def test_the_same_offence_made_again_is_another_alert() -> None:
    """A tile laid against the rules, taken up and laid so once more is alerted twice; still lying there, once."""
    table = Watched()
    table.see("6-6", "B")
    table.see("6-6 R:6-3", "C")
    alerts = [alert for line in ("6-6 R:6-3 R:2-1", "6-6 R:6-3") * 2 for alert in table.see(line) + table.see(line)]
    assert [(alert["kind"], alert["player"], alert["withdrawn"]) for alert in alerts] == [
        ("illegal_join", "D", False)
    ] * 2
    assert len({alert["key"] for alert in alerts}) == 2
    assert len(table.alerts.open) == 2


def test_legal_moves_raise_nothing() -> None:
    """A whole told hand of legal moves, passes and shown tiles raises no alert."""
    from tests.judge_tables import a_record

    for game in ("pincset", "cincos", "bingo", "tiu-u"):
        record = a_record(game, 8, 1)
        referee, alerts = Referee.start(game, record.seats), Alerts()
        ledger = referee.ledger
        events = [event_json(e) for e in ledger.start_hand(record.hands[0].deal, record.hands[0].opener, was_told=True)]
        found = alerts.take(referee, events)
        for move in record.hands[0].moves:
            found += alerts.take(referee, [event_json(event) for event in ledger.commit([move])])
        assert found == [], game


PASSED_OVER = """Game: tiu-u
Seats: A B
Sides: A | B

Hand 1
Deal B: 6-6 6-6 ?x10
Table: 5-1 5-3 2-1 1-1 3-3 6-4 4-1 5-2 6-5 3-3 5-3 6-1 5-4 2-2 6-2 6-3
Opener: A (told)
 1. A captures 3-3 with 3-3
 2. A turns 6-1 takes 5-2
 3. A turns 3-3 takes 3-3
 4. A turns 4-3 takes 6-1
 5. A turns 6-2 takes 6-2
 6. A turns 4-4 takes 5-3
 7. A turns 5-5 takes 6-4
 8. A turns 3-1 takes 2-2
 9. A turns 3-2 takes 4-1
10. A turns 5-2
11. B captures 5-2 with 6-1
12. B turns 6-5 takes 2-1 stood
13. B turns 6-1
14. A captures 5-1 with 5-1
15. A turns 6-6
16. B passes (inferred no_capture_seen)
17. B turns 5-5
18. A captures 5-5 with 5-5
19. A turns 3-1
20. B passes (inferred no_capture_seen)
21. B turns 6-3 takes 6-3
22. B turns 5-4 takes 5-4
23. B turns 4-4 takes 5-3
24. B turns 4-3 takes 6-1
25. B turns 3-1 takes 3-1
26. B turns 5-1
27. A captures 5-1 with 5-1
28. A turns 4-1
29. B captures 6-5 with 6-5
"""


def test_a_pair_passed_over_is_told_though_an_equal_tile_was_laid_wrongly_before() -> None:
    """Of each tile of Tiu-U there are several: the one that was turned is not the one that was kept in hand."""
    record = parse_record(PASSED_OVER)
    referee, alerts = Referee.start("tiu-u", record.seats), Alerts()
    ledger, (hand,) = referee.ledger, record.hands
    deal = ledger.seating.deal(hand)
    alerts.take(referee, [event_json(event) for event in ledger.start_hand(deal, hand.opener, was_told=True)])
    found = []
    for move in hand.moves:
        if isinstance(move.move, Stood):
            found += alerts.take(referee, [event_json(IllegalPlay("no_pair", "B", Tile(6, 5)))])
        found += alerts.take(referee, [event_json(event) for event in ledger.commit([move])])
    assert [(alert["kind"], alert["move"]) for alert in found] == [
        ("wrong_pair", None),
        ("passed_over", 16),
        ("passed_over", 20),
    ]


@pytest.mark.parametrize("lang", ["en", "es", "pl", "sr-Latn", "sr-Cyrl"])
def test_alerts_speak_five_languages(lang: str) -> None:
    """Every alert has a title, a text, a rule and its certainty."""
    table = Watched()
    table.tell(Opener("A"))
    table.see("6-6", "A")
    table.moves("B passes", "C 6-1 L", "D 1-0 L", "A 0-0 L")
    (alert,) = table.moves("B 6-4 R")
    words = alert_text(alert, lang)
    assert all(words[name] for name in ("title", "text", "rule", "certainty"))
    assert "{" not in str(words["text"])
