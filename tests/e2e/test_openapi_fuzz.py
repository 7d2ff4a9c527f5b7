"""Requests made up from the OpenAPI description, right ones and wrong ones: none of them is a mistake of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from domino_vision.types import Detections, Frame, TableObservation, TileReadings
from tests.table_frames import Film, number_in, pincset_tables
from tests.table_server import House, bearer, listening

pytestmark = pytest.mark.slow
SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
ENDLESS = "(events|stream.mjpeg)$"
"""Streams do not end."""
DESTRUCTIVE = "(archive|stop|import|cameras/preview)$"


class AnyPicture(Film):
    """Reads pictures that were never shown as empty tables."""

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        if number_in(frame.bgr) >= len(self.tables):
            none = Detections.none()
            return TileReadings(none.corners_px, none.face, none.score, np.zeros((0, 2, 15), np.float32))
        return super().readings(frame, near)

    def observe(self, frame: Frame) -> TableObservation:
        return assemble(self.readings(frame), frame.size_wh, DOUBLE_SIX)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with listening(AnyPicture(), data=tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.mark.parametrize("role", ["admin", "judge", "player"])
def test_no_request_breaks_the_server(server: House, role: str, tmp_path: Path) -> None:
    """Whoever asks, with whatever fits the description or does not: answers are never 5xx."""
    record, tables = pincset_tables(3, 1)
    table = server.make(opener=record.hands[0].moves[0].move.player)
    table.photograph(tables[0])
    token = {"admin": server.admin, "judge": table.headers["judge"]}.get(role)
    headers = token or bearer(table.post("players/A/link").json()["token"])
    config = tmp_path / "schemathesis.toml"
    config.write_text(f'[parameters]\ntable = "{table.id}"\nseat = "A"\nquestion = "opener"\n')
    base = str(server.client.base_url).rstrip("/")
    command = [
        SCHEMATHESIS, "--config-file", config, "run", f"{base}/openapi.json", "--url", base,
        "--header", f"Authorization: {headers['Authorization']}", "--checks", "not_a_server_error",
        "--max-examples", os.environ.get("FUZZ_EXAMPLES", "5"), "--phases", "examples,coverage,fuzzing",
        "--exclude-path-regex", f"{ENDLESS}|{DESTRUCTIVE}", "--request-timeout", "20", "--seed", "1",
    ]  # fmt: skip
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=280, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert server.client.get("/api/health/ready").status_code == 200
    worker = server.manager.worker(table.id)
    assert worker is not None
    assert server.manager.metrics.crashes.labels(table.id)._value.get() == 0
