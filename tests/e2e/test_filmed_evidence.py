"""A filmed game with an illegal play: evidence, a clip and an alert, all of it in a signed export and its report."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
from typer.testing import CliRunner

from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.cli import app
from domino_server.judge.evidence import Evidence
from domino_server.judge.export import export_signed
from domino_server.judge.keeper import Keeper
from domino_server.judge.signing import TableKey
from domino_server.referee import Referee
from domino_server.referee.session import TableSession
from domino_server.store import NewEvent, Store, StoreJournal
from domino_vision.settle import Settler
from domino_vision.synth.stage import SceneOptions, set_stage
from domino_vision.synth.video import GameVideo, VideoFrame, VideoOptions
from domino_vision.synth.video_games import Mishaps, chain_script
from domino_vision.synth.video_script import Script
from domino_vision.synth.video_truth import TruthReader

SEATS = ("A", "B", "C", "D")
QUICK = VideoOptions(fps=10, reach_s=0.3, slide_s=0.2, rest_s=0.9, noise=1.5)
ILLEGAL = Mishaps(illegal=0.5)


def filmed() -> tuple[Script, list[VideoFrame]]:
    """Return a short filmed game in which a tile is joined that does not match."""
    options = SceneOptions(size_wh=(640, 428), tile_fraction=(0.06, 0.06), tilt_deg=(78, 86), harm=0.1)
    for seed in range(3, 30):
        stage = set_stage(np.random.default_rng(seed), options)
        script = chain_script(np.random.default_rng(seed), stage, most=4, mishaps=ILLEGAL)
        if not all(move["legal"] for move in script.moves.values()):
            return script, list(GameVideo(seed, stage, script, QUICK))
    raise AssertionError("no game has an illegal play")


def test_an_illegal_play_is_kept_filmed_and_alerted(tmp_path: Path) -> None:
    """The frame, the crop of the tile, its distributions and a clip are kept; the export with them is genuine."""
    script, frames = filmed()
    wrong = next(move for move in script.moves.values() if not move["legal"])
    store = Store.open("sqlite://")
    table = store.create_table("Filmed", {}).id
    referee = Referee.start("pincset", SEATS, {"force_66": "false"}, StoreJournal(store, table))
    reader = TruthReader(1, misread=0.0)
    session = TableSession(referee, Settler(reader, DOUBLE_SIX), make_zones=False)
    keeper = Keeper(Evidence(tmp_path / "evidence" / table, 10**9, 1e9), {"detector": "0" * 64})
    for shot in frames:
        keeper.frame(shot.frame)
        lines = session.push(reader.watch(shot))
        said = [NewEvent("said", line) for line in lines if line["event"] not in {"settle", "commit", "ask"}]
        store.append(table, [*said, *(keeper.heard(session, lines) if lines else [])])
    store.append(table, keeper.close())
    alerts = [event.data for event in store.events(table, kinds={"alert"})]
    assert [(alert["kind"] in {"illegal_join", "wrong_end"}, alert["tiles"]) for alert in alerts] == [
        (True, [str(Tile(*wrong["tile"]))])
    ]
    kept = [event.data for event in store.events(table, kinds={"evidence"})]
    told = next(data for data in kept if data.get("codes"))
    folder = tmp_path / "evidence" / table
    facts = json.loads((folder / told["facts"]).read_text(encoding="utf-8"))
    assert facts["calibration"]["px_to_mm"]
    assert facts["models"] == {"detector": "0" * 64}
    assert any("halves_p" in tile for tile in facts["tiles"])
    assert told["crops"]
    picture = cv2.imread(str(folder / told["frame"]))
    assert picture is not None
    assert picture.shape == frames[0].frame.bgr.shape
    assert [data for data in kept if "clip" in data]
    out = tmp_path / "filmed.zip"
    export_signed(store, table, tmp_path / "evidence", out, TableKey.open(tmp_path / "keys", table))
    done = CliRunner().invoke(app, ["report", str(out), "--lang", "sr-Latn"])
    assert done.exit_code == 0, done.output
    assert done.stdout.count("data:image/jpeg") >= 2
