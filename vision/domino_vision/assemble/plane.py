"""The table plane, found from the tiles themselves: all tiles that lie are equal rectangles.

A pinhole camera with square pixels and its axis through the middle of the picture looks at a plane. Five numbers say
how: two of tilt, the focal length, the distance and the tiles' aspect. They are fitted to the lengths of the tiles' two
midlines, with weak priors, so that one tile or many are served by the same sum, and a few bad boxes do not matter.
Source: Hartley and Zisserman, Multiple View Geometry, 2nd ed., section 8.1 (a plane seen by a camera: H = K [r1 r2 t]).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from domino_vision.types import F32Array, F64Array, Face, U8Array

TILE_LENGTH_MM: Final = 50.0
"""Nominal length of a tile: millimetres are relative to it, as no picture tells a large tile from a near one."""
_NOMINAL_ASPECT: Final = 1.95

_PRIOR_MEAN: Final = np.array([0.0, 0.0, np.log(0.95), 0.0, np.log(_NOMINAL_ASPECT)])
"""Tilt (rotation vector, x and y), log focal length over the longer side, log distance (free), log aspect."""
_PRIOR_SIGMA: Final = np.array([0.7, 0.7, 0.3, 1e3, 0.05])
_BACK: Final = 0.3
"""What a tile that shows its back counts for, where a face counts 1."""
_SIGMA: Final = 0.04
"""Expected error of a midline, relative."""
_STEPS: Final = 18
_COARSE: Final = 4
_FINALISTS: Final = 2
"""After this many steps only so many starts go on."""
_TILT_GAIN: Final = 6.0
"""A tilted plane must explain the tiles this much better (in half squared sigmas) than one seen straight on."""
_BAD_SIGMAS: Final = 5.0


@dataclass(frozen=True, slots=True)
class TablePlane:
    """Where the table lies.

    Attributes:
        px_to_mm: shape (3, 3) float64 homography; millimetres are x right, y down as in the picture.
        tile_wh_mm: length and width of a tile.
        bad: shape (n,) bool, tiles that do not fit a tile's size on this plane.
        turned: shape (n,) bool, tiles that fit once their corners are moved on by one: seen at a flat angle a tile's
            short edges may look longer than its long ones.
        tilt_deg: angle between the line of sight and the table's normal.
    """

    px_to_mm: F64Array
    tile_wh_mm: tuple[float, float]
    bad: NDArray[np.bool_]
    turned: NDArray[np.bool_]
    tilt_deg: float

    def to_mm(self, points_px: NDArray[np.floating]) -> F64Array:
        """Return points of shape (..., 2) in table millimetres."""
        return project(self.px_to_mm, np.asarray(points_px, np.float64))


def project(homography: F64Array, points: F64Array) -> F64Array:
    """Return points of shape (..., 2) moved by a homography of shape (..., 3, 3)."""
    flat = points @ np.swapaxes(homography[..., :2], -1, -2) + homography[..., None, :, 2]
    return np.asarray(flat[..., :2] / np.maximum(flat[..., 2:], 1e-6), np.float64)


def fit_plane(corners_px: F32Array, size_wh: tuple[int, int], weight: F64Array | None = None) -> TablePlane:
    """Return the plane on which the tiles are equal rectangles.

    Args:
        corners_px: shape (n, 4, 2), corners 0-1 and 2-3 the short edges of tiles that lie.
        size_wh: width and height of the picture in pixels.
        weight: shape (n,), how much each tile counts, 0 for those that do not lie on the table; default all alike.
    """
    n = len(corners_px)
    weight = np.ones(n) if weight is None else weight
    if not weight.any():
        scale = TILE_LENGTH_MM / max(*size_wh, 1) * 10
        wh_mm, none = (TILE_LENGTH_MM, TILE_LENGTH_MM / _NOMINAL_ASPECT), np.zeros(n, bool)
        return TablePlane(np.diag([scale, scale, 1.0]), wh_mm, none, none, 0.0)
    fit = _Fit(corners_px.astype(np.float64), size_wh, weight)
    params, cost = fit.solve(_starts())
    flat, flat_cost = fit.solve(np.zeros((1, 2)), tilted=False)
    best = int(np.argmin(cost))
    chosen = params[best] if cost[best] < flat_cost[0] - _TILT_GAIN else flat[0]
    errors = fit.errors(chosen[None])[0].reshape(2, n)
    away, swap = np.abs(errors).max(0), chosen[4] / _SIGMA
    away_turned = np.maximum(np.abs(errors[0] + swap), np.abs(errors[1] - swap))
    turned = (away > _BAD_SIGMAS) & (away_turned < min(_BAD_SIGMAS, swap / 3))
    tilt = float(np.degrees(np.hypot(chosen[0], chosen[1])))
    wh_mm = (TILE_LENGTH_MM, TILE_LENGTH_MM / float(np.exp(chosen[4])))
    return TablePlane(fit.homography(chosen[None])[0], wh_mm, away > _BAD_SIGMAS, turned, tilt)


def face_weight(face: U8Array) -> F64Array:
    """Return how much tiles count for the plane by how they lie, shape (n,): standing ones do not.

    Backs count less, and however many they are no more than half of what the faces count: a patterned ground is often
    taken for backs, seldom for pips.
    """
    up, down = face == Face.UP, face == Face.DOWN
    back = min(_BACK, up.sum() / 8 / max(down.sum(), 1)) if up.any() else _BACK
    return np.asarray(np.select([up, down], [1.0, back], 0.0), np.float64)


def _starts() -> F64Array:
    """Return tilts to start from, shape (s, 2): straight on, and leaning in eight directions."""
    angles = np.arange(8) * (np.pi / 4)
    return np.vstack([np.zeros((1, 2)), 0.7 * np.stack([np.cos(angles), np.sin(angles)], 1)])


class _Fit:
    """Least squares over the five numbers of the camera, from several starts at once."""

    def __init__(self, corners_px: F64Array, size_wh: tuple[int, int], weight: F64Array) -> None:
        self.longer = float(max(size_wh))
        self.centre = np.array(size_wh, np.float64) / 2
        self.weight = weight
        unit = (corners_px - self.centre) / self.longer
        ends = unit[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 4, 2, 2).mean(2)
        self.points = ends.transpose(1, 0, 2)
        """Middles of the edges: first short edge, one long side, second short edge, the other long side."""

    def homography(self, params: F64Array, *, unit: bool = False) -> F64Array:
        """Return homographies (s, 3, 3) of params (s, 5), from pixels or from unit coordinates."""
        rx, ry = params[:, 0], params[:, 1]
        angle = np.maximum(np.hypot(rx, ry), 1e-9)
        kx, ky, sin, cos = rx / angle, ry / angle, np.sin(angle), np.cos(angle)
        turn = np.empty((len(params), 3, 3))
        turn[:, 0] = np.stack([1 - (1 - cos) * ky * ky, (1 - cos) * kx * ky, sin * ky], 1)
        turn[:, 1] = np.stack([(1 - cos) * kx * ky, 1 - (1 - cos) * kx * kx, -sin * kx], 1)
        turn[:, 2] = np.stack([-sin * ky, sin * kx, cos], 1)
        focal = np.exp(params[:, 2])
        camera = turn.copy()
        camera[:, :, :2] /= focal[:, None, None]
        camera[:, :2] *= np.exp(params[:, 3])[:, None, None]
        if unit:
            return camera
        shift = np.diag([1 / self.longer, 1 / self.longer, 1.0])
        shift[:2, 2] = -self.centre / self.longer
        return np.asarray(camera @ shift, np.float64)

    def errors(self, params: F64Array) -> F64Array:
        """Return by how many sigmas each tile is too long or too wide, shape (s, 2 n)."""
        mapped = project(self.homography(params, unit=True)[:, None], self.points)
        lengths = np.linalg.norm(mapped[:, 0] - mapped[:, 2], axis=-1)
        widths = np.linalg.norm(mapped[:, 1] - mapped[:, 3], axis=-1)
        target = np.log(TILE_LENGTH_MM)
        too_long = np.log(np.maximum(lengths, 1e-9)) - target
        too_wide = np.log(np.maximum(widths, 1e-9)) - target + params[:, 4:5]
        return np.concatenate([too_long, too_wide], 1) / _SIGMA

    def cost(self, params: F64Array) -> F64Array:
        """Return the robust cost of each start, shape (s,). Source: Cauchy loss, log(1 + e^2)."""
        errors = self.errors(params)
        prior = (params - _PRIOR_MEAN) / _PRIOR_SIGMA
        weight = np.tile(self.weight, 2)
        return np.asarray((weight * np.log1p(errors**2 / 4)).sum(1) * 2 + 0.5 * (prior**2).sum(1), np.float64)

    def solve(self, tilts: F64Array, *, tilted: bool = True) -> tuple[F64Array, F64Array]:
        """Return params (s, 5) and costs (s,) after some Levenberg-Marquardt steps from each tilt."""
        params = np.tile(_PRIOR_MEAN, (len(tilts), 1))
        params[:, :2] = tilts
        free = np.array([0, 1, 2, 3, 4] if tilted else [3, 4])
        used = np.tile(self.weight > 0, 2)
        params[:, 3] -= np.median(self.errors(params)[:, used][:, : used.sum() // 2], axis=1) * _SIGMA
        cost, damping = self.cost(params), np.full(len(params), 1e-2)
        for step in range(_STEPS):
            if step == _COARSE and len(params) > _FINALISTS:
                best = np.argsort(cost)[:_FINALISTS]
                params, cost, damping = params[best], cost[best], damping[best]
            trial = params.copy()
            trial[:, free] += self._step(params, free, damping)
            trial[:, :2] *= np.minimum(1.0, 1.3 / np.maximum(np.hypot(trial[:, 0], trial[:, 1]), 1e-9))[:, None]
            trial_cost = self.cost(trial)
            better = trial_cost < cost
            gained = float(np.max(cost - trial_cost))
            params[better], cost[better] = trial[better], trial_cost[better]
            damping = np.clip(np.where(better, damping / 5, damping * 8), 1e-6, 1e6)
            if step > _COARSE and 0 <= gained < 1e-3:
                break
        return params, cost

    def _step(self, params: F64Array, free: NDArray[np.int64], damping: F64Array) -> F64Array:
        s, k = len(params), len(free)
        delta = 1e-5
        moved = np.repeat(params[:, None], k + 1, 1)
        moved[:, np.arange(1, k + 1), free] += delta
        errors = self.errors(moved.reshape(-1, 5)).reshape(s, k + 1, -1)
        base, slope = errors[:, 0], (errors[:, 1:] - errors[:, :1]) / delta
        robust = np.tile(self.weight, 2) / (1 + base**2 / 4)
        prior = ((params - _PRIOR_MEAN) / _PRIOR_SIGMA**2)[:, free]
        gradient = (slope * (robust * base)[:, None]).sum(2) + prior
        hessian = (slope * robust[:, None]) @ slope.transpose(0, 2, 1) + np.diag(1 / _PRIOR_SIGMA[free] ** 2)
        diagonal = np.einsum("sii->si", hessian)
        hessian = hessian + np.einsum("si,ij->sij", diagonal * damping[:, None], np.eye(k))
        return np.asarray(-np.linalg.solve(hessian, gradient[..., None])[..., 0], np.float64)
