"""Renders videos of whole games: hands come and go, tiles slide in, the camera is bumped, and the truth is known.

The table with the tiles at rest is painted once and kept until something on it changes; a frame adds what moves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from domino_vision.synth import tables
from domino_vision.synth.board import Join, Piece
from domino_vision.synth.camera import Camera, lift
from domino_vision.synth.paint import F32, F64, U8, polygon, u8
from domino_vision.synth.scene import SynthTile
from domino_vision.synth.solids import Sun, cast_shadow, draw_lying, outline, top_quad
from domino_vision.synth.stage import Stage
from domino_vision.synth.video_hand import Arm, draw_arm, draw_leaning
from domino_vision.synth.video_script import (
    Act,
    Blackout,
    CameraBump,
    Laying,
    Leaning,
    LightChange,
    Moving,
    Pause,
    Placing,
    Pushing,
    Resting,
    Script,
    Sweeping,
    TableState,
    Taking,
    moved,
    pushed,
)
from domino_vision.types import Frame

_NOISE_FIELDS = 4
_LIFTED = 0.6
"""Height of a carried tile over the table, tile widths."""


@dataclass(frozen=True, slots=True)
class VideoOptions:
    """How the video is filmed.

    Attributes:
        fps: frames a second.
        reach_s: seconds in which a hand comes in, and goes out.
        slide_s: seconds for which a tile is slid into place.
        rest_s: seconds after each act in which nothing happens.
        noise: standard deviation of the sensor's noise, grey levels.
        blur: standard deviation of the lens' blur, pixels.
    """

    fps: float = 15.0
    reach_s: float = 0.5
    slide_s: float = 0.4
    rest_s: float = 1.2
    noise: float = 2.0
    blur: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class VideoFrame:
    """A frame and the truth about it.

    Attributes:
        frame: the picture with its time in seconds.
        tiles: face-up tiles at rest, hidden ones too (`visible` says how much of each is seen), quads in pixels.
        keys: the script's name of each.
        down: quads (4, 2) of face-down tiles at rest.
        chain: joins (i, part, j, part) by index into `tiles`.
        act: number of the act that is going on, or was the last.
        resting: whether nothing moves and nothing is over the table.
        done: how many acts are over; a hand's is when it has left the picture.
        homography: (3, 3) from table coordinates in tile widths to pixels, on the tiles' top.
    """

    frame: Frame
    tiles: tuple[SynthTile, ...]
    keys: tuple[str, ...]
    down: tuple[F32, ...]
    chain: tuple[Join, ...]
    act: int
    resting: bool
    done: int
    homography: F64


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """What one frame shows besides the table at rest."""

    carried: tuple[tuple[Piece, float], ...] = ()
    hidden: frozenset[str] = frozenset()
    grip: F64 | None = None
    lean: float = 0.0
    black: bool = False
    shake: tuple[float, float] = (0.0, 0.0)
    over: bool = False
    leaving: bool = False


class GameVideo:
    """A video of a script; iterate over its frames. The same seed gives the same video."""

    def __init__(self, seed: int, stage: Stage, script: Script, options: VideoOptions | None = None) -> None:
        """Prepare a video.

        Args:
            seed: of table, light, noise and hands.
            stage: camera and look of the tiles (`set_stage`).
            script: what happens.
            options: how it is filmed.
        """
        self.stage, self.script, self.options = stage, script, options or VideoOptions()
        self._seed = seed
        rng = np.random.default_rng([seed, 1])
        self._texture, self._mirror = tables.table_texture(rng)
        self._sun = Sun(
            float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0, 0.6)), 0.15, float(rng.uniform(0.2, 0.5))
        )
        self._arms = [Arm.random(rng) for _ in range(4)]
        size = (stage.camera.size_wh[1], stage.camera.size_wh[0])
        fields = rng.normal(0, self.options.noise, (_NOISE_FIELDS, *size)).astype(np.float32)
        self._noise = [np.repeat(np.round(field).astype(np.int16)[..., None], 3, axis=2) for field in fields]
        self._camera = stage.camera
        self._state = TableState(dict(script.start))
        self._gain = 1.0
        self._base: tuple[U8, U8] | None = None
        self._base_without: frozenset[str] = frozenset()
        self._number = 0

    def __iter__(self) -> Iterator[VideoFrame]:
        yield from self._rest(self.options.rest_s, 0, 0)
        for number, act in enumerate(self.script.acts):
            yield from self._play(act, number)
            yield from self._rest(self.options.rest_s, number, number + 1)

    def _play(self, act: Act, number: int) -> Iterator[VideoFrame]:
        match act:
            case Pause():
                yield from self._rest(act.seconds, number, number)
            case Blackout():
                for _ in range(self._frames(act.seconds)):
                    yield self._shoot(_Moment(black=True, over=True), number, number)
            case Leaning() | Sweeping():
                yield from self._lean(act, number)
            case Resting():
                yield from self._rest_hand(act, number)
            case LightChange():
                start, count = self._gain, max(1, self._frames(act.seconds))
                for step in range(count):
                    self._gain = start + (act.gain - start) * (step + 1) / count
                    yield self._shoot(_Moment(), number, number)
            case CameraBump():
                yield from self._bump(act, number)
            case _:
                yield from self._handle(act, number)

    def _rest(self, seconds: float, number: int, done: int) -> Iterator[VideoFrame]:
        for _ in range(self._frames(seconds)):
            yield self._shoot(_Moment(), number, done)

    def _lean(self, act: Leaning | Sweeping, number: int) -> Iterator[VideoFrame]:
        count = max(2, self._frames(act.seconds))
        for step in range(count):
            if isinstance(act, Sweeping) and step == count // 2:
                self._state.apply(act)
                self._base = None
            ease = min(1.0, 4 * (step + 1) / count, 4 * (count - step) / count)
            yield self._shoot(_Moment(lean=ease, over=True), number, number, seat=act.seat)

    def _rest_hand(self, act: Resting, number: int) -> Iterator[VideoFrame]:
        outside = self._outside(act.seat, np.random.default_rng([self._seed, 6, number]))
        there = np.array(act.at)
        way, stay = max(1, self._frames(self.options.reach_s)), self._frames(act.seconds)
        shares = [*((step + 1) / way for step in range(way)), *[1.0] * stay]
        shares += [(way - step - 1) / way for step in range(way)]
        for step, share in enumerate(shares):
            at = outside + (there - outside) * _ease(share)
            leaving = step >= way + stay
            yield self._shoot(_Moment(grip=at, over=True, leaving=leaving), number, number, seat=act.seat)

    def _bump(self, act: CameraBump, number: int) -> Iterator[VideoFrame]:
        rng = np.random.default_rng([self._seed, 2, number])
        for step in range(3):
            dx, dy = rng.normal(0, 6 - 2 * step, 2)
            yield self._shoot(_Moment(shake=(float(dx), float(dy)), over=True), number, number)
        self._camera = bumped_camera(self._camera, act)
        self._base = None
        for step in range(3):
            dx, dy = rng.normal(0, 3 - step, 2)
            yield self._shoot(_Moment(shake=(float(dx), float(dy)), over=True), number, number)

    def _handle(self, act: Placing | Laying | Taking | Moving | Pushing, number: int) -> Iterator[VideoFrame]:
        """A hand comes in, does something with one tile after the other, and leaves."""
        options = self.options
        rng = np.random.default_rng([self._seed, 3, number])
        outside = self._outside(act.seat, rng)
        hand = outside
        state = self._state.pieces
        lying: dict[str, Piece] = {}
        hidden: frozenset[str] = frozenset()
        for key, before, after in _strokes(act, state):
            stops = self._stops(before, after, hand, outside, rng)
            paces = self._paces(before, after)
            if isinstance(act, Placing) and act.hesitate_s:
                still = (stops[1][0], stops[1][0])
                stops, paces = [stops[0], still, stops[1]], (paces[0], act.hesitate_s, paces[1])
            for (start, stop), seconds in zip(stops, paces, strict=True):
                count = max(1, self._frames(seconds))
                if start[1] is not None or stop[1] is not None:
                    hidden |= {key}
                for step in range(count):
                    share = _ease((step + 1) / count)
                    at = start[0] + (stop[0] - start[0]) * share
                    carried = [(piece, 0.0) for name, piece in lying.items() if name != key]
                    tile = stop[1] or start[1]
                    if tile is not None and (start[1] is not None or stop[1] is not None):
                        carried.append((_between(start[1] or tile, stop[1] or tile, at, share), stop[2]))
                    moment = _Moment(tuple(carried), hidden, at, over=True)
                    yield self._shoot(moment, number, number, seat=act.seat)
                hand = stop[0]
            if after is not None:
                lying[key] = after
        self._state.apply(act)
        self._base = None
        count = max(1, self._frames(options.reach_s))
        for step in range(count):
            at = hand + (outside - hand) * _ease((step + 1) / count)
            yield self._shoot(_Moment(grip=at, over=True, leaving=True), number, number, seat=act.seat)

    def _stops(
        self, before: Piece | None, after: Piece | None, hand: F64, outside: F64, rng: np.random.Generator
    ) -> list[tuple[tuple[F64, Piece | None, float], tuple[F64, Piece | None, float]]]:
        """Stations of a hand with one tile: (grip on the table, tile in it, its height)."""
        if before is None and after is not None:
            near = after.centre + rng.normal(0, 0.4, 2) + (outside - after.centre) * 0.02
            carried, askew = (
                moved(after, outside, after.angle),
                moved(after, near, after.angle + float(rng.normal(0, 0.3))),
            )
            here = (near, askew, 0.0)
            return [((hand, carried, _LIFTED), (near, askew, _LIFTED)), (here, (after.centre, after, 0.0))]
        if before is None:
            return []
        pick = ((hand, None, 0.0), (before.centre, None, 0.0))
        if after is None:
            return [pick, ((before.centre, before, _LIFTED), (outside, moved(before, outside, before.angle), _LIFTED))]
        return [pick, ((before.centre, before, 0.0), (after.centre, after, 0.0))]

    def _paces(self, before: Piece | None, after: Piece | None) -> tuple[float, ...]:
        options = self.options
        if before is None and after is None:
            return ()
        if after is None:
            return (options.reach_s, options.reach_s)
        return (options.reach_s, options.slide_s)

    def _outside(self, seat: int, rng: np.random.Generator) -> F64:
        """A point on the table plane out of the picture on a seat's side."""
        low, high = self.stage.view
        middle, reach = (low + high) / 2, (high - low) / 2
        ways = {0: (0.0, -1.0), 1: (1.0, 0.0), 2: (0.0, 1.0), 3: (-1.0, 0.0)}
        return np.asarray(middle + (np.array(ways[seat % 4]) * 1.7 + rng.normal(0, 0.15, 2)) * reach)

    def _frames(self, seconds: float) -> int:
        return round(seconds * self.options.fps)

    def _shoot(self, moment: _Moment, number: int, done: int, seat: int = 0) -> VideoFrame:
        at = self._number / self.options.fps
        base, base_ids = self._table(moment.hidden)
        canvas, ids = base.copy(), base_ids.copy()
        camera = self._camera
        for piece, height in moment.carried:
            self._draw(canvas, ids, camera, piece, height, hash_of(piece))
        if moment.grip is not None:
            grip = camera.project(lift(moment.grip[None], 0.3))[0]
            arm = self._arms[seat % 4]
            slant = 0.25 * math.sin(number)
            draw_arm(canvas, ids, arm, grip, seat, self.stage.tile_px, slant)
        if moment.lean:
            draw_leaning(canvas, ids, self._arms[seat % 4], seat, moment.lean, math.sin(3 * at))
        over = moment.over and (not moment.leaving or bool((ids == 255).any()))
        done += moment.leaving and not over
        frame = self._develop(canvas, moment)
        self._number += 1
        tiles, keys, down, chain = self._truth(ids, moment.hidden)
        plane = camera.plane(self.stage.style.thickness)
        return VideoFrame(Frame(frame, at), tiles, keys, down, chain, number, not over, done, plane)

    def _table(self, hidden: frozenset[str]) -> tuple[U8, U8]:
        """The table with the tiles at rest, and which pixels show which tile (its number + 1)."""
        if self._base is None or self._base_without != hidden:
            camera, stage = self._camera, self.stage
            span = self._texture.shape[1] * 0.8 / (stage.tile_px / stage.style.aspect)
            frame = tables.lay_table(np.random.default_rng([self._seed, 4]), camera, self._texture, span, self._mirror)
            frame = frame.copy()
            ids = np.zeros(frame.shape[:2], np.uint8)
            left = [(i, key, piece) for i, (key, piece) in enumerate(self._state.pieces.items()) if key not in hidden]
            frame = self._shadows(frame, camera, [piece for _, _, piece in left])
            left.sort(key=lambda item: -float(np.linalg.norm([*item[2].centre, 0.2] - camera.position)))
            for i, _, piece in left:
                draw_lying(self._rng_of(piece), frame, ids, camera, piece, stage.style, self._sun)
                polygon(ids, top_quad(camera, piece, stage.style), i + 1, False)
            if self.options.blur:
                frame = u8(cv2.GaussianBlur(frame, (0, 0), self.options.blur))
            self._base, self._base_without = (frame, ids), hidden
        return self._base

    def _draw(self, canvas: U8, ids: U8, camera: Camera, piece: Piece, height: float, number: int) -> None:
        style = self.stage.style
        if height:  # a carried tile is nearer to the camera: drawn as lying on a plane moved up
            up = camera.matrix.copy()
            up[:, 3] += height * up[:, 2]
            camera = Camera(up, camera.position, camera.size_wh)
        else:
            canvas[:] = self._shadows(canvas, camera, [piece])
        draw_lying(np.random.default_rng([self._seed, 5, number]), canvas, ids, camera, piece, style, self._sun)
        polygon(ids, top_quad(camera, piece, style), 254, False)

    def _shadows(self, frame: U8, camera: Camera, pieces: list[Piece]) -> U8:
        """Darken the table where tiles keep the light off."""
        if not pieces:
            return frame
        scale, style = 0.5, self.stage.style
        mask = np.zeros((int(frame.shape[0] * scale), int(frame.shape[1] * scale)), np.uint8)
        for piece in pieces:
            cast_shadow(mask, camera, outline(piece.quad, 0.0), style.thickness, self._sun, scale)
        unit_px = self.stage.tile_px / style.aspect * scale
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, self._sun.softness * unit_px))
        keep = cv2.resize(255 - u8(soft * self._sun.depth), frame.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return u8(cv2.multiply(frame, cv2.merge([keep, keep, keep]), scale=1 / 255))

    def _rng_of(self, piece: Piece) -> np.random.Generator:
        return np.random.default_rng([self._seed, 5, hash_of(piece)])

    def _develop(self, canvas: U8, moment: _Moment) -> U8:
        if moment.black:
            return np.zeros_like(canvas)
        if any(moment.shake):
            shift = np.array([[1, 0, moment.shake[0]], [0, 1, moment.shake[1]]], np.float32)
            canvas = u8(cv2.warpAffine(canvas, shift, canvas.shape[1::-1], borderMode=cv2.BORDER_REPLICATE))
        if self._gain != 1.0:
            canvas = u8(cv2.convertScaleAbs(canvas, alpha=self._gain))
        noise = np.roll(self._noise[self._number % _NOISE_FIELDS], (self._number * 37) % 101, axis=1)
        return u8(cv2.add(canvas, noise, dtype=cv2.CV_8U))

    def _truth(
        self, ids: U8, moving: frozenset[str]
    ) -> tuple[tuple[SynthTile, ...], tuple[str, ...], tuple[F32, ...], tuple[Join, ...]]:
        seen = cv2.calcHist([ids], [0], None, [256], [0, 256]).ravel()
        tiles: list[SynthTile] = []
        keys: list[str] = []
        down: list[F32] = []
        places: dict[int, int] = {}
        for i, (key, piece) in enumerate(self._state.pieces.items()):
            if key in moving:
                continue
            quad = top_quad(self._camera, piece, self.stage.style).astype(np.float32)
            if piece.kind != "up":
                down.append(quad)
                continue
            places[i] = len(tiles)
            area = max(1.0, float(cv2.contourArea(quad)))
            tiles.append(SynthTile(quad, piece.halves, min(1.0, float(seen[i + 1]) / area)))
            keys.append(key)
        joins = ((places.get(a), p, places.get(b), q) for a, p, b, q in self._state.indexed_joins())
        chain = tuple((a, p, b, q) for a, p, b, q in joins if a is not None and b is not None)
        return tuple(tiles), tuple(keys), tuple(down), chain


def bumped_camera(camera: Camera, act: CameraBump) -> Camera:
    """Return the camera after it was pushed: its picture is shifted and rolled."""
    angle = math.radians(act.roll_deg)
    c, s = math.cos(angle), math.sin(angle)
    x, y = camera.size_wh[0] / 2, camera.size_wh[1] / 2
    dx, dy = act.shift_px
    move = np.array([[c, -s, x - c * x + s * y + dx], [s, c, y - s * x - c * y + dy], [0, 0, 1.0]])
    return replace(camera, matrix=move @ camera.matrix)


def hash_of(piece: Piece) -> int:
    """A number that stays with a tile wherever it lies, so that it looks the same in every frame."""
    return (piece.halves[0] + 1) * 32 + piece.halves[1] + 1 + (0 if piece.kind == "up" else 2048)


def _strokes(
    act: Placing | Laying | Taking | Moving | Pushing, state: dict[str, Piece]
) -> list[tuple[str, Piece | None, Piece | None]]:
    """What the hand does, tile by tile: key, where it lay, where it comes to lie."""
    match act:
        case Placing():
            return [(act.key, None, act.piece)]
        case Laying():
            return [(key, None, piece) for key, piece in act.to]
        case Taking():
            return [(key, state[key], None) for key in act.keys]
        case Moving():
            moving: list[tuple[str, Piece | None, Piece | None]] = [(key, state.get(key), to) for key, to in act.to]
            return moving + [(key, state[key], None) for key in act.away]
        case Pushing():
            return [(key, state[key], piece) for key, piece in pushed(state, act).items()]


def _between(start: Piece, stop: Piece, at: F64, share: float) -> Piece:
    angle = start.angle + (stop.angle - start.angle) * share
    return moved(stop if share > 0.5 else start, at, angle)


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)
