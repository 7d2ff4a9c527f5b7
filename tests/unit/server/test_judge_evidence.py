"""Evidence: what was seen is kept by its content, the room is blurred, size and age are bounded, a purge is told."""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from domino_server.judge.evidence import Evidence, EvidenceError
from domino_server.judge.evidence_facts import about, is_telling, model_ids
from domino_server.judge.keeper import Keeper
from domino_server.judge.pictures import region_around, without_room
from domino_server.store import NewEvent
from domino_vision.types import Frame
from tests.seen_desk import seen_desk

QUAD = np.array([[300, 200], [340, 200], [340, 280], [300, 280]], float)
REGION = np.array([[200, 100], [500, 100], [500, 380], [200, 380]], float)


def noise(seed: int = 1, height: int = 480, width: int = 640) -> np.ndarray:
    """Return a picture (h, w, 3) full of detail."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


def detail(picture: np.ndarray) -> float:
    """Return how much fine detail a picture holds."""
    return float(np.abs(cv2.Laplacian(picture, cv2.CV_32F)).mean())


def test_files_are_called_by_their_content(tmp_path: Path) -> None:
    """Frame, crops and facts lie in the folder under their SHA-256; the event names them and says what it is about."""
    evidence = Evidence(tmp_path, 10**9, 1e9)
    evidence.region = REGION
    data = evidence.keep(noise(), [QUAD], {"about": {"hand": 2, "moves": [5]}, "tiles": []})
    evidence.close()
    names = [data["frame"], data["facts"], *data["crops"]]
    for name in names:
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == name.split(".")[0]
    assert (data["hand"], data["moves"], data["size"]) == (2, [5], [640, 480])
    assert json.loads((tmp_path / data["facts"]).read_text())["about"]["hand"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_the_room_outside_the_table_is_unrecognisable(tmp_path: Path) -> None:
    """Inside the region the picture is as it was, outside no detail is left; switched off, all stays."""
    picture = noise()
    blurred = without_room(picture, REGION)
    assert np.array_equal(blurred[150:350, 250:450], picture[150:350, 250:450])
    assert detail(blurred[:80]) < 0.02 * detail(picture[:80])
    assert detail(without_room(picture, None)) < 0.02 * detail(picture)
    open_evidence = Evidence(tmp_path, 10**9, 1e9, private=False)
    data = open_evidence.keep(picture, [QUAD], {})
    kept = cv2.imread(str(tmp_path / data["frame"]))
    assert kept is not None
    assert detail(kept[:80]) > 0.5 * detail(picture[:80])


def test_tiles_show_where_the_table_is() -> None:
    """Without a region the hull of the tiles is grown by two tile lengths; nothing is left without tiles."""
    region = region_around([QUAD])
    assert region is not None
    assert region[:, 0].min() < 300 - 60
    assert region[:, 1].max() > 280 + 100
    assert region_around([]) is None


def test_a_clip_shows_the_seconds_around_a_moment(tmp_path: Path) -> None:
    """The ring gives seven seconds at their pace; nothing is filmed beyond it."""
    evidence = Evidence(tmp_path, 10**9, 1e9)
    evidence.region = REGION
    for step in range(300):
        evidence.frame(np.full((480, 640, 3), step % 250, np.uint8), step / 30)
    data = evidence.clip(7.0, 5.0, 2.0, hand=1)
    assert data is not None
    video = cv2.VideoCapture(str(tmp_path / data["clip"]))
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) / video.get(cv2.CAP_PROP_FPS) == pytest.approx(7.0, abs=0.3)
    assert data["hand"] == 1
    assert evidence.clip(900.0) is None


def test_a_clip_is_a_film_that_browsers_play(tmp_path: Path) -> None:
    """VP8 in WebM, small; each picture stands as long as it did, also where the camera was slow or another one came."""
    evidence = Evidence(tmp_path, 10**9, 1e9, private=False)
    shades = {0.0: 40, 1.0: 90, 3.0: 140, 3.1: 190}
    for at, shade in shades.items():
        size = (480, 640, 3) if at < 3.1 else (600, 600, 3)
        evidence.frame(np.full(size, shade, np.uint8), at)
    data = evidence.clip(3.0, 5.0, 2.0)
    assert data is not None
    with av.open(str(tmp_path / data["clip"])) as film:
        stream = film.streams.video[0]
        assert (film.format.name, stream.codec.name, stream.width, stream.height) == ("matroska,webm", "vp8", 640, 480)
        frames = list(film.decode(stream))
    seen = {round(float(frame.time or 0), 2): float(frame.to_ndarray(format="gray").mean()) for frame in frames}
    assert seen == pytest.approx(shades, abs=6)
    assert (tmp_path / data["clip"]).stat().st_size < 20_000


def test_a_clip_does_not_wait_for_frames_for_ever(tmp_path: Path) -> None:
    """Where no frame comes behind a disputed moment, as with photographs, the clip is kept soon, or at the end."""
    now = [100.0]
    evidence = Evidence(tmp_path, 10**9, 1e9)
    keeper = Keeper(evidence, {}, clock=lambda: now[0])
    desk, commit = seen_desk()
    question = {"event": "question", "question": {"code": "tile_unsure", "tiles": [], "crops": [], "params": {}}}
    for ending in (False, True):
        keeper.frame(Frame(noise(), now[0]))
        desk.session.settler.committed = replace(commit, at=now[0])
        assert [event.data.get("clip") for event in keeper.heard(desk.session, [question])] == [None]
        now[0] += 4
        assert keeper.ready() == []
        now[0] += 2
        events = keeper.close() if ending else filmed(keeper)
        assert [event.data["codes"] for event in events if "clip" in event.data] == [["tile_unsure"]]


def filmed(keeper: Keeper) -> list[NewEvent]:
    """Return what a keeper has ready once its other thread is done with it."""
    events, deadline = list[NewEvent](), time.monotonic() + 20
    while not events and time.monotonic() < deadline:
        events = keeper.ready()
        time.sleep(0.01)
    return events


def test_size_and_age_are_bounded_and_told(tmp_path: Path) -> None:
    """The oldest files go first; the event names them; files from before a restart count too."""
    now = [time.time()]
    evidence = Evidence(tmp_path, 10**9, 1e9, clock=lambda: now[0])
    names = []
    for seed in range(4):
        now[0] += 10
        names.append(evidence.keep(noise(seed), [], {"seed": seed})["frame"])
    evidence.close()
    again = Evidence(tmp_path, evidence.bytes_kept // 2, 1e9, clock=lambda: now[0])
    purged = again.retain()
    assert purged is not None
    assert all((tmp_path / name).exists() for name in purged["files"])  # until the event is kept
    again.remove(purged["files"])
    assert again.bytes_kept <= evidence.bytes_kept // 2
    assert purged["bytes_left"] == again.bytes_kept == sum(path.stat().st_size for path in tmp_path.iterdir())
    assert again.retain() is None
    now[0] += 1e6
    old = Evidence(tmp_path, 10**9, 1e5, clock=lambda: now[0])
    purged = old.retain() or {}
    assert purged["bytes_left"] == 0
    old.remove(purged["files"])
    assert list(tmp_path.iterdir()) == []


def test_a_purge_removes_named_files_and_says_who_asked(tmp_path: Path) -> None:
    """Only files of this table go; the rest stays."""
    evidence = Evidence(tmp_path, 10**9, 1e9)
    data = evidence.keep(noise(), [QUAD], {})
    purged = evidence.purge([data["frame"], "../other.jpg"], "asked by a player", "Ruth")
    assert (purged["files"], purged["by"]) == ([data["frame"]], "Ruth")
    evidence.remove(purged["files"])
    assert not (tmp_path / data["frame"]).exists()
    assert (tmp_path / data["facts"]).exists()
    rest = evidence.purge(None, "all", None)["files"]
    assert len(rest) == 2
    assert evidence.keep(noise(), [QUAD], {})["facts"] in rest  # the same again, before it was removed
    evidence.remove(rest)
    evidence.close()
    assert {path.name for path in tmp_path.iterdir()} == set(evidence.names())
    assert evidence.bytes_kept == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_what_is_no_evidence_in_the_folder_neither_counts_nor_goes(tmp_path: Path) -> None:
    """Folders, links and files of others are left alone, however old and however little may be kept."""
    name = "a" * 64 + ".jpg"
    (tmp_path / "@eaDir").mkdir()
    (tmp_path / name).mkdir()
    (tmp_path / "Thumbs.db").write_bytes(b"x" * 1000)
    (tmp_path / ("b" * 64 + ".jpg")).symlink_to(tmp_path / "Thumbs.db")
    for path in tmp_path.iterdir():
        os.utime(path, (1, 1), follow_symlinks=False)
    evidence = Evidence(tmp_path, 0, 0)
    assert (evidence.bytes_kept, evidence.names(), evidence.retain()) == (0, (), None)
    evidence.close()
    assert len(list(tmp_path.iterdir())) == 4


def test_a_clip_of_an_earlier_version_counts_and_goes(tmp_path: Path) -> None:
    """It ended in .mp4; it takes room, grows old and is purged like any other file."""
    name = "c" * 64 + ".mp4"
    (tmp_path / name).write_bytes(b"x" * 1000)
    evidence = Evidence(tmp_path, 10**9, 1e9)
    assert (evidence.bytes_kept, evidence.names()) == (1000, (name,))
    purged = evidence.purge(None, "all", "Ruth")
    evidence.remove(purged["files"])
    evidence.close()
    assert (purged["files"], list(tmp_path.iterdir())) == ([name], [])


def test_what_cannot_be_removed_is_logged_and_the_rest_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One file that the system does not give up neither stops the others nor whoever asks."""
    evidence = Evidence(tmp_path, 10**9, 1e9)
    data = evidence.keep(noise(), [QUAD], {})
    evidence.close()
    gone = evidence.purge(None, "all", None)["files"]
    unlink = Path.unlink

    def refused(path: Path, missing_ok: bool = False) -> None:
        if path.name == data["frame"]:
            raise PermissionError(1, "Operation not permitted")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refused)
    evidence.remove(gone)
    assert [path.name for path in tmp_path.iterdir()] == [data["frame"]]
    (record,) = caplog.records
    assert data["frame"] in record.getMessage()
    assert "Operation not permitted" in record.getMessage()


def test_what_was_begun_and_never_became_whole_goes_at_the_next_start(tmp_path: Path) -> None:
    """A file that a killed server left half written is removed; one that is just being written stays."""
    old, new = (tmp_path / f".{letter * 64}.jpg.part" for letter in "ab")
    for path in (old, new):
        path.write_bytes(b"x")
    then = time.time() - 7200
    os.utime(old, (then, then))
    Evidence(tmp_path, 10**9, 1e9).close()
    assert list(tmp_path.iterdir()) == [new]


def test_what_another_process_removed_is_kept_anew(tmp_path: Path) -> None:
    """The same content after a purge from outside is on the disk again, and counts once."""
    evidence = Evidence(tmp_path, 10**9, 1e9)
    first = evidence.keep(noise(), [QUAD], {"x": 1})
    other = Evidence(tmp_path, 10**9, 1e9)
    other.remove(other.purge(None, "all", None)["files"])
    assert list(tmp_path.iterdir()) == []
    assert evidence.keep(noise(), [QUAD], {"x": 1}) == first
    for each in (evidence, other):
        each.close()
    assert {path.name for path in tmp_path.iterdir()} == {first["frame"], first["facts"], *first["crops"]}
    assert evidence.bytes_kept == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_a_full_disk_is_an_error_with_a_name(tmp_path: Path) -> None:
    """A folder that cannot be written is named."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(EvidenceError) as caught:
        Evidence(tmp_path / "file", 1, 1)
    assert caught.value.code == "evidence_unwritable"


def test_what_events_are_about() -> None:
    """The hand, the moves and the codes are found in the lines; news of vision are worth no evidence."""
    lines = [{"event": "move", "hand": 3, "number": 7, "record": {"move": "Ana 6-4 L"}},
             {"event": "question", "question": {"code": "taken_back", "tiles": ["6-4"]}}]  # fmt: skip
    assert about(lines) == {"hand": 3, "moves": [7], "codes": ["taken_back"]}
    assert (is_telling(lines), is_telling([{"event": "commit"}])) == (True, False)
    assert set(model_ids()) <= {"detector", "reader"}
    assert model_ids("no-such-model", "none") == {}


def test_a_whole_event_stays_within_its_budget(tmp_path: Path) -> None:
    """Four hours of commits at one table never keep more than the budget once they were looked after."""
    now, budget, most = [0.0], 400_000, 0
    evidence = Evidence(tmp_path, budget, 7 * 86400, clock=lambda: now[0])
    evidence.region = REGION
    for commit in range(480):
        now[0] += 30
        evidence.keep(noise(commit, 120, 160), [QUAD / 4], {"commit": commit})
        evidence.remove((evidence.retain() or {"files": ()})["files"])
        most = max(most, evidence.bytes_kept)
    evidence.close()
    assert 0.5 * budget < most <= budget
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) == evidence.bytes_kept


def test_a_commit_costs_little(tmp_path: Path) -> None:
    """Keeping a full-HD frame with two crops takes at most 40 ms of the processor."""
    evidence = Evidence(tmp_path, 10**9, 1e9)
    evidence.region = REGION * 3
    smooth = np.asarray(cv2.resize(noise(1, 108, 192), (1920, 1080), interpolation=cv2.INTER_CUBIC), np.uint8)
    tiles = [{"tile": "6-4", "halves_p": [{"6": 0.97, "5": 0.03}] * 2} for _ in range(28)]
    costs = []
    for number in range(8):
        begin = time.thread_time()
        evidence.keep(smooth, [QUAD, QUAD + 100], {"tiles": tiles, "number": number})
        costs.append(time.thread_time() - begin)
    assert sorted(costs)[len(costs) // 2] <= 0.040


def test_a_keeper_without_a_folder_makes_alerts_only() -> None:
    """No evidence is kept where no folder is given, and nothing breaks."""
    keeper = Keeper(None, {})
    assert (keeper.ready(), keeper.alerts.open, keeper.close()) == ([], (), [])
