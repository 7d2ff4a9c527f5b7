"""Look again: first at the whole picture to know where the tiles are, then so that they have the size to be seen.

A network sees 640 pixels. In photographs tiles take from 4 % to 50 % of the long side; the second look scales each
part of the table so that a tile is as long as the tiles that the network learnt. In a flat view the tiles far away are
much smaller than those near; the table is looked at as from above, or they get a look of their own.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from domino_vision.detectors.above import TopView, top_view
from domino_vision.detectors.apart import clashes, lying_apart
from domino_vision.detectors.base import BoxDetector, lengths_px, long_enough, next_to, overlaps, suppress_by_face
from domino_vision.types import BoolArray, Detections, F32Array, Face, U8Array

GOOD_LENGTH_PX: Final = 90.0
"""Length of a tile, in pixels of the network's square, at which it is found best."""
GOOD_RANGE_PX: Final = (85.0, 100.0)
"""Lengths at which one look is enough. On dev photographs a second look still gained 1 % F1 between 60 and 120."""
_ENOUGH: Final = 0.75
"""From a live camera tiles may be shown this much smaller if one window is enough then."""
MAX_WINDOWS: Final = 8
"""Windows of a second look; where more would be needed they become larger."""
FINAL_SCORE: Final = 0.35
"""Tiles below this score are not reported."""
RIVAL_SCORE: Final = 0.3
"""From this score on a box that covers a tile may be one in its stead."""
WEAK_SCORE: Final = 0.2
"""From this score on a box that shows a face over or beside a tile may be one, if it reads as one."""

_HARDLY: Final = 0.4
"""Below this score a box from afar gives way to one from near that is weaker still."""
_LOST_LENGTH_PX: Final = 30.0
"""Length taken for tiles too small to be found at all: 2 x 2 windows of a picture where none was found."""
_OVERLAP_LENGTHS: Final = 1.6
"""Windows share this many lengths of a tile, so that each tile is whole in one of them."""
_REGION_LENGTHS: Final = 2.0
"""The second look reaches this many lengths beyond the tiles that the first one found."""
_SEEN: Final = 0.25
"""Boxes of the first look from this score on say where the second one looks."""
_SAME_OVERLAP: Final = 0.65
"""Boxes of two looks that overlap more are one tile seen twice."""
_LEAST_LENGTH: Final = 0.4
"""Boxes shorter than this share of the median tile are none, even with perspective."""
_FAR: Final = 0.8
"""Tiles shorter than this share of the median are looked at once more, in their own size."""
_LEAST_FAR: Final = 2
_LEAST_FAR_SHARE: Final = 0.1
"""So many tiles, and such a share of all, must be that short."""
_LEAST_ABOVE_PX: Final = 45.0
"""A view from above in which tiles would be shorter is not looked at."""
_TILT_KNOWN_DEG: Final = 5.0
"""If boxes found from above tell a tilt that differs more, the view is made anew, once: they tell it better."""
_EDGE_PX: Final = 3.0
"""A box this near to a window's edge, in pixels of the network, is taken for a part of a tile."""


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a picture, in its pixels: left, top, width, height."""

    x: int
    y: int
    w: int
    h: int


class ScaledLooks:
    """Finds the tiles of a picture of any size, however small or large they are in it."""

    def __init__(self, detector: BoxDetector, *, good_length_px: float = GOOD_LENGTH_PX) -> None:
        """Use a network for all looks.

        Args:
            detector: the network.
            good_length_px: length of a tile in the network's square to which the second look scales.
        """
        self._detector = detector
        self._good_length_px = good_length_px

    def find(self, bgr: U8Array, near: Detections | None = None) -> Detections:
        """Find the tiles of a picture.

        Args:
            bgr: (h, w, 3) uint8.
            near: tiles of a frame before from the same camera; then only their surroundings are looked at, once.

        Returns:
            The tiles, best first, and after them boxes that cover some of those and score nearly as well, and weak ones
            over or beside them: which are tiles is for the reader to say (`choice.choose`). Corners in pixels of the
            picture.
        """
        first = near if near is not None and len(near) else self._first(bgr)
        seen = _apart(first.where(first.score >= _SEEN))
        sure = seen.where(seen.score >= FINAL_SCORE)
        if not len(sure):
            return sure
        length = float(np.median(lengths_px(sure.corners_px)))
        scale = self._detector.side_px / max(bgr.shape[:2])
        if first is near:
            found = self._second(bgr, sure, length, live=True)
        elif GOOD_RANGE_PX[0] <= length * scale <= GOOD_RANGE_PX[1]:
            found = first
        else:
            found = closer(self._second(bgr, seen, length, live=False), first)
        if first is not near:
            found = self._far(bgr, found)
        tiles = _apart(found)
        tiles = tiles.where(tiles.score >= FINAL_SCORE)
        tiles = tiles.where(long_enough(tiles.corners_px, _LEAST_LENGTH))
        return _with_rivals(tiles, found)

    def _first(self, bgr: U8Array) -> Detections:
        """The whole picture; where nothing is sure, larger and smaller as well."""
        found = self._detector.find(bgr)
        if (found.score >= FINAL_SCORE).any():
            return found
        height, width = bgr.shape[:2]
        side = self._detector.side_px
        whole = Window(0, 0, width, height)
        scale = side / max(width, height)
        smaller = self._look(bgr, whole, scale / 2)
        if (smaller.score >= FINAL_SCORE).any() or max(width, height) <= side // 2:
            return smaller
        windows = tile_windows(whole, max(width, height) * 0.6, _LOST_LENGTH_PX / scale)
        return merge([self._look(bgr, window, side / max(window.w, window.h)) for window in windows])

    def _second(self, bgr: U8Array, first: Detections, length: float, *, live: bool) -> Detections:
        region = region_around(first.corners_px, length * _REGION_LENGTHS, bgr.shape[1], bgr.shape[0])
        best = self._good_length_px / length
        side = self._detector.side_px
        if live and max(region.w, region.h) * best * _ENOUGH <= side:
            return self._look(bgr, region, min(best, side / max(region.w, region.h)))
        good = self._good_length_px
        windows = self._windows(region, length, good)
        while self._cost(windows, good / length) > MAX_WINDOWS:
            good *= 0.9
            windows = self._windows(region, length, good)
        most = self._detector.most_px
        return merge([self._look(bgr, window, min(best, most / max(window.w, window.h))) for window in windows])

    def _cost(self, windows: list[Window], scale: float) -> float:
        """Return how many full looks windows at a scale cost, the number of windows at least."""
        full = self._detector.side_px**2
        return max(len(windows), sum(window.w * window.h for window in windows) * scale**2 / full)

    def _far(self, bgr: U8Array, found: Detections) -> Detections:
        """Look once more at the tiles far away in a flat view: from above, where they are as large as those near.

        Where too little is known of the table for that they get a look of their own size, which may tell more of it.
        """
        view = self._view(bgr, found)
        if view is None:
            more = self._third(bgr, found)
            view = None if more is found else self._view(bgr, more)
            found = more
        return found if view is None else self._from_above(bgr, found, view)

    def _third(self, bgr: U8Array, found: Detections) -> Detections:
        """Look once more at the tiles that are much smaller than most, as those far away in a flat view are."""
        seen = _apart(found)
        seen = seen.where(seen.score >= _SEEN)
        lengths = lengths_px(seen.corners_px)
        small = lengths < _FAR * np.median(lengths) if len(seen) else np.zeros(0, dtype=bool)
        if small.sum() < _LEAST_FAR or small.mean() < _LEAST_FAR_SHARE:
            return found
        far = seen.where(small)
        return merge([self._second(bgr, far, float(np.median(lengths[small])), live=False), found])

    def _from_above(self, bgr: U8Array, found: Detections, view: TopView) -> Detections:
        """Look at the table as from above too."""
        found = merge([*self._looks_above(bgr, view), found])
        better = self._view(bgr, found)
        if better is None or abs(better.tilt_deg - view.tilt_deg) <= _TILT_KNOWN_DEG:
            return found
        return merge([*self._looks_above(bgr, better), found])

    def _view(self, bgr: U8Array, found: Detections) -> TopView | None:
        """Return the view from above in which tiles have the good length, or less if it were too large."""
        seen = _apart(found)
        good = self._good_length_px
        view = top_view(seen.where(seen.score >= _SEEN), (bgr.shape[1], bgr.shape[0]), good)
        while view is not None and len(self._windows(Window(0, 0, *view.size_wh), good, good)) > MAX_WINDOWS:
            good *= 0.9
            view = view.smaller(0.9) if good >= _LEAST_ABOVE_PX else None
        return view

    def _looks_above(self, bgr: U8Array, view: TopView) -> list[Detections]:
        """Look at all of a view from above; corners in pixels of the picture, what lies beyond its edge left out."""
        looks, (width, height) = [], view.size_wh
        for window in self._windows(Window(0, 0, width, height), self._good_length_px, self._good_length_px):
            found = self._detector.find(view.part(bgr, (window.x, window.y), (window.w, window.h)), 1.0)
            whole = self._is_whole(found.corners_px, window, width, height, _EDGE_PX)
            found = found.where(whole & (found.face != Face.STANDING))
            offset = np.array([window.x, window.y], dtype=np.float32)
            corners = view.to_picture(found.corners_px + offset)
            inside = (corners > -_EDGE_PX) & (corners < np.array(bgr.shape[1::-1]) + _EDGE_PX)
            kept = np.asarray(inside.all(axis=(1, 2)), dtype=bool)
            looks.append(Detections(corners, found.face, found.score).where(kept))
        return looks

    def _windows(self, region: Window, length: float, good: float) -> list[Window]:
        """Windows over a region in which tiles of a length are at least `good` pixels long for the network.

        A network of free size sees one large window where another sees several that overlap.
        """
        return tile_windows(region, self._detector.most_px * length / good, length * _OVERLAP_LENGTHS)

    def _look(self, bgr: U8Array, window: Window, scale: float) -> Detections:
        """Look at a window at a scale; boxes cut by an edge inside the picture are left out."""
        part = bgr[window.y : window.y + window.h, window.x : window.x + window.w]
        found = self._detector.find(part, scale)
        corners = found.corners_px
        whole = self._is_whole(corners, window, bgr.shape[1], bgr.shape[0], _EDGE_PX / scale)
        offset = np.array([window.x, window.y], dtype=np.float32)
        return Detections(corners[whole] + offset, found.face[whole], found.score[whole])

    @staticmethod
    def _is_whole(corners: F32Array, window: Window, width: int, height: int, edge: float) -> BoolArray:
        low, high = corners.min(axis=1), corners.max(axis=1)
        whole = np.ones(len(corners), dtype=bool)
        if window.x > 0:
            whole &= low[:, 0] >= edge
        if window.y > 0:
            whole &= low[:, 1] >= edge
        if window.x + window.w < width:
            whole &= high[:, 0] <= window.w - edge
        if window.y + window.h < height:
            whole &= high[:, 1] <= window.h - edge
        return whole


def merge(looks: list[Detections]) -> Detections:
    """Join what several looks found; of boxes of one face that overlap the best is kept."""
    found = Detections.together(looks)
    return suppress_by_face(found, _SAME_OVERLAP) if len(found) else found


def closer(near: Detections, far: Detections) -> Detections:
    """Join a look from near with one from afar; where both see a face it lies as the surer one sees it.

    What is hardly a tile from afar lies as it is seen from near, found as surely as in both on average: a wide box of a
    small picture may take in a part of its neighbour.
    """
    weak = (near.score >= WEAK_SCORE) & (near.face == Face.UP)
    if not len(far) or not weak.any():
        return merge([near, far])
    alike = overlaps(far.corners_px, near.corners_px)
    alike *= (far.face[:, None] == near.face[None]) & weak[None] & (far.score < _HARDLY)[:, None]
    same, own = alike.max(1) > _SAME_OVERLAP, alike.argmax(1)
    score = near.score.copy()
    for box, other in zip(own[same].tolist(), np.flatnonzero(same).tolist(), strict=True):
        score[box] = max(score[box], (near.score[box] + far.score[other]) / 2)
    return merge([Detections(near.corners_px, near.face, score), far.where(~same)])


def _apart(found: Detections) -> Detections:
    """The tiles among boxes that overlap, best first."""
    kept = found.where(lying_apart(found.corners_px, found.score))
    return kept.where(np.argsort(-kept.score, kind="stable"))


def _with_rivals(tiles: Detections, found: Detections) -> Detections:
    """Tiles, then the other boxes that cover one of them and score at least `RIVAL_SCORE`, or may be weak tiles."""
    if not len(tiles):
        return tiles
    others = found.where(found.score >= WEAK_SCORE)
    both = np.concatenate([tiles.corners_px, others.corners_px])
    covers = clashes(both)[len(tiles) :, : len(tiles)].any(1)
    beside = next_to(both, np.arange(len(both)) < len(tiles))[len(tiles) :]
    same = (others.corners_px[:, None] == tiles.corners_px[None]).all((2, 3)).any(1)
    weak = (others.face == Face.UP) & (covers | beside)
    rivals = others.where((weak | (covers & (others.score >= RIVAL_SCORE))) & ~same)
    return Detections.together([tiles, rivals])


def region_around(corners_px: F32Array, margin: float, width: int, height: int) -> Window:
    """Return the part of a picture that holds all corners and a margin, in pixels."""
    low = np.clip(np.floor(corners_px.min(axis=(0, 1)) - margin), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(np.ceil(corners_px.max(axis=(0, 1)) + margin), low + 1, (width, height)).astype(int)
    return Window(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def tile_windows(region: Window, span: float, share: float) -> list[Window]:
    """Cover a region with windows of at most `span` pixels a side that share at least `share` pixels."""
    xs = _spans(region.x, region.w, span, share)
    ys = _spans(region.y, region.h, span, share)
    return [Window(x, y, w, h) for y, h in ys for x, w in xs]


def _spans(start: int, size: int, span: float, share: float) -> list[tuple[int, int]]:
    side = max(1, int(span))
    if size <= side:
        return [(start, size)]
    step = max(side - share, side / 3)
    count = int(np.ceil((size - side) / step)) + 1
    return [(start + round(at * (size - side) / (count - 1)), side) for at in range(count)]
