"""Offences on small rendered videos, from the frames to the judge's alerts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from domino_rules.moves import Play
from domino_rules.tile import DOUBLE_SIX
from domino_server.judge.alerts import Alerts
from domino_server.referee import Answer, Referee
from domino_server.referee.session import TableSession
from domino_vision.settle import Settler, SettleState
from domino_vision.synth.stage import SceneOptions, set_stage
from domino_vision.synth.video import GameVideo, VideoFrame, VideoOptions
from domino_vision.synth.video_line import LineWriter
from domino_vision.synth.video_truth import TruthReader

SEATS = ("A", "B", "C", "D")
QUICK = VideoOptions(fps=10, reach_s=0.3, slide_s=0.2, rest_s=1.2, noise=1.5)


class Watched:
    """A session over a scripted line of play, and what the judge is told."""

    def __init__(self, video: list[VideoFrame]) -> None:
        self.video, self.reader, self.alerts = video, TruthReader(1, misread=0.0), Alerts()
        referee = Referee.start("pincset", SEATS, {"force_66": "false"})
        self.table = TableSession(referee, Settler(self.reader, DOUBLE_SIX), make_zones=False)
        self.told: list[tuple[int, dict[str, Any]]] = []

    def play(self, *answers: Answer) -> None:
        """Push all frames; answer as soon as it is asked."""
        for shot in self.video:
            self._note(shot.act, self.table.push(self.reader.watch(shot)))
            for answer in answers:
                if answer.code in self.table.referee.questions:
                    self._note(shot.act, self.table.tell(answer))

    def _note(self, act: int, lines: list[dict[str, Any]]) -> None:
        self.told += [(act, alert) for alert in self.alerts.take(self.table.referee, lines)]

    @property
    def plays(self) -> list[str]:
        """The plays of the record."""
        moves = [record.move for record in self.table.referee.ledger.moves]
        return [f"{move.player} {move.tile}" for move in moves if isinstance(move, Play)]


def filmed(seed: int, *acts: str) -> list[VideoFrame]:
    """Return a video: `6-3 R` is laid by the next seat, 3 outwards; `back` takes it up, and another will lie there."""
    options = SceneOptions(size_wh=(640, 428), tile_fraction=(0.06, 0.06), tilt_deg=(78, 86), harm=0.1)
    stage = set_stage(np.random.default_rng(seed), options)
    writer = LineWriter(np.random.default_rng(seed), stage, "pincset", 4, 0)
    seat, undo = -1, None
    for act in acts:
        if act == "back":
            assert undo is not None
            writer.take_back(undo, seat)
            seat -= 1
            continue
        tile, arm = act.split()
        inner, outer = map(int, tile.split("-"))
        seat = (seat + 1) % 4
        undo = writer.lay(seat, (inner, outer), arm, inner)
        assert undo is not None
    return list(GameVideo(seed, stage, writer.script("double-six"), QUICK))


@pytest.fixture(scope="module")
def twice() -> list[VideoFrame]:
    """The fourth player lays a tile that lies there already, two times; then a legal one."""
    return filmed(4, "6-6 start", "6-3 R", "3-1 R", "6-3 L", "back", "6-3 L", "back", "6-2 L")


def test_a_tile_that_lies_there_twice_is_alerted_at_once_each_time(twice: list[VideoFrame]) -> None:
    """Vision does not believe such a table; the referee judges it, and the judge is told while the tile lies there."""
    watched = Watched(twice)
    watched.play()
    told = [(act, alert["kind"], alert["player"], alert["tiles"]) for act, alert in watched.told]
    assert told == [(3, "tile_twice", "D", ["6-3"]), (5, "tile_twice", "D", ["6-3"])]
    alert = watched.told[0][1]
    assert len(alert["crops"]) == 2
    assert alert["crops"][0]
    assert {outcome["key"] for outcome in alert["outcomes"]} >= {"taken_back"}
    assert watched.plays == ["A 6-6", "B 6-3", "C 3-1", "D 6-2"]
    assert watched.table.referee.settled


def test_a_tile_that_seems_to_lie_there_twice_and_was_misread_is_no_offence() -> None:
    """Asked with its odds; the answer names the tile, vision takes it, and the alert is withdrawn."""
    video = filmed(4, "6-6 start", "6-3 R", "3-1 R", "6-2 L", "2-4 L")
    watched = Watched(video)
    watched.reader = Misreads(1)
    watched.table.settler._reader = watched.reader
    watched.play(Answer("misread_or_illegal", "as:6-2"))
    told = [(act, alert["kind"], alert["withdrawn"]) for act, alert in watched.told]
    assert told == [(3, "tile_twice", False), (3, "tile_twice", True)]
    assert watched.plays == ["A 6-6", "B 6-3", "C 3-1", "D 6-2", "A 4-2"]
    assert watched.table.settler.state is SettleState.WAIT


class Misreads(TruthReader):
    """Takes 6-2 for 6-3 in most of its probability."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, misread=0.0)

    def _logp(self, halves: tuple[int, int]) -> np.ndarray:
        logp = super()._logp(halves)
        if sorted(halves) == [2, 6]:
            half = halves.index(2)
            logp[half, 3], logp[half, 2] = np.log(0.97), np.log(0.025)
        return logp


def test_a_tile_taken_back_is_told_before_another_is_laid() -> None:
    """The table at rest is read once more as soon as the last tile is gone."""
    watched = Watched(filmed(4, "6-6 start", "6-3 R", "3-1 R", "6-2 L", "back", "1-5 R"))
    watched.play()
    assert [(act, alert["kind"], alert["player"]) for act, alert in watched.told] == [(4, "taken_back", "D")]
    assert watched.plays == ["A 6-6", "B 6-3", "C 3-1", "D 5-1"]
    assert watched.table.referee.settled
