"""Train the reader network, calibrate it on held-out styles, and write it as ONNX."""

import json
import logging
import math
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from domino_vision.errors import TrainingError
from domino_vision.reader import CLASSES, combine_directions
from domino_vision.training.crops import CropSet, load_crops
from domino_vision.training.reader_calibrate import expected_calibration_error, fit_temperature
from domino_vision.training.reader_config import ReaderConfig
from domino_vision.training.reader_data import Batches, Views, both_directions, calibration_views
from domino_vision.training.reader_net import make_reader_net, with_features
from domino_vision.types import F32Array, U8Array
from domino_vision.weights import find_model

OPSET = 17
_SETTLING = 8
"""Batches that the normalisation of restored weights is settled on."""
_LOG = logging.getLogger(__name__)
_CALIBRATION_JITTER = 0.015
_GLIMPSE = 400
"""About how many held-out crops are looked at after every epoch; all of them are when the network is written."""


def train_reader(config: ReaderConfig, resume: bool = True) -> Path:
    """Train on the crops in `config.work / "crops"`.

    After every epoch the state goes to `config.work / "last.pt"` and a line to `progress.jsonl`.

    Args:
        config: settings.
        resume: go on from `last.pt` if there is one.

    Returns:
        The last checkpoint.

    Raises:
        TrainingError: `extra_missing` without torch, `crops_missing` before `build_crops`.
    """
    torch = _torch()
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    training, held_out = load_crops(config.work / "crops").split(config.held_out)
    glimpse = held_out.part(np.arange(len(held_out)) % max(1, len(held_out) // _GLIMPSE) == 0)
    state = _State(config, torch)
    last = config.work / "last.pt"
    if resume and last.is_file():
        state.load(last)
    elif config.start:
        state.begin(find_model(config.start), training, config)
    _LOG.info("%d crops to train on, %d held out, from epoch %d", len(training), len(held_out), state.epoch)
    while state.epoch < config.epochs:
        started = time.monotonic()
        loss = _epoch(state, training, config, torch)
        state.epoch += 1
        state.save(last)
        report = {"epoch": state.epoch, "loss": round(loss, 4), "seconds": round(time.monotonic() - started, 1)}
        report |= held_out_figures(state.average, glimpse, config)
        with (config.work / "progress.jsonl").open("a", encoding="utf-8") as progress:
            progress.write(json.dumps(report) + "\n")
        _LOG.info("%s", report)
    return last


class _State:
    """Everything that a resumed run needs: network, its averaged twin, optimiser, epoch."""

    def __init__(self, config: ReaderConfig, torch: Any) -> None:
        self._torch = torch
        self.net = make_reader_net(config.channels).to(memory_format=torch.channels_last)
        self.average = make_reader_net(config.channels)
        self.average.load_state_dict(self.net.state_dict())
        self.average.eval()
        plain = [p for p in self.net.parameters() if p.ndim < 2]
        decayed = [p for p in self.net.parameters() if p.ndim >= 2]
        groups = [{"params": decayed, "weight_decay": config.weight_decay}, {"params": plain, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(groups, lr=config.lr)
        self.epoch = 0

    def follow(self, step: int, decay: float) -> None:
        """Move the averaged weights a little towards the network's; faster at the start."""
        torch = self._torch
        keep = min(decay, (1 + step) / (10 + step))
        with torch.no_grad():
            for mine, new in zip(self.average.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mine.dtype.is_floating_point:
                    mine.lerp_(new, 1 - keep)
                else:
                    mine.copy_(new)

    def save(self, path: Path) -> None:
        """Write a checkpoint, whole or not at all."""
        part = path.with_suffix(".part")
        values = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "epoch": self.epoch,
        }
        self._torch.save(values, part)
        part.replace(path)

    def begin(self, export: Path, crops: CropSet, config: ReaderConfig) -> None:
        """Take over the weights of an exported reader, its normalisation settled on views of the crops."""
        from domino_vision.training.restore import reader_from_onnx

        views, batches = Views(crops, config), Batches(crops, config, 0)
        seen = (np.stack([views[key][0] for key in keys]) for keys in list(batches)[:_SETTLING])
        reader_from_onnx(export, self.net, (self._torch.from_numpy(batch) for batch in seen))
        self.average.load_state_dict(self.net.state_dict())

    def load(self, path: Path) -> None:
        """Go on from a checkpoint."""
        values = _checkpoint(path, self._torch)
        self.net.load_state_dict(values["net"])
        self.average.load_state_dict(values["average"])
        self.optimiser.load_state_dict(values["optimiser"])
        self.epoch = int(values["epoch"])


def _epoch(state: _State, crops: CropSet, config: ReaderConfig, torch: Any) -> float:
    batches = Batches(crops, config, state.epoch)
    loader = torch.utils.data.DataLoader(Views(crops, config), batch_sampler=batches, num_workers=config.workers)
    state.net.train()
    total, step = 0.0, state.epoch * config.steps
    for views, halves, ordered in loader:
        rate = learning_rate(step, config)
        for group in state.optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=config.bfloat16):
            logits = state.net(views)
        loss = half_loss(logits.float(), halves, ordered, config.smoothing)
        state.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(state.net.parameters(), 5.0)
        state.optimiser.step()
        step += 1
        state.follow(step, config.ema)
        total += float(loss.detach())
    return total / max(1, config.steps)


def learning_rate(step: int, config: ReaderConfig) -> float:
    """A short linear rise, then half a cosine down to nearly nothing."""
    total = config.epochs * config.steps
    rise = max(1, total // 20)
    if step < rise:
        return config.lr * (step + 1) / rise
    return config.lr * (0.003 + 0.997 * (1 + math.cos(math.pi * (step - rise) / max(1, total - rise))) / 2)


def half_loss(logits: Any, halves: Any, ordered: Any, smoothing: float) -> Any:
    """Cross entropy of both halves; where their order is unknown, of the order that fits better.

    Args:
        logits: (n, 2, 15) tensor.
        halves: (n, 2) int64 tensor.
        ordered: (n,) bool tensor.
        smoothing: label smoothing.
    """
    from torch.nn import functional as fn

    def of(target: Any) -> Any:
        loss = fn.cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="none", label_smoothing=smoothing)
        return loss.view(-1, 2).mean(1)

    straight = of(halves)
    return straight.where(ordered, straight.minimum(of(halves.flip(1)))).mean()


def network_logits(net: Any, views: U8Array) -> F32Array:
    """Run a network over views: (n, 2, 15) float32."""
    torch = _torch()
    net.eval()
    with torch.no_grad():
        parts = [net(torch.from_numpy(np.ascontiguousarray(views[i : i + 256]))) for i in range(0, len(views), 256)]
    return np.asarray(torch.cat(parts).float().numpy(), dtype=np.float32)


def held_out_figures(net: Any, held_out: CropSet, config: ReaderConfig) -> dict[str, float]:
    """Temperature, share of right halves and calibration error on held-out crops; empty if there are none.

    The temperature is fitted on one half of the crops and the error is measured on the other.
    """
    if not held_out.ordered.any():
        return {}
    views, halves = calibration_views(held_out, config, _CALIBRATION_JITTER, config.seed)
    logits = network_logits(net, both_directions(views)).reshape(2, -1, 2, len(CLASSES))
    fit, check = np.arange(len(halves)) % 2 == 0, np.arange(len(halves)) % 2 == 1
    temperature = fit_temperature(np.concatenate(logits[:, fit]), halves[fit])
    logp = combine_directions(np.concatenate(logits[:, check]), temperature)
    return {
        "temperature": round(temperature, 4),
        "halves": round(float((logp.argmax(axis=2) == halves[check]).mean()), 5),
        "ece": round(expected_calibration_error(logp, halves[check]), 5),
    }


def export_reader(config: ReaderConfig, checkpoint: Path, output: Path) -> dict[str, float]:
    """Write the averaged network of a checkpoint as ONNX, with all that reading needs in its metadata.

    Args:
        config: settings of the training.
        checkpoint: what `train_reader` returned.
        output: the file to write.

    Returns:
        Figures on the held-out crops, as `held_out_figures`.

    Raises:
        TrainingError: `checkpoint_broken`, `extra_missing`, `crops_missing`.
    """
    torch = _torch()
    torch.set_num_threads(config.threads)
    net = make_reader_net(config.channels)
    net.load_state_dict(_checkpoint(checkpoint, torch)["average"])
    net.eval()
    _, held_out = load_crops(config.work / "crops").split(config.held_out)
    figures = held_out_figures(net, held_out, config)
    metadata = {
        "classes": ",".join(CLASSES),
        "temperature": repr(figures.get("temperature", 1.0)),
        "size_wh": f"{config.size_wh[0]},{config.size_wh[1]}",
        "margin": repr(config.margin),
    }
    write_onnx(net, config.size_wh, metadata, output)
    return figures


def write_onnx(net: Any, size_wh: tuple[int, int], metadata: dict[str, str], output: Path) -> None:
    """Write a network (input `crops`, outputs `logits` and `features`, any number of crops) with string metadata."""
    torch = _torch()
    try:
        import onnx
    except ImportError as error:
        raise TrainingError("extra_missing", "exporting needs the extra `train` (onnx)", extra="train") from error
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(output.name + ".part")
    sample = torch.zeros(2, size_wh[1], size_wh[0], 3, dtype=torch.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            with_features(net),
            (sample,),
            str(part),
            dynamo=False,
            opset_version=OPSET,
            input_names=["crops"],
            output_names=["logits", "features"],
            dynamic_axes={name: {0: "n"} for name in ("crops", "logits", "features")},
        )
    model = onnx.load(str(part))
    onnx.helper.set_model_props(model, metadata)
    onnx.save(model, str(part))
    part.replace(output)


def _checkpoint(path: Path, torch: Any) -> dict[str, Any]:
    try:
        values = torch.load(path, map_location="cpu", weights_only=True)
        return {name: values[name] for name in ("net", "average", "optimiser", "epoch")}
    except Exception as error:  # unpickling fails in many ways
        msg = f"cannot go on from the checkpoint {path}: {error}"
        raise TrainingError("checkpoint_broken", msg, path=str(path)) from error


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        msg = "training needs the extra `train` (torch)"
        raise TrainingError("extra_missing", msg, extra="train") from error
    return torch
