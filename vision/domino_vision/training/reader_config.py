"""Settings of the reader's training: one YAML file, checked when it is read."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from domino_vision.errors import TrainingError


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """Everything that decides what the reader becomes.

    Attributes:
        photos: folder of labelled photographs.
        renders: folder of path-traced pictures, relative to `photos` unless absolute.
        start: name or file of an exported reader whose weights training begins with; empty to begin from nothing.
        work: folder for crops, checkpoints and logs.
        seed: seeds crops, order and distortions.
        weights: share of a batch by source of crops; which sources there are.
        held_out: groups (tables, styles) kept for calibration.
        synth_tiles: how many drawn tiles to cut.
        synth_scenes: how many drawn tables to cut tiles from.
        size_wh: what the network sees, in pixels, the margin included.
        margin: what is shown beyond each edge, as a share of the tile's length and width.
        channels: width of the four stages of the network.
        epochs: an epoch is `steps` batches.
        steps: batches in an epoch.
        batch: crops in a batch.
        lr: highest learning rate.
        weight_decay: of AdamW.
        smoothing: label smoothing.
        ema: decay of the averaged weights.
        bfloat16: whether the network is trained in mixed precision.
        workers: processes that distort crops.
        threads: processor threads of the network.
    """

    photos: Path
    renders: str
    start: str
    work: Path
    seed: int
    weights: dict[str, float]
    held_out: list[str]
    synth_tiles: int
    synth_scenes: int
    size_wh: tuple[int, int]
    margin: float
    channels: tuple[int, int, int, int]
    epochs: int
    steps: int
    batch: int
    lr: float
    weight_decay: float
    smoothing: float
    ema: float
    bfloat16: bool
    workers: int
    threads: int


def load_reader_config(path: Path, **changes: Any) -> ReaderConfig:
    """Read a configuration; `changes` replace single settings.

    Relative folders count from the current one.

    Raises:
        TrainingError: `config_broken` if the file is missing, no YAML, or a setting is absent or unknown.
    """
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise TrainingError("config_broken", f"cannot read {path}: {error}", path=str(path)) from error
    if not isinstance(raw, dict):
        raise TrainingError("config_broken", f"{path} holds no settings", path=str(path))
    values = {**raw, **changes}
    wanted = {field.name for field in fields(ReaderConfig)}
    if wrong := sorted(wanted ^ set(values)):
        msg = f"{path}: settings absent or unknown: {', '.join(wrong)}"
        raise TrainingError("config_broken", msg, path=str(path), settings=wrong)
    for name in ("photos", "work"):
        values[name] = Path(values[name])
    for name in ("size_wh", "channels"):
        values[name] = tuple(int(v) for v in values[name])
    return ReaderConfig(**values)
