"""What a table at rest costs: at most 15 % of one core at 720p and 15 frames a second, and memory that does not grow.

Half an hour of it is what the aim speaks of. The film here lasts three and a half minutes, in which the table is read
again three times, as every minute: a longer one repeats that.
"""

from __future__ import annotations

import gc
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_server.commands.watch import shots
from domino_server.referee import Referee
from domino_server.referee.session import TableSession
from domino_vision.pipeline import load_pipeline
from domino_vision.settle import Settler, SettleState
from domino_vision.sources import open_source

FPS, SIZE = 15, (1280, 720)
WARM_S, LONG_S, SHORT_S = 10, 200, 70
NOISE = 2.0
STATM = Path("/proc/self/statm")


@pytest.fixture
def film(benchmark: Any, tmp_path: Path, demo: Path) -> Path:
    """A film of the demo table at which nothing happens, with the noise of a camera."""
    picture = cv2.imread(str(demo / "pincset.jpg"))
    assert picture is not None
    still = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA).astype(np.int16)
    rng = np.random.default_rng(0)
    looks = [np.clip(still + rng.normal(0, NOISE, still.shape), 0, 255).astype(np.uint8) for _ in range(30)]
    file = tmp_path / "idle.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE)
    for number in range((WARM_S + (LONG_S if benchmark.enabled else SHORT_S)) * FPS):
        writer.write(looks[int(rng.integers(len(looks))) if number else 0])
    writer.release()
    return file


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_bench_idle_table(benchmark: Any, film: Path) -> None:
    """Decoding, watching, and reading again every minute; the first seconds, which read the table, are left out."""
    session = TableSession(
        Referee.start("pincset", ("A", "B", "C", "D"), {}), Settler(load_pipeline(threads=1), DOUBLE_SIX),
        make_zones=False,
    )  # fmt: skip
    cost: dict[str, float] = {}

    def watch() -> None:
        commits, started, resident = 0, 0.0, 0
        with open_source(str(film)) as source:
            for number, shot in enumerate(shots(source, lambda _: None)):
                if number == WARM_S * FPS:
                    started, resident = time.process_time(), _resident()
                commits += sum(line["event"] == "commit" for line in session.push(shot.frame))
        seconds = (number + 1) / FPS - WARM_S
        cost.update(
            core=(time.process_time() - started) / seconds,
            frames=number + 1,
            commits=commits,
            grown_mib=(_resident() - resident) / 2**20,
        )

    benchmark.pedantic(watch, rounds=1, iterations=1)
    benchmark.extra_info.update(cost)
    assert session.settler.state is SettleState.WAIT
    assert cost["commits"] >= 1 + (LONG_S // 60 if benchmark.enabled else 1)
    assert cost["grown_mib"] < 24
    if benchmark.enabled:
        assert cost["core"] < 0.15


def _resident() -> int:
    """Return the memory that the process holds, bytes; 0 where the system does not tell."""
    gc.collect()
    return int(STATM.read_text().split()[1]) * 4096 if STATM.exists() else 0
