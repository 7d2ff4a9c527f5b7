"""Live alerts for the judge: what may be against the rules, how sure that is, by which rule, and what it would change.

Some offences show at once, as the referee reports them; others only by what is played later: a pass by a tile that the
player then lays. For those the hand so far is audited after every move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from domino_rules.audit import Finding, audit_results
from domino_rules.audit.finding import rule_of
from domino_rules.audit.inferred import rests_on_inferred
from domino_rules.errors import DominoError
from domino_rules.games.chain import ChainState
from domino_rules.moves import plain as made
from domino_rules.record import HandRecord, Record, ToldResult, ToldScore, parse_record
from domino_rules.tile import Tile
from domino_server.judge.alert_outcomes import Outcome, last_called, of_claim, of_illegal, of_last_move
from domino_server.judge.renames import in_new_names
from domino_server.referee.core import Referee
from domino_server.referee.not_due import MOVE_NOT_DUE
from domino_server.referee.session import Line
from domino_server.rules_view import plain

KINDS: Final[Mapping[str, str]] = {
    "no_match": "illegal_join", "unmatched_join": "illegal_join", "wrong_end": "wrong_end", "arm_closed": "wrong_end",
    "not_your_turn": "out_of_turn", "must_lead": "wrong_lead", "duplicate_tile": "tile_twice",
    "tile_twice": "tile_twice", "not_in_hand": "tile_twice", "taken_back": "taken_back",
    "points_wrong": "wrong_count", "points_missed": "wrong_count", "illegal_pass": "illegal_pass",
    "must_play": "illegal_pass", "must_draw": "illegal_pass", "must_match": "revoke", "must_trump": "revoke",
    "no_pair": "wrong_pair", "mate_left": "wrong_pair", "must_capture": "passed_over", "not_on_talon": "wrong_pair",
    "illegal_draw": "illegal_draw", "no_boneyard": "illegal_draw", "wrong_taker": "wrong_taker",
    "false_declaration": "false_declaration", "move_not_due": "move_not_due",
}  # fmt: skip
"""What an alert is called, by the code of the rules; other codes are `illegal_play`."""
_LATER: Final = frozenset({"move", "correction", "shown", "hand_end", "finding"})
"""After these the hand is audited."""
ALERT: Final = "alert"
"""What an alert is called among the events of a table."""
CLAIM: Final = "claim"
"""What is said when a player calls points for the last move."""
_ASKED: Final = frozenset({"misread_or_illegal", "taken_back"})
_OFFENCES: Final = frozenset({"illegal", "taken"})
"""Answers by which it was one."""
_HAND: Final = re.compile(r"(?im)^\s*hand\s+\d+\b")


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that may be against the rules.

    Attributes:
        key: the same for the same thing; an alert that is withdrawn has the key of the one it takes back.
        kind: what it is called (see `KINDS`).
        code: the reason of the rules.
        game: by which the rule is found.
        hand: number of the hand.
        move: number of the move; None if it is not in the record.
        player: who did it, as far as that is known.
        tiles: the tiles in question or that prove it.
        odds: how likely it is that it is no misreading, 0 to 1; None if nothing tells.
        certainty: `proved` or `possible` by the rules, if what was seen is right.
        rule: where the rule stands.
        crops: corners of the tiles in the picture.
        outcomes: what the totals would be either way.
        params: for its text.
        withdrawn: whether it no longer holds.
    """

    key: str
    kind: str
    code: str
    game: str
    hand: int
    move: int | None
    player: str | None
    tiles: tuple[str, ...] = ()
    odds: float | None = None
    certainty: str = "proved"
    rule: str = ""
    crops: tuple[Any, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    withdrawn: bool = False


class Alerts:
    """Follows what one referee says. Not for several threads at once."""

    def __init__(self) -> None:
        """Start with nothing alerted."""
        self._open: dict[str, dict[str, Any]] = {}
        self._times: dict[str, int] = {}
        self._put_right: set[str] = set()
        self._hand = 0

    @property
    def open(self) -> tuple[dict[str, Any], ...]:
        """The alerts of the hand that hold."""
        return tuple(self._open.values())

    def take(self, referee: Referee, lines: Sequence[Line]) -> list[dict[str, Any]]:
        """Return fresh alerts, and those that hold no longer, as data of events `alert`.

        Args:
            referee: as it is after it said `lines`.
            lines: what it said, as plain values.
        """
        if referee.ledger.hand != self._hand:
            self._hand = referee.ledger.hand
            self._open.clear()
            self._times.clear()
            self._put_right.clear()
        for line in lines:
            if line.get("event") == "seats":
                names = dict(zip(line["before"], line["seats"], strict=True))
                self._open = {key: in_new_names(alert, names) for key, alert in self._open.items()}
        found = [alert for line in lines for alert in self._seen_now(referee, line)]
        claims = [line for line in lines if line.get("event") == CLAIM]
        gone = [key for line in lines for key, alert in self._open.items() if _is_settled(line, alert)]
        gone += [key for line in claims for key, alert in self._open.items() if _is_called_again(line, alert)]
        if any(line.get("event") in _LATER for line in lines):
            later = list(_by_audit(referee))
            known = {alert.key for alert in later}
            gone += [key for key, alert in self._open.items() if alert["params"].get("audit") and key not in known]
            found += [alert for alert in later if not self._reported(referee, alert)]
        out = [{**self._open.pop(key), "withdrawn": True} for key in dict.fromkeys(gone)]
        for alert in found:
            before = self._open.get(alert.key)
            if before is None or before["certainty"] != alert.certainty:
                self._open[alert.key] = plain(asdict(alert))
                out.append(self._open[alert.key])
        called = (self.claimed(referee, str(line["player"]), int(line["points"])) for line in claims)
        return out + [alert for alert in called if alert is not None]

    def _seen_now(self, referee: Referee, line: Line) -> Iterator[Alert]:
        """Yield what the referee reports itself; what was put right and is done once more is another alert."""
        for alert in _at_once(referee, line):
            times = self._times.get(alert.key, 0) + (alert.key not in self._times or alert.key in self._put_right)
            self._times[alert.key] = times
            self._put_right.discard(alert.key)
            yield replace(alert, key=f"{alert.key}#{times}") if times > 1 else alert
        if _is_put_right(line):
            self._put_right |= set(self._times)

    def claimed(self, referee: Referee, player: str, points: int) -> dict[str, Any] | None:
        """Return the alert that a claim for the last move is wrong, as data of an event `alert`; None if it is right.

        Args:
            referee: as it is when the points are called.
            player: who calls them.
            points: what he calls.
        """
        match = referee.ledger.match
        right = last_called(match)
        if not match.hands or points == right:
            return None
        found, move = match.hands[-1], len(referee.ledger.moves)
        side = next((name for name, players in match.sides.items() if player in players), None)
        code = "points_missed" if points == 0 else "points_wrong"
        game = match.game.name
        params = {"claimed": points, "points": right, "count": getattr(found.state, "count", right)}
        key = f"{len(match.hands)}.{move}:{code}:{_seat(referee, player)}"
        alert = Alert(
            key, KINDS[code], code, game, len(match.hands), move, player,
            rule=rule_of(game, code), outcomes=of_claim(match, side, points, right), params=params,
        )  # fmt: skip
        self._open[alert.key] = plain(asdict(alert))
        return self._open[alert.key]

    def _reported(self, referee: Referee, alert: Alert) -> bool:
        """Return whether an offence that the audit finds in the record was reported when it was seen."""
        moves, number = referee.ledger.moves, alert.move or 0
        laid = getattr(made(moves[number - 1].move), "tile", None) if 0 < number <= len(moves) else None
        text = None if laid is None else str(laid)
        seen = (old for old in self._open.values() if old["move"] is None and old["player"] == alert.player)
        return any(_is_same(old, alert, text) for old in seen)


def _is_same(old: Mapping[str, Any], alert: Alert, laid: str | None) -> bool:
    """Return whether an alert of what was seen is about the offence of a move, given the tile that the move laid.

    A move that laid none is another offence than a tile that was laid wrongly before, even if it is about an equal one.
    """
    kind, tiles = old["kind"] == alert.kind, old["tiles"] == list(alert.tiles)
    return (kind and tiles) if laid is None else tiles or (kind and laid in old["tiles"])


def _is_put_right(line: Line) -> bool:
    """Return whether the table is again as the rules want it, or was let stand, or a tile was taken back."""
    if line.get("event") == "resume":
        return bool(line["code"] == "illegal_play")
    return line.get("event") == "settled" and line["answer"] == "taken"


def _is_settled(line: Line, alert: Mapping[str, Any]) -> bool:
    """Return whether the table or a person settled the question behind an alert as no offence."""
    if line.get("event") != "settled" or alert["params"].get("question") != line["code"]:
        return False
    return line["answer"] not in _OFFENCES


def _is_called_again(line: Line, alert: Mapping[str, Any]) -> bool:
    """Return whether a player calls again what he called wrongly before."""
    about = (alert["hand"], alert["move"], alert["player"])
    return "claimed" in alert["params"] and about == (line["hand"], line["move"], line["player"])


def _at_once(referee: Referee, line: Line) -> Iterator[Alert]:
    """Yield what the referee reports itself: illegal plays, and questions whether something is one."""
    if line.get("event") == "illegal":
        params = dict(line["params"])
        outcomes = of_illegal(referee, line["player"], params, ())
        yield _seen(referee, line, outcomes, params)
    elif line.get("event") == "question" and line["question"]["code"] in _ASKED:
        question = line["question"]
        params = {"code": question["code"], "player": None, **question["params"], "question": question["code"]}
        fact: dict[str, Any] = {
            "code": params.pop("code"),
            "player": params.pop("player"),
            "tile": next(iter(question["tiles"]), None),
            "odds": next((choice["odds"] for choice in question["choices"] if choice["key"] in _OFFENCES), None),
            "crops": question["crops"],
        }
        if question["code"] == "taken_back":
            moves = referee.ledger.moves
            fact["player"] = moves[-1].move.player if moves else None
            outcomes = of_last_move(referee, question["choices"])
        else:
            outcomes = of_illegal(referee, fact["player"], params, question["choices"])
        yield _seen(referee, fact, outcomes, params)


def _seen(
    referee: Referee, fact: Mapping[str, Any], outcomes: tuple[Outcome, ...], params: Mapping[str, Any]
) -> Alert:  # fmt: skip
    game, hand, code = referee.ledger.seating.game.name, referee.ledger.hand, str(fact["code"])
    tiles = () if fact["tile"] is None else (str(fact["tile"]),)
    code = "mate_left" if code == "must_capture" else code  # what is seen at once is a turned tile left beside its mate
    about = ",".join(tiles) or len(referee.ledger.moves)
    if code == "no_match" and tiles and _fits_elsewhere(referee, tiles[0]):
        code, params = "wrong_end", {**params, "fits": _fits_elsewhere(referee, tiles[0])}
    key = f"{hand}:{code}:{_seat(referee, fact['player'])}:{about}"
    moves, sources = referee.ledger.moves, referee.record.hands[-1].sources
    found = Finding(code, hand, len(moves) + 1, fact["player"], tiles=tuple(map(Tile.parse, tiles)))
    guessed = fact["player"] is not None and rests_on_inferred(found, moves, sources)
    counted = code == MOVE_NOT_DUE  # by alike backs in a row, which are easily miscounted
    certainty = "possible" if "question" in params or guessed or counted else "proved"
    told = {"tile": next(iter(tiles), None), "tiles": list(tiles), **params}
    return Alert(
        key, KINDS.get(code, "illegal_play"), code, game, hand, None, fact["player"], tiles, fact["odds"], certainty,
        rule_of(game, code), tuple(fact["crops"]), outcomes, told,
    )  # fmt: skip


def _fits_elsewhere(referee: Referee, tile: str) -> str:
    """Return the open ends that a tile would have fitted."""
    state = referee.state
    fits = state.layout.fits(Tile.parse(tile)) if isinstance(state, ChainState) and state.layout else ()
    return ", ".join(arm.value for arm in fits)


def _by_audit(referee: Referee) -> Iterator[Alert]:
    """Yield what the hand so far proves, or would prove if what was inferred in it is right."""
    try:
        findings = audit_results(hand_alone(referee))[-1].findings
    except (DominoError, IndexError):
        return
    match = referee.ledger.match
    for found in findings:
        if found.move is None or not found.tells:
            continue
        params = {**plain(found.params), "audit": True}
        outcomes: tuple[Outcome, ...] = ()
        if "claimed" in found.params and "points" in found.params:
            side = next((s for s, players in match.sides.items() if found.player in players), None)
            outcomes = of_claim(match, side, int(found.params["claimed"]), int(found.params["points"]))
        yield _found(referee, found, outcomes, params)


def _found(referee: Referee, found: Finding, outcomes: tuple[Outcome, ...], params: Mapping[str, Any]) -> Alert:
    game = referee.ledger.seating.game.name
    key = f"{found.hand}.{found.move}:{found.code}:{_seat(referee, found.player)}"
    tiles = tuple(map(str, found.tiles))
    return Alert(
        key, KINDS.get(found.code, "illegal_play"), found.code, game, found.hand, found.move, found.player, tiles, None,
        found.certainty.value, found.rule, (), outcomes, {"tiles": list(tiles), **params},
    )  # fmt: skip


def _seat(referee: Referee, player: str | None) -> int | None:
    """Return the seat of a player, which keeps its number when he gets another name."""
    seats = referee.ledger.seating.seats
    return seats.index(player) if player in seats else None


def hand_alone(referee: Referee) -> Record:
    """Return the record with the hand in progress, its draws marked as far as they are seen.

    The hands before it are only told, so that they cost nothing.
    """
    text = referee.ledger.journal.text
    starts = [match.start() for match in _HAND.finditer(text)]
    if not starts:
        return parse_record(text)
    record = parse_record(text[: starts[0]] + _HAND.sub("\nHand 1", text[starts[-1] :], count=1))
    told = tuple(
        HandRecord(
            number,
            result=ToldResult(result.kind, result.side, result.player),
            scores=tuple(ToldScore(event.side, event.points, event.unit) for event in result.events),
        )
        for number, result in enumerate(referee.ledger.match.results[: len(starts) - 1], 1)
    )
    record = record.corrected()
    hand = replace(record.hands[-1], number=len(told) + 1, moves=referee.draws.marked(record.hands[-1].moves))
    return replace(record, hands=(*told, hand))
