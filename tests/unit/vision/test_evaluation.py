"""Metrics of readings against labels."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.errors import LabelError, SourceError
from domino_vision.evaluation import compare, evaluate, evaluate_folder, measure, save_worst, worst
from domino_vision.evaluation.matching import cover_matrix, iou_matrix
from domino_vision.labels import Label, write_label
from domino_vision.types import Join, ReadTile, TableObservation, TableProblem, TileRole

NO_QUADS = np.zeros((0, 4, 2), np.float32)


def quad(x: float, y: float = 0.0, turned: bool = False) -> np.ndarray:
    """Return a tile of 40 x 20 px with its first half on the left (on the right if turned)."""
    corners = np.array([[x, y + 20], [x, y], [x + 40, y], [x + 40, y + 20]], np.float32)
    return np.roll(corners, 2, axis=0) if turned else corners


def label(
    *tiles: tuple[float, tuple[int, int]],
    chain: tuple[Join, ...] | None = None,
    down: tuple[float, ...] = (),
    ignore: tuple[float, ...] = (),
    table: str = "t",
) -> Label:
    def stack(places: list[float]) -> np.ndarray:
        return np.array([quad(x) for x in places], np.float32).reshape(-1, 4, 2)

    return Label(
        "x.jpg",
        "",
        "double-six",
        table,
        stack([x for x, _ in tiles]),
        tuple(halves for _, halves in tiles),
        stack(list(down)),
        stack(list(ignore)),
        chain,
    )


def tile(
    corners: np.ndarray, halves: tuple[int, int] | None, role: TileRole = TileRole.CHAIN, sure: float = 1.0
) -> ReadTile:
    each = None if halves is None else (sure, sure)
    return ReadTile(corners, corners, halves, sure, role, each)


def seen(*tiles: ReadTile, joins: tuple[Join, ...] = (), ask: bool = False) -> TableObservation:
    why = (TableProblem("tile_unsure", (0,)),) if ask else ()
    times = {"detect": 40.0, "whole": 60.0}
    return TableObservation((640, 480), tiles, joins, (), None, 1.0, why, (), np.eye(3), 40.0, times)


def test_a_perfect_reading_has_no_error() -> None:
    """All figures of a perfect reading are at their best."""
    truth = label((0, (6, 4)), (42, (4, 1)), chain=(Join(0, "b", 1, "a"),), down=(100,))
    reading = seen(
        tile(quad(0), (6, 4)),
        tile(quad(42), (4, 1)),
        tile(quad(100), None, TileRole.DOWN),
        joins=(Join(0, "b", 1, "a"),),
    )
    result = compare("x", truth, reading)
    metrics = measure([result])
    assert result.errors == 0
    assert (metrics.detection.f1, metrics.face_down.f1, metrics.joins.f1) == (1, 1, 1)
    assert (metrics.halves, metrics.tiles_exact, metrics.boards_exact, metrics.open_end_count_exact) == (1, 1, 1, 1)
    assert (metrics.corner_error, metrics.ece, metrics.false_per_image, metrics.asked) == (0, 0, 0, 0)


def test_half_a_turn_with_swapped_values_is_right() -> None:
    """The order of the corners says which end is which: turned corners need turned values and joins."""
    truth = label((0, (6, 4)), (42, (4, 1)), chain=(Join(0, "b", 1, "a"),))
    turned = seen(tile(quad(0, turned=True), (4, 6)), tile(quad(42), (4, 1)), joins=(Join(0, "a", 1, "a"),))
    result = compare("x", truth, turned)
    assert result.board_right
    assert result.joins_right == 1
    assert result.matching.up[0].turned
    assert result.matching.up[0].corner_error == 0


def test_values_at_the_wrong_ends_are_wrong() -> None:
    """Swapped values without swapped corners are two wrong halves."""
    result = compare("x", label((0, (6, 4))), seen(tile(quad(0), (4, 6))))
    assert result.halves_right == 0
    assert not result.board_right


def test_a_missed_tile_is_two_wrong_halves_and_a_false_one_spoils_the_board() -> None:
    """Misses count against halves, false tiles against precision and the board."""
    missed = measure([compare("x", label((0, (6, 4)), (100, (1, 1))), seen(tile(quad(0), (6, 4))))])
    assert (missed.halves, missed.tiles_exact, missed.detection.recall, missed.detection.precision) == (
        0.5,
        0.5,
        0.5,
        1,
    )
    false = measure([compare("x", label((0, (6, 4))), seen(tile(quad(0), (6, 4)), tile(quad(100), (1, 1))))])
    assert (false.halves, false.boards_exact, false.false_per_image, false.detection.precision) == (1, 0, 1, 0.5)


def test_two_boxes_on_one_tile_count_once() -> None:
    """Matching is one to one: the second box on a tile is false."""
    result = compare("x", label((0, (6, 4))), seen(tile(quad(0), (6, 4)), tile(quad(2), (6, 4))))
    assert len(result.matching.up) == 1
    assert result.matching.false_up == (1,)


def test_matching_maximises_the_overlap_of_all() -> None:
    """A greedy choice would leave one tile without a partner; the Hungarian one does not."""
    truth = label((0, (6, 4)), (18, (1, 2)))
    reading = seen(tile(quad(9), (1, 2)), tile(quad(-9), (6, 4)))
    assert measure([compare("x", truth, reading)]).detection.f1 == 1


def test_what_the_label_ignores_is_neither_right_nor_wrong() -> None:
    """A tile on `ignore` is dropped with its joins, and the count is that of the rest."""
    truth = label((0, (6, 4)), (42, (4, 1)), chain=(Join(0, "b", 1, "a"),), ignore=(84,))
    joins = (Join(0, "b", 1, "a"), Join(1, "b", 2, "a"))
    reading = seen(tile(quad(0), (6, 4)), tile(quad(42), (4, 1)), tile(quad(86), (1, 5)), joins=joins)
    result = compare("x", truth, reading)
    assert result.matching.ignored == {2}
    assert result.errors == 0
    assert result.count_read == result.count_true == 7


def test_a_labelled_tile_inside_an_ignored_region_still_counts() -> None:
    """A reading that fits a labelled tile is judged even where an ignored quad covers it."""
    result = compare("x", label((0, (6, 4)), ignore=(2,)), seen(tile(quad(0), (6, 4))))
    assert result.board_right
    assert not result.matching.ignored


def test_faces_are_kept_apart() -> None:
    """A face-up reading on a face-down tile is a false face-up tile; standing readings are not counted."""
    truth = label((0, (6, 4)), down=(100,))
    reading = seen(tile(quad(0), (6, 4)), tile(quad(100), (1, 1)), tile(quad(200), None, TileRole.STANDING))
    metrics = measure([compare("x", truth, reading)])
    assert metrics.face_down.recall == 0
    assert metrics.detection.precision == 0.5


def test_joins_are_counted_where_there_is_a_chain_only() -> None:
    """A join read among tiles that merely lie about does not enter the joins' F1."""
    loose = compare("x", label((0, (6, 4)), (42, (4, 1))), seen(tile(quad(0), (6, 4)), joins=(Join(0, "b", 0, "a"),)))
    chain = (Join(0, "b", 1, "a"), Join(1, "b", 2, "a"))
    truth = label((0, (6, 4)), (42, (4, 1)), (84, (1, 5)), chain=chain)
    tiles = [tile(quad(x), halves) for x, halves in ((0, (6, 4)), (42, (4, 1)), (84, (1, 5)))]
    half = compare("y", truth, seen(*tiles, joins=(Join(0, "b", 1, "a"), Join(0, "a", 2, "b"))))
    metrics = measure([loose, half])
    assert metrics.chains == 1
    assert (metrics.joins.precision, metrics.joins.recall) == (0.5, 0.5)
    assert metrics.open_end_count_exact == 0


def test_a_lone_tile_with_an_empty_chain_has_a_count() -> None:
    """The first tile of a game is a chain without joins."""
    result = compare("x", label((0, (6, 4)), chain=()), seen(tile(quad(0), (6, 4))))
    assert result.count_true == 10
    assert result.count_right


def test_asked_photographs_are_left_out_of_the_accepted() -> None:
    """Figures over accepted photographs leave out those that a person would be asked about."""
    good = compare("a", label((0, (6, 4)), chain=()), seen(tile(quad(0), (6, 4))))
    bad = compare("b", label((0, (6, 4)), chain=()), seen(tile(quad(0), (6, 3)), ask=True))
    metrics = measure([good, bad])
    assert (metrics.asked, metrics.boards_exact, metrics.boards_exact_accepted) == (0.5, 0.5, 1)
    assert (metrics.open_end_count_exact, metrics.open_end_count_exact_accepted) == (0.5, 1)


def test_calibration_error_is_the_gap_between_sure_and_right() -> None:
    """Halves said to be right at 0.9 and right half the time are off by 0.4."""
    result = compare("x", label((0, (6, 4))), seen(tile(quad(0), (6, 3), sure=0.9)))
    assert measure([result]).ece == pytest.approx(0.4)


def test_figures_without_data_are_none() -> None:
    """Pictures without tiles or chain say nothing about halves, joins or counts."""
    metrics = measure([compare("x", label(), seen())])
    assert metrics.halves is metrics.joins.f1 is metrics.open_end_count_exact is metrics.ece is None
    assert (metrics.boards_exact, metrics.false_per_image) == (1, 0)
    assert measure([]).asked is None


def test_json_has_the_documented_keys() -> None:
    """The JSON form carries every key of the metrics' definition, by table too."""
    photos = [compare("x", label((0, (6, 4)), table=name), seen(tile(quad(0), (6, 4)))) for name in ("one", "two")]
    found = evaluate(photos).to_json()
    expected = {
        "images",
        "tiles",
        "detection",
        "face_down",
        "corner_error",
        "halves",
        "tiles_exact",
        "boards_exact",
        "joins",
        "open_end_count_exact",
        "asked",
        "boards_exact_accepted",
        "open_end_count_exact_accepted",
        "ece",
        "false_per_image",
        "latency_ms",
        "by_table",
    }
    assert expected <= set(found)
    assert set(found["by_table"]) == {"one", "two"}
    assert found["latency_ms"]["detect"] == {"p50": 40.0, "p95": 40.0}
    assert "two" in evaluate(photos).to_text()


def test_overlaps_of_quads() -> None:
    """Intersection over union and cover of shifted and of separate quads, whichever way round."""
    a, b = np.array([quad(0)]), np.array([quad(20)[::-1], quad(500), quad(0)])
    assert iou_matrix(a, b)[0] == pytest.approx([1 / 3, 0, 1], abs=1e-5)
    assert cover_matrix(a, b)[0] == pytest.approx([0.5, 0, 1], abs=1e-5)
    assert iou_matrix(a, NO_QUADS).shape == (1, 0)


def test_quads_that_nearly_coincide_overlap_wholly() -> None:
    """Two quads a tenth of a pixel apart are the same tile."""
    a = np.array([[[468.0, 54.9], [468.5, 96.7], [551.4, 95.8], [551.0, 54.0]]], np.float32)
    b = np.array([[[468.0, 54.9], [468.45325, 96.70051], [551.45325, 95.8005], [551.0, 54.0]]], np.float32)
    assert iou_matrix(a, b)[0, 0] > 0.99


def test_a_folder_is_evaluated_with_progress(tmp_path: Path) -> None:
    """Each labelled picture is read once, in order, and progress is told."""
    for name in ("b", "a"):
        write_label(tmp_path / f"{name}.json", label((0, (6, 4))))
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), np.full((100, 150, 3), 90, np.uint8))
    steps: list[tuple[int, int]] = []
    found = evaluate_folder(tmp_path, lambda _: seen(tile(quad(0), (6, 4))), lambda *step: steps.append(step))
    assert [photo.name for photo in found.photos] == ["a", "b"]
    assert steps == [(1, 2), (2, 2)]
    assert found.overall.boards_exact == 1


def test_photographs_are_grouped_by_the_conditions_they_were_taken_in(tmp_path: Path) -> None:
    """Small tiles in the dark stand apart from large ones in the light; an empty table belongs to no group."""
    for name, scale, light in (("far", 1, 40), ("near", 6, 200)):
        tiles = label((0, (6, 4)), (60, (4, 1)))
        write_label(tmp_path / f"{name}.json", replace(tiles, quads_px=tiles.quads_px * scale))
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), np.full((150, 700, 3), light, np.uint8))
    write_label(tmp_path / "nothing.json", label())
    cv2.imwrite(str(tmp_path / "nothing.jpg"), np.full((100, 150, 3), 90, np.uint8))
    found = evaluate_folder(tmp_path, lambda _: seen(tile(quad(0), (6, 4))))
    groups = {name: [(group, m.images) for group, m in found.items()] for name, found in found.by_condition.items()}
    assert groups["pip_px"] == [("under 5 px a pip", 1), ("from 12 px a pip", 1)]
    assert [images for _, images in groups["brightness"]] == [1, 1]
    assert set(found.to_json()["by_condition"]) == set(groups)


def test_a_broken_label_stops_before_the_first_picture_is_read(tmp_path: Path) -> None:
    """Nobody waits for an hour to learn that the last label is broken."""
    write_label(tmp_path / "a.json", label())
    (tmp_path / "b.json").write_text("{")
    for name in ("a", "b"):
        (tmp_path / f"{name}.jpg").touch()
    with pytest.raises(LabelError, match=r"b\.json"):
        evaluate_folder(tmp_path, lambda _: pytest.fail("a picture was read"))


def test_the_worst_are_drawn(tmp_path: Path) -> None:
    """The worst photographs are drawn twice side by side, worst first; faultless ones are left out."""
    image = np.full((100, 150, 3), 90, np.uint8)
    for name in ("good", "bad", "worse"):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), image)
    truth = label((0, (6, 4)), (42, (4, 1)), chain=(Join(0, "b", 1, "a"),), down=(90,), ignore=(100,))
    right = [tile(quad(0), (6, 4)), tile(quad(42), (4, 1)), tile(quad(90), None, TileRole.DOWN)]
    photos = [
        compare("good", truth, seen(*right, joins=(Join(0, "b", 1, "a"),))),
        compare("bad", truth, seen(*right)),
        compare("worse", truth, seen(tile(quad(300), (1, 1)))),
    ]
    assert [photo.name for photo in worst(photos, 5)] == ["worse", "bad"]
    files = save_worst(photos, tmp_path / "out", tmp_path, 5)
    assert [file.name for file in files] == ["01-worse.jpg", "02-bad.jpg"]
    drawn = cv2.imread(str(files[0]))
    assert drawn is not None
    assert drawn.shape[1] == 2 * round(150 * 900 / 100)
    (tmp_path / "worse.jpg").unlink()
    with pytest.raises(SourceError):
        save_worst(photos, tmp_path / "out", tmp_path, 1)
