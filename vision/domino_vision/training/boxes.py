"""Windows for the detector on disk: cut from photographs, negatives, drawn, path-traced and pseudo-labelled tables."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from domino_vision.errors import TrainingError
from domino_vision.training.box_labels import CLASSES, Box, Picture, read_folder, share_out
from domino_vision.training.box_looks import lying, move_tiles, new_light, recolour_tiles, turn_over
from domino_vision.training.box_windows import Image, WindowOptions, background, cut_window

PARTS = ("train", "val")
BATCH = 20

Progress = Callable[[int, int], None]
"""Called with windows done and windows planned."""


@dataclass(frozen=True, slots=True)
class WindowsConfig:
    """What windows to build.

    Attributes:
        photos: Folder with the labelled photographs.
        out: Folder that the windows are written to.
        seed: Makes a build repeatable.
        real: Windows from labelled pictures.
        negatives: Windows without any tile.
        synthetic: Windows from rendered scenes (`domino_vision.synth`).
        pseudo: Windows from pictures whose labels were completed by a detector.
        traced: Windows from path-traced pictures (`dominotable datasets render`).
        validation: Windows held out of each source's count to watch the loss.
        sources: Sub-folders of `photos` with label files.
        skip_tables: Tables left out, because the tables of the check are among them.
        standing_tables: Tables whose `ignore` regions were checked to be standing tiles.
        negative_sources: Sub-folders of `photos` with pictures that show no tile.
        keep_negatives: Leave out every n-th of those pictures, from the second on, for checking; 0 uses all.
        skip_negatives: Pictures of those, by name, that are kept for checking too.
        pseudo_labels: Folder with completed label files (`box_pseudo`), or None.
        skip_boxes: Pictures of `boxes`, by name, whose labels are not completed.
        traced_folder: Folder with path-traced pictures, relative to `photos` unless absolute.
        recolour: Share of real windows whose tiles get new colours.
        move: Share of real windows whose tiles are laid on another ground.
        turn_over: Share of real windows some of whose tiles are turned on their faces.
        options: How windows are cut.
        workers: Processes to build with.
    """

    photos: Path
    out: Path
    seed: int = 0
    real: int = 1000
    negatives: int = 120
    synthetic: int = 0
    pseudo: int = 0
    traced: int = 0
    validation: int = 24
    sources: tuple[str, ...] = ("train", "sequences")
    skip_tables: tuple[str, ...] = ()
    standing_tables: tuple[str, ...] = ()
    negative_sources: tuple[str, ...] = ("negatives",)
    keep_negatives: int = 0
    skip_negatives: tuple[str, ...] = ()
    pseudo_labels: Path | None = None
    traced_folder: str = "../renders"
    skip_boxes: tuple[str, ...] = ()
    recolour: float = 0.4
    move: float = 0.15
    turn_over: float = 0.0
    options: WindowOptions = field(default_factory=WindowOptions)
    workers: int = 2


@dataclass(frozen=True, slots=True)
class _Job:
    """Windows to cut from one picture, or from renders if there is none."""

    kind: str
    picture: Picture | None
    first: int
    count: int


def build_windows(config: WindowsConfig, progress: Progress | None = None) -> Path:
    """Write windows and labels in the layout that ultralytics trains on; a stopped build goes on where it stopped.

    Args:
        config: Sources and mix.
        progress: Told how far the build is.

    Returns:
        The path of `data.yaml`.

    Raises:
        TrainingError: `missing_folder`, `no_pictures`, `bad_label`, `bad_picture`; `cannot_write` if the disk is full.
    """
    data = config.out / "data.yaml"
    summary = _resumed(config)
    if summary.get("finished") and data.exists():
        return data
    jobs = _plan(config)
    total = sum(job.count for job in jobs)
    for part in PARTS:
        (config.out / "images" / part).mkdir(parents=True, exist_ok=True)
        (config.out / "labels" / part).mkdir(parents=True, exist_ok=True)
    _summarise(config, summary)
    grounds = _empty_pictures(config)
    finished, tiles = 0, [0] * len(CLASSES)
    for count, counted in _run(config, jobs, grounds):
        finished += count
        tiles = [a + b for a, b in zip(tiles, counted, strict=True)]
        if progress is not None:
            progress(finished, total)
    names = "\n".join(f"  {i}: {name}" for i, name in enumerate(CLASSES))
    data.write_text(f"path: {config.out.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}\n", "utf-8")
    counts = dict(zip(CLASSES, tiles, strict=True))
    _summarise(config, summary | {"finished": True, "windows": total, "tiles": counts})
    return data


def _resumed(config: WindowsConfig) -> dict[str, object]:
    """What is known of a build begun before; a folder built from other settings is emptied."""
    digest, path = _digest(config), config.out / "windows.json"
    known: dict[str, object] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if known.get("digest") == digest:
        return known
    for folder in ("images", "labels"):
        shutil.rmtree(config.out / folder, ignore_errors=True)
    return {"digest": digest}


def _summarise(config: WindowsConfig, summary: dict[str, object]) -> None:
    (config.out / "windows.json").write_text(json.dumps(summary, indent=1), encoding="utf-8")


def _plan(config: WindowsConfig) -> list[_Job]:
    real: list[Picture] = []
    for source in config.sources:
        real += read_folder(
            config.photos / source, skip_tables=config.skip_tables, standing_tables=config.standing_tables
        )
    if not real and config.real:
        raise TrainingError("no_pictures", f"no labelled picture in {config.photos}", path=str(config.photos))
    pseudo = read_folder(config.pseudo_labels, standing_tables=()) if config.pseudo_labels and config.pseudo else []
    traced = read_folder(config.photos / config.traced_folder) if config.traced else []
    empty = [Picture(path, path.stem, (), ()) for path in _empty_pictures(config)]
    jobs: list[_Job] = []
    first = 0
    for start in range(0, config.synthetic, BATCH):
        count = min(BATCH, config.synthetic - start)
        jobs.append(_Job("synthetic", None, first, count))
        first += count
    for kind, pictures, count in (
        ("negative", empty, config.negatives),
        ("real", real, config.real),
        ("pseudo", pseudo, config.pseudo),
        ("traced", traced, config.traced),
    ):
        for picture, share in zip(pictures, share_out(pictures, count), strict=True):
            if share:
                jobs.append(_Job(kind, picture, first, share))
                first += share
    return jobs


def _run(config: WindowsConfig, jobs: Sequence[_Job], grounds: Sequence[Path]) -> Iterator[tuple[int, list[int]]]:
    every = max(sum(job.count for job in jobs) // max(config.validation, 1), 2)
    if config.workers <= 1:
        for job in jobs:
            yield _build(config, job, grounds, every)
        return
    with ProcessPoolExecutor(config.workers) as pool:
        futures = [pool.submit(_build, config, job, grounds, every) for job in jobs]
        for future in futures:
            yield future.result()


def _build(config: WindowsConfig, job: _Job, grounds: Sequence[Path], every: int) -> tuple[int, list[int]]:
    """Cut and write the windows of one job; returns their number and the tiles of each class."""
    cv2.setNumThreads(1)
    image = None if job.picture is None else _load(job.picture.path)
    tiles = [0] * len(CLASSES)
    for index in range(job.first, job.first + job.count):
        name = f"{job.kind}_{index:06d}"
        known = _known(config.out, name)
        if known is not None:
            tiles = [a + b for a, b in zip(tiles, known, strict=True)]
            continue
        rng = np.random.default_rng((config.seed, index))
        ground = background(rng, _load(grounds[int(rng.integers(len(grounds)))]), config.options.size)
        if job.picture is None or image is None:
            window, boxes = _rendered(rng, config, ground)
        elif job.kind == "traced":
            window, boxes = _traced(rng, config, job.picture, image, ground)
        else:
            window, boxes = _photographed(rng, config, job, image, ground)
        part = PARTS[bool(config.validation) and index % every == every // 2]
        _write(config.out, part, name, window, boxes)
        for box in boxes:
            tiles[box.kind] += 1
    return job.count, tiles


def _known(out: Path, name: str) -> list[int] | None:
    """Tiles of each class of a window written before (its label is written last), or None."""
    for part in PARTS:
        label = out / "labels" / part / f"{name}.txt"
        if label.exists():
            kinds = [int(line.split()[0]) for line in label.read_text(encoding="utf-8").splitlines()]
            return [kinds.count(kind) for kind in range(len(CLASSES))]
    return None


def _photographed(
    rng: np.random.Generator, config: WindowsConfig, job: _Job, image: Image, ground: Image
) -> tuple[Image, list[Box]]:
    picture = job.picture
    assert picture is not None  # noqa: S101
    border = ground if rng.random() < 0.3 else None
    window, boxes = cut_window(rng, image, picture.boxes, picture.ignore, config.options, border)
    if config.turn_over and rng.random() < config.turn_over:
        window, boxes = turn_over(rng, window, boxes)
    if boxes and rng.random() < config.recolour:
        window = recolour_tiles(rng, window, boxes)
    flat = lying(boxes)
    if flat and rng.random() < config.move:
        window, boxes = move_tiles(rng, window, flat, ground), flat
    return new_light(rng, window), boxes


def _rendered(rng: np.random.Generator, config: WindowsConfig, ground: Image) -> tuple[Image, list[Box]]:
    from domino_vision.training.box_renders import render_boxes

    scene = render_boxes(rng, ground)
    border = ground if rng.random() < 0.3 else None
    options = replace(config.options, whole=0.75, shortest=max(config.options.shortest, 40.0))
    window, kept = cut_window(rng, scene.image, scene.boxes, scene.ignore, options, border)
    return (new_light(rng, window) if rng.random() < 0.6 else window), kept


def _traced(
    rng: np.random.Generator, config: WindowsConfig, picture: Picture, image: Image, ground: Image
) -> tuple[Image, list[Box]]:
    """A window of a path-traced picture: its light and its colours are left as they are, mostly."""
    border = ground if rng.random() < 0.3 else None
    window, boxes = cut_window(rng, image, picture.boxes, picture.ignore, config.options, border)
    return (new_light(rng, window) if rng.random() < 0.4 else window), boxes


def _write(out: Path, part: str, name: str, window: Image, boxes: Sequence[Box]) -> None:
    path = out / "images" / part / f"{name}.jpg"
    if not cv2.imwrite(str(path), window, [cv2.IMWRITE_JPEG_QUALITY, 93]):
        raise TrainingError("cannot_write", f"cannot write the window {path}", path=str(path))
    lines = [_line(box, window.shape[0]) for box in boxes]
    (out / "labels" / part / f"{name}.txt").write_text("".join(lines), encoding="utf-8")


def _line(box: Box, size: int) -> str:
    quad = np.clip(box.quad / size, 0, 1)
    return f"{box.kind} " + " ".join(f"{value:.5f}" for value in quad.reshape(-1)) + "\n"


def _load(path: Path) -> Image:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)  # labels know no EXIF turn
    if image is None:
        raise TrainingError("bad_picture", f"cannot read the picture {path}", path=str(path))
    return np.asarray(image, dtype=np.uint8)


def _empty_pictures(config: WindowsConfig) -> list[Path]:
    photos = config.photos
    found: list[Path] = []
    for source in config.negative_sources:
        if not (photos / source).is_dir():
            raise TrainingError("missing_folder", f"no folder {photos / source}", path=str(photos / source))
        found += sorted((photos / source).glob("*.jpg"))
    every = config.keep_negatives
    skipped = set(config.skip_negatives)
    found = [p for place, p in enumerate(found) if (not every or place % every != 1) and p.stem not in skipped]
    if not found:
        raise TrainingError("no_pictures", f"no picture without tiles in {photos}", path=str(photos))
    return found


def _digest(config: WindowsConfig) -> str:
    text = json.dumps(
        {key: value for key, value in asdict(config).items() if key not in {"out", "workers"}}, default=str
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]
