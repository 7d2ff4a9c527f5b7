"""Annotated pictures: nothing on the faces, every fact shown, any script, any size."""

import random
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from domino_rules.layout import Arm, Layout
from domino_rules.tile import DOUBLE_SIX
from domino_vision.annotate import Words, annotate
from domino_vision.annotate.chain import chain_order, tips
from domino_vision.annotate.placing import Box, Places
from domino_vision.annotate.style import ORANGE, text_width, wrap
from domino_vision.assemble import assemble
from domino_vision.types import ReadTile, TableObservation, TableProblem, TileReadings, TileRole
from tests.laid_tables import Camera, lay_chain, read_table


def observed(count: int, seed: int = 1, size_wh: tuple[int, int] = (1600, 1200)) -> TableObservation:
    table = lay_chain(random.Random(seed), count)
    camera = Camera(size_wh=size_wh, px_per_mm=2.2)
    return assemble(read_table(table, camera, np.random.default_rng(0)), size_wh, DOUBLE_SIX)


def nothing(size_wh: tuple[int, int] = (1600, 1200)) -> TableObservation:
    none = np.zeros((0, 4, 2), np.float32)
    empty = TileReadings(none, np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros((0, 2, 15), np.float32))
    return assemble(empty, size_wh, DOUBLE_SIX)


def picture(seen: TableObservation) -> np.ndarray:
    return np.full((seen.size_wh[1], seen.size_wh[0], 3), 128, np.uint8)


@pytest.mark.parametrize("count", [1, 2, 5, 9])
def test_faces_stay_free(count: int) -> None:
    """Away from the joins no pixel of a face is painted over."""
    seen = observed(count)
    drawn = annotate(picture(seen), seen)
    left = drawn[:1200, :1600]
    assert drawn.shape[0] == 1200, "there is room for every label"
    for tile in seen.tiles:
        centre = tile.quad_px.mean(axis=0)
        mask = np.zeros((1200, 1600), np.uint8)
        cv2.fillConvexPoly(mask, np.round(centre + (tile.quad_px - centre) * 0.65).astype(np.int32), 1)
        assert (left[mask > 0] == 128).all()


def test_picture_that_is_given_stays_as_it_was() -> None:
    """Drawing happens on a copy."""
    seen = observed(4)
    before = picture(seen)
    annotate(before, seen)
    assert (before == 128).all()


def test_tips_add_up_to_the_count() -> None:
    """What the open ends show adds up to the count, for chains of any shape."""
    for seed in range(25):
        seen = observed(1 + seed % 9, seed)
        assert sum(tip.count for tip in tips(seen)) == seen.open_end_count


def test_every_tile_of_the_chain_has_one_number() -> None:
    """The walk along the chain visits every tile once, neighbours after each other on a plain line."""
    seen = observed(8, seed=4)
    order = chain_order(seen)
    chain = [i for i, tile in enumerate(seen.tiles) if tile.role is TileRole.CHAIN]
    assert sorted(order) == chain
    touching = {frozenset((join.a, join.b)) for join in seen.joins}
    walked = sum(frozenset(pair) in touching for pair in pairwise(order))
    assert walked >= len(chain) - 3


def test_open_ends_are_shown_on_picture_and_strip() -> None:
    """The colour of open ends appears beside the tiles and in the strip."""
    seen = observed(5)
    drawn = annotate(picture(seen), seen)
    orange = (drawn == ORANGE).all(axis=2)
    assert orange[:, :1600].sum() > 200
    assert orange[:, 1600:].sum() > 200


def test_strip_says_more_when_there_is_more() -> None:
    """Legal plays, problems and a question change the strip; so do other words."""
    seen = observed(5)
    plain = annotate(picture(seen), seen)
    problem = replace(
        seen, problems=(TableProblem("illegal_join", (0, 1)),), questions=(TableProblem("tile_unsure", (0,)),)
    )
    for other in (
        annotate(picture(seen), seen, ["6-4 at L: 10 points"]),
        annotate(picture(seen), problem),
        annotate(picture(seen), seen, words=Words(open_ends="Отворени крајеви")),
    ):
        assert other.shape == plain.shape
        assert (other != plain).any()


def test_any_script_is_drawn_differently() -> None:
    """Letters outside ASCII are drawn as themselves, not as question marks."""
    widths = {text: text_width(text, 40, 400) for text in ("Łukasz", "Ђорђе", "Íñigo", "日本語")}
    assert all(widths[text] != text_width("?" * len(text), 40, 400) for text in widths)


def test_many_lines_still_fit() -> None:
    """A strip with more lines than there is room shrinks them, then says how many more there are."""
    seen = observed(5)
    drawn = annotate(picture(seen), seen, [f"line {k}" for k in range(300)])
    assert drawn.shape[0] == 1200


@pytest.mark.parametrize("size", [(32, 32), (64, 4000), (4000, 64), (5000, 3000)])
def test_empty_tables_of_any_size(size: tuple[int, int]) -> None:
    """A picture without tiles has its strip, whatever its size and shape."""
    seen = nothing(size)
    drawn = annotate(picture(seen), seen)
    assert drawn.dtype == np.uint8
    assert drawn.shape[1] > drawn.shape[0] * min(size[0] / size[1], 2.5) * 0.99
    assert drawn.shape[0] >= 0.28 * drawn.shape[1], "beside a flat picture the words stay large"
    assert max(drawn.shape) < 6000


def test_roles_look_different() -> None:
    """Loose, face-down and standing tiles are drawn each in its own way."""
    seen = observed(1)
    looks = []
    for role in TileRole:
        tile = replace(seen.tiles[0], role=role)
        looks.append(annotate(picture(seen), replace(seen, tiles=(tile,)))[:, :1600])
    for at, one in enumerate(looks):
        assert all((one != other).any() for other in looks[at + 1 :])


def test_labels_never_meet() -> None:
    """Places given to labels overlap neither tiles nor each other, and stay inside."""
    quad = np.array([[300, 300], [300, 350], [400, 350], [400, 300]], np.float32)
    quads = np.array([quad, quad + np.array([110, 0], np.float32), quad + np.array([0, 60], np.float32)])
    places = Places((700, 600), quads)
    boxes = []
    for tile in (0, 1, 2) * 4:
        box = places.place(quad.mean(axis=0).astype(float), (60, 24), np.array([0.0, -1.0]), tile, 10)
        if box is not None:
            boxes.append(box)
    assert len(boxes) >= 6
    solid = np.zeros((600, 700), int)
    for q in quads:
        x0, y0, x1, y1 = (int(v) for v in (*q.min(axis=0), *q.max(axis=0)))
        solid[y0:y1, x0:x1] += 1
    for box in boxes:
        assert min(box.left, box.top, 700 - box.right, 600 - box.bottom) >= 0
        solid[round(box.top) : round(box.bottom), round(box.left) : round(box.right)] += 1
    assert solid.max() == 1


def test_no_room_is_said() -> None:
    """Where tiles leave no room there is no place, rather than one on a tile."""
    quad = np.array([[0, 0], [0, 100], [200, 100], [200, 0]], np.float32)
    places = Places((200, 100), quad[None])
    assert places.place(np.array([100.0, 0.0]), (40, 20), np.array([0.0, -1.0]), 0, 8) is None
    assert Box(0, 0, 10, 20).middle == (5, 10)


def test_wrap_keeps_all_words() -> None:
    """Breaking lines loses no word and keeps to the width where a word allows it."""
    words = [f"{k}-{k}" for k in range(20)]
    lines = wrap(words, 200, 24, 400)
    assert [word for line in lines for word in line.split()] == words
    assert all(text_width(line, 24, 400) <= 200 for line in lines)


def test_a_tile_without_a_face_is_named_by_how_it_lies() -> None:
    """What stands or lies face down has no value to be named by; a problem shows the words that it is given."""
    quad = np.zeros((4, 2), np.float32)
    words = Words(problem=lambda problem: f"look at {problem.tiles[0]}")
    named = [words.tile(ReadTile(quad, quad, None, 0.9, role)) for role in (TileRole.STANDING, TileRole.DOWN)]
    assert named == ["standing", "face down"]
    assert words.tile(ReadTile(quad, quad, (1, 4), 0.9, TileRole.CHAIN)) == "4-1"
    assert words.problem(TableProblem("branch", (3,))) == "look at 3"
    assert Words().problem(TableProblem("gap_in_chain", (3,))) == "gap in chain"


def test_tips_are_those_of_the_layout() -> None:
    """A tile of the chain that the layout does not hold shows no open end."""
    seen = observed(5)
    left_out = tips(seen)[0].tile
    held = [tile.tile for index, tile in enumerate(seen.tiles) if index != left_out and tile.tile]
    layout = Layout()
    for tile in held:
        layout = layout.put(tile, Arm.RIGHT if layout else Arm.START, tile.high)
    assert left_out not in {tip.tile for tip in tips(replace(seen, layouts=(layout,)))}
    assert len(tips(replace(seen, layouts=(layout,)))) == len(tips(seen)) - 1
