"""`dominotable watch` on small rendered videos and on sources that misbehave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from rich.console import Console

from domino_rules.errors import DominoError, SetupError
from domino_rules.moves import Play
from domino_rules.record import MoveRecord, parse_record
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.commands.watch import WatchOptions, run, shots, watch_plainly
from domino_server.commands.watch_seen import Watched
from domino_server.commands.watch_view import View
from domino_server.house_options import parse_options
from domino_server.referee import Journal, Referee
from domino_server.referee.session import TableSession
from domino_vision.errors import SourceError, VisionError
from domino_vision.settle import Settler, SettleState
from domino_vision.sources import Shot, Source, VideoFileSource, open_source
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.video import GameVideo, VideoFrame, VideoOptions
from domino_vision.synth.video_games import Mishaps, chain_script
from domino_vision.synth.video_script import Script
from domino_vision.synth.video_truth import TruthReader
from domino_vision.types import Detections, Frame, TileReadings

SEATS = ("A", "B", "C", "D")
ILLEGAL = Mishaps(illegal=0.5)
QUICK = VideoOptions(fps=10, reach_s=0.3, slide_s=0.2, rest_s=0.9, noise=1.5)


def stage_of(seed: int) -> Stage:
    options = SceneOptions(size_wh=(640, 428), tile_fraction=(0.06, 0.06), tilt_deg=(78, 86), harm=0.1)
    return set_stage(np.random.default_rng(seed), options)


def filmed(seed: int, most: int, illegal: float = 0.0) -> tuple[Script, list[VideoFrame]]:
    stage = stage_of(seed)
    script = chain_script(np.random.default_rng(seed), stage, most=most, mishaps=Mishaps(illegal=illegal))
    return script, list(GameVideo(seed, stage, script, QUICK))


@pytest.fixture(scope="module")
def game() -> tuple[Script, list[VideoFrame]]:
    """Five tiles of a game, filmed."""
    return filmed(2, 5)


def write_film(path: Path, frames: list[VideoFrame]) -> None:
    height, width = frames[0].frame.bgr.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), QUICK.fps, (width, height))
    for shot in frames:
        writer.write(shot.frame.bgr)
    writer.release()


class AllFrames:
    """Reads any frame of a video by the truth, in whatever order it is asked."""

    def __init__(self, frames: list[VideoFrame]) -> None:
        self._frames = frames

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        shot = min(self._frames, key=lambda shot: abs(shot.frame.at - frame.at))
        reader = TruthReader(1, misread=0.0)
        return reader.readings(reader.watch(shot))


def session(reader: TruthReader) -> TableSession:
    referee = Referee.start("pincset", SEATS, {"force_66": "false"})
    return TableSession(referee, Settler(reader, DOUBLE_SIX), make_zones=False)


def played(script: Script) -> list[tuple[str, Tile]]:
    return [(SEATS[move["seat"]], Tile(*move["tile"])) for move in script.moves.values()]


def told(records: Sequence[MoveRecord]) -> list[tuple[str, Tile]]:
    plays = [record.move for record in records if isinstance(record.move, Play)]
    assert len(plays) == len(records)
    return [(play.player, play.tile) for play in plays]


def test_filmed_game_becomes_its_moves(game: tuple[Script, list[VideoFrame]]) -> None:
    """Hands over the table and tiles that come are the moves of the right players, with nothing asked."""
    script, frames = game
    reader = TruthReader(1, misread=0.0)
    table = session(reader)
    lines = [line for shot in frames for line in table.push(reader.watch(shot))]
    assert told(table.referee.ledger.moves) == played(script)
    assert not [line for line in lines if line["event"] in {"question", "pause", "illegal"}]


def test_json_lines_record_and_video_of_a_watched_file(
    game: tuple[Script, list[VideoFrame]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Watching a file prints one JSON object a line, writes a record that can be read, and an annotated video."""
    script, frames = game
    film = tmp_path / "game.avi"
    write_film(film, frames)
    options = WatchOptions(
        house=("force_66=false",), record=tmp_path / "game.txt", as_json=True, no_zones=True,
        save_video=tmp_path / "seen.avi",
    )  # fmt: skip
    run(str(film), "pincset", "A,B,C,D", options, AllFrames(frames))
    printed = capsys.readouterr()
    assert f"written: {tmp_path / 'seen.avi'}\n" in printed.err
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert {"settle", "commit", "hand", "move", "end"} <= {line["event"] for line in lines}
    record = parse_record((tmp_path / "game.txt").read_text())
    assert told(record.hands[0].moves) == played(script)
    written = (tmp_path / "game.txt").read_bytes()
    run(str(film), "pincset", "A,B,C,D", replace(options, save_video=None), AllFrames(frames))
    again = capsys.readouterr()
    assert again.out == ""
    assert "was watched to its end" in again.err
    with pytest.raises(SetupError, match="A, B, C, D"):
        run(str(film), "pincset", "W,X,Y,Z", replace(options, save_video=None), AllFrames(frames))
    assert (tmp_path / "game.txt").read_bytes() == written
    capture = cv2.VideoCapture(str(tmp_path / "seen.avi"))
    assert int(capture.get(cv2.CAP_PROP_FRAME_COUNT)) == len(frames)
    capture.release()


class PulledOut(AllFrames):
    """Reads a film up to a time, and is then interrupted."""

    def __init__(self, frames: list[VideoFrame], until: float) -> None:
        super().__init__(frames)
        self._until = until

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        if frame.at > self._until:
            raise KeyboardInterrupt
        return super().readings(frame, near)


@pytest.mark.parametrize("done", [1, 3])
def test_a_film_that_was_broken_off_goes_on_where_its_record_ends(
    done: int, game: tuple[Script, list[VideoFrame]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is laid twice and nothing is missed, and it is said from where the film goes on; then it has ended."""
    script, frames = game
    film, record = tmp_path / "game.avi", tmp_path / "game.txt"
    write_film(film, frames)
    options = WatchOptions(house=("force_66=false",), record=record, as_json=True, no_zones=True)
    until = next(shot.frame.at for shot in frames if shot.done == done) + 0.5
    with pytest.raises(KeyboardInterrupt):
        run(str(film), "pincset", "A,B,C,D", options, PulledOut(frames, until))
    assert told(parse_record(record.read_text()).hands[0].moves) == played(script)[:done]
    capsys.readouterr()
    run(str(film), "pincset", "A,B,C,D", options, AllFrames(frames))
    printed = capsys.readouterr()
    assert f"goes on with {record} ({done} moves of hand 1): {film} from " in printed.err
    assert "its beginning" not in printed.err
    hands = parse_record(record.read_text()).hands
    assert [told(hand.moves) for hand in hands] == [played(script)]
    run(str(film), "pincset", "A,B,C,D", options, AllFrames(frames))
    assert "was watched to its end" in capsys.readouterr().err


def test_a_film_that_ends_with_a_table_nobody_ruled_on_may_be_watched_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What lies there against the rules is not in the record: the film is not done with."""
    _, frames = filmed(3, 2, 1.0)
    film, record = tmp_path / "game.avi", tmp_path / "game.txt"
    write_film(film, frames)
    options = WatchOptions(house=("force_66=false",), record=record, as_json=True, no_zones=True)
    for _ in range(2):
        run(str(film), "pincset", "A,B,C,D", options, AllFrames(frames))
        printed = capsys.readouterr()
        assert "was watched to its end" not in printed.err + record.read_text()
        assert json.loads(printed.out.splitlines()[-1])["pause"] == "illegal_play"


def test_a_folder_is_gone_on_with_at_the_picture_that_was_seen_last(tmp_path: Path) -> None:
    """What the record tells of it counts only while its pictures are the same; a camera is never noted."""
    for name in ("1.png", "2.png", "3.png"):
        assert cv2.imwrite(str(tmp_path / name), np.zeros((60, 80, 3), np.uint8))
    journal = Journal()
    first, camera = open_source(tmp_path), Failing(np.zeros((8, 8, 3), np.uint8))
    watched = Watched(journal, first)
    for source, seen in ((first, watched), (camera, Watched(journal, camera))):
        next(source)
        seen.note()
    assert journal.empty
    next(first)
    journal.add(["Game: cincos"])
    watched.note()
    watched.note()
    assert journal.count == 2
    again = open_source(tmp_path)
    taken_up = Watched(journal, again)
    assert (taken_up.as_far_as, taken_up.to_its_end) == (1.0, False)
    taken_up.go_on()
    assert [Path(shot.name).name for shot in again] == ["2.png", "3.png"]
    taken_up.note_end()
    assert Watched(journal, open_source(tmp_path)).to_its_end
    assert cv2.imwrite(str(tmp_path / "4.png"), np.zeros((60, 80, 3), np.uint8))
    other = Watched(journal, open_source(tmp_path))
    assert (other.as_far_as, other.to_its_end) == (0.0, False)


def test_the_last_table_of_a_watched_film_is_read(
    game: tuple[Script, list[VideoFrame]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A film that ends as soon as its last tile lies there is not too short."""
    script, frames = game
    whole = len(script.moves)
    short = [shot for shot in frames if shot.done < whole] + [shot for shot in frames if shot.done == whole][:2]
    table = session(TruthReader(1, misread=0.0))
    table.settler._reader = AllFrames(frames)

    class Film(VideoFileSource):
        def __init__(self) -> None:
            self._shots = iter([Shot(f"film#{n}", shot.frame) for n, shot in enumerate(short)])

        def __next__(self) -> Shot:
            return next(self._shots)

        def close(self) -> None: ...

    watch_plainly(table, Film(), None)
    assert told(table.referee.ledger.moves) == played(script)
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["event"] == "end"


def test_illegal_play_is_reported_before_the_next_move() -> None:
    """A filmed tile that does not match is reported with its player while it is the last one laid."""
    scripts = (chain_script(np.random.default_rng(n), stage_of(n), most=4, mishaps=ILLEGAL) for n in range(3, 30))
    seed = 3 + next(n for n, s in enumerate(scripts) if not all(move["legal"] for move in s.moves.values()))
    script, frames = filmed(seed, 4, 0.5)
    reader = TruthReader(1, misread=0.0)
    table = session(reader)
    first = next(number for number, move in script.moves.items() if not move["legal"])
    reported = [
        (shot.act, line["tile"], line["player"])
        for shot in frames
        for line in table.push(reader.watch(shot))
        if line["event"] == "illegal"
    ]
    move = script.moves[first]
    assert reported[0] == (first, str(Tile(*move["tile"])), SEATS[move["seat"]])


def test_view_shows_the_table(game: tuple[Script, list[VideoFrame]]) -> None:
    """The live view names ends, moves, scores and state."""
    script, frames = game
    reader = TruthReader(1, misread=0.0)
    table = session(reader)
    console = Console(record=True, width=100, force_terminal=False)
    with View(table, console) as view:
        for shot in frames:
            for line in table.push(reader.watch(shot)):
                view.heard(line)
            view.show(shot.frame.at)
        console.print(view.picture())
    text = console.export_text()
    assert "ends" in text
    assert str(played(script)[-1][1]) in text
    assert "fps" in text


class Failing(Source):
    """A camera that is pulled out once, and put back."""

    live = True
    name = "camera 0"

    def __init__(self, bgr: np.ndarray) -> None:
        self._steps: Iterator[object] = iter(["frame", "lost", "lost", "frame"])
        self._bgr = bgr

    def __next__(self) -> Shot:
        step = next(self._steps)
        if step == "lost":
            raise SourceError("camera_missing", "camera 0 is gone", name=self.name)
        return Shot("camera 0", Frame(self._bgr, 0.0))


def test_unplugged_camera_is_told_and_waited_for() -> None:
    """A camera that is gone is reported, asked again, and told when it is back; no frame is lost."""
    said: list[dict[str, object]] = []
    waits: list[float] = []
    got = list(shots(Failing(np.zeros((8, 8, 3), np.uint8)), said.append, waits.append))
    assert len(got) == 2
    assert [line["state"] for line in said] == ["lost", "lost", "back"]
    assert waits == [0.5, 1.0]


def test_black_frames_and_a_slow_camera_have_a_state_and_a_way_on(game: tuple[Script, list[VideoFrame]]) -> None:
    """Black frames hold the table in HAND; a camera too slow for the moves ends in a pause that names all the tiles."""
    script, frames = game
    reader = TruthReader(1, misread=0.0)
    table = session(reader)
    for shot in frames[::10]:
        table.push(reader.watch(shot))
    black = np.zeros_like(frames[0].frame.bgr)
    end = frames[-1].frame.at
    for number in range(5):
        table.push(Frame(black, end + 0.1 * (number + 1)))
    assert table.settler.state is SettleState.HAND
    last = frames[-1]
    for number in range(12):
        again = VideoFrame(
            Frame(last.frame.bgr, end + 2 + 0.2 * number), last.tiles, last.keys, last.down, last.chain, last.act,
            last.resting, last.done, last.homography,
        )  # fmt: skip
        table.push(reader.watch(again))
    pause = table.referee.pause
    assert pause is not None
    assert pause.code == "too_many_orders"
    assert set(pause.expects) == {tile for _, tile in played(script)}


def test_wrong_options_are_told_before_anything_is_watched(tmp_path: Path) -> None:
    """An option without a value, an unknown game and a video that cannot be written are refused with a code."""
    with pytest.raises(SetupError) as error:
        parse_options(["target"])
    assert error.value.code == "bad_option"
    with pytest.raises(SetupError, match="target is given twice"):
        parse_options(["target=200", "target=500"])
    with pytest.raises(SetupError) as error:
        run("0", "chess", "A,B", WatchOptions())
    assert error.value.code == "unknown_game"
    with pytest.raises(VisionError) as wrong:
        run("0", "cincos", "A,B", WatchOptions(save_video=tmp_path / "film.txt"))
    assert wrong.value.code == "video_suffix"


@pytest.mark.parametrize(("wrong", "code"), [({"opener": "Zoe"}, "players"), ({"tiles": "abuelo"}, "tiles_unknown")])
def test_wrong_options_leave_no_record(
    wrong: dict[str, str], code: str, tmp_path: Path, game: tuple[Script, list[VideoFrame]]
) -> None:
    """Who does not sit there and tiles that nobody enrolled are refused before there is a file."""
    still = tmp_path / "table.png"
    cv2.imwrite(str(still), game[1][0].frame.bgr)
    record = tmp_path / "game.txt"
    with pytest.raises(DominoError) as error:
        run(str(still), "pincset", "A,B,C,D", replace(WatchOptions(record=record, data=tmp_path), **wrong))
    assert error.value.code == code
    assert not record.exists()


@pytest.mark.parametrize("named_too", [Path.symlink_to, Path.hardlink_to])
def test_a_record_is_written_by_one_watch(
    named_too: Callable[[Path, Path], None], tmp_path: Path, game: tuple[Script, list[VideoFrame]]
) -> None:
    """A second watch into the same record, by whatever name, is refused and changes nothing; later it may go on."""
    _, frames = game
    still, record, other = tmp_path / "table.png", tmp_path / "game.txt", tmp_path / "same.txt"
    cv2.imwrite(str(still), frames[0].frame.bgr)
    record.touch()
    named_too(other, record)
    reader = AllFrames(frames)
    refused: list[str] = []

    class Second(AllFrames):
        """Starts a second watch while the first one reads."""

        def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
            held = record.read_text()
            with pytest.raises(SetupError) as error:
                run(str(still), "pincset", "A,B,C,D", WatchOptions(record=other, as_json=True), reader)
            refused.append(error.value.code)
            assert record.read_text() == held
            return super().readings(frame, near)

    run(str(still), "pincset", "A,B,C,D", WatchOptions(record=record, as_json=True), Second(frames))
    assert set(refused) == {"record_in_use"}
    assert {path.name for path in tmp_path.iterdir()} == {still.name, record.name, other.name}
    run(str(still), "pincset", "A,B,C,D", WatchOptions(record=other, as_json=True), reader)


def no_picture(folder: Path) -> Path:
    (folder / "text.jpg").write_text("hello")
    return folder / "text.jpg"


def no_pictures(folder: Path) -> Path:
    for name in ("1.jpg", "2.jpg"):
        (folder / name).write_text("hello")
    return folder


def no_frame(folder: Path) -> Path:
    film = folder / "film.avi"
    cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480)).release()
    return film


@pytest.mark.parametrize(
    ("made", "code"),
    [(no_picture, "not_a_picture"), (no_pictures, "source_empty"), (no_frame, "video_unreadable")],
)
@pytest.mark.parametrize("as_json", [True, False])
def test_a_source_without_one_picture_is_an_error(
    made: Callable[[Path], Path], code: str, as_json: bool, tmp_path: Path
) -> None:
    """A file that is no picture, a folder of such, a film without a frame: that is no game watched to its end."""
    with pytest.raises(SourceError) as error:
        run(str(made(tmp_path)), "cincos", "A,B", WatchOptions(as_json=as_json), AllFrames([]))
    assert error.value.code == code
