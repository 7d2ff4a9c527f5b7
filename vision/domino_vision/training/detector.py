"""Fine-tune the oriented-box tile detector and export it; needs the `train` extra."""

import importlib.util
import itertools
import json
import math
import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domino_vision.errors import TrainingError
from domino_vision.training.box_pseudo import complete_labels
from domino_vision.training.box_windows import WindowOptions
from domino_vision.training.boxes import Progress, WindowsConfig, build_windows
from domino_vision.weights import find_model

PHASE_KEYS = {"name", "epochs", "imgsz", "windows", "options"}
_SETTLING = 100
"""Windows that the normalisation of restored weights is settled on."""
_RISE = 8
"""Steps over which the rate of a single epoch rises."""


@dataclass(frozen=True, slots=True)
class Phase:
    """One stretch of training.

    Attributes:
        name: Names its folder under the run's.
        epochs: Passes over its windows.
        imgsz: Side that windows are shrunk to.
        windows: Keyword values for `WindowsConfig`.
        options: Further ultralytics training options.
    """

    name: str
    epochs: int
    imgsz: int
    windows: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DetectorConfig:
    """A whole training: phases one after the other, each from the weights of the one before.

    Attributes:
        start: Weights to start from: a checkpoint, relative to the photo folder unless absolute, or the name of a
            shipped network, whose weights are put back into one that can be trained (`restore`).
        seed: Makes windows and training repeatable.
        phases: At least one.
        device: What ultralytics trains on: `cpu`, or the number of a GPU.
        bfloat16: On a processor, compute the network in bfloat16 (twice as fast where the hardware has it).
        threads: Processor threads of the training.
    """

    start: Path
    seed: int
    phases: tuple[Phase, ...]
    device: str = "cpu"
    bfloat16: bool = True
    threads: int = 2


def read_config(path: Path) -> DetectorConfig:
    """Read `train.yaml`.

    Raises:
        TrainingError: `bad_config` with the cause.
    """
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        common = dict(data.get("windows") or {})
        phases = tuple(_phase(item, common, dict(data.get("options") or {})) for item in data["phases"])
        config = DetectorConfig(
            start=Path(data["start"]),
            seed=int(data["seed"]),
            phases=phases,
            device=str(data.get("device", "cpu")),
            bfloat16=bool(data.get("bfloat16", True)),
            threads=int(data.get("threads", 2)),
        )
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise TrainingError("bad_config", f"{path} is no training configuration: {error}", path=str(path)) from error
    if not phases:
        raise TrainingError("bad_config", f"{path} names no phase", path=str(path))
    return config


def train_detector(
    config: DetectorConfig, photos: Path, out: Path, *, resume: bool = True, progress: Progress | None = None
) -> Path:
    """Train all phases; a stopped run goes on from its last epoch.

    Args:
        config: What to train.
        photos: Folder with the labelled photographs.
        out: Folder for windows, checkpoints and logs.
        resume: Go on from what lies in `out`; if False, begin anew.
        progress: Told how far the building of windows is; the epochs print their own progress.

    Returns:
        The weights of the last phase.

    Raises:
        TrainingError: `missing_extra`, `missing_folder`, `missing_weights`, `no_pictures`, `bad_config`.
        ModelError: `model_missing` if no shipped network has the name to start from.
    """
    _need_extra()
    if not photos.is_dir():
        raise TrainingError("missing_folder", f"no folder {photos}", path=str(photos))
    weights = photos / config.start if config.start.suffix else find_model(config.start.name)
    if not weights.exists():
        raise TrainingError("missing_weights", f"no weights to start from at {weights}", path=str(weights))
    if not resume and out.exists():
        shutil.rmtree(out)
    for number, phase in enumerate(config.phases):
        folder = out / phase.name
        finished = folder / "finished.json"
        last = folder / "weights" / "last.pt"
        if not (finished.exists() and last.exists()):
            started = time.monotonic()
            windows = _windows(config, phase, photos, out, number)
            labels = windows.pseudo_labels
            if labels is not None and not labels.is_dir():
                part = labels.with_name(f"{labels.name}.part")  # half of the labels are no labels
                complete_labels(photos / "boxes", weights, part, windows.skip_boxes)
                part.rename(labels)
            data = build_windows(windows, progress)
            if weights.suffix == ".onnx" and not last.exists():
                weights = _restored(weights, windows.out / "images" / "train", phase.imgsz, out / "start.pt")
            _fit(config, phase, data, weights, folder)
            finished.write_text(json.dumps({"seconds": round(time.monotonic() - started)}), encoding="utf-8")
        weights = last
    return weights


def export_detector(weights: Path, out: Path, *, imgsz: int = 640, half: bool = False) -> Path:
    """Export to ONNX: input `images` (1, 3, h, w) RGB 0..1, output `output0` (1, 4 + classes + 1, anchors).

    Height and width are free multiples of 32, so that a look at a part of a picture costs no more than the part.

    Rows of the output: centre x, centre y, width, height in input pixels, one score for each class, angle in radians.
    There is no suppression of doubles in the graph; names lie in the metadata. Of a network with two heads, as YOLO26,
    the one that gives several boxes a tile is exported (`nms=None`; `False` would take the other).

    Args:
        weights: A checkpoint of `train_detector`.
        out: The file to write.
        imgsz: Side of the input that it was trained for.
        half: Store weights in half precision.

    Raises:
        TrainingError: `missing_extra`, `missing_weights`.
    """
    _need_extra()
    if not weights.exists():
        raise TrainingError("missing_weights", f"no weights at {weights}", path=str(weights))
    from ultralytics import YOLO

    written = YOLO(str(weights)).export(
        format="onnx", imgsz=imgsz, opset=17, simplify=True, dynamic=True, half=half, nms=None, device="cpu"
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(str(written), out)
    return out


def _phase(item: dict[str, Any], windows: dict[str, Any], options: dict[str, Any]) -> Phase:
    unknown = set(item) - PHASE_KEYS
    if unknown:
        raise ValueError(f"unknown keys {sorted(unknown)} in a phase")
    return Phase(
        name=str(item["name"]),
        epochs=int(item["epochs"]),
        imgsz=int(item["imgsz"]),
        windows=windows | dict(item.get("windows") or {}),
        options=options | dict(item.get("options") or {}),
    )


def _windows(config: DetectorConfig, phase: Phase, photos: Path, out: Path, number: int) -> WindowsConfig:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in phase.windows.items()
    }
    if values.get("pseudo"):
        values["pseudo_labels"] = out / f"{phase.name}-labels"
    try:
        values["options"] = WindowOptions(**values.get("options", {}))
        return WindowsConfig(
            photos=photos, out=out / f"{phase.name}-windows", seed=config.seed * 100 + number, **values
        )
    except TypeError as error:
        raise TrainingError("bad_config", f"phase {phase.name}: {error}", phase=phase.name) from error


def _restored(export: Path, pictures: Path, imgsz: int, out: Path) -> Path:
    """A checkpoint of an export, its normalisation settled on a hundred windows."""
    import cv2
    import numpy as np
    import torch

    from domino_vision.training.restore import detector_from_onnx

    found = sorted(pictures.glob("*.jpg"))
    chosen = found[:: max(1, len(found) // _SETTLING)]

    def batches() -> Any:
        for first in range(0, len(chosen), 16):
            views = [
                cv2.resize(np.asarray(cv2.imread(str(path))), (imgsz, imgsz)) for path in chosen[first : first + 16]
            ]
            rgb = np.stack(views)[..., ::-1].transpose(0, 3, 1, 2)
            yield torch.from_numpy(np.ascontiguousarray(rgb, np.float32) / np.float32(255))

    return detector_from_onnx(export, batches(), out)


def _fit(config: DetectorConfig, phase: Phase, data: Path, weights: Path, folder: Path) -> None:
    from ultralytics import YOLO

    last = folder / "weights" / "last.pt"
    going_on = last.exists()
    model = YOLO(str(last if going_on else weights))
    set_rate = _falling_rate(phase)
    if set_rate is not None:
        model.add_callback("on_train_batch_start", set_rate)
    if config.device == "cpu":
        model.add_callback("on_pretrain_routine_end", _speed_up(config))
    if going_on:
        model.train(resume=True)
        return
    model.train(
        data=str(data),
        epochs=phase.epochs,
        imgsz=phase.imgsz,
        project=str(folder.parent.resolve()),
        name=folder.name,
        exist_ok=True,
        seed=config.seed,
        device=config.device,
        amp=config.device != "cpu",
        val=False,
        plots=False,
        save_period=1,
        **phase.options,
    )


def _falling_rate(phase: Phase) -> Any | None:
    """A callback that lets the rate of a single epoch rise for a few steps and fall by half a cosine.

    Ultralytics changes the rate from epoch to epoch only. None for a phase of several epochs, and for one whose options
    leave out `lr0` or `lrf`: there the rate is left to ultralytics.
    """
    if phase.epochs != 1 or not {"lr0", "lrf"} <= phase.options.keys():
        return None
    first, share = float(phase.options["lr0"]), float(phase.options["lrf"])
    batch = itertools.count()

    def set_rate(trainer: Any) -> None:
        step, steps = next(batch), len(trainer.train_loader)
        fall = share + (1 - share) * (1 + math.cos(math.pi * min(step / steps, 1.0))) / 2
        for group in trainer.optimizer.param_groups:
            group["lr"] = first * fall * min(1.0, (step + 1) / _RISE)

    return set_rate


def _speed_up(config: DetectorConfig) -> Any:
    """A callback that uses all threads and bfloat16 for the network (losses stay in single precision)."""

    def prepare(trainer: Any) -> None:
        import torch

        torch.set_num_threads(config.threads)
        if not config.bfloat16:
            return
        model = trainer.model
        predict = model.predict

        def in_bfloat16(*args: Any, **kwargs: Any) -> Any:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return _as_float(predict(*args, **kwargs))

        model.predict = in_bfloat16

    return prepare


def _as_float(value: Any) -> Any:
    import torch

    if torch.is_tensor(value):
        return value.float()
    if isinstance(value, dict):
        return {key: _as_float(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_as_float(item) for item in value)
    return value


def _need_extra() -> None:
    if importlib.util.find_spec("ultralytics") is None:
        raise TrainingError(
            "missing_extra", "training needs the extra `train`: pip install 'dominotable[train]'", extra="train"
        )
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
