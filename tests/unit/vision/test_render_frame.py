"""Plans, labels, options and one tiny picture of the path-traced generator."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.labels import read_label
from domino_vision.render import backend, frame
from domino_vision.render.dataset import render_dataset, to_label
from domino_vision.render.errors import RenderError
from domino_vision.render.frame import Planned, label_frame, plan_frame, visible_shares
from domino_vision.render.lens import take_apart
from domino_vision.render.looks import choose_craft, choose_look, face_relief, tile_texture
from domino_vision.render.mesh import FACE_SHARE
from domino_vision.render.options import RENDER_KINDS, RenderOptions, options_from
from domino_vision.render.solids import NOBODY

SMALL = RenderOptions(size_wh=(320, 240), samples=4, tile_fraction=(0.08, 0.2))


def _plan(seed: int, **changes: object) -> Planned:
    return plan_frame(np.random.default_rng([3, seed]), replace(SMALL, **changes))


def _all_seen(planned: Planned) -> np.ndarray:
    return np.ones((planned.count, 2))


def _label(planned: Planned, shares: np.ndarray) -> dict[str, object]:
    width, height = planned.lens.size_wh
    clear = np.ones(planned.count, np.bool_)
    return to_label(label_frame(planned, shares, clear, np.zeros((height, width, 3), np.uint8)), "x.jpg")


@pytest.mark.parametrize("kind", RENDER_KINDS)
def test_same_seed_same_plan(kind: str) -> None:
    """Meshes, textures, lights and labels depend on the generator's state alone."""
    first, second = _plan(1, kind=kind), _plan(1, kind=kind)
    assert len(first.solids) == len(second.solids)
    for one, two in zip(first.solids, second.solids, strict=True):
        assert np.array_equal(one.mesh.vertices, two.mesh.vertices)
        assert np.array_equal(np.asarray(one.material.colour), np.asarray(two.material.colour))
    assert np.array_equal(first.lights.room, second.lights.room)
    assert json.dumps(_label(first, _all_seen(first))) == json.dumps(_label(second, _all_seen(second)))


@pytest.mark.parametrize("kind", ["chain", "hand", "mixed", "bingo", "tiu-u"])
def test_every_tile_has_solids_where_its_label_says(kind: str) -> None:
    """The highest vertices of a lying tile, projected through the lens, fill the labelled quad and do not leave it."""
    for seed in range(3):
        planned = _plan(seed, kind=kind)
        result = label_frame(
            planned, _all_seen(planned), np.ones(planned.count, np.bool_), np.zeros((240, 320, 3), np.uint8)
        )
        quads = [t.quad for t in (*result.tiles, *result.down)]
        for index, piece in enumerate(planned.stage.board.pieces[: planned.count]):
            mine = [s.mesh.vertices for s in planned.solids if s.owner == index]
            assert mine
            if piece.kind == "standing":
                continue
            body = max(mine, key=lambda vertices: (len(vertices) > 200, vertices[:, 2].max()))
            top = body[body[:, 2] > body[:, 2].max() - 0.02]
            pixels = planned.lens.apply(planned.stage.camera.project(top)) - 0.5
            middle = (pixels.min(axis=0) + pixels.max(axis=0)) / 2
            near = min((q for q in quads), key=lambda q: float(np.linalg.norm(q.mean(axis=0) - middle)), default=None)
            if near is None or np.linalg.norm(near.mean(axis=0) - middle) > 6:
                continue
            assert (pixels.min(axis=0) > near.min(axis=0) - 1.5).all()
            assert (pixels.max(axis=0) < near.max(axis=0) + 1.5).all()


def test_hidden_tiles_are_ignored() -> None:
    """A face-up tile of which a half is covered is not to be found, and its joins go with it."""
    planned = next(p for p in (_plan(seed, kind="chain") for seed in range(20)) if len(p.stage.board.joins) > 2)
    shares = _all_seen(planned)
    whole = _label(planned, shares)
    hidden = planned.stage.board.joins[1][0]
    shares[hidden, 0] = 0.2
    less = _label(planned, shares)
    assert len(less["tiles"]) == len(whole["tiles"]) - 1  # type: ignore[arg-type]
    assert len(less["ignore"]) == len(whole["ignore"]) + 1  # type: ignore[arg-type]
    assert len(less["chain"]) < len(whole["chain"])  # type: ignore[arg-type]


def test_standing_tiles_are_ignored() -> None:
    """Racks of standing tiles come as quads that count neither way."""
    found = 0
    for seed in range(12):
        planned = _plan(seed, kind="bingo")
        standing = [p for p in planned.stage.board.pieces[: planned.count] if p.kind == "standing"]
        label = _label(planned, _all_seen(planned))
        assert len(label["ignore"]) >= len(standing)  # type: ignore[arg-type]
        found += len(standing)
    assert found


def test_shares_are_counted_from_owners() -> None:
    """A picture of one owner shows that tile whole; one of nobody shows none."""
    planned = _plan(4, kind="single")
    width, height = (side + 2 * planned.lens.margin for side in planned.lens.size_wh)
    assert visible_shares(planned, np.zeros((height, width), np.int32))[0].tolist() == [1.0, 1.0]
    assert visible_shares(planned, np.full((height, width), NOBODY, np.int32))[0].tolist() == [0.0, 0.0]


def test_a_pool_has_stacks_and_rows_of_chinese_tiles() -> None:
    """Some column of a Tiu-U pool is four tiles high, and its face-up tiles lie in rows."""
    plans = [_plan(seed, kind="tiu-u") for seed in range(8)]
    assert all(p.set_name == "chinese" for p in plans)
    assert any(p.laid.under for p in plans)
    assert all(_label(p, _all_seen(p))["sets"] == 2 for p in plans)
    assert _label(_plan(0, kind="chain"), _all_seen(_plan(0, kind="chain")))["sets"] == 1
    assert max(sum(piece.kind == "up" for piece in p.stage.board.pieces) for p in plans) >= 8


@pytest.mark.parametrize(("kind", "deepest"), [("engraved", 0.02), ("drilled", 0.045)])
def test_pips_are_sunk_where_they_are_painted(kind: str, deepest: float) -> None:
    """The relief of a face is deep where its texture differs from that of a blank, and flat elsewhere."""
    rng = np.random.default_rng(5)
    style = replace(choose_look(rng, "double-six"), pip_kind=kind, divider="none", body_kind="plain", wear=0.0)
    craft = choose_craft(rng, style)
    relief = face_relief(7, style, craft, (6, 0), 120)
    assert relief is not None
    painted = tile_texture(7, style, (6, 0), 120, 1.0)
    face = painted[: round(painted.shape[0] * FACE_SHARE)]
    inked = np.abs(face.astype(int) - np.array(style.body)).max(axis=2) > 25
    assert relief.heights.shape == inked.shape
    assert relief.heights.min() < -0.8 * deepest
    assert inked[relief.heights < -0.5 * craft.depth].mean() > 0.95
    assert np.abs(relief.heights[:, 130:]).max() < 1e-6


def test_printed_faces_are_flat() -> None:
    """Printed pips and a printed divider give no relief."""
    rng = np.random.default_rng(5)
    style = replace(choose_look(rng, "double-six"), pip_kind="printed", divider="bar")
    assert face_relief(7, style, choose_craft(rng, style), (6, 5), 60) is None


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ({"kind": "tower"}, "unknown_kind"),
        ({"variant": "fast"}, "render_variant"),
        ({"sets": ["double-zero"]}, "render_option"),
        ({"samples": 0}, "render_option"),
        ({"size_wh": [10, 10]}, "render_option"),
        ({"colour": 1}, "render_option"),
        ({"samples": "many"}, "render_option"),
        ({"samples": 2.5}, "render_option"),
        ({"harm": "much"}, "render_option"),
        ({"occluders": 3}, "render_option"),
        ({"tilt_deg": 40}, "render_option"),
        ({"tile_fraction": [0.1, "x"]}, "render_option"),
    ],
)
def test_bad_options_are_refused(raw: dict[str, object], code: str) -> None:
    """Unknown names and impossible values raise typed errors."""
    with pytest.raises(RenderError) as caught:
        options_from(raw)
    assert caught.value.code == code


def test_options_from_a_file_replace_some() -> None:
    """Lists become tuples, and what is not named stays."""
    options = options_from({"size_wh": [640, 480], "samples": 8})
    assert (options.size_wh, options.samples, options.kind) == ((640, 480), 8, "any")


def test_what_the_file_hides_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiles are judged in the picture as it comes back from its file, after the last compression."""
    judged: list[np.ndarray] = []

    def legible_tiles(planned: Planned, picture: np.ndarray) -> np.ndarray:
        judged.append(picture)
        return np.ones(planned.count, np.bool_)

    def trace(*_: object) -> backend.Traced:
        size = (240 + 2 * margin, 320 + 2 * margin)
        light = np.random.default_rng(0).random((*size, 3), np.float32)
        return backend.Traced(light, np.zeros(size, np.int32), light, light)

    options = replace(SMALL, kind="single", denoise=False)
    margin = plan_frame(np.random.default_rng(4), options).lens.margin
    monkeypatch.setattr(frame, "legible_tiles", legible_tiles)
    monkeypatch.setattr(frame, "trace", trace)
    result = frame.render_frame(np.random.default_rng(4), options)
    written = cv2.imdecode(cv2.imencode(".jpg", result.frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1], cv2.IMREAD_COLOR)
    assert np.array_equal(judged[0], np.asarray(written))
    assert not np.array_equal(judged[0], result.frame)


def test_without_mitsuba_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Rendering without the extra fails with a line that says what to install."""
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    with pytest.raises(RenderError) as caught:
        render_dataset(tmp_path, 1, 1, SMALL)
    assert caught.value.code == "extra_missing"
    assert "dominotable[render]" in caught.value.message


def test_a_tiny_picture_is_rendered_the_same_twice(tmp_path: Path) -> None:
    """With Mitsuba, the same seed gives the same bytes, a picture that is not flat, and a label that can be read."""
    pytest.importorskip("mitsuba", reason="needs the extra `render`")
    options = replace(SMALL, kind="chain", things=0, occluders=0.0)
    for folder in ("one", "two"):
        written = render_dataset(tmp_path / folder, 1, 6, options)
    assert written.pictures == 1
    names = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert len(names) == 2
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    label = read_label(next((tmp_path / "one").glob("*.json")))
    assert len(label.halves) == written.tiles > 0
    assert label.source == "rendered"
    assert backend.load_mitsuba("scalar_rgb").variant() == "scalar_rgb"


@pytest.mark.skipif("DRJIT_LIBLLVM_PATH" not in os.environ, reason="DRJIT_LIBLLVM_PATH names no LLVM for llvm_ad_rgb")
def test_both_variants_know_whose_surface_a_pixel_shows() -> None:
    """Under lamps, which are shapes as well, the owners of pixels are the same in scalar and vectorised tracing."""
    pytest.importorskip("mitsuba", reason="needs the extra `render`")
    lit = (p for p in (_plan(seed, kind="chain", occluders=0.0) for seed in range(40)) if len(p.lights.lamps) > 1)
    planned = next(p for p in lit if p.count > 2)
    hole = take_apart(planned.stage.camera)
    shot = backend.Shot(hole, planned.lens.size_wh, planned.lens.margin, 0.0, 1.0, 1, planned.seed)
    scalar, vectorised = (
        visible_shares(planned, backend.trace(planned.solids, planned.lights, shot, variant).owners)
        for variant in ("scalar_rgb", "llvm_ad_rgb")
    )
    assert scalar.max() == 1.0
    assert np.abs(scalar - vectorised).max() < 0.1
