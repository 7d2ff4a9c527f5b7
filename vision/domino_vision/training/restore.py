"""Trainable networks out of exported ones: weights read from ONNX, normalisation taken apart again; needs `train`.

An export folds every batch normalisation into the convolution before it. A network in which the normalisation is put
back as "do nothing" gives the same answers, but as soon as it is trained its normalisation follows the data and the
answers break. So each one gets the mean and spread that its channel really has on sample data, and the scale and shift
that undo them: the same answers, and training goes on where it ended.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from domino_vision.errors import TrainingError
from domino_vision.types import F32Array

DETECTOR = "yolo11n-obb.yaml"
"""Architecture of the shipped detector, as ultralytics names it."""
_WIDE = 80
"""Classes of the network that the start weights came from; the width of the class branch still follows it."""


def detector_from_onnx(path: Path, windows: Iterable[Any], out: Path) -> Path:
    """Write a checkpoint that ultralytics goes on training from.

    Args:
        path: an export of `export_detector`.
        windows: sample batches, tensors (n, 3, h, w) RGB 0..1.
        out: the checkpoint to write.

    Raises:
        TrainingError: `weights_broken` if the file holds other weights than the architecture has.
    """
    import torch
    from ultralytics.nn.tasks import OBBModel

    from domino_vision.training.box_labels import CLASSES

    net = OBBModel(DETECTOR, nc=_WIDE, verbose=False)
    head = net.model[-1]
    head.nc, head.no = len(CLASSES), head.no - _WIDE + len(CLASSES)
    for branch in head.cv3:
        branch[-1] = torch.nn.Conv2d(branch[-1].in_channels, head.nc, 1)
    net.task = "obb"
    net.yaml["nc"], net.names = head.nc, dict(enumerate(CLASSES))
    fill(net, _initializers(path), path)
    settle(net, windows)
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": net, "ema": None, "train_args": {"task": "obb"}, "epoch": -1}, out)
    return out


def reader_from_onnx(path: Path, net: Any, crops: Iterable[Any]) -> None:
    """Fill a reader network (`make_reader_net`) from an export of `export_reader`.

    Args:
        path: the export.
        net: the network to fill.
        crops: sample batches, uint8 tensors (n, h, w, 3).

    Raises:
        TrainingError: `weights_broken` if the file holds other weights than the network has.
    """
    fill(net, _reader_weights(path), path)
    settle(net, crops)


def folded(net: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every convolution without bias that a batch normalisation follows: its name, itself, the normalisation."""
    from torch import nn

    for prefix, module in net.named_modules():
        children = list(module.named_children())
        for (name, conv), (_, norm) in pairwise(children):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                yield f"{prefix}.{name}" if prefix else name, conv, norm


def fill(net: Any, known: dict[str, F32Array], path: Path) -> None:
    """Copy weights into a network, every normalisation set to add the folded bias and nothing else.

    Raises:
        TrainingError: `weights_broken` if a weight is missing or of another shape.
    """
    import torch

    def put(target: Any, name: str) -> None:
        value = known.get(name)
        if value is None or tuple(value.shape) != tuple(target.shape):
            raise TrainingError("weights_broken", f"{path} has no weights {name} of the shape wanted", path=str(path))
        target.copy_(torch.from_numpy(np.array(value)))

    inside: set[int] = set()
    with torch.no_grad():
        for name, conv, norm in folded(net):
            put(conv.weight, f"{name}.weight")
            put(norm.bias, f"{name}.bias")
            norm.weight.fill_(1.0)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
            inside |= {id(conv.weight), id(norm.weight), id(norm.bias)}
        for name, value in net.named_parameters():
            if id(value) not in inside:
                put(value, name)


def settle(net: Any, batches: Iterable[Any]) -> None:
    """Give every normalisation the statistics of its channel and the scale and shift that undo them.

    Args:
        net: a network as `fill` leaves it.
        batches: sample inputs.
    """
    import torch

    pairs = list(folded(net))
    sums = {name: [0, torch.zeros(1), torch.zeros(1)] for name, _, _ in pairs}

    def watch(name: str) -> Any:
        def note(_module: Any, _inputs: Any, output: Any) -> None:
            flat = output.detach().double().transpose(0, 1).flatten(1)
            seen = sums[name]
            seen[0] += flat.shape[1]
            seen[1] = seen[1] + flat.sum(1)
            seen[2] = seen[2] + (flat**2).sum(1)

        return note

    hooks = [conv.register_forward_hook(watch(name)) for name, conv, _ in pairs]
    net.eval()
    with torch.no_grad():
        for batch in batches:
            net(batch)
        for hook in hooks:
            hook.remove()
        for name, _, norm in pairs:
            count, total, squares = sums[name]
            mean = total / count
            spread = (squares / count - mean**2).clamp(min=1e-8)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_((spread + norm.eps).sqrt())
            norm.bias.add_(norm.running_mean)


def _initializers(path: Path) -> dict[str, F32Array]:
    return {item.name: _array(item) for item in _graph(path).initializer}


def _reader_weights(path: Path) -> dict[str, F32Array]:
    """Weights of an exported reader under the names that its network has.

    The exporter renames folded and transposed weights; the node that uses them still tells whose they are
    (`/stages/stages.0/path/path.0/Conv` is `stages.0.path.0`).
    """
    graph = _graph(path)
    values = {item.name: _array(item) for item in graph.initializer}
    known = {name.removeprefix("net."): value for name, value in values.items() if name.startswith("net.")}
    for node in graph.node:
        if node.op_type not in {"Conv", "MatMul"} or len(node.input) < 2 or node.input[1] not in values:
            continue
        steps = node.output[0].split("/")[1:-1] or ["classify.3"]
        last = [step for step, after in pairwise([*steps, ""]) if not after.startswith(f"{step}.")]
        owner = ".".join(last)
        weight = values[node.input[1]]
        known[f"{owner}.weight"] = weight.T if node.op_type == "MatMul" else weight
        if node.op_type == "Conv" and len(node.input) > 2:
            known[f"{owner}.bias"] = values[node.input[2]]
    return known


def _graph(path: Path) -> Any:
    import onnx

    try:
        return onnx.load(str(path)).graph
    except Exception as error:  # parsing fails in many ways
        raise TrainingError("weights_broken", f"{path} is no ONNX file: {error}", path=str(path)) from error


def _array(tensor: Any) -> F32Array:
    from onnx import numpy_helper

    return np.asarray(numpy_helper.to_array(tensor), dtype=np.float32)
