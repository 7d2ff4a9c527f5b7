"""What a watched table does when the camera or people behave badly: each time a state with a name, and a way on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from domino_rules.moves import Play
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.commands.watch import shots
from domino_server.referee import Redeal, Referee
from domino_server.referee.session import Line, TableSession
from domino_vision.errors import SourceError
from domino_vision.settle import Settler, SettleState
from domino_vision.sources import Shot, Source
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.video import GameVideo, VideoFrame, VideoOptions
from domino_vision.synth.video_games import chain_script
from domino_vision.synth.video_script import Act, Blackout, Leaning, Pause, Script, Sweeping
from domino_vision.synth.video_truth import TruthReader
from domino_vision.types import Frame

SEATS = ("A", "B", "C", "D")
QUICK = VideoOptions(fps=5, reach_s=0.4, slide_s=0.2, rest_s=1.2, noise=1.5)


def stage_of(seed: int = 2) -> Stage:
    options = SceneOptions(size_wh=(640, 428), tile_fraction=(0.06, 0.06), tilt_deg=(78, 86), harm=0.1)
    return set_stage(np.random.default_rng(seed), options)


def filmed(*between: Act, after: int, most: int = 4, options: VideoOptions = QUICK) -> tuple[Script, list[VideoFrame]]:
    """Return a short game with something in between, after so many tiles, and its frames."""
    stage = stage_of()
    script = chain_script(np.random.default_rng(2), stage, most=most)
    acts = (*script.acts[:after], *between, *script.acts[after:])
    moves = {n if n < after else n + len(between): move for n, move in script.moves.items()}
    script = Script(acts, script.start, moves, script.zones, script.set_name)
    return script, list(GameVideo(2, stage, script, options))


def watched(frames: Iterable[VideoFrame]) -> tuple[TableSession, list[Line]]:
    """Return the session that watched frames, and what it said."""
    reader = TruthReader(1, misread=0.0)
    referee = Referee.start("pincset", SEATS, {"force_66": "false"})
    session = TableSession(referee, Settler(reader, DOUBLE_SIX), make_zones=False)
    lines = [line for shot in frames for line in session.push(reader.watch(shot))]
    return session, lines


def played(script: Script) -> list[Tile]:
    return [Tile(*move["tile"]) for move in script.moves.values()]


def laid(session: TableSession) -> list[Tile]:
    return [record.move.tile for record in session.referee.ledger.moves if isinstance(record.move, Play)]


def told(lines: list[Line], event: str) -> list[str]:
    """Return the codes of all lines of a kind."""
    found = []
    for line in lines:
        if line["event"] == event:
            inner = line.get("reason") or line.get("pause") or line
            found.append(str(inner["code"]))
    return found


def test_somebody_who_leans_over_the_table_for_a_minute_is_waited_for() -> None:
    """Nothing is committed meanwhile, it is told that somebody stays, and the game goes on by itself afterwards."""
    script, frames = filmed(Leaning(60.0, 1), after=2)
    session, lines = watched(frames)
    assert "hand_stays" in told(lines, "settle")
    assert laid(session) == played(script)
    assert session.referee.settled


def test_black_picture_is_told_and_the_game_goes_on() -> None:
    """A camera that sends black frames for twenty seconds is told as no picture; afterwards nothing is lost."""
    script, frames = filmed(Blackout(20.0), after=2)
    session, lines = watched(frames)
    assert {"no_picture", "picture_back"} <= set(told(lines, "settle"))
    assert laid(session) == played(script)
    assert session.referee.settled


def test_tiles_swept_away_pause_the_hand_until_it_is_dealt_again() -> None:
    """A table swept in the middle of a hand waits with the tiles it expects; told of a new deal, it begins again."""
    _, frames = filmed(Sweeping(2.0), Pause(2.0), after=3, most=3)
    session, lines = watched(frames)
    assert told(lines, "pause")[-1:] == ["table_cleared"]
    assert session.referee.pause is not None
    assert set(session.referee.pause.expects) == set(laid(session))
    session.tell(Redeal())
    assert laid(session) == []


def test_camera_of_one_frame_a_second_keeps_up() -> None:
    """With one frame a second the moves of a calm game are seen, or those that came at once wait in a pause."""
    slow = VideoOptions(fps=1, reach_s=1.0, slide_s=1.0, rest_s=5.0, noise=1.5)
    script, frames = filmed(after=0, options=slow)
    session, _ = watched(frames)
    assert laid(session) == played(script)
    assert session.settler.state in {SettleState.WAIT, SettleState.COMMIT}


class Unplugged(Source):
    """A camera that is pulled out in the middle of a film for a while, and put back."""

    live = True
    name = "camera 0"

    def __init__(self, frames: list[VideoFrame], at: int) -> None:
        steps: list[VideoFrame | None] = [*frames[:at], None, None, None, *frames[at:]]
        self._steps: Iterator[VideoFrame | None] = iter(steps)
        self.shown: VideoFrame | None = None

    def __next__(self) -> Shot:
        self.shown = next(self._steps)
        if self.shown is None:
            raise SourceError("camera_missing", "camera 0 is gone", name=self.name)
        return Shot(self.name, self.shown.frame)


def test_camera_that_is_unplugged_for_a_while_loses_no_move() -> None:
    """The source is told as lost and asked again; once it is back the game goes on from the table as it lies."""
    script, frames = filmed(after=0)
    source = Unplugged(frames, len(frames) // 2)
    reader = TruthReader(1, misread=0.0)
    referee = Referee.start("pincset", SEATS, {"force_66": "false"})
    session = TableSession(referee, Settler(reader, DOUBLE_SIX), make_zones=False)
    said: list[Line] = []
    waits: list[float] = []
    for _ in shots(source, said.append, waits.append):
        assert source.shown is not None
        session.push(reader.watch(source.shown))
    assert [line["state"] for line in said] == ["lost"] * 3 + ["back"]
    assert waits == sorted(waits)
    assert laid(session) == played(script)


@pytest.mark.parametrize("level", [0, 255])
def test_picture_of_one_grey_is_no_table(level: int) -> None:
    """Black and blown-out frames alone leave the table waiting, with nothing committed."""
    session = TableSession(Referee.start("cincos", ("A", "B")), Settler(TruthReader(1), DOUBLE_SIX))
    lines = [
        line
        for number in range(200)
        for line in session.push(Frame(np.full((120, 160, 3), level, np.uint8), number / 5))
    ]
    assert session.settler.state is SettleState.HAND
    assert "no_picture" in told(lines, "settle")
    assert not told(lines, "commit")
