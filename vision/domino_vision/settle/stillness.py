"""Is the table at rest? Measured on small pictures of the table region, in a few milliseconds a frame."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from domino_vision.settle.cover import Cover
from domino_vision.settle.samples import Sample
from domino_vision.types import F32Array, F64Array, U8Array

_WIDTH: Final = 240
"""Width of the small picture, pixels; a tile of a table of 25 tiles across has about ten."""
_COARSE: Final = 2
"""Before it is averaged down, the frame is thinned to this many times the small size."""
_NOISE: Final = 9.0
"""Levels by which a colour of a pixel of the small picture may differ by noise alone, at a brightness of 128."""
_HAND_SHARE: Final = 0.02
"""A connected change of this share of the region that touches its edge is something reaching in."""
_HAND_TILES: Final = 3.0
"""So is one of so many tiles: in a wide region an arm may cover little of it."""
_LEAST_HAND: Final = 0.004
_COVER_SHARE: Final = 0.12
"""A connected change of this share is something over the table, wherever it is."""
_TILE_SHARE: Final = 0.0006
"""A connected change of this share may be a tile: a picture 25 tiles wide shows one as 0.0009 of it or more."""
_IN_HAND: Final = 0.5
_LEAST_RANGE: Final = 8.0
"""Grey levels between the darkest and the brightest: with less there is no picture, but one grey everywhere."""
_LIT: Final = (20.0, 240.0)
"""Grey levels between which light can be compared: what is black stays black, what is blown out stays so."""
_LEAST_LIT: Final = 30
_BLOCK: Final = 4
"""Pixels of the small picture along a block whose light is compared."""
_SHIFT_FROM: Final = 0.01
"""The picture's shift is looked for when this share changed."""
_LEAST_RESPONSE: Final = 0.25
_SHIFTED_RESIDUE: Final = 0.5
"""After the shift is undone, at most this share of the change may remain, else it was no shift."""

Region = tuple[float, float, float, float]
"""Left, top, right, bottom of the table in the picture, as shares of its width and height."""
WHOLE: Final[Region] = (0.0, 0.0, 1.0, 1.0)


class Stillness:
    """Measures frames of one camera. Not for several threads at once."""

    def __init__(self, region: Region = WHOLE) -> None:
        """Watch a region of the picture, all of it by default."""
        self.region = region
        self._before: F32Array | None = None
        self._reference: F32Array | None = None
        self._bare: F32Array | None = None
        self._cover = Cover()
        self._hand: NDArray[np.uint8] | None = None
        self._few_tiles_px = 0.0
        self._room: F32Array | None = None
        self._frame: U8Array | None = None
        self._last: F32Array | None = None
        self._mask: NDArray[np.uint8] | None = None

    def know_tiles(self, corners_px: F32Array) -> None:
        """Take note of how large tiles are, by their corners (n, 4, 2) in pixels of a frame."""
        areas = [float(cv2.contourArea(np.asarray(quad, np.float32))) for quad in corners_px]
        self._few_tiles_px = _HAND_TILES * float(np.median(areas)) if areas else 0.0

    def watch(self, region: Region, bgr: U8Array) -> None:
        """Watch another region; a frame (h, w, 3) shows what is there now, as it was committed."""
        self.region = region
        self._frame = bgr
        self._before = self._last = self._small(bgr)[0]
        self._mask = None
        self._bare = None
        self.settle()

    def widen(self) -> None:
        """Watch the whole picture against the whole of what was committed, as something was seen beyond the region."""
        if self._frame is None:
            return
        self.region = WHOLE
        self._before = self._last = self._small(self._frame)[0]
        self._reference, self._bare, self._mask = self._room, None, None
        self._cover.clear()

    def settle(self, *, covered: bool = False) -> None:
        """Take the newest frame as the table that was committed.

        Args:
            covered: whether something lies over the table; the table without it is remembered, for when it leaves.
        """
        self._cover.clear()
        if self._last is None:
            return
        if not covered:
            self._bare = None
        elif self._bare is None:
            self._bare = self._reference
        self._reference = self._last
        self._mask = None
        self._room = None if self._frame is None else self._small(self._frame, WHOLE)[0]

    def measure(self, bgr: U8Array, at: float) -> Sample:
        """Return what a frame (h, w, 3) tells; one of another size than the one before says that all moved."""
        resized = self._frame is not None and self._frame.shape != bgr.shape
        self._frame = bgr
        small, scale = self._small(bgr)
        grey = _grey(small)
        sharpness = float(np.abs(cv2.Laplacian(grey, cv2.CV_32F)).mean())
        if float(np.ptp(grey)) < _LEAST_RANGE:
            return Sample(at, dark=True, sharpness=sharpness)
        before, self._before, self._last = self._before, small, small
        if resized:
            self._mask = self._hand = None
            self._cover.clear()
            return Sample(at, 1.0, sharpness=sharpness)
        if before is None or before.shape != small.shape:
            before = small
        motion = _changed(small, before, _gains(small, before))
        reference = self._reference
        if reference is None or reference.shape != small.shape:  # nothing was committed: only motion tells
            return Sample(at, float(motion.mean()), sharpness=sharpness)
        grey_before = _grey(reference)
        gain = _gain(grey, grey_before)
        mask = _changed(small, reference, _gains(small, reference))
        hands = self._hands(mask)
        if hands and self._bare is not None and self._bare.shape == small.shape:
            bare = _changed(small, self._bare, _gains(small, self._bare))
            if not self._hands(bare):  # what lay over the table has left
                self._reference, self._bare = self._bare, None
                mask, hands, grey_before = bare, [], _grey(self._reference)
                gain = _gain(grey, grey_before)
        self._mask = mask
        changed = float(mask.mean())
        shift = 0.0
        if changed > _SHIFT_FROM:
            shift, lit = _shift(grey_before, grey, changed)
            shift, gain = shift * scale, lit if shift else gain
        moving = float(motion.mean())
        hands = [] if shift else hands
        self._hand, stays_s = None, 0.0
        if hands:
            self._hand = np.max([thing.where for thing in hands], axis=0)
            stays_s = self._cover.see(small, [thing.where for thing in hands], moving, at, differs)
        else:
            self._cover.clear()
        return Sample(at, moving, changed, bool(hands), stays_s, _largest(mask), gain, shift, sharpness)

    def _hands(self, mask: NDArray[np.uint8]) -> list[_Change]:
        """Return the connected changes that are something that reaches or lies over the table."""
        least = self._hand_share
        parts = _parts(mask, least)
        return [part for part in parts if (part.touches and part.share > least) or part.share > _COVER_SHARE]

    @property
    def _hand_share(self) -> float:
        if self._frame is None or not self._few_tiles_px:
            return _HAND_SHARE
        left, top, right, bottom = self.region
        area = (right - left) * (bottom - top) * float(self._frame.shape[0] * self._frame.shape[1])
        few = self._few_tiles_px / max(1.0, area)
        return min(_HAND_SHARE, max(_LEAST_HAND, few))

    def in_hand(self, quad_px: F64Array, size_wh: tuple[int, int]) -> bool:
        """Return whether most of a quad (4, 2) in pixels of a frame is of what lies or reaches over the table."""
        return self._hand is not None and self._share_in(self._hand, quad_px, size_wh) > _IN_HAND

    def shows_the_same(self, bgr: U8Array) -> bool:
        """Return whether a frame (h, w, 3) of a moment ago shows what the newest one does, up to less than a tile.

        A tile that is drawn away by itself moves too few pixels to count as motion.
        """
        small, last = self._small(bgr)[0], self._last
        if last is None or last.shape != small.shape:
            return True
        return _largest(_changed(small, last, _gains(small, last))) < _TILE_SHARE

    def changed_in(self, quad_px: F64Array, size_wh: tuple[int, int]) -> float:
        """Return the share of a quad (4, 2) in pixels of a frame that differs from the table as last committed.

        What lies outside the region counts as unchanged.
        """
        return 0.0 if self._mask is None else self._share_in(self._mask, quad_px, size_wh)

    def _share_in(self, mask: NDArray[np.uint8], quad_px: F64Array, size_wh: tuple[int, int]) -> float:
        left, top, right, bottom = self.region
        size = np.array(size_wh, np.float64)
        low, span = np.array([left, top]) * size, np.array([right - left, bottom - top]) * size
        points = (np.asarray(quad_px) - low) / span * np.array(mask.shape[::-1])
        inside = np.zeros(mask.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(points).astype(np.int32), 1)
        return float((mask & inside).sum() / max(int(inside.sum()), 1))

    def _small(self, bgr: U8Array, region: Region | None = None) -> tuple[F32Array, float]:
        """Return the region small, shape (h, w, 3), and how many pixels of the frame one of its pixels is wide."""
        height, width = bgr.shape[:2]
        left, top, right, bottom = region or self.region
        part = bgr[int(top * height) : max(int(bottom * height), int(top * height) + 8)]
        part = part[:, int(left * width) : max(int(right * width), int(left * width) + 8)]
        step = max(1, part.shape[1] // (_WIDTH * _COARSE))
        wh = part.shape[1] // step, part.shape[0] // step
        thin = cv2.resize(part[: wh[1] * step, : wh[0] * step], wh, interpolation=cv2.INTER_NEAREST)
        rows = max(8, round(_WIDTH * thin.shape[0] / thin.shape[1]))
        small = cv2.resize(thin, (_WIDTH, rows), interpolation=cv2.INTER_AREA) if thin.shape[1] > _WIDTH else thin
        return np.asarray(small, np.float32), part.shape[1] / small.shape[1]


def region_of(corners_px: F32Array, size_wh: tuple[int, int], margin: float = 2.5) -> Region:
    """Return the table region around tiles: their surroundings, `margin` tile lengths wide, as shares of the picture.

    Where no more of that is in the picture than a tile is long, as after the camera was turned away from the tiles, it
    is the whole picture.

    Args:
        corners_px: shape (n, 4, 2), the tiles found last; none give the whole picture.
        size_wh: width and height of the picture in pixels.
        margin: tile lengths beyond the outermost tiles, where the next ones will be laid.
    """
    if not len(corners_px):
        return WHOLE
    ends = corners_px.reshape(-1, 2, 2, 2).mean(2)
    length = float(np.median(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)))
    reach, size = margin * length, np.array(size_wh, np.float64)
    low = np.clip((corners_px.min((0, 1)) - reach) / size, 0, 1)
    high = np.clip((corners_px.max((0, 1)) + reach) / size, 0, 1)
    if ((high - low) * size <= length).any():
        return WHOLE
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _grey(small: F32Array) -> F32Array:
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def _gains(small: F32Array, reference: F32Array) -> F32Array:
    """Return `_gain` of each colour, (3,): cameras change their white balance as well as their exposure."""
    return np.array([_gain(small[..., k], reference[..., k]) for k in range(3)], np.float32)


def _gain(grey: F32Array, reference: F32Array) -> float:
    """Return how much brighter a picture is: the median ratio where there was light, which a hand does not touch.

    Blocks of pixels are compared, picked by both pictures alike: else those speckles of a dark cloth would be picked
    that happen to be bright in one of them, and in a picture that moved a little none of these is where it was.
    """
    now, before = _blocks(grey), _blocks(reference)
    both = (now + before) / 2
    usable = (both > _LIT[0]) & (both < _LIT[1]) & (before > 1)
    if int(usable.sum()) < _LEAST_LIT:
        return 1.0
    return float(np.clip(np.median(now[usable] / before[usable]), 0.2, 5.0))


def _blocks(grey: F32Array) -> F32Array:
    size = max(1, grey.shape[1] // _BLOCK), max(1, grey.shape[0] // _BLOCK)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _changed(picture: F32Array, reference: F32Array, gain: F32Array | float) -> NDArray[np.uint8]:
    """Return where a picture differs from another by more than noise, once both are equally bright; uint8 0 or 1.

    Args:
        picture: (h, w), or (h, w, 3), where a change of any colour counts: a tile may be as bright as the table.
        reference: of the same shape.
        gain: how much brighter the picture is; of colours one each, (3,).
    """
    away = np.abs(picture - reference * np.asarray(gain, np.float32))
    noise = _NOISE * np.clip(np.sqrt((reference + 8) / 136), 0.5, 1.5).astype(np.float32)
    beyond = away > noise
    changed = np.asarray(beyond[..., 0] | beyond[..., 1] | beyond[..., 2] if beyond.ndim == 3 else beyond, np.uint8)
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, _CROSS), np.uint8)


class _Change(NamedTuple):
    """A connected change: its share of the region, whether it touches the edge, and where it is."""

    share: float
    touches: bool
    where: NDArray[np.uint8]


def differs(picture: F32Array, before: F32Array) -> NDArray[np.uint8]:
    """Return where a picture (h, w, 3) differs from another one, once both are equally lit; uint8 0 or 1."""
    return _changed(picture, before, _gains(picture, before))


def _largest(mask: NDArray[np.uint8]) -> float:
    """Return the share of the region that the largest connected change covers."""
    return max((part.share for part in _parts(mask, most=1)), default=0.0)


def _parts(mask: NDArray[np.uint8], least: float = 0.0, most: int | None = None) -> list[_Change]:
    """Return the connected changes, the largest first, without those that surely cover no more than `least`."""
    if not mask.any():
        return []
    closed = cv2.dilate(mask, _SQUARE)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    found: list[_Change] = []
    for index in np.argsort(-areas, kind="stable")[:most].tolist():
        if areas[index] <= least * mask.size:
            break
        left, top, width, height = stats[index + 1, :4].tolist()
        touches = left <= 0 or top <= 0 or left + width >= mask.shape[1] or top + height >= mask.shape[0]
        own = np.asarray(labels == index + 1, np.uint8)
        found.append(_Change(float((mask & own).sum()) / mask.size, touches, own))
    return found


def _shift(reference: F32Array, grey: F32Array, changed: float) -> tuple[float, float]:
    """Return by how many pixels the whole picture moved, 0 if a shift does not explain what changed, and its gain.

    How much brighter it is can be told only once the shift is undone: where few tiles are the only light things, others
    lie now where they lay.
    """
    window = cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F)
    pair = reference.copy(), grey.copy()  # OpenCV 5 multiplies its inputs by the window in place
    (dx, dy), response = cv2.phaseCorrelate(*pair, window)
    if response < _LEAST_RESPONSE or max(abs(dx), abs(dy)) > grey.shape[1] / 5:
        return 0.0, 1.0
    back = np.array([[1, 0, -dx], [0, 1, -dy]], np.float32)
    undone = np.asarray(
        cv2.warpAffine(grey, back, grey.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
    gain = _gain(undone, reference)
    left = float(_changed(undone, reference, gain).mean())
    return (float(np.hypot(dx, dy)) if left < _SHIFTED_RESIDUE * changed else 0.0), gain


_CROSS: Final = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
_SQUARE: Final = np.ones((3, 3), np.uint8)
