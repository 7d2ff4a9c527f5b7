"""How long a whole set takes to be assembled: at most 20 ms for 28 tiles on an idle core."""

import random
from typing import Any

import numpy as np

from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble
from tests.laid_tables import Camera, lay_chain, read_table


def test_bench_assemble_a_whole_set(benchmark: Any) -> None:
    """Plane, joins, joint decoding and layouts of a long chain under a leaning camera."""
    camera = Camera(tilt=25, lean=40)
    readings = read_table(lay_chain(random.Random(4), 28), camera, np.random.default_rng(0), 0.01)
    seen = benchmark(assemble, readings, camera.size_wh, DOUBLE_SIX)
    assert len(seen.joins) == len(readings) - 1
