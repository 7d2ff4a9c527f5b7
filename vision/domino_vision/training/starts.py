"""Start weights for an architecture out of a checkpoint of another one; needs `train`.

    python -m domino_vision.training.starts OUT ARCHITECTURE [CHECKPOINT]

ARCHITECTURE as ultralytics names it (`yolov8n-obb.yaml`), or `WIDTH:` and such a name for one of another width
(`0.18:yolo11n-obb.yaml`). Weights of the checkpoint are taken over where name and number of axes agree; of larger ones
the first channels. Without a checkpoint all weights are random.
"""

import sys
from pathlib import Path
from typing import Any

from domino_vision.training.box_labels import CLASSES


def write_start(out: Path, architecture: str, checkpoint: Path | None = None) -> float:
    """Write a checkpoint for oriented boxes of the classes of tiles that training can start from.

    Args:
        out: the file to write.
        architecture: what ultralytics calls it, with or without a width.
        checkpoint: where weights are taken from.

    Returns:
        The share of the weights, by number, that were taken over.
    """
    import torch
    from ultralytics.nn.tasks import OBBModel, yaml_model_load

    width, _, name = architecture.rpartition(":")
    layout = yaml_model_load(name)
    if width:
        depth, _, most = layout["scales"][layout["scale"]]
        layout["scales"] = {layout["scale"]: [depth, float(width), most]}
    net = OBBModel(layout, nc=len(CLASSES), verbose=False)
    net.task, net.names = "obb", dict(enumerate(CLASSES))
    taken = 0 if checkpoint is None else _take(net, _weights(checkpoint))
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": net, "ema": None, "train_args": {"task": "obb"}, "epoch": -1}, out)
    return float(taken / sum(value.numel() for value in net.state_dict().values()))


def _weights(checkpoint: Path) -> dict[str, Any]:
    import torch

    loaded = torch.load(checkpoint, map_location="cpu", weights_only=False)
    return dict((loaded.get("ema") or loaded["model"]).float().state_dict())


def _take(net: Any, known: dict[str, Any]) -> int:
    """Copy what fits into a network; the number of weights copied."""
    taken, state = 0, net.state_dict()
    for name, own in state.items():
        given = known.get(name)
        if given is None or given.dim() != own.dim() or any(a < b for a, b in zip(given.shape, own.shape, strict=True)):
            continue
        own.copy_(given[tuple(slice(side) for side in own.shape)])
        taken += own.numel()
    return taken


if __name__ == "__main__":
    share = write_start(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]) if len(sys.argv) > 3 else None)
    sys.stdout.write(f"{share:.3f} of the weights taken over\n")
