"""`dominotable train` and `export`: the training code lives in `domino_vision.training`."""

import importlib.util
from pathlib import Path

from domino_server.console import note, written
from domino_vision.errors import TrainingError


def detector(config: Path, photos: Path, out: Path, *, resume: bool) -> None:
    """Train the detector into the folder `out`."""
    from domino_vision.training.detector import read_config, train_detector

    best = train_detector(read_config(config), photos, out, resume=resume, progress=_progress)
    note(f"trained: {best}; next: dominotable export {best} models/tiles-n/tiles-n.onnx")


def reader(config: Path, photos: Path, out: Path, *, resume: bool) -> None:
    """Cut crops, train the reader on them and keep all of it in the folder `out`."""
    from domino_vision.training.crops import build_crops
    from domino_vision.training.reader import train_reader
    from domino_vision.training.reader_config import load_reader_config

    if importlib.util.find_spec("torch") is None:
        raise TrainingError("extra_missing", "training needs the extra `train`: pip install 'dominotable[train]'")
    if not photos.is_dir():
        raise TrainingError("missing_folder", f"no folder {photos}", path=str(photos))
    settings = load_reader_config(config, photos=photos, work=out)
    if not (resume and (out / "crops").is_dir()):
        counts = build_crops(settings)
        note("crops: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
    best = train_reader(settings, resume=resume)
    note(f"trained: {best}; next: dominotable export {best} models/reader/reader.onnx --reader {config}")


def export(checkpoint: Path, out: Path, reader_config: Path | None) -> None:
    """Write a checkpoint as ONNX: a detector's, or with `reader_config` a reader's."""
    if reader_config is None:
        from domino_vision.training.detector import export_detector

        export_detector(checkpoint, out)
    else:
        from domino_vision.training.reader import export_reader
        from domino_vision.training.reader_config import load_reader_config

        figures = export_reader(load_reader_config(reader_config, work=checkpoint.parent), checkpoint, out)
        note("held out: " + ", ".join(f"{name} {value}" for name, value in figures.items()))
    written(out)


def _progress(done: int, of: int) -> None:
    note(f"\rwindows {done}/{of}", end="\n" if done == of else "")
