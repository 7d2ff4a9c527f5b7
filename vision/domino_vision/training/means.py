"""The mean of exported networks of one architecture, weight by weight; needs `train`.

    python -m domino_vision.training.means OUT SHARE:FILE SHARE:FILE ...

A network that was trained on with new pictures knows these, and has forgotten a little of what it knew before; between
the two lie networks that know both.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from domino_vision.errors import TrainingError


def write_mean(parts: Mapping[Path, float], out: Path) -> None:
    """Write the mean of networks as ONNX; what is no weight is taken from the first.

    Args:
        parts: exports of one architecture, and the share of each; the shares sum to 1.
        out: the file to write.

    Raises:
        TrainingError: `weights_broken` if the files hold other weights, `bad_option` if the shares do not sum to 1.
    """
    import onnx
    from onnx import numpy_helper

    if abs(sum(parts.values()) - 1) > 1e-6:
        raise TrainingError("bad_option", "the shares of a mean sum to 1", shares=list(parts.values()))
    models = {path: onnx.load(str(path)) for path in parts}
    weights = {
        path: {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
        for path, model in models.items()
    }
    first = next(iter(models))
    for each in models[first].graph.initializer:
        own = weights[first][each.name]
        if not np.issubdtype(own.dtype, np.floating):
            continue
        found = [weights[path].get(each.name) for path in parts]
        if any(other is None or other.shape != own.shape for other in found):
            raise TrainingError("weights_broken", f"the networks are not alike: {each.name}", weight=each.name)
        mean = sum(share * other for share, other in zip(parts.values(), found, strict=True) if other is not None)
        each.CopyFrom(numpy_helper.from_array(np.asarray(mean, own.dtype), each.name))
    onnx.save(models[first], str(out))


if __name__ == "__main__":
    named = (part.split(":", 1) for part in sys.argv[2:])
    write_mean({Path(path): float(share) for share, path in named}, Path(sys.argv[1]))
