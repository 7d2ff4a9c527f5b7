"""`dominotable evaluate`: readings of labelled photographs against their labels."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from domino_rules.tile import TileSet, doubled, find_tile_set
from domino_server.commands.card import check_card, write_card
from domino_server.console import note, printable, written
from domino_server.enrolled import enrolled_tiles
from domino_vision.assemble import AssembleOptions, assemble
from domino_vision.errors import LabelError
from domino_vision.evaluation import ablation_text, evaluate_folder, save_worst
from domino_vision.labels import read_label
from domino_vision.pipeline import Pipeline, load_pipeline
from domino_vision.sinks import check_folder
from domino_vision.sources import read_picture
from domino_vision.types import Frame, TableObservation, TileReadings


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


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to print and write besides the figures.

    Attributes:
        worst: how many of the worst photographs to draw.
        save: the folder for the drawings.
        cards: model folders whose cards get the figures.
        ablate: also measure the same readings with every half decoded by itself.
        as_json: print JSON instead of text.
    """

    worst: int = 0
    save: Path | None = None
    cards: tuple[Path, ...] = ()
    ablate: bool = False
    as_json: bool = False

    def check(self, *, sequences: bool = False, games: bool = False) -> None:
        """Refuse what would be passed over in silence.

        Args:
            sequences: whether photographs of games are followed instead.
            games: whether films of games are followed instead.

        Raises:
            LabelError: `bad_option`.
        """
        if sequences and games:
            raise LabelError("bad_option", "--sequences or --games, not both")
        if (sequences or games) and (self.worst or self.save or self.cards or self.ablate):
            message = "--worst, --save, --card and --ablate are for photographs, not for --sequences or --games"
            raise LabelError("bad_option", message)
        if self.worst and self.save is None:
            raise LabelError("bad_option", "--worst needs --save DIR, the folder for the drawings")
        if self.save is not None and not self.worst:
            raise LabelError("bad_option", "--save needs --worst N, how many are drawn")


def run(folder: Path, wanted: Wanted, networks: Networks) -> None:
    """Measure, print the figures, and write drawings and cards where asked for.

    Raises:
        LabelError: `bad_option` if drawings are asked for without a folder to put them in, or a folder without any.
        CardError, VisionError: cards or drawings could not be written; told before the work begins.
    """
    wanted.check()
    for card in wanted.cards:
        check_card(card)
    if wanted.save is not None and wanted.worst:
        check_folder(wanted.save)
    photographs = _Photographs(networks.load())
    result = evaluate_folder(folder, photographs.observe, _progress)
    alone = evaluate_folder(folder, photographs.observe_alone) if wanted.ablate else None
    if wanted.save is not None and wanted.worst:
        drawn = save_worst(result.photos, wanted.save, folder, wanted.worst)
        note(f"{len(drawn)} pictures in {wanted.save}" if drawn else "no photograph has an error: none is drawn")
    for card in wanted.cards:
        write_card(card, folder.name, result)
    written(*wanted.cards)
    if wanted.as_json:
        lines = json.dumps(result.to_json() | ({} if alone is None else {"alone": alone.to_json()}), indent=2)
    else:
        lines = result.to_text() + ("" if alone is None else f"\n\n{ablation_text(result.overall, alone.overall)}")
    _print(lines)


def run_sequences(folder: Path, networks: Networks, *, as_json: bool) -> None:
    """Follow photographs of growing games, frame after frame, and print how many moves were seen right.

    Raises:
        LabelError: no `sequences.json` in the folder or the folders in it, or a broken one.
    """
    from domino_vision.sequences import evaluate_sequences, observe_with

    pipeline = networks.load()
    result = evaluate_sequences(folder, observe_with(pipeline), progress=_progress)
    _print(json.dumps(result.to_json(), indent=2) if as_json else result.to_text())


def run_games(folder: Path, networks: Networks, *, as_json: bool) -> None:
    """Follow films of whole games (`datasets games`) as `watch` would, and print how well that went.

    Raises:
        DominoError: `film_missing`, `film_format`, `film_unreadable`.
    """
    from domino_server.commands.games import evaluate_games

    pipeline = networks.load()
    evaluate_games(folder, lambda name: pipeline.with_set(find_tile_set(name)), as_json=as_json)


class _Photographs:
    """Reads labelled photographs as they are stored (labels know no EXIF turn), each with the set its label names."""

    def __init__(self, pipeline: Pipeline) -> None:
        """Read with a pipeline."""
        self._pipeline = pipeline
        self._read: dict[Path, tuple[TileReadings, tuple[int, int]]] = {}

    def observe(self, picture: Path) -> TableObservation:
        """Read a photograph, and remember what was read."""
        pipeline, frame = self._pipeline.with_set(_set_of(picture)), Frame(read_picture(picture, upright=False))
        readings, timings = pipeline.read(frame, pipeline.find(frame))
        self._read[picture] = readings, frame.size_wh
        return assemble(readings, frame.size_wh, pipeline.tile_set, timings_ms=timings)

    def observe_alone(self, picture: Path) -> TableObservation:
        """Decode every half of a photograph that was read before by itself."""
        return assemble(*self._read[picture], _set_of(picture), options=AssembleOptions(joint=False))


def _set_of(picture: Path) -> TileSet:
    label = read_label(picture.with_suffix(".json"))
    return doubled(find_tile_set(label.tile_set), label.sets)


def _print(text: str) -> None:
    sys.stdout.write("\n".join(map(printable, text.splitlines())) + "\n")


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        note(f"\r{done}/{of}", end="\n" if done == of else "")
