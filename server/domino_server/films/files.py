"""Films on disk: a video and its truth for each, in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2

from domino_rules.errors import DominoError
from domino_server.films.film import Film
from domino_server.films.truth import Clock, FilmTruth
from domino_vision.errors import SourceError
from domino_vision.sources.video import VideoFileSource
from domino_vision.types import Frame

TRUTH: Final = "film.json"
VIDEO: Final = "film.avi"


def write_film(film: Film, folder: Path, progress: Callable[[int], None] | None = None) -> FilmTruth:
    """Render a film and write its video and its truth.

    Args:
        film: what to render.
        folder: where to; made if it is not there.
        progress: called with the number of frames so far.

    Raises:
        DominoError: `film_unwritable`.
    """
    size, fps = film.options.size_wh, film.options.video.fps
    clock = Clock(film)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writer = cv2.VideoWriter(str(folder / VIDEO), cv2.VideoWriter.fourcc(*"MJPG"), fps, size)
        if not writer.isOpened():
            raise DominoError("film_unwritable", f"cannot write {folder / VIDEO}", file=str(folder / VIDEO))
        for count, (hand, shot) in enumerate(film.frames()):
            clock.see(hand, shot.done, shot.frame.at)
            writer.write(shot.frame.bgr)
            if progress is not None:
                progress(count + 1)
        writer.release()
        truth = clock.truth()
        (folder / TRUTH).write_text(json.dumps(truth.to_json(), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise DominoError("film_unwritable", f"cannot write {folder}: {error.strerror}", file=str(folder)) from error
    return truth


def film_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders of films in a folder, or the folder itself if it holds one.

    Raises:
        DominoError: `film_missing` if there is none.
    """
    found = [folder] if (folder / TRUTH).is_file() else sorted(path.parent for path in folder.glob(f"*/{TRUTH}"))
    if not found:
        raise DominoError("film_missing", f"no {TRUTH} in {folder}, nor in the folders in it", file=str(folder))
    return tuple(found)


def read_truth(folder: Path) -> FilmTruth:
    """Return the truth of a film.

    Raises:
        DominoError: `film_unreadable`, `film_format`.
    """
    path = folder / TRUTH
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DominoError("film_unreadable", f"cannot read {path}: {error.strerror}", file=str(path)) from error
    except ValueError as error:
        raise DominoError("film_format", f"{path} is not JSON: {error}", file=str(path)) from error
    return FilmTruth.from_json(raw)


def read_frames(folder: Path) -> Iterator[Frame]:
    """Yield the frames of a film.

    Raises:
        SourceError: if the video cannot be read.
    """
    path = folder / VIDEO
    if not path.is_file():
        raise SourceError("source_missing", f"no {VIDEO} in {folder}", name=str(path))
    with VideoFileSource(path) as shots:
        for shot in shots:
            yield shot.frame
