"""The reader's data set: sources, shards, distortions, chances, calibration. No torch needed."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.errors import LabelError, SourceError, TrainingError
from domino_vision.training.crop_augment import distort, plain
from domino_vision.training.crop_quads import find_single_tile
from domino_vision.training.crop_sources import chinese_tiles, misplaced, read_label
from domino_vision.training.crops import CUT_SIZE_WH, Crop, build_crops, load_crops, pack, write_shards
from domino_vision.training.reader_calibrate import expected_calibration_error, fit_temperature
from domino_vision.training.reader_config import ReaderConfig, load_reader_config
from domino_vision.training.reader_data import Batches, Views, both_directions, calibration_views, crop_chances
from domino_vision.types import BACK_CLASS, UNREADABLE_CLASS

CONFIG = Path(__file__).parents[3] / "models" / "reader" / "train.yaml"


def config(tmp_path: Path, **changes: object) -> ReaderConfig:
    return load_reader_config(CONFIG, **({"photos": tmp_path / "photos", "work": tmp_path / "work"} | changes))


def crop(halves: tuple[int, int], group: str = "a", source: str = "tiles", ordered: bool = True) -> Crop:
    """A stored crop whose left part is dark and whose right part is light."""
    image = np.full((CUT_SIZE_WH[1], CUT_SIZE_WH[0], 3), 30, dtype=np.uint8)
    image[:, CUT_SIZE_WH[0] // 2 :] = 220
    return Crop(image, halves, ordered, group, source)


def write_photo(folder: Path, stem: str, **label: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    cv2.imwrite(str(folder / f"{stem}.jpg"), rng.integers(0, 255, (120, 160, 3), dtype=np.uint8))
    values = {"image": f"{stem}.jpg", "table": "t", "tiles": [], "down": [], "ignore": []} | label
    (folder / f"{stem}.json").write_text(json.dumps(values), encoding="utf-8")


QUAD = [[20, 60], [20, 40], [60, 40], [60, 60]]


def test_shards_come_back_as_written(tmp_path: Path) -> None:
    """Crops survive the way to disk and back, in order."""
    crops = [crop((a, 12), group=f"g{a}", ordered=a % 2 == 0) for a in range(5)]
    assert write_shards(tmp_path, "tiles", iter(crops)) == 5
    back = load_crops(tmp_path)
    assert back.halves.tolist() == [[a, 12] for a in range(5)]
    assert back.ordered.tolist() == [True, False, True, False, True]
    assert np.array_equal(back.images[3], crops[3].image)


def test_groups_are_held_out_whole() -> None:
    """A split by group leaves no crop of a held-out group in training."""
    crops = pack([crop((1, 1), group=g) for g in "aabbbc"])
    training, held_out = crops.split(["b"])
    assert set(training.groups) == {"a", "c"}
    assert len(held_out) == 3


def test_missing_crops_and_photos_are_named(tmp_path: Path) -> None:
    """Training without a data set and building without photographs raise typed errors."""
    with pytest.raises(TrainingError) as caught:
        load_crops(tmp_path)
    assert caught.value.code == "crops_missing"
    with pytest.raises(TrainingError) as caught:
        build_crops(config(tmp_path))
    assert caught.value.code == "photos_missing"


def test_building_cuts_labelled_tiles_and_backs(tmp_path: Path) -> None:
    """Every face-up tile and every face-down tile of a training picture becomes a crop; a second build keeps them."""
    write_photo(tmp_path / "photos" / "train", "one", tiles=[{"quad": QUAD, "halves": [6, 4]}], down=[QUAD, QUAD])
    settings = config(tmp_path, weights={"tiles": 0.5, "backs": 0.5})
    assert build_crops(settings) == {"tiles": 1, "backs": 2}
    assert build_crops(settings) == {"tiles": 1, "backs": 2}
    crops = load_crops(settings.work / "crops")
    assert sorted(crops.halves.tolist()) == [[6, 4], [BACK_CLASS, BACK_CLASS], [BACK_CLASS, BACK_CLASS]]


def test_drawn_tiles_are_built_from_a_seed(tmp_path: Path) -> None:
    """The same seed draws the same tiles; labels stay within the classes."""
    (tmp_path / "photos").mkdir()
    sets = []
    for name in ("one", "two"):
        weights = {"synth": 1.0, "wide": 1.0, "hard": 1.0}
        settings = config(tmp_path, work=tmp_path / name, weights=weights, synth_tiles=10)
        assert build_crops(settings) == {"synth": 10, "wide": 2, "hard": 3}
        sets.append(load_crops(settings.work / "crops"))
    assert np.array_equal(sets[0].images, sets[1].images)
    assert sets[0].halves.max() <= BACK_CLASS
    assert set(sets[0].halves[sets[0].sources == "wide"].ravel()) & {10, 11}


def test_an_unknown_source_is_named(tmp_path: Path) -> None:
    """A source that nobody knows stops the build before anything is cut."""
    (tmp_path / "photos").mkdir()
    with pytest.raises(TrainingError) as caught:
        build_crops(config(tmp_path, weights={"dreams": 1.0}))
    assert caught.value.code == "source_unknown"


@pytest.mark.parametrize("text", ["[", "[]", '{"image": "x.jpg"}', '{"image": "x.jpg", "tiles": [3]}'])
def test_a_broken_label_is_named(tmp_path: Path, text: str) -> None:
    """Labels that are no JSON or lack fields raise `label_broken`."""
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LabelError) as caught:
        read_label(path)
    assert caught.value.code == "label_broken"


@pytest.mark.parametrize("text", ["a: [", "3", "photos: here"])
def test_a_broken_configuration_is_named(tmp_path: Path, text: str) -> None:
    """Settings that are no YAML, no mapping or not complete raise `config_broken`."""
    path = tmp_path / "train.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TrainingError) as caught:
        load_reader_config(path)
    assert caught.value.code == "config_broken"


@pytest.mark.parametrize("angle", [0, 25, 90, 140])
def test_the_only_tile_of_a_picture_is_found(angle: int) -> None:
    """A light 2:1 rectangle on a dark ground is found to within a pixel or two, a short edge first."""
    frame = np.full((100, 100, 3), 60, dtype=np.uint8)
    box = cv2.boxPoints(((50, 50), (56, 28), angle))
    cv2.fillConvexPoly(frame, np.round(box * 16).astype(np.int32), (220, 225, 230), cv2.LINE_AA, 4)
    quad = find_single_tile(frame)
    assert quad is not None
    assert np.linalg.norm(quad[1] - quad[0]) < np.linalg.norm(quad[2] - quad[1])
    gaps = np.linalg.norm(quad[:, None] - box[None], axis=2).min(axis=1)
    assert gaps.max() < 3


def test_an_empty_picture_has_no_tile() -> None:
    """Nothing is found on an even ground, nor in noise."""
    assert find_single_tile(np.full((100, 100, 3), 90, dtype=np.uint8)) is None
    assert find_single_tile(np.random.default_rng(0).integers(0, 255, (100, 100, 3), dtype=np.uint8)) is None


def test_misplaced_boxes_lie_elsewhere() -> None:
    """A box made wrong on purpose never has its corners where the tile's are."""
    rng = np.random.default_rng(0)
    quad = np.array(QUAD, dtype=np.float32)
    for _ in range(40):
        assert np.linalg.norm(misplaced(quad, rng) - quad, axis=1).max() > 8


def test_distortion_swaps_labels_with_the_halves() -> None:
    """Whichever way a view is turned, the darker half keeps its label."""
    view_size = (128, 64)
    followed = 0
    for seed in range(60):
        stored = crop((3, 9))
        view, halves = distort(stored.image, stored.halves, view_size, 0.125, np.random.default_rng(seed))
        assert view.shape == (64, 128, 3)
        if UNREADABLE_CLASS in halves:
            continue
        grey = view.mean(axis=2)
        left, right = np.median(grey[:, 10:54]), np.median(grey[:, 74:118])
        followed += (halves == (3, 9)) == (left < right)
    assert followed > 30  # inverted colours turn the rule round now and then


def test_a_plain_view_shows_the_tile_inside_its_margin() -> None:
    """Without jitter the middle of a crop stays the middle."""
    view = plain(crop((1, 2)).image, (128, 64), 0.125)
    assert view[:, :62].max() == 30
    assert view[:, 66:].min() == 220


def test_the_same_key_gives_the_same_view(tmp_path: Path) -> None:
    """Distortions depend on the serial number and the seed alone."""
    views = Views(pack([crop((1, 2)), crop((3, 4), ordered=False)]), config(tmp_path))
    first, again, other = views[(7, 1)], views[(7, 1)], views[(8, 1)]
    assert np.array_equal(first[0], again[0])
    assert not np.array_equal(first[0], other[0])
    assert first[2] is False
    assert len(views) == 2


def test_sources_have_their_weight_and_large_groups_do_not_drown_small_ones() -> None:
    """A source counts by its weight, a group by the root of its size."""
    crops = pack([crop((1, 1), "big")] * 16 + [crop((1, 1), "small")] * 4 + [crop((1, 1), "s", "synth")])
    chances = crop_chances(crops, {"tiles": 0.6, "synth": 0.2, "absent": 0.2})
    assert chances.sum() == pytest.approx(1)
    assert chances[-1] == pytest.approx(0.25)
    assert chances[:16].sum() / chances[16:20].sum() == pytest.approx(2)


def test_an_epoch_is_reproducible_and_its_serials_are_new(tmp_path: Path) -> None:
    """The same epoch draws the same crops; the next goes on counting."""
    crops = pack([crop((a, a)) for a in range(6)])
    settings = config(tmp_path, steps=3, batch=4)
    first, again, second = (list(Batches(crops, settings, epoch)) for epoch in (0, 0, 1))
    assert first == again
    assert [key[0] for batch in first + second for key in batch] == list(range(24))
    assert len(Batches(crops, settings, 0)) == 3


def test_calibration_uses_only_crops_of_known_order(tmp_path: Path) -> None:
    """Crops whose ends are unknown have no truth to be measured against; both directions double the rest."""
    crops = pack([crop((1, 2)), crop((3, 4), ordered=False), crop((5, 6))])
    views, halves = calibration_views(crops, config(tmp_path), 0.01, 0)
    assert halves.tolist() == [[1, 2], [5, 6]]
    both = both_directions(views)
    assert np.array_equal(both[2], views[0][::-1, ::-1])


def test_temperature_undoes_overconfidence() -> None:
    """Logits made three times too large are brought back, and the calibration error falls."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0, 1.5, (3000, 2, 13)).astype(np.float32)
    halves = (scores + rng.gumbel(size=scores.shape)).argmax(axis=2)
    logits = np.concatenate([scores, scores[:, ::-1]]) * 3
    assert fit_temperature(_with_spare_classes(logits), halves) == pytest.approx(3.0, rel=0.1)


def _with_spare_classes(logits: np.ndarray) -> np.ndarray:
    spare = np.full((*logits.shape[:2], 2), -90, dtype=np.float32)
    return np.concatenate([logits, spare], axis=2)


def test_calibration_error_is_the_gap_between_sure_and_right() -> None:
    """Answers given at 0.9 that are right half of the time are off by 0.4."""
    logp = np.log(np.full((10, 2, 2), (0.9, 0.1), dtype=np.float32))
    halves = np.array([[0, 1]] * 10)
    assert expected_calibration_error(logp, halves) == pytest.approx(0.4, abs=1e-6)
    assert expected_calibration_error(logp[:0], halves[:0]) == 0.0


def test_a_cut_out_without_an_alpha_channel_is_named(tmp_path: Path) -> None:
    """A Chinese cut-out that cannot be laid on a ground is no tile fewer in silence."""
    folder = tmp_path / "photos" / "chinese_cutouts"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "4-2.png"), np.full((40, 80, 3), 200, np.uint8))
    with pytest.raises(SourceError, match=r"4-2\.png is no picture with an alpha channel"):
        list(chinese_tiles(config(tmp_path)))
