"""Offences planted in rendered games: which of them the judge is told of, as what, and when.

Run by hand, not by pytest: `python -m tests.bench.offences_on_films --seeds 0 5`. Films are rendered, tracked and
settled frame by frame; only what a half shows is taken from the truth, misread by chance (`TruthReader`).
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2

from domino_rules.layout import Layout
from domino_rules.moves import Play, plain
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.films.film import Film, FilmOptions, make_film
from domino_server.films.follow import follow
from domino_server.films.plays import ALSO
from domino_server.films.score import GameScore, score_film, total
from domino_server.films.scripts import FilmError
from domino_server.films.truth import ActTruth, Clock, FilmTruth, planted
from domino_server.judge.alerts import ALERT, KINDS
from domino_server.referee.session import Line, TableSession
from domino_vision.synth.video import VideoOptions
from domino_vision.synth.video_truth import TruthReader
from domino_vision.types import Frame

QUICK = VideoOptions(fps=10, reach_s=0.4, slide_s=0.3, rest_s=4.5, noise=1.5)
GAMES = ("pincset", "cincos", "bingo", "tiu-u")
MISREAD = 0.005
FIGURES = (
    "films",
    "moves",
    "moves_right",
    "moves_invented",
    "scores_right",
    "illegal_reported",
    "false_reports",
    "questions",
)
"""What is printed of how well the games were followed (see `films.score`)."""
EARLY_S = 4.0
"""An alert may come before the hand has left the picture, but not earlier than this."""


@dataclass
class Raised:
    """An alert and the second of the film at which it was given; withdrawn later or not."""

    at: float
    alert: dict[str, Any]
    tiles: frozenset[str]
    withdrawn: bool = False


@dataclass
class Row:
    """Counts of one kind of offence."""

    planted: int = 0
    reported: int = 0
    right: int = 0
    in_time: int = 0
    games: Counter[str] = field(default_factory=Counter)


@dataclass
class Results:
    """Counts of all films."""

    films: int = 0
    rows: dict[str, Row] = field(default_factory=dict)
    legal: int = 0
    false: list[str] = field(default_factory=list)
    lasting: int = 0

    def row(self, kind: str) -> Row:
        """Return the counts of a kind."""
        return self.rows.setdefault(kind, Row())


def watched(film: Film, misread: float) -> tuple[FilmTruth, list[Raised], GameScore]:
    """Follow a film and return its truth, the alerts of the judge, and how well it was followed."""
    clock, reader = Clock(film), TruthReader(film.options.seed, misread=misread)
    raised: list[Raised] = []

    def frames() -> Iterator[Frame]:
        for hand, shot in film.frames():
            clock.see(hand, shot.done, shot.frame.at)
            yield reader.watch(shot)

    def listen(at: float, session: TableSession, lines: Sequence[Line]) -> None:
        for alert in (line for line in lines if line["event"] == ALERT):
            if alert["withdrawn"]:
                for old in raised:
                    old.withdrawn = old.withdrawn or old.alert["key"] == alert["key"]
            else:
                raised.append(Raised(at, alert, tiles_of(session, alert)))

    followed = follow(frames(), film.record, film.opener, reader, listener=listen, calls=film.calls)
    truth = clock.truth()
    return truth, raised, score_film(f"{film.options.game} {film.options.seed}", truth, followed)


def tiles_of(session: TableSession, alert: dict[str, Any]) -> frozenset[str]:
    """Return the tiles that an alert is about: those it names, and the one of its move in the record."""
    tiles, moves, number = set(map(str, alert["tiles"])), session.referee.ledger.moves, alert["move"]
    if number is not None and number <= len(moves) and (tile := getattr(plain(moves[number - 1].move), "tile", None)):
        tiles.add(str(tile))
    return frozenset(tiles)


def expected(truth: FilmTruth, act: ActTruth) -> str:
    """Return what an alert of a planted act is to be called: a tile that fits elsewhere was laid at the wrong end."""
    tile = None if act.tile is None else Tile(*act.tile)
    if act.code == "no_match" and tile is not None:
        before = sum(
            other.hand == act.hand and other.role == "play" and other.move is not None and other.over_at < act.over_at
            for other in truth.acts
        )
        if _layout(truth, act.hand, before).fits(tile):
            return "wrong_end"
    if act.code == "must_capture":
        return KINDS["mate_left"]
    return KINDS.get(str(act.code), str(act.code))


def _layout(truth: FilmTruth, hand: int, tiles: int) -> Layout:
    """Return the line of a hand after so many tiles."""
    steps = replay(truth.record).hands[hand].steps
    plays = [step.state for step in steps if isinstance(plain(step.record.move), Play)]
    found: Any = plays[tiles - 1]
    assert isinstance(found.layout, Layout)
    return found.layout


def count(results: Results, truth: FilmTruth, raised: Iterable[Raised]) -> list[str]:
    """Add a film to the results and return what went wrong."""
    left, notes = list(raised), list[str]()
    due = planted(truth.acts)
    named, known = {str(tile) for act, _ in due for tile in act.about}, list[Raised]()
    for act, until in due:
        kind, about = expected(truth, act), [str(tile) for tile in act.about]
        tile = " ".join(about)
        mine = [r for r in left if r.at >= act.over_at - EARLY_S and (r.tiles & {*about} if about else not r.tiles)]
        mine = mine if about else [r for r in mine if r.at <= until]
        known += mine
        right = [r for r in mine if r.alert["kind"] == kind]
        row = results.row(kind)
        row.planted += 1
        row.games[truth.facts["game"]] += 1
        row.reported += bool(mine)
        row.right += bool(right)
        row.in_time += any(r.at <= until for r in right)
        if not any(r.at <= until for r in right):
            told = [(round(r.at, 1), r.alert["kind"]) for r in mine]
            notes.append(f"{kind} {tile} ({act.role}) until {until:.1f}: {told}")
    false = [r for r in left if not named & r.tiles and r not in known]
    results.films += 1
    results.legal += sum(act.move is not None and act.code is None and act.role != "draw" for act in truth.acts)
    results.false += [f"{r.alert['kind']} {r.alert['tiles']}" for r in false]
    results.lasting += sum(not r.withdrawn for r in false)
    return notes + [
        f"false: {r.alert['code']} {r.alert['tiles']} at {r.at:.1f}, withdrawn {r.withdrawn}" for r in false
    ]


def table(results: Results) -> str:
    """Return the results as a table of Markdown."""
    lines = ["| kind | planted | reported | right kind | before the next move |", "|---|--:|--:|--:|--:|"]
    rows = sorted(results.rows.items())
    sums = {name: sum(getattr(row, name) for _, row in rows) for name in ("planted", "reported", "right", "in_time")}
    every = Row(sums["planted"], sums["reported"], sums["right"], sums["in_time"])
    for kind, row in [*rows, ("**all**", every)]:
        games = f" ({', '.join(f'{game} {n}' for game, n in sorted(row.games.items()))})" if row.games else ""
        name = kind.replace("_", " ") + games
        lines.append(f"| {name} | {row.planted} | {row.reported} | {row.right} | {row.in_time} |")
    kinds = dict(Counter(text.split()[0] for text in results.false))
    lines.append(f"\n{results.films} films, {results.legal} legal moves, {len(results.false)} alerted {kinds},")
    lines.append(f"of which {results.lasting} were not withdrawn.")
    return "\n".join(lines)


def main() -> None:
    """Film, follow, count."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs=2, default=(0, 5), help="from, and up to but without")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--illegal", type=int, default=2, help="planted in each hand")
    parser.add_argument("--also", nargs="*", choices=sorted(ALSO), default=sorted(ALSO))
    parser.add_argument("--rest", type=float, default=QUICK.rest_s, help="seconds between acts")
    parser.add_argument("--misread", type=float, default=MISREAD, help="chance that a half is misread")
    chosen = parser.parse_args()
    results, scores = Results(), dict[str, list[GameScore]]()
    for seed in range(*chosen.seeds):
        for game in chosen.games:
            begun = time.monotonic()
            video, also = replace(QUICK, rest_s=chosen.rest), frozenset(chosen.also)
            options = FilmOptions(game, seed, illegal=chosen.illegal, also=also, size_wh=(640, 480), video=video)
            try:
                film = make_film(options)
            except FilmError as error:
                print(f"{game} {seed}: {error.message}", flush=True)
                continue
            truth, raised, score = watched(film, chosen.misread)
            notes = count(results, truth, raised)
            scores.setdefault(game, []).append(score)
            print(f"{game} {seed}: {time.monotonic() - begun:.0f} s", *notes, sep="\n    ", flush=True)
    print(table(results))
    for game, parts in scores.items():
        figures = total(parts).to_json()
        print(f"{game}: " + ", ".join(f"{name} {figures[name]}" for name in FIGURES))


if __name__ == "__main__":
    main()
