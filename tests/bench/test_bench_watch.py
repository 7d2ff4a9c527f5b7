"""How long after the hand's leaving a move is committed at 15 frames a second, and what a frame costs meanwhile."""

from __future__ import annotations

import time

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_server.referee import Referee
from domino_server.referee.session import TableSession
from domino_vision.settle import Settler
from domino_vision.synth.stage import SceneOptions, set_stage
from domino_vision.synth.video import GameVideo, VideoFrame, VideoOptions
from domino_vision.synth.video_games import chain_script
from domino_vision.synth.video_truth import TruthReader

SEATS = ("A", "B", "C", "D")


@pytest.fixture(scope="module")
def frames() -> list[VideoFrame]:
    """Four moves at 15 frames a second."""
    options = SceneOptions(size_wh=(640, 428), tile_fraction=(0.06, 0.06), tilt_deg=(78, 86), harm=0.1)
    stage = set_stage(np.random.default_rng(2), options)
    script = chain_script(np.random.default_rng(2), stage, most=4)
    return list(GameVideo(2, stage, script, VideoOptions(fps=15.0)))


def test_commit_after_the_hand_has_left(benchmark, frames: list[VideoFrame]) -> None:
    """Every move is committed; how late, in seconds of the film and of the clock, stands in the bench's figures."""

    def follow() -> list[float]:
        reader = TruthReader(1, misread=0.0)
        session = TableSession(
            Referee.start("pincset", SEATS, {"force_66": "false"}), Settler(reader, DOUBLE_SIX), make_zones=False
        )
        left: dict[int, float] = {}
        delays = []
        spent = 0.0
        for shot in frames:
            left.setdefault(shot.done, shot.frame.at)
            frame = reader.watch(shot)
            before = time.perf_counter()
            lines = session.push(frame)
            spent = time.perf_counter() - before
            delays += [shot.frame.at - left[shot.done] + spent for line in lines if line["event"] == "move"]
        return delays

    delays = benchmark.pedantic(follow, rounds=2, iterations=1)
    benchmark.extra_info["delay_s"] = {"p50": float(np.median(delays)), "max": max(delays)}
    assert len(delays) == 4
