"""Under what conditions a photograph was taken, from its labelled tiles: how large, how flat, how bright."""

from __future__ import annotations

from typing import Final

import numpy as np

from domino_vision.gauges import measure
from domino_vision.labels import Label
from domino_vision.types import Detections, Face, U8Array

_BINS: Final[dict[str, tuple[tuple[float, ...], str]]] = {
    "pip_px": ((5.0, 7.0, 12.0), "px a pip"),
    "tilt_deg": ((15.0, 30.0, 45.0), "degrees from straight above"),
    "brightness": ((80.0, 160.0), "brightness of the tiles, of 255"),
    "glare": ((0.15,), "share of a face blown out"),
}
"""By gauge (`domino_vision.gauges`): where one group ends and the next begins, and what is counted."""


def conditions_of(bgr: U8Array, label: Label) -> dict[str, str]:
    """Return the group of a photograph for each gauge, such as `{"tilt_deg": "15 to 30 …"}`; empty without tiles.

    Args:
        bgr: the picture (h, w, 3) uint8.
        label: its label; face-up and face-down tiles are measured.
    """
    quads = np.concatenate([label.quads_px, label.down_px]).astype(np.float32)
    if not len(quads):
        return {}
    face = np.array([Face.UP] * len(label.quads_px) + [Face.DOWN] * len(label.down_px), np.uint8)
    gauges = {
        gauge.name: gauge.value for gauge in measure(bgr, Detections(quads, face, np.ones(len(quads), np.float32)))
    }
    return {name: _group(gauges[name], *_BINS[name]) for name in _BINS if name in gauges}


def _group(value: float, edges: tuple[float, ...], what: str) -> str:
    number = int(np.searchsorted(edges, value, side="right"))
    if number == 0:
        return f"under {edges[0]:g} {what}"
    if number == len(edges):
        return f"from {edges[-1]:g} {what}"
    return f"{edges[number - 1]:g} to {edges[number]:g} {what}"
