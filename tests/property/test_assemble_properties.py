"""Invariants of assembling: a legal layout under any camera comes back as it was laid."""

import random

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domino_rules.layout import LayoutProblem
from domino_rules.tile import DOUBLE_SIX
from domino_vision.assemble import assemble, open_end_count
from domino_vision.types import Face, TileReadings, TileRole
from tests.laid_tables import Camera, as_pairs, lay_chain, read_table

cameras = st.builds(
    Camera,
    turn=st.floats(0, 360),
    tilt=st.floats(0, 35),
    lean=st.floats(0, 360),
    px_per_mm=st.floats(0.6, 6),
)
seeds = st.integers(0, 2**32 - 1)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(seed=seeds, count=st.integers(2, 22), camera=cameras, noise=st.sampled_from([0.0, 0.01, 0.02]))
def test_a_legal_layout_comes_back_under_rotation_scale_tilt_and_noise(
    seed: int, count: int, camera: Camera, noise: float
) -> None:
    """Joins, values, count and legality of a laid table are read back whatever the camera."""
    table = lay_chain(random.Random(seed), count)
    readings = read_table(table, camera, np.random.default_rng(seed), noise)
    seen = assemble(readings, camera.size_wh, DOUBLE_SIX)
    assert as_pairs(seen.joins) == as_pairs(table.joins)
    assert [tile.halves for tile in seen.tiles] == table.halves
    assert seen.open_end_count == table.layout.count
    assert {problem.code for problem in seen.problems} <= {"loop"}
    assert all(layout.count == table.layout.count for layout in seen.layouts)
    assert all(set(layout.tiles) == set(table.layout.tiles) for layout in seen.layouts)
    assert all(layout.problems(DOUBLE_SIX) is LayoutProblem.NONE for layout in seen.layouts)


@quick
@given(seed=seeds, count=st.integers(1, 28))
def test_the_count_of_joins_is_the_count_of_the_layout(seed: int, count: int) -> None:
    """`open_end_count` from bare joins equals `Layout.count` for every legal layout."""
    table = lay_chain(random.Random(seed), count)
    assert open_end_count(table.halves, table.joins) == table.layout.count


@quick
@given(seed=seeds, count=st.integers(2, 12), camera=cameras)
def test_the_order_of_tiles_and_of_their_halves_does_not_matter(seed: int, count: int, camera: Camera) -> None:
    """Shuffled tiles with swapped halves give the same count and the same layout, up to its numbering."""
    table = lay_chain(random.Random(seed), count)
    readings = read_table(table, camera, np.random.default_rng(seed))
    order = np.random.default_rng(seed).permutation(len(readings))
    turned = TileReadings(
        np.roll(readings.corners_px[order], 2, axis=1),
        readings.face[order],
        readings.score[order],
        readings.half_logp[order][:, ::-1].copy(),
    )
    one, two = (assemble(r, camera.size_wh, DOUBLE_SIX) for r in (readings, turned))
    assert one.open_end_count == two.open_end_count
    assert sorted(map(str, one.layouts)) == sorted(map(str, two.layouts))


@quick
@given(
    seed=seeds,
    count=st.integers(0, 12),
    wild=st.sampled_from(["flat", "huge", "same", "inf", "one point"]),
)
def test_wild_readings_never_raise(seed: int, count: int, wild: str) -> None:
    """Degenerate corners and infinite log-probabilities end in an observation with a role for each tile."""
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0, 640, (count, 4, 2)).astype(np.float32)
    logp = np.log(rng.dirichlet(np.ones(15), (count, 2))).astype(np.float32).reshape(count, 2, 15)
    if wild == "flat":
        corners[..., 1] = 5
    elif wild == "huge":
        corners *= 1e6
    elif wild == "same":
        corners[:] = corners[:1]
    elif wild == "inf":
        logp[..., 1:] = -np.inf
        logp[..., 0] = 0
    else:
        corners[:] = 7
    face = rng.integers(0, 3, count).astype(np.uint8)
    seen = assemble(TileReadings(corners, face, np.ones(count, np.float32), logp), (640, 480), DOUBLE_SIX)
    assert len(seen.tiles) == count
    roles = {tile.role for tile, f in zip(seen.tiles, face, strict=True) if f == Face.STANDING}
    assert roles <= {TileRole.STANDING, TileRole.CHAIN, TileRole.LOOSE}
    assert all(0 <= tile.confidence <= 1 for tile in seen.tiles)
    assert 0 <= seen.count_confidence <= 1
