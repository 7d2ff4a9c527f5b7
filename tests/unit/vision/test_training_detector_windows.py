"""Windows that the detector is trained on."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.errors import TrainingError
from domino_vision.training.box_labels import FACE_UP, STANDING, Box, read_picture
from domino_vision.training.box_looks import move_tiles, new_light, recolour_tiles
from domino_vision.training.box_windows import WindowOptions, background, cut_window, paint_over
from domino_vision.training.boxes import WindowsConfig, build_windows

TILE = np.array([[300, 200], [300, 260], [420, 260], [420, 200]], np.float32)


def table(size: tuple[int, int] = (480, 640)) -> np.ndarray:
    image = np.full((*size, 3), 90, np.uint8)
    cv2.fillConvexPoly(image, TILE.astype(np.int32), (235, 235, 235))
    cv2.circle(image, (330, 230), 8, (10, 10, 10), -1)
    return image


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A tiny photo folder: two labelled pictures, one picture without tiles."""
    for part in ("train", "negatives"):
        (tmp_path / "photos" / part).mkdir(parents=True)
    for name in ("a", "b"):
        cv2.imwrite(str(tmp_path / "photos" / "train" / f"{name}.jpg"), table())
        label = {"image": f"{name}.jpg", "table": name, "tiles": [{"quad": TILE.tolist()}], "down": [], "ignore": []}
        (tmp_path / "photos" / "train" / f"{name}.json").write_text(json.dumps(label), encoding="utf-8")
    cv2.imwrite(str(tmp_path / "photos" / "negatives" / "n.jpg"), np.full((300, 400, 3), 60, np.uint8))
    return tmp_path / "photos"


def config(photos: Path, out: Path) -> WindowsConfig:
    return WindowsConfig(photos, out, seed=1, real=6, negatives=2, validation=2, sources=("train",), workers=1)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for kind in ("images", "labels") for path in (folder / kind).rglob("*.*")}


def test_windows_follow_the_labels() -> None:
    """A tile wholly in the window is bright under its box and has a length between the limits."""
    options = WindowOptions(whole=0.0, tilt=0.0)
    for seed in range(20):
        window, boxes = cut_window(np.random.default_rng(seed), table(), [Box(TILE, FACE_UP)], [], options)
        assert window.shape == (640, 640, 3)
        for box in boxes:
            mask = np.zeros((640, 640), np.uint8)
            cv2.fillConvexPoly(mask, box.quad.astype(np.int32), 1)
            assert float(np.median(window[mask > 0])) > 200
            assert np.linalg.norm(box.quad[1] - box.quad[0]) <= options.longest * 1.2


def test_windows_from_the_side_follow_the_labels() -> None:
    """Seen lower, a tile still lies under its box, and somewhere it is foreshortened."""
    options = WindowOptions(whole=0.0, tilt=0.0, flat=1.0, keep=0.999)
    shares = []
    for seed in range(30):
        window, boxes = cut_window(np.random.default_rng(seed), table(), [Box(TILE, FACE_UP)], [], options)
        for box in boxes:
            mask = np.zeros((640, 640), np.uint8)
            cv2.fillConvexPoly(mask, box.quad.astype(np.int32), 1)
            assert float(np.median(window[mask > 0])) > 200
            edges = sorted(np.linalg.norm(np.roll(box.quad, -1, axis=0) - box.quad, axis=1))
            shares.append(edges[-1] / edges[0])
    assert min(shares) < 1.7
    assert max(shares) > 2.4


def test_pictures_without_tiles_are_seen_close_too() -> None:
    """A picture that shows no tile is enlarged up to the bound, and its window stays within it then."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    picture[::8] = 200
    periods = []
    for seed in range(30):
        options = WindowOptions(tilt=0.0, closer=3.0)
        window, boxes = cut_window(np.random.default_rng(seed), picture, [], [], options)
        assert boxes == []
        periods.append(float((window == 114).all(axis=2).mean()))
    assert min(periods) < 0.02
    assert max(periods) > 0.2


def test_ignored_regions_are_painted_over() -> None:
    """An ignored tile disappears; a tile that overlaps it stays."""
    rng = np.random.default_rng(0)
    window = np.zeros((640, 640, 3), np.uint8)
    window[:480] = table()
    gone = paint_over(rng, window, [TILE], [])
    assert float(gone[225:235, 370:400].mean()) < 130
    spared = paint_over(rng, window, [TILE], [TILE])
    assert float(spared[225:235, 370:400].mean()) > 220


def test_recolouring_changes_only_tiles() -> None:
    """New colours appear inside the boxes only."""
    window = np.asarray(cv2.resize(table(), (640, 640)), np.uint8)
    quad = TILE * np.array([1, 640 / 480], np.float32)
    out = recolour_tiles(np.random.default_rng(3), window, [Box(quad, FACE_UP)])
    assert np.array_equal(out[:200], window[:200])
    assert not np.array_equal(out, window)


def test_moved_tiles_lie_on_the_new_ground() -> None:
    """The tile keeps its look, the rest becomes the ground."""
    window = np.asarray(cv2.resize(table(), (640, 640)), np.uint8)
    quad = TILE * np.array([1, 640 / 480], np.float32)
    ground = np.full((640, 640, 3), 200, np.uint8)
    out = move_tiles(np.random.default_rng(3), window, [Box(quad, FACE_UP)], ground)
    assert float(out[:100].mean()) == pytest.approx(200)
    assert float(out[300:320, 370:400].mean()) == pytest.approx(235, abs=3)


@pytest.mark.parametrize("seed", range(12))
def test_new_light_keeps_shape_and_type(seed: int) -> None:
    """Whatever light is drawn, a window stays a window."""
    window = np.asarray(cv2.resize(table(), (640, 640)), np.uint8)
    out = new_light(np.random.default_rng(seed), window)
    assert out.shape == (640, 640, 3)
    assert out.dtype == np.uint8


def test_background_is_a_square() -> None:
    """Any picture without tiles gives a square ground."""
    assert background(np.random.default_rng(1), table(), 320).shape == (320, 320, 3)


def test_build_is_repeatable_and_labels_are_in_the_picture(photos: Path, tmp_path: Path) -> None:
    """The same seed writes the same bytes; labels are corners between 0 and 1; negatives have none."""
    first, second = build_windows(config(photos, tmp_path / "one")), build_windows(config(photos, tmp_path / "two"))
    assert contents(first.parent) == contents(second.parent)
    for label in first.parent.rglob("labels/*/*.txt"):
        rows = [line.split() for line in label.read_text(encoding="utf-8").splitlines()]
        assert all(len(row) == 9 and all(0 <= float(value) <= 1 for value in row[1:]) for row in rows)
        assert not (label.name.startswith("negative") and rows)
    assert len(list(first.parent.rglob("images/*/*.jpg"))) == 8


def test_stopped_build_goes_on(photos: Path, tmp_path: Path) -> None:
    """Windows that exist are kept, missing ones are written, and the result is that of one go."""
    whole = contents(build_windows(config(photos, tmp_path / "one")).parent)
    out = tmp_path / "two"
    build_windows(config(photos, out))
    (out / "windows.json").write_text(
        json.dumps({"digest": json.loads((out / "windows.json").read_text())["digest"]}), encoding="utf-8"
    )
    for path in [*out.rglob("real_000003.*")]:
        path.unlink()
    build_windows(config(photos, out))
    assert contents(out) == whole


def test_other_settings_build_anew(photos: Path, tmp_path: Path) -> None:
    """A folder that was built from other settings is emptied first."""
    out = tmp_path / "one"
    build_windows(config(photos, out))
    build_windows(replace(config(photos, out), real=2))
    assert len(list(out.rglob("images/*/*.jpg"))) == 4


def test_progress_reaches_the_plan(photos: Path, tmp_path: Path) -> None:
    """Progress ends at the number of windows planned."""
    seen: list[tuple[int, int]] = []
    build_windows(config(photos, tmp_path / "one"), lambda done, total: seen.append((done, total)))
    assert seen[-1] == (8, 8)


def test_rendered_windows_have_tiles(photos: Path, tmp_path: Path) -> None:
    """Renders alone give windows with boxes, standing tiles among the classes."""
    data = build_windows(replace(config(photos, tmp_path / "one"), real=0, negatives=0, synthetic=6, sources=()))
    summary = json.loads((data.parent / "windows.json").read_text(encoding="utf-8"))
    assert summary["windows"] == 6
    assert sum(summary["tiles"].values()) > 0
    assert list(summary["tiles"])[STANDING] == "standing"


def test_no_picture_is_an_error(tmp_path: Path) -> None:
    """A photo folder without labelled pictures is refused."""
    for part in ("train", "negatives"):
        (tmp_path / part).mkdir()
    with pytest.raises(TrainingError) as caught:
        build_windows(config(tmp_path, tmp_path / "out"))
    assert caught.value.code == "no_pictures"


def test_named_pictures_without_tiles_are_kept_for_checking(photos: Path, tmp_path: Path) -> None:
    """With the only one of them left out by name there is none to build from."""
    with pytest.raises(TrainingError) as caught:
        build_windows(replace(config(photos, tmp_path / "out"), skip_negatives=("n",)))
    assert caught.value.code == "no_pictures"


def test_path_traced_pictures_give_windows_of_their_own(photos: Path, tmp_path: Path) -> None:
    """A folder of renders is cut like photographs, and its standing tiles are boxes, not regions to paint over."""
    renders = tmp_path / "renders"
    renders.mkdir()
    cv2.imwrite(str(renders / "r.jpg"), table())
    upright = (TILE - 150).tolist()
    label = {"image": "r.jpg", "table": "r", "tiles": [{"quad": TILE.tolist()}], "down": []}
    label |= {"ignore": [upright], "standing": [upright]}
    (renders / "r.json").write_text(json.dumps(label), encoding="utf-8")
    picture = read_picture(renders / "r.json")
    assert [box.kind for box in picture.boxes] == [FACE_UP, STANDING]
    assert picture.ignore == ()
    build_windows(replace(config(photos, tmp_path / "out"), traced=5, validation=0))
    found = sorted(path.stem for path in (tmp_path / "out" / "labels" / "train").glob("traced_*.txt"))
    assert len(found) == 5


def test_labels_speak_of_the_picture_as_it_is_stored(photos: Path, tmp_path: Path) -> None:
    """A photograph whose file asks to be turned is cut unturned, as its label says."""
    tiff = b"MM\0*\0\0\0\x08\0\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + b"\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    for path in (photos / "train").glob("*.jpg"):
        data = path.read_bytes()
        path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:])
    options = WindowOptions(whole=0.0, tilt=0.0)
    plain = replace(config(photos, tmp_path / "out"), recolour=0.0, move=0.0, options=options)
    build_windows(plain)
    labels = [path for path in (tmp_path / "out" / "labels").rglob("real_*.txt") if path.read_text()]
    assert labels
    for path in labels:
        image = cv2.imread(str(path).replace("/labels/", "/images/").replace(".txt", ".jpg"), cv2.IMREAD_GRAYSCALE)
        assert image is not None
        quad = np.array(path.read_text().split()[1:], np.float64).reshape(4, 2) * image.shape[0]
        mask = cv2.fillConvexPoly(np.zeros(image.shape, np.uint8), quad.round().astype(np.int32), 1)
        inside, outside = image[mask > 0], image[mask == 0]
        assert abs(float(np.median(inside)) - float(np.median(outside))) > 30


def test_windows_that_cannot_be_read_or_written_are_told(photos: Path, tmp_path: Path) -> None:
    """A picture that is none, and a disk that takes no window, stop the build with their names."""
    begun = config(photos, tmp_path / "out")
    build_windows(begun)
    summary = json.loads((begun.out / "windows.json").read_text())
    (begun.out / "windows.json").write_text(json.dumps({"digest": summary["digest"]}))
    for kind in ("images", "labels"):
        for path in (begun.out / kind).rglob("*.*"):
            path.unlink()
            if kind == "images":
                path.mkdir()
    with pytest.raises(TrainingError, match="cannot write the window") as full:
        build_windows(begun)
    assert full.value.code == "cannot_write"
    (photos / "train" / "a.jpg").write_text("no picture")
    with pytest.raises(TrainingError, match=r"a\.jpg") as broken:
        build_windows(config(photos, tmp_path / "other"))
    assert broken.value.code == "bad_picture"
