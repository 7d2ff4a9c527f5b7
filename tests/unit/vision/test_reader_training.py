"""Training, resuming and exporting a tiny reader; needs the extra `train`."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_vision.errors import TrainingError
from domino_vision.reader import TileReader
from domino_vision.training.crop_sources import traced_tiles
from domino_vision.training.crops import build_crops
from domino_vision.training.reader import export_reader, half_loss, learning_rate, train_reader
from domino_vision.training.reader_config import ReaderConfig, load_reader_config
from domino_vision.training.reader_eval import by_table, failure_sheet, read_folder, summarise
from domino_vision.types import BACK_CLASS

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

CONFIG = Path(__file__).parents[3] / "models" / "reader" / "train.yaml"


def tiny(tmp_path: Path, **changes: object) -> ReaderConfig:
    (tmp_path / "photos").mkdir(exist_ok=True)
    small = {
        "photos": tmp_path / "photos",
        "work": tmp_path / "work",
        "weights": {"synth": 1.0},
        "held_out": ["synth-1"],
        "synth_tiles": 16,
        "channels": (4, 4, 8, 8),
        "epochs": 2,
        "steps": 2,
        "batch": 4,
        "workers": 0,
        "threads": 1,
        "bfloat16": False,
    }
    return load_reader_config(CONFIG, **(small | changes))


def test_a_reader_is_trained_resumed_and_exported(tmp_path: Path) -> None:
    """A run goes on from its last epoch, and the exported network reads tiles and refuses nothing."""
    build_crops(tiny(tmp_path))
    train_reader(tiny(tmp_path, epochs=1))
    last = train_reader(tiny(tmp_path))
    lines = (tmp_path / "work" / "progress.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["epoch"] for line in lines] == [1, 2]
    figures = export_reader(tiny(tmp_path), last, tmp_path / "reader.onnx")
    assert set(figures) == {"temperature", "halves", "ece"}
    reader = TileReader(tmp_path / "reader.onnx", threads=1)
    assert reader.size_wh == (128, 64)
    frame = np.random.default_rng(0).integers(0, 255, (60, 90, 3), dtype=np.uint8)
    quads = np.array([[[10, 40], [10, 20], [50, 20], [50, 40]]] * 3, dtype=np.float32)
    assert np.allclose(np.exp(reader.read(frame, quads)).sum(axis=2), 1, atol=1e-5)


def test_training_goes_on_from_an_exported_reader(tmp_path: Path) -> None:
    """At a rate of nothing a network answers as the export that it began with, not as one begun from nothing."""
    build_crops(tiny(tmp_path))
    export_reader(tiny(tmp_path), train_reader(tiny(tmp_path)), tmp_path / "first.onnx")
    for name, changes in {"second": {"start": str(tmp_path / "first.onnx")}, "other": {"seed": 9}}.items():
        (tmp_path / "work" / "last.pt").unlink()
        still = tiny(tmp_path, lr=0.0, weight_decay=0.0, epochs=1, **changes)
        export_reader(still, train_reader(still), tmp_path / f"{name}.onnx")
    crops = np.random.default_rng(0).integers(0, 255, (8, 64, 128, 3), dtype=np.uint8)
    first, second, other = (
        TileReader(tmp_path / f"{name}.onnx", threads=1).look(crops)[0] for name in ("first", "second", "other")
    )
    assert np.abs(first - second).mean() < 0.2 * np.abs(first - other).mean()


def test_path_traced_tiles_are_crops(tmp_path: Path) -> None:
    """Tiles of folders of renders become crops, face down ones as backs; without them there are none."""
    config = tiny(tmp_path, renders="renders", weights={"traced": 1.0})
    assert list(traced_tiles(config)) == []
    folder = tmp_path / "photos" / "renders" / "flat"
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "r.jpg"), np.full((60, 90, 3), 90, np.uint8))
    quad = [[10, 40], [10, 20], [50, 20], [50, 40]]
    label = {"image": "r.jpg", "table": "r", "tiles": [{"quad": quad, "halves": [3, 4]}], "down": [quad], "ignore": []}
    (folder / "r.json").write_text(json.dumps(label), encoding="utf-8")
    assert [crop.halves for crop in traced_tiles(config)] == [(3, 4), (BACK_CLASS, BACK_CLASS)]


def test_a_broken_checkpoint_is_named(tmp_path: Path) -> None:
    """A file that is no checkpoint raises `checkpoint_broken`."""
    broken = tmp_path / "last.pt"
    broken.write_bytes(b"nothing")
    with pytest.raises(TrainingError) as caught:
        export_reader(tiny(tmp_path), broken, tmp_path / "reader.onnx")
    assert caught.value.code == "checkpoint_broken"


def test_unknown_order_takes_the_better_one() -> None:
    """Swapping the truth of a tile costs nothing only if its order is unknown."""
    logits = torch.zeros(1, 2, 15)
    logits[0, 0, 3] = logits[0, 1, 5] = 9.0
    right, swapped = torch.tensor([[3, 5]]), torch.tensor([[5, 3]])
    known, unknown = torch.tensor([True]), torch.tensor([False])
    assert half_loss(logits, swapped, unknown, 0.0) == half_loss(logits, right, known, 0.0)
    assert half_loss(logits, swapped, known, 0.0) > 5


def test_the_learning_rate_rises_then_falls(tmp_path: Path) -> None:
    """It starts low, reaches its highest value early and ends near nothing."""
    settings = tiny(tmp_path, epochs=10, steps=10, lr=1.0)
    rates = [learning_rate(step, settings) for step in range(100)]
    assert rates[0] < max(rates)
    assert rates.index(max(rates)) < 10
    assert rates[-1] < 0.01


def test_a_reader_is_measured_on_labelled_photographs(tmp_path: Path) -> None:
    """Figures come by table, and the wrong tiles as a picture."""
    import cv2

    photos = tmp_path / "dev"
    photos.mkdir()
    quad = [[20, 60], [20, 40], [60, 40], [60, 60]]
    label = {"image": "x.jpg", "table": "t", "tiles": [{"quad": quad, "halves": [12, 12]}], "down": [], "ignore": []}
    cv2.imwrite(str(photos / "x.jpg"), np.full((100, 100, 3), 200, dtype=np.uint8))
    (photos / "x.json").write_text(json.dumps(label), encoding="utf-8")
    build_crops(tiny(tmp_path))
    export_reader(tiny(tmp_path), train_reader(tiny(tmp_path, epochs=1)), tmp_path / "reader.onnx")
    reader = TileReader(tmp_path / "reader.onnx", threads=1)
    readings, seconds = read_folder(reader, photos, 0.0)
    assert seconds > 0
    assert by_table(readings) == {"t": summarise(readings)}
    assert summarise(readings)["tiles"] == 1
    wrong = readings[0].half_logp.argmax(axis=1).tolist() != [12, 12]
    assert (failure_sheet(reader, readings) is not None) == wrong
