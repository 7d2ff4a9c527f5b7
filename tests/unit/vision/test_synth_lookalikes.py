"""Prints, cards and dice: they are seen, they are no tiles, and they leave the tiles as they are."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from domino_vision.render.frame import plan_frame
from domino_vision.render.options import RenderOptions
from domino_vision.synth.board import footprint
from domino_vision.synth.camera import lift
from domino_vision.synth.lookalikes import draw_dice, flat_lookalikes, lay_lookalikes, playing_card
from domino_vision.synth.prints import printed_cloth, printed_sheet, printed_style
from domino_vision.synth.scene import SceneOptions, render_scene
from domino_vision.synth.stage import Stage, set_stage
from domino_vision.synth.styles import SET_MAX

OPTIONS = SceneOptions(size_wh=(640, 480), tile_fraction=(0.06, 0.15), things=0, occluders=0.0, harm=0.0)


def stage_of(seed: int, **changes: object) -> Stage:
    return set_stage(np.random.default_rng(seed), replace(OPTIONS, **changes))


@pytest.mark.parametrize("seed", range(6))
def test_a_table_of_lookalikes_has_no_tile(seed: int) -> None:
    """Nothing is labelled where only prints, cards and dice lie, and they are to be seen."""
    bare, full = (
        render_scene(np.random.default_rng(seed), replace(OPTIONS, kind="empty", lookalikes=chance))
        for chance in (0.0, 1.0)
    )
    assert (full.tiles, full.down, full.standing, full.ignore) == ((), (), (), ())
    assert float(np.abs(full.frame.astype(int) - bare.frame).mean()) > 0.5


@pytest.mark.parametrize("kind", ["chain", "stock", "loose"])
def test_tiles_lie_where_they_lay_without(kind: str) -> None:
    """Lookalikes are chosen after the tiles: the same tiles lie in the same places with them."""
    for seed in range(4):
        quads = []
        for chance in (0.0, 1.0):
            scene = render_scene(np.random.default_rng(seed), replace(OPTIONS, kind=kind, lookalikes=chance))
            quads.append([*(t.quad for t in scene.tiles), *scene.down, *scene.standing, *scene.ignore])
        without, given = (sorted(np.round(q.ravel(), 3).tolist() for q in found) for found in quads)
        assert without == given


@pytest.mark.parametrize("set_name", list(SET_MAX))
def test_printed_tiles_are_flat(set_name: str) -> None:
    """A print shows no bevel, no gleam and no hole, whatever the set."""
    for seed in range(8):
        style = printed_style(np.random.default_rng(seed), set_name)
        assert (style.bevel, style.gloss, style.wear, style.pip_glint, style.body_kind) == (0, 0, 0, False, "plain")
        assert style.pip_kind in {"printed", "ringed", "gradient"}
        assert style.set_name == set_name


def test_sheets_show_their_prints() -> None:
    """A sheet's texture and alpha fit, it is thin, and dominoes stand out from the paper on nearly every one."""
    spread = []
    for seed in range(20):
        texture, alpha, (length, width), height = printed_sheet(np.random.default_rng(seed), "double-six")
        assert texture.shape == (*alpha.shape, 3)
        assert texture.shape[1] / texture.shape[0] == pytest.approx(length / width, rel=0.05)
        assert 0 <= height <= 0.1
        spread.append(float(cv2.Laplacian(cv2.cvtColor(texture, cv2.COLOR_BGR2GRAY), cv2.CV_64F).std()))
    assert sum(value > 5 for value in spread) >= 18


def test_a_cloth_is_a_square_to_be_repeated() -> None:
    """Texture and size of a printed table top."""
    texture, span = printed_cloth(np.random.default_rng(3), "double-nine")
    assert texture.shape[0] == texture.shape[1]
    assert span > 2


def test_cards_are_the_same_from_both_ends() -> None:
    """A card of a rank whose suits lie evenly looks the same turned round, as real ones do."""
    turned = 0
    for seed in range(60):
        texture, _, size, height = playing_card(np.random.default_rng(seed))
        assert size == (3.5, 2.5)
        assert height == 0
        other = cv2.GaussianBlur(texture[::-1, ::-1], (0, 0), 3).astype(int)
        turned += float(np.abs(cv2.GaussianBlur(texture, (0, 0), 3) - other).mean()) < 4
    assert turned > 25


@pytest.mark.parametrize("tilt", [(35, 40), (88, 90)])
def test_prints_lie_before_the_camera(tilt: tuple[float, float]) -> None:
    """No corner of a sheet or card is behind the camera, however low it stands and however large the tiles are."""
    for seed in range(25):
        stage = stage_of(seed, tilt_deg=tilt, tile_fraction=(0.3, 0.4))
        for thing, centre, angle in flat_lookalikes(np.random.default_rng(seed), stage):
            assert float(stage.camera.depth(lift(footprint(centre, angle, *thing[2]), 0.0)).min()) > 0


def test_the_table_given_is_left_as_it_is() -> None:
    """Laying prints gives a new picture."""
    frame = np.full((480, 640, 3), 77, np.uint8)
    changed = [lay_lookalikes(np.random.default_rng(seed), frame, stage_of(seed)) for seed in range(8)]
    assert (frame == 77).all()
    assert sum(bool((picture != 77).any()) for picture in changed) >= 6


def test_dice_hide_no_tile_and_are_marked() -> None:
    """Dice are drawn on free places, and the pixels they take are known."""
    drawn = 0
    for seed in range(12):
        stage = stage_of(seed, tilt_deg=(80, 90))
        canvas, ids = np.full((480, 640, 3), 90, np.uint8), np.zeros((480, 640), np.uint8)
        draw_dice(np.random.default_rng(seed), canvas, ids, stage)
        drawn += bool((ids == 255).any()) and bool((canvas[ids == 255] != 90).any())
        footprints = [piece.quad.astype(np.float32) for piece in stage.board.pieces]
        for one, quad in enumerate(footprints):
            for other in footprints[:one]:
                assert cv2.intersectConvexConvex(quad, other)[0] < 0.2 * cv2.contourArea(quad)
    assert drawn >= 8


def test_path_traced_prints_are_thin_and_none_is_a_tile() -> None:
    """In a path-traced scene they are things among the solids; the tiles are those of the same seed without."""
    more = 0
    for seed in range(6):
        options = RenderOptions(size_wh=(320, 240), kind="chain", things=0, occluders=0.0)
        plain, full = (
            plan_frame(np.random.default_rng(seed), replace(options, lookalikes=chance)) for chance in (0.0, 1.0)
        )
        assert plain.count == full.count
        for one, two in zip(plain.stage.board.pieces, full.stage.board.pieces, strict=True):
            assert np.array_equal(one.quad, two.quad)
        more += len(full.solids) > len(plain.solids)
    assert more >= 4
