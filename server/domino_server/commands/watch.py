"""`dominotable watch`: a whole game from a camera, in the terminal or as JSON lines, with its record on disk."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from domino_rules.errors import DominoError
from domino_rules.state import find_game
from domino_rules.tile import TileSet
from domino_server.commands.watch_keys import Keys
from domino_server.commands.watch_seen import Watched
from domino_server.commands.watch_summary import summary, unanswered
from domino_server.commands.watch_video import VideoSink
from domino_server.commands.watch_view import View
from domino_server.console import note
from domino_server.enrolled import enrolled_tiles
from domino_server.house_options import parse_options
from domino_server.pacing import RETRY_S, stills
from domino_server.referee import Answer, Journal, Opener, Referee
from domino_server.referee.session import Line, TableSession, settler_of
from domino_vision.errors import SourceError
from domino_vision.sources import Failures, PictureSource, Shot, Source, VideoFileSource, open_source
from domino_vision.types import Detections, Frame, TileReadings
from domino_vision.zones import Zones


class Readings(Protocol):
    """A pipeline, as far as watching needs it."""

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame with a distribution over each half."""
        ...


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """How to watch.

    Attributes:
        house: house options, each `name=value`.
        record: file of the record; one that is there is continued. None keeps no file.
        as_json: print events as JSON lines instead of the live view.
        save_video: write an annotated video here (.mp4 or .avi).
        zones: file with the parts of the table; default: the game's preset.
        no_zones: the table has no parts but the layout.
        opener: who leads the first hand.
        tiles: name of enrolled tiles.
        data: folder of all that is kept.
        weights: another detector.
        threads: threads of the networks.
    """

    house: tuple[str, ...] = ()
    record: Path | None = None
    as_json: bool = False
    save_video: Path | None = None
    zones: Path | None = None
    no_zones: bool = False
    opener: str | None = None
    tiles: str | None = None
    data: Path | None = None
    weights: Path | None = None
    threads: int = 2


def run(source: str, game: str, seats: str, options: WatchOptions, reader: Readings | None = None) -> None:
    """Watch a table until the source ends or the user stops.

    Args:
        source: camera index, video, folder of stills, or a URL.
        game: the game played.
        seats: the players in the order of play, the first at the near side, parted by commas.
        options: how to watch.
        reader: what reads frames; default: the trained networks.

    Raises:
        SetupError, SourceError, ModelError, ZoneError: before anything is watched.
    """
    names = [name.strip() for name in seats.split(",") if name.strip()]
    house = parse_options(options.house)
    tile_set = find_game(game).tile_set
    _refuse_wrong(game, names, house, options)
    with ExitStack() as stack:
        drawn = None if options.zones is None else Zones.load(options.zones)
        video = None if options.save_video is None else stack.enter_context(VideoSink(options.save_video))
        frames = stack.enter_context(open_source(source))
        reader = reader or _networks(options, tile_set)
        journal = _opened(options.record, stack)
        referee = Referee.start(game, names, house, journal)  # refuses the record of another match
        watched = Watched(journal, frames)
        if watched.to_its_end:
            note(f"{source} was watched to its end into {options.record}: another --record begins anew")
            return
        if referee.ledger.hand:
            note(_goes_on(referee, options.record, frames, watched.as_far_as))
        watched.go_on()
        if options.opener is not None and referee.ledger.hand <= 1 and not referee.ledger.moves:
            referee.tell(Opener(options.opener))
        settler = settler_of(reader, game, tile_set)
        session = TableSession(referee, settler, drawn, make_zones=not options.no_zones)
        ended = True
        if options.as_json:
            watch_plainly(session, frames, video, watched)
        else:
            stack.enter_context(view := View(session))
            ended = watch_live(session, frames, video, view, stack.enter_context(Keys()), watched)
            stack.callback(_tell_unanswered, referee)
        if ended and unanswered(referee) is None and referee.pause is None:
            watched.note_end()


def _refuse_wrong(game: str, names: Sequence[str], house: Mapping[str, str], options: WatchOptions) -> None:
    """Refuse what cannot be played before there is a file."""
    referee = Referee.start(game, names, house)
    if options.opener is not None:
        referee.tell(Opener(options.opener))


def _opened(record: Path | None, stack: ExitStack) -> Journal:
    """Open the record for this process alone: two watchers would write two games into it."""
    journal = Journal(record)
    stack.callback(journal.close)
    journal.lock()
    return journal


def _tell_unanswered(referee: Referee) -> None:
    left = unanswered(referee)
    if left is not None:
        note(left)


def _goes_on(referee: Referee, record: Path | None, frames: Source, at: float) -> str:
    """Return the note that a record is continued, and from where in the source."""
    where = frames.name if frames.live else f"{frames.name} from {f'{at:.0f} s' if at else 'its beginning'} on"
    held = f"{record} ({len(referee.ledger.moves)} moves of hand {referee.ledger.hand})"
    return f"goes on with {held}: {where}; another --record begins anew"


def _networks(options: WatchOptions, tile_set: TileSet) -> Readings:
    from domino_vision.pipeline import load_pipeline

    detector = None if options.weights is None else str(options.weights)
    known = enrolled_tiles(options.tiles, options.data)
    return load_pipeline(detector=detector, threads=options.threads, tiles=known).with_set(tile_set)


def shots(frames: Source, say: Callable[[Line], None], sleep: Callable[[float], None] = time.sleep) -> Iterator[Shot]:
    """Yield the frames of a source; stills are shown as if filmed, and a live source that fails is asked again.

    Args:
        frames: the source.
        say: takes news of the source as plain values.
        sleep: waits seconds.

    Raises:
        SourceError: if the source has ended, and none of its frames could be read.
    """
    failures, at = 0, 0.0
    unread: Failures | None = Failures()
    while True:
        try:
            shot = next(frames)
        except StopIteration:
            if unread is not None:
                raise unread.nothing_read(frames.name) from None
            return
        except SourceError as error:
            say({"event": "source", "state": "lost", "code": error.code, "detail": error.message})
            if unread is not None:
                unread.add(error)
            if frames.live:
                sleep(RETRY_S[min(failures, len(RETRY_S) - 1)])
            failures += 1
            continue
        unread = None
        if failures:
            say({"event": "source", "state": "back"})
            failures = 0
        if not isinstance(frames, PictureSource):
            yield shot
            continue
        for frame in stills(shot.frame, at):
            at = frame.at
            yield Shot(shot.name, frame)


def watch_plainly(
    session: TableSession, frames: Source, video: VideoSink | None, watched: Watched | None = None
) -> None:
    """Print what happens as JSON lines; `watched` hears how far the source is."""
    last: Frame | None = None
    for shot in shots(frames, print_line):
        last = shot.frame
        for line in session.push(last, time.monotonic() if frames.live else None):
            print_line(line)
        if watched is not None:
            watched.note()
        if video is not None:
            video.write(last, session)
    for line in last_table(session, frames, last):
        print_line(line)
    print_line(summary(session))


def watch_live(
    session: TableSession,
    frames: Source,
    video: VideoSink | None,
    view: View,
    keys: Keys,
    watched: Watched | None = None,
) -> bool:
    """Show what happens; a key answers the open question, q stops. Return whether the source came to its end.

    `watched` hears how far the source is.
    """
    last: Frame | None = None
    for shot in shots(frames, view.heard):
        last = shot.frame
        for line in session.push(last, time.monotonic() if frames.live else None):
            view.heard(line)
        key = keys.pressed()
        if key == "q":
            return False
        if key is not None:
            answer(session, view, key)
        if watched is not None:
            watched.note()
        view.show(last.at)
        if video is not None:
            video.write(last, session)
    for line in last_table(session, frames, last):
        view.heard(line)
    return True


def last_table(session: TableSession, frames: Source, last: Frame | None) -> Iterator[Line]:
    """Yield what is said once the last frame of a film stands for a while: its table is read too.

    Args:
        session: which was shown the film.
        frames: the source that has ended.
        last: its last frame; None if there was none.
    """
    if last is not None and isinstance(frames, VideoFileSource):
        for frame in stills(last, last.at):
            yield from session.push(frame)


def answer(session: TableSession, view: View, key: str) -> None:
    """Answer the first open question by the number of a choice."""
    question = next((q for q in session.referee.questions.values() if q.choices), None)
    if question is None or not key.isdecimal() or not 1 <= int(key) <= len(question.choices):
        return
    try:
        for line in session.tell(Answer(question.code, question.choices[int(key) - 1].key)):
            view.heard(line)
    except DominoError as error:
        note(error.message)


def print_line(line: Line) -> None:
    """Print an event as one line of JSON."""
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()
