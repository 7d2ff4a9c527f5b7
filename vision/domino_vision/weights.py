"""Where trained networks are found, what they are called, and how they are opened."""

import hashlib
import os
from pathlib import Path
from typing import Any, Final

from domino_vision.errors import ModelError

MODELS_VARIABLE: Final = "DOMINOTABLE_MODELS"
"""Environment variable naming a folder of networks that are preferred over the shipped ones."""

DETECTOR: Final = "tiles-n"
"""Name of the shipped tile detector."""
READER: Final = "reader"
"""Name of the shipped reader of halves."""


def find_model(name: str) -> Path:
    """Find a network by name or path.

    A name is looked up in the folder that the environment variable `DOMINOTABLE_MODELS` names, then among the weights
    that are installed with the package, then in `models/<name>/` of a checkout.

    Args:
        name: a name such as `tiles-n`, or the path of a file.

    Raises:
        ModelError: `model_missing`, with the places that were looked at in `looked`.
    """
    places = _places(name)
    for place in places:
        if place.is_file():
            return place
    looked = [str(place) for place in places]
    raise ModelError("model_missing", f"no model {name!r}; looked at {', '.join(looked)}", name=name, looked=looked)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file as 64 hexadecimal digits.

    Raises:
        ModelError: `model_missing` if the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError("model_missing", f"cannot read {path}: {error.strerror}", path=str(path)) from error


def open_session(path: Path, threads: int) -> Any:
    """Open a network as an onnxruntime session on the CPU.

    Args:
        path: the ONNX file.
        threads: processor threads of one run; they sleep, not spin, between runs.

    Raises:
        ModelError: `model_missing` or `model_broken`.
    """
    if not path.is_file():
        raise ModelError("model_missing", f"no model at {path}", path=str(path))
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors share no public base
        raise ModelError("model_broken", f"{path} is no network that can be run", path=str(path)) from error


def _places(name: str) -> list[Path]:
    path = Path(name)
    if path.suffix or not path.name or path.name != name:  # more than a bare name
        return [path]
    here = Path(__file__).resolve().parent
    places = [here / "weights" / f"{name}.onnx", here.parents[1] / "models" / name / f"{name}.onnx"]
    chosen = os.environ.get(MODELS_VARIABLE)
    if chosen:
        folder = Path(chosen)
        places[:0] = [folder / f"{name}.onnx", folder / name / f"{name}.onnx"]
    return places
