"""`dominotable evaluate`: readings of labelled photographs against their labels."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from domino_rules.tile import find_tile_set
from domino_server.commands.card import check_card, write_card
from domino_server.console import note, printable
from domino_server.enrolled import enrolled_tiles
from domino_vision.errors import LabelError
from domino_vision.evaluation import evaluate_folder, save_worst
from domino_vision.labels import read_label
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.sinks import check_folder
from domino_vision.sources import read_picture
from domino_vision.types import Frame, TableObservation


@dataclass(frozen=True, slots=True)
class Networks:
    """What is measured.

    Attributes:
        weights: another detector.
        threads: threads of the networks.
        tiles: name of enrolled tiles that the reader shall know.
        data: folder of all that is kept.
    """

    weights: Path | None = None
    threads: int = 2
    tiles: str | None = None
    data: Path | None = None

    def load(self) -> Pipeline:
        """Return the pipeline.

        Raises:
            EnrolError, ModelError: unknown tiles, or a network that is missing.
        """
        known = enrolled_tiles(self.tiles, self.data)
        detector = None if self.weights is None else str(self.weights)
        return load_pipeline(detector=detector, threads=self.threads, tiles=known)


def run(folder: Path, worst: int, save: Path | None, cards: list[Path], networks: Networks, *, as_json: bool) -> None:
    """Measure, print the figures, and write drawings and cards where asked for.

    Raises:
        LabelError: `bad_option` if drawings are asked for without a folder to put them in.
        CardError, VisionError: cards or drawings could not be written; told before the work begins.
    """
    if worst and save is None:
        raise LabelError("bad_option", "--worst needs --save DIR, the folder for the drawings")
    for card in cards:
        check_card(card)
    if save is not None and worst:
        check_folder(save)
    pipeline = networks.load()
    result = evaluate_folder(folder, lambda picture: _observe(pipeline, picture), _progress)
    if save is not None and worst:
        save_worst(result.photos, save, folder, worst)
    for card in cards:
        write_card(card, folder.name, result)
    lines = json.dumps(result.to_json(), indent=2) if as_json else result.to_text()
    sys.stdout.write("\n".join(map(printable, lines.splitlines())) + "\n")


def run_sequences(folder: Path, networks: Networks, *, as_json: bool) -> None:
    """Follow photographs of growing games, frame after frame, and print how many moves were seen right.

    Raises:
        LabelError: no `sequences.json` in the folder or the folders in it, or a broken one.
    """
    from domino_vision.sequences import evaluate_sequences, observe_with

    pipeline = networks.load()
    result = evaluate_sequences(folder, observe_with(pipeline), progress=_progress)
    lines = json.dumps(result.to_json(), indent=2) if as_json else result.to_text()
    sys.stdout.write("\n".join(map(printable, lines.splitlines())) + "\n")


def run_games(folder: Path, networks: Networks, *, as_json: bool) -> None:
    """Follow films of whole games (`datasets games`) as `watch` would, and print how well that went.

    Raises:
        DominoError: `film_missing`, `film_format`, `film_unreadable`.
    """
    from domino_server.commands.games import evaluate_games

    pipeline = networks.load()
    evaluate_games(folder, lambda name: pipeline.with_set(find_tile_set(name)), as_json=as_json)


def _observe(pipeline: Pipeline, picture: Path) -> TableObservation:
    """Read one picture as stored (labels know no EXIF turn), with the tile set that its label names."""
    tile_set = find_tile_set(read_label(picture.with_suffix(".json")).tile_set)
    return pipeline.with_set(tile_set).observe(Frame(read_picture(picture, upright=False)))


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        note(f"\r{done}/{of}", end="\n" if done == of else "")
