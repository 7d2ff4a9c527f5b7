"""`dominotable train` and `export`: the training code lives in `domino_vision.training`."""

from pathlib import Path


def detector(config: Path, photos: Path, out: Path, *, resume: bool) -> None:
    """Train the detector into the folder `out`."""
    from domino_vision.training.detector import train_detector

    best = train_detector(config, photos, out, resume=resume)
    print(f"best checkpoint: {best}")


def reader(config: Path, photos: Path, out: Path, *, resume: bool) -> None:
    """Train the reader into the folder `out`."""
    from domino_vision.training.reader import train_reader

    best = train_reader(config, photos, out, resume=resume)
    print(f"best checkpoint: {best}")
