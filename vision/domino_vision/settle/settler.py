"""Frames in, commits and questions out: the table is read when it is at rest, from its sharpest frames together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

import numpy as np

from domino_rules.tile import TileSet
from domino_vision.assemble import assemble
from domino_vision.assemble.decode import within_set
from domino_vision.assemble.plane import project
from domino_vision.settle.buffer import FrameBuffer
from domino_vision.settle.judge import UNSURE, Doubt, Judgement, JudgeOptions, judge
from domino_vision.settle.machine import SettleMachine, SettleOptions
from domino_vision.settle.moved import changes, unchanged_since
from domino_vision.settle.samples import Reason, Sample, SettleState, Transition
from domino_vision.settle.stillness import WHOLE, Region, Stillness, region_of
from domino_vision.settle.unfound import NOTHING, found_there, unfound
from domino_vision.track import CameraMotion, Look, TableChange, TableTracker, anchored, diff, plane_of_markers
from domino_vision.track.tracker import Decode
from domino_vision.types import Detections, F32Array, F64Array, Face, Frame, TableObservation, TileReadings

_UNCHANGED: Final = 0.12
"""A tile whose picture changed in less than this share is still there."""
_AROUND: Final = 0.5
"""Nothing may have changed so far beyond a tile on all sides, in its widths, for it to lie undisturbed."""
_MOST_DROPPED: Final = 4
"""After so many late frames in a row one is looked at all the same."""
_REGION_STEP: Final = 0.02
_TINY: Final = 1e-12


class ReadsFrames(Protocol):
    """A pipeline, as far as it is needed here."""

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        """Return the tiles of a frame with a distribution over each half."""
        ...


@dataclass(frozen=True, slots=True)
class Commit:
    """The table as it is believed to lie now.

    Attributes:
        observation: in table coordinates, from several frames together.
        at: time of the newest frame that was used, seconds.
        frames: how many frames were added.
        reason: what it is about: `first_tiles`, `empty_table`, `tiles_changed`, `table_cleared`, `camera_moved`,
            `tiles_pushed`, `light_changed` or `nothing_changed`; `accepted` by a person.
        change: against the commit before; everything is new in the first one.
        delay_s: from the last motion to this commit; None at the start.
        frame: the sharpest frame, for evidence.
        transform: None, or the homography (3, 3) from the table millimetres of commits before to those of this one,
            if the table's plane was found anew: zones follow it (`Zones.moved`).
        undisturbed: of each tile, whether the picture of it and of what lies beside it is as in the commit before:
            no tile came there or went, even if it was overlooked both times.
        unfound: shape (k, 4, 2), table millimetres, where something came to lie in which no tile was found.
    """

    observation: TableObservation
    at: float
    frames: int
    reason: Reason
    change: TableChange
    delay_s: float | None
    frame: Frame = field(repr=False)
    transform: F64Array | None = None
    undisturbed: tuple[bool, ...] = ()
    unfound: F64Array = field(default_factory=lambda: NOTHING)

    def to_json(self) -> dict[str, Any]:
        """Return plain values, without the picture."""
        tiles = [None if tile.tile is None else str(tile.tile) for tile in self.observation.tiles]
        new = [tiles[i] for i in self.change.new]
        return {
            "event": "commit", "at": self.at, "frames": self.frames, "reason": self.reason.to_json(), "tiles": tiles,
            "new": new, "count": self.observation.open_end_count, "delay_s": self.delay_s,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ask:
    """A look that is not believed: what is in doubt, the worst first. It is no commit; the table may settle it itself.

    Attributes:
        observation: as far as it was read, in table coordinates.
        at: time of the newest frame that was used, seconds.
        frames: how many frames were added.
        reason: the worst doubt.
        doubts: all of them.
        change: what a commit would change.
        frame: the sharpest frame, for the pictures of the question.
        half_logp: shape (n, 2, 15), natural log, what is believed of the halves of its tiles: the decoded pips as
            surely as the decoding has them, all others in the proportions in which they were read.
    """

    observation: TableObservation
    at: float
    frames: int
    reason: Reason
    doubts: tuple[Doubt, ...]
    change: TableChange
    frame: Frame = field(repr=False)
    half_logp: F32Array = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """Return plain values, without the picture."""
        doubts = [{"code": doubt.code, "tiles": list(doubt.tiles), "params": doubt.params} for doubt in self.doubts]
        return {"event": "ask", "at": self.at, "frames": self.frames, "reason": self.reason.to_json(), "doubts": doubts}


Event = Transition | Commit | Ask


class Settler:
    """Follows one table. Push every frame; events come back. Not for several threads at once."""

    def __init__(
        self,
        reader: ReadsFrames,
        tile_set: TileSet,
        *,
        options: SettleOptions | None = None,
        judging: JudgeOptions | None = None,
        region: Region | None = None,
        px_to_mm: F64Array | None = None,
        decode: Decode = assemble,
        late_s: float = 0.5,
    ) -> None:
        """Start with a table that nothing is known of.

        Args:
            reader: reads the tiles of a frame, such as a `Pipeline`.
            tile_set: the set in use, for certain: a half with more pips is misread.
            options: times of the state machine.
            judging: how certain a look must be.
            region: the table in the picture as a person drew it; default: around the tiles found last.
            px_to_mm: shape (3, 3), the table's place if it is known from before.
            decode: decodes readings.
            late_s: frames older than this when they are pushed are dropped.
        """
        self.machine = SettleMachine(options)
        self.tracker = TableTracker(tile_set, decode, px_to_mm)
        self.stillness = Stillness(region or WHOLE)
        self.committed: Commit | None = None
        self.sample: Sample | None = None
        self.dropped = 0
        self._reader = reader
        self._judging = judging or JudgeOptions()
        self._drawn = region is not None
        self._late_s = late_s
        self._late_in_turn = 0
        self._whole = False
        self._newest: Frame | None = None
        self._buffer = FrameBuffer()
        self._looks: list[tuple[float, TileReadings]] = []
        self._sharpest: Frame | None = None
        self._near: Detections | None = None
        self._pending: tuple[Look, Judgement, TableChange] | None = None

    @property
    def state(self) -> SettleState:
        """What the program is doing."""
        return self.machine.state

    @property
    def reason(self) -> Reason:
        """Why."""
        return self.machine.reason

    def push(self, frame: Frame, now: float | None = None) -> tuple[Event, ...]:
        """Take in the next frame.

        Args:
            frame: the picture with its time.
            now: the time at which it is pushed, on the same clock; late frames are dropped. None for files.
        """
        if now is not None and now - frame.at > self._late_s and self._late_in_turn < _MOST_DROPPED:
            self._late_in_turn += 1
            self.dropped += 1
            return ()
        self._late_in_turn = 0
        self._newest = frame
        sample = self.sample = self.stillness.measure(frame.bgr, frame.at)
        events: list[Event] = list(self.machine.see(sample))
        if any(isinstance(event, Transition) and event.reason.code == "light_changed" for event in events):
            self.stillness.settle()
        if self.state is SettleState.HAND:
            self._forget_looks()
        elif self.state in (SettleState.STABLE, SettleState.READ):
            self._buffer.add(frame, sample.sharpness)
        if self.state is SettleState.READ:
            events += self._read()
        return tuple(events)

    def watch_whole(self, *, whole: bool) -> None:
        """Watch the whole picture instead of the surroundings of the tiles, or these again; a drawn region stays.

        Where tiles come to lie far from all others, as in piles and hands, nothing else shows that they came.
        """
        if whole is self._whole or self._drawn:
            return
        self._whole = whole
        if self._newest is None:
            return
        if whole:
            self.stillness.watch(WHOLE, self._newest.bgr)
        elif self.committed is not None:
            self._follow_region(self.committed.observation, self._newest)

    def answer(self, index: int, halves: tuple[int, int], *, by_person: bool = True) -> tuple[Event, ...]:
        """A person said what a tile of the open question is, or the rules leave it; the table is read once more.

        Args:
            index: the tile in the observation of the last `Ask`.
            halves: its pips, first half first.
            by_person: whether no later look can prove it wrong.
        """
        if self._pending is None:
            return ()
        look, judgement, change = self._pending
        quad = look.observation.tiles[index].quad_mm.astype(np.float64)
        transform = self.tracker.commit(look)
        came = {*change.new, *(tile.after for tile in change.moved)}
        unsure = [i for doubt in judgement.doubts if doubt.code == UNSURE for i in doubt.tiles]
        self.tracker.memory = self.tracker.memory.expected(came, unsure)
        if transform is not None:
            quad = project(transform, quad)
            if self.committed is not None:
                before = self.committed.observation
                moved = anchored(before, np.asarray(transform @ before.px_to_mm, np.float64))
                self.committed = replace(self.committed, observation=moved)
        self.tracker.tell(quad, halves, by_person=by_person)
        return self.machine.answered(self.machine.since)

    def accept(self) -> tuple[Event, ...]:
        """A person said that the open question's reading is right: it is committed as it is."""
        if self._pending is None or self.state is not SettleState.ASK:
            return ()
        look, _, change = self._pending
        at = self.machine.since
        self.machine.accepted(at)
        return (self._commit(look, change, Reason.of("accepted"), at),)

    def restart(self, at: float) -> tuple[Event, ...]:
        """Forget the table, as before a new hand, and read it afresh."""
        self.tracker = TableTracker(self.tracker.tile_set, self.tracker.decode, self.tracker.px_to_mm)
        self.committed = None
        self._forget_looks()
        return self.machine.reread(at, "restart")

    def _read(self) -> list[Event]:
        """Read the sharpest frame that was not read yet, and judge all looks together."""
        kept = self._buffer.take()
        while kept is not None and not self.stillness.shows_the_same(kept.frame.bgr):
            kept = self._buffer.take()
        if kept is None:
            return []
        readings = self._reader.readings(kept.frame, self._near)
        logp = within_set(readings.half_logp, self.tracker.tile_set.max_half)
        readings = replace(readings, half_logp=logp)
        self._near = Detections(readings.corners_px, readings.face, readings.score) if len(readings) else None
        if self._sharpest is None or not self._looks or kept.sharpness > self._looks[0][0]:
            self._sharpest = kept.frame
        self._looks.append((kept.sharpness, readings))
        self._looks.sort(key=lambda look: -look[0])
        if self.tracker.px_to_mm is None and (plane := plane_of_markers(kept.frame.bgr, readings)) is not None:
            self.tracker.calibrate(plane)
        size = kept.frame.size_wh
        looks = [readings for _, readings in self._looks]
        look = self.tracker.look(looks, size, self._unchanged(size), self._unchanged_when_moved(kept.frame))
        change = self._change(look)
        if len(looks) == 1 and self._looks_closer(look, kept.frame):
            looks = [self._looks[0][1]]
            look = self.tracker.look(looks, size, self._unchanged(size), self._unchanged_when_moved(kept.frame))
            change = self._change(look)
        known = len(self.committed.observation.tiles) if self.committed else 0
        if self._looks_beyond(look, change) and not self.stillness.shows_the_same(kept.frame.bgr):
            self._looks.clear()  # an arm was still in the picture there
            self._sharpest = None
            return []
        covered = self._covered(look, change)
        judgement = judge(look, change, known, self._judging, covered=covered)
        transitions = self.machine.read_done(judgement.verdict, kept.frame.at)
        events: list[Event] = list(transitions)
        for transition in transitions:
            if transition.state is SettleState.COMMIT:
                events.append(self._commit(look, change, transition.reason, kept.frame.at))
            elif transition.state is SettleState.ASK:
                events.append(self._ask(look, change, judgement, kept.frame.at))
        return events

    def _looks_closer(self, look: Look, frame: Frame) -> bool:
        """Look once more, and from near, where something lies that was not found; return whether tiles lie there."""
        sharpness, readings = self._looks[0]
        places = self._unfound(look, frame)
        if not len(places) or not len(readings):
            return False
        near = Detections(readings.corners_px, readings.face, readings.score)
        backs, sure = np.full(len(places), Face.DOWN, np.uint8), np.ones(len(places), np.float32)
        near = Detections.together([near, Detections(places.astype(np.float32), backs, sure)])
        closer = self._reader.readings(frame, near)
        logp = within_set(closer.half_logp, self.tracker.tile_set.max_half)
        more = found_there(replace(closer, half_logp=logp), readings, places)
        if more is None:
            return False
        self._looks[0] = (sharpness, more)
        self._near = Detections(more.corners_px, more.face, more.score)
        return True

    def _unfound(self, look: Look, frame: Frame) -> F64Array:
        """Return where something came to lie in which no tile was found, (k, 4, 2) in pixels of the frame."""
        known, motion = self.committed, look.registration.motion
        if known is None or motion is CameraMotion.UNKNOWN:
            return NOTHING
        to_mm, before = look.registration.px_to_mm, known.observation
        then = to_mm if motion is CameraMotion.STILL else before.px_to_mm
        mask, scale = changes(known.frame.bgr, then, frame.bgr, to_mm)
        to_px = np.asarray(np.linalg.inv(to_mm), np.float64)
        tiles = [tile.quad_px.astype(np.float64) for tile in look.observation.tiles]
        tiles += [project(to_px, tile.quad_mm.astype(np.float64)) for tile in before.tiles]
        return unfound(mask, scale, tiles)

    def _looks_beyond(self, look: Look, change: TableChange) -> bool:
        """Watch the whole picture if tiles came where nobody watched, perhaps in a hand; return whether they did."""
        if self._drawn or self._newest is None or self.committed is None:
            return False
        left, top, right, bottom = np.array(self.stillness.region) * np.tile(look.observation.size_wh, 2)
        came = (*change.new, *(tile.after for tile in change.moved))
        middles = [look.observation.tiles[i].quad_px.mean(0) for i in came]
        beyond = any(not (left < x < right and top < y < bottom) for x, y in middles)
        if beyond:
            self.stillness.widen()
            self.sample = self.stillness.measure(self._newest.bgr, self._newest.at)
        return beyond

    def _covered(self, look: Look, change: TableChange) -> int:
        """Return how many tiles are not to be believed yet: missing, or backs seen there, as fingers look like some."""
        if self.sample is None or not self.sample.hand or not self.machine.waits_for_cover:
            return 0
        tiles = look.observation.tiles
        backs = [tiles[i].quad_px.astype(np.float64) for i in change.new if not _shows_face(look, i)]
        return len(change.gone) + sum(self.stillness.in_hand(quad, look.observation.size_wh) for quad in backs)

    def _unchanged(self, size_wh: tuple[int, int]) -> Callable[[F64Array], bool] | None:
        if self.committed is None:
            return None
        return lambda quad: self.stillness.changed_in(quad, size_wh) < _UNCHANGED

    def _unchanged_when_moved(self, frame: Frame) -> Callable[[F64Array], Callable[[F64Array], bool]] | None:
        known = self.committed
        if known is None:
            return None
        return lambda to_mm: unchanged_since(known.frame.bgr, known.observation.px_to_mm, frame.bgr, to_mm)

    def _change(self, look: Look) -> TableChange:
        if self.committed is None:
            return TableChange(new=tuple(range(len(look.observation.tiles))))
        return diff(self.committed.observation, look.observation)

    def _commit(self, look: Look, change: TableChange, reason: Reason, at: float) -> Commit:
        frame = self._sharpest
        if frame is None:
            raise RuntimeError("nothing was read yet")
        gain = self.sample.gain if self.sample is not None else 1.0
        if reason.code == "nothing_changed" and abs(gain - 1) > self.machine.options.light:
            reason = Reason.of("light_changed", gain=round(gain, 3))
        undisturbed, places = self._undisturbed(look, change), self._unfound(look, frame)
        transform = self.tracker.commit(look)
        observation = look.observation
        if transform is not None and self.tracker.px_to_mm is not None:
            observation = anchored(observation, self.tracker.px_to_mm)
        delay = self.machine.delay_s
        places = project(observation.px_to_mm, places)
        found = Commit(observation, at, look.looks, reason, change, delay, frame, transform, undisturbed, places)
        self.committed = found
        self.stillness.settle(covered=self.sample is not None and self.sample.hand)
        self._follow_region(look.observation, frame)
        self._forget_looks()
        return found

    def _undisturbed(self, look: Look, change: TableChange) -> tuple[bool, ...]:
        """Return `Commit.undisturbed`; nothing is known where the camera moved, nor of backs where one is gone."""
        unchanged = self._unchanged(look.observation.size_wh)
        tiles = look.observation.tiles
        if unchanged is None or self.committed is None or look.registration.motion is not CameraMotion.STILL:
            return (False,) * len(tiles)
        before = self.committed.observation.tiles
        gone = any(before[i].halves is None for i in change.gone)
        return tuple(
            not (gone and tile.halves is None) and unchanged(_around(tile.quad_px.astype(np.float64))) for tile in tiles
        )

    def _ask(self, look: Look, change: TableChange, judgement: Judgement, at: float) -> Ask:
        frame = self._sharpest
        if frame is None:
            raise RuntimeError("nothing was read yet")
        self._pending = (look, judgement, change)
        reason = judgement.verdict.reason
        self._looks.clear()
        half_logp = _believed(look.observation, look.readings.half_logp)
        return Ask(look.observation, at, look.looks, reason, judgement.doubts, change, frame, half_logp)

    def _follow_region(self, observation: TableObservation, frame: Frame) -> None:
        """Watch what surrounds the tiles now, by the newest frame: in the one that was read an arm may still leave."""
        if self._drawn:
            return
        corners: Sequence[F32Array] = [tile.quad_px for tile in observation.tiles]
        region = region_of(np.array(corners, np.float32).reshape(-1, 4, 2), frame.size_wh)
        region = WHOLE if self._whole else region
        if max(abs(a - b) for a, b in zip(region, self.stillness.region, strict=True)) > _REGION_STEP:
            self.stillness.watch(region, (self._newest or frame).bgr)
        self.stillness.know_tiles(np.array(corners, np.float32).reshape(-1, 4, 2))

    def _forget_looks(self) -> None:
        self._looks.clear()
        self._buffer.clear()
        self._sharpest = self._near = self._pending = None


def _shows_face(look: Look, index: int) -> bool:
    return look.observation.tiles[index].halves is not None


def _around(quad_px: F64Array) -> F64Array:
    """Return the place of a quad (4, 2), 0-1 and 2-3 its short edges, and of what lies beside it."""
    across, along = quad_px[[1, 0, 3, 2]] - quad_px, quad_px[[3, 2, 1, 0]] - quad_px
    width = np.linalg.norm(across, axis=1, keepdims=True)
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9) * width
    return np.asarray(quad_px - (across + along) * _AROUND, np.float64)


def _believed(observation: TableObservation, half_logp: F32Array) -> F32Array:
    """Return `Ask.half_logp` from what was read, shape (n, 2, 15)."""
    p = np.exp(half_logp.astype(np.float64))
    for i, tile in enumerate(observation.tiles):
        for half, pips in enumerate(tile.halves or ()):
            sure = 1.0 if tile.half_confidence is None else tile.half_confidence[half]
            p[i, half, pips] = 0.0
            p[i, half] *= (1 - sure) / max(float(p[i, half].sum()), _TINY)
            p[i, half, pips] = sure
    return np.log(np.maximum(p, _TINY)).astype(np.float32)


def bumped(commit: Commit) -> bool:
    """Whether a commit is about a bump of the camera or the table, and no move."""
    return commit.change.is_empty and commit.reason.code in (f"camera_{CameraMotion.MOVED.value}", "tiles_pushed")
