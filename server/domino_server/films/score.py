"""How well a film was followed: moves, scores, illegal plays, questions, delays, and why something failed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final

import numpy as np

from domino_rules.match import Match
from domino_rules.moves import plain
from domino_rules.notation import parse_move
from domino_rules.record_replay import replay
from domino_rules.score import Ledger
from domino_rules.tile import Tile
from domino_server.films.answers import hand_texts
from domino_server.films.follow import Followed, Heard
from domino_server.films.truth import ActTruth, FilmTruth, planted

_UNITS: Final = ("points", "sets", "payment", "games")
_REPORTS: Final = frozenset({"misread_or_illegal", "taker_differs"})
"""Questions that report a play against the rules."""
_NEAR_S: Final = 4.0
_REASONS: Final = frozenset({"pause", "question", "illegal", "ask"})


@dataclass(frozen=True, slots=True)
class Failed:
    """Moves that differ from the truth, and what was said about that time.

    Attributes:
        film: its name.
        hand: number of the hand, from 1.
        move: number of the first move that differs, from 1, passes and draws not counted.
        true: the moves that were made.
        found: the moves that the record has instead.
        reasons: codes of pauses, questions and reports before.
    """

    film: str
    hand: int
    move: int
    true: tuple[str, ...]
    found: tuple[str, ...]
    reasons: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class GameScore:
    """Figures of one film or of several.

    Attributes:
        films: how many.
        moves: moves that were made, passes and draws not counted.
        right: of them, those that the record has.
        invented: moves of the record that nobody made.
        scores_right: films whose final scores are right.
        planted: plays against the rules.
        reported: of them, those reported before the next move was over.
        false_reports: reports of plays that broke no rule.
        questions: questions that a person was asked.
        delays_s: from the hand's leaving to the commit, by move.
        failed: what went wrong.
        unreported: codes of the planted plays that were not reported in time.
    """

    films: int = 0
    moves: int = 0
    right: int = 0
    invented: int = 0
    scores_right: int = 0
    planted: int = 0
    reported: int = 0
    false_reports: int = 0
    questions: int = 0
    delays_s: tuple[float, ...] = ()
    failed: tuple[Failed, ...] = field(default=())
    unreported: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return plain values under stable names."""
        delays = None
        if self.delays_s:
            p50, p95 = np.percentile(np.array(self.delays_s), [50, 95])
            delays = {"p50": round(float(p50), 3), "p95": round(float(p95), 3)}
        return {
            "films": self.films,
            "moves": self.moves,
            "moves_right": _share(self.right, self.moves),
            "moves_missed": _share(self.moves - self.right, self.moves),
            "moves_invented": _share(self.invented, self.moves),
            "scores_right": _share(self.scores_right, self.films),
            "illegal_planted": self.planted,
            "illegal_reported": _share(self.reported, self.planted),
            "false_reports": _share(self.false_reports, self.moves),
            "questions": _share(self.questions, self.moves),
            "commit_delay_s": delays,
            "failures": [failed.to_json() for failed in self.failed],
            "unreported": list(self.unreported),
        }


def score_film(name: str, truth: FilmTruth, followed: Followed) -> GameScore:
    """Return the figures of one film."""
    ways = [hand_texts(truth.record, mirrored=mirrored) for mirrored in (False, True)]
    found = hand_texts(followed.record)
    right, failed, moves = 0, list[Failed](), 0
    for number in range(max(len(ways[0]), len(found))):
        own = found[number] if number < len(found) else []
        options = [way[number] if number < len(way) else [] for way in ways]
        true = max(options, key=lambda way: _matched(way, own))
        moves += len(true)
        right += _matched(true, own)
        failed += _failures(name, number, true, own, followed.heard)
    reports = list(_reports(followed.heard))
    due = planted(truth.acts)
    hits = [any(_answers(r, act, until) for r in reports) for act, until in due]
    named = {tile for act, _ in due for tile in act.about}
    false = [r for r in reports if r.counts and not named & r.tiles and not any(_answers(r, *each) for each in due)]
    return GameScore(
        films=1,
        moves=moves,
        right=right,
        invented=sum(map(len, found)) - right,
        scores_right=_totals(replay(truth.record).match) == _totals(followed.match),
        planted=len(due),
        reported=sum(hits),
        false_reports=len(false),
        questions=sum(heard.line["event"] == "question" for heard in followed.heard),
        delays_s=tuple(_delays(truth, followed.heard)),
        failed=tuple(failed),
        unreported=tuple(f"{name}: {act.code}" for (act, _), hit in zip(due, hits, strict=True) if not hit),
    )


def total(parts: Iterable[GameScore]) -> GameScore:
    """Return the figures of several films together."""
    found = GameScore()
    for part in parts:
        values = {name: getattr(found, name) + getattr(part, name) for name in GameScore.__slots__}
        found = GameScore(**values)
    return found


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _matched(true: Sequence[str], found: Sequence[str]) -> int:
    return sum(block.size for block in SequenceMatcher(None, true, found, autojunk=False).get_matching_blocks())


def _failures(
    name: str, hand: int, true: Sequence[str], found: Sequence[str], heard: Sequence[Heard]
) -> Iterable[Failed]:
    for tag, i, j, k, m in SequenceMatcher(None, true, found, autojunk=False).get_opcodes():
        if tag != "equal":
            yield Failed(name, hand + 1, i + 1, tuple(true[i:j]), tuple(found[k:m]), _reasons(heard, true, i))


def _reasons(heard: Sequence[Heard], true: Sequence[str], at: int) -> tuple[str, ...]:
    """Return what was said after the last move that was right."""
    start = 0
    for number, item in enumerate(heard):
        if at and item.line["event"] == "move" and item.line["record"]["move"] == true[at - 1]:
            start = number
    codes = []
    for item in heard[start:]:
        line = item.line
        if line["event"] in _REASONS:
            inner = line.get("pause") or line.get("question") or line.get("reason") or line
            codes.append(f"{line['event']}:{inner['code']}")
        if line["event"] == "move" and len(codes) > 0:
            break
    return tuple(dict.fromkeys(codes))[:6]


@dataclass(frozen=True, slots=True)
class _Report:
    """A play against the rules that was reported: when, by which tiles it is known, and whether it may be a false one.

    What is asked may be answered, and an alert of what was seen at once says again what the referee reported.
    """

    at: float
    tiles: frozenset[Tile]
    counts: bool


def _reports(heard: Sequence[Heard]) -> Iterator[_Report]:
    """Yield what was reported: seen, asked about, called wrongly, or found by a later tile."""
    laid: dict[tuple[int, int], Tile] = {}
    for item in heard:
        line = item.line
        match line["event"]:
            case "move":
                tile = getattr(plain(parse_move(line["record"]["move"])), "tile", None)
                laid |= {} if tile is None else {(line["hand"], line["number"]): tile}
            case "illegal":
                yield _Report(item.at, _tiles([line.get("tile")]), counts=True)
            case "question" if line["question"]["code"] in _REPORTS:
                yield _Report(item.at, _tiles(line["question"]["tiles"]), counts=False)
            case "alert" if not line["withdrawn"]:
                own = laid.get((line["hand"], line["move"] or 0))
                tiles = _tiles(line["tiles"]) | ({own} if own is not None else set())
                yield _Report(item.at, tiles, counts=line["move"] is not None)


def _tiles(texts: Iterable[str | None]) -> frozenset[Tile]:
    return frozenset(Tile.parse(text) for text in texts if text is not None)


def _answers(report: _Report, act: ActTruth, until: float) -> bool:
    """Return whether a report is about an act; one that lays no tile is known by the time alone."""
    about = not report.tiles.isdisjoint(act.about) if act.about else not report.tiles
    return act.over_at - _NEAR_S <= report.at <= until and about


def _totals(match: Match) -> list[dict[str, int]]:
    return [Ledger(match.events).totals(match.sides, unit) for unit in _UNITS]


def _delays(truth: FilmTruth, heard: Sequence[Heard]) -> Iterable[float]:
    """Yield for each move that was committed how long after the hand's leaving."""
    done: dict[str, float] = {}
    for act in truth.acts:
        if act.move is not None and act.tile is not None:
            done.setdefault(f"{act.hand + 1} {_bare(act.move)}", act.over_at)
    for item in heard:
        if item.line["event"] == "move":
            key = f"{item.line['hand']} {_bare(item.line['record']['move'])}"
            if key in done:
                yield max(0.0, item.at - done.pop(key))


def _bare(move: str) -> str:
    """Return a move without the end at which the tile was laid."""
    words = move.split()
    return " ".join(words[:-1] if words[-1] in {"L", "R", "U", "D"} else words)
