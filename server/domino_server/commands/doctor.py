"""`dominotable doctor`: is everything there, and is the camera placed well?"""

import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import typer

from domino_rules.errors import DominoError
from domino_server.console import printable
from domino_server.version import VERSION
from domino_vision.detectors.onnx import OnnxDetector
from domino_vision.gauges import Gauge, Verdict, camera_list, measure
from domino_vision.pipeline import load_pipeline
from domino_vision.reader import TileReader
from domino_vision.sources import open_source
from domino_vision.sources.video import without_password
from domino_vision.types import Detections
from domino_vision.weights import DETECTOR, READER, find_model, sha256_of

PACKAGES = ("numpy", "opencv-python", "onnxruntime", "scipy", "fastapi", "uvicorn", "typer", "ultralytics", "torch")
MODELS = (DETECTOR, READER)
_OPENERS: dict[str, Callable[[Path], object]] = {DETECTOR: OnnxDetector, READER: TileReader}


def run(source: str | None, *, as_json: bool) -> None:
    """Print what is installed and found; with a source, judge its first picture. Exit code 1 if a model is no good."""
    found: dict[str, Any] = {
        "versions": _versions(),
        "models": _models(),
        "cameras": [f"{each.index} ({each.name})" for each in camera_list()],
    }
    if source is not None and not any("problem" in model for model in found["models"].values()):
        found["source"] = without_password(source) if "://" in source else source
        found["gauges"] = [asdict(each) for each in _gauges(source)]
    if as_json:
        sys.stdout.write(json.dumps(found, indent=2, default=str) + "\n")
    else:
        sys.stdout.write("\n".join(map(printable, _lines(found))) + "\n")
    if any("problem" in model for model in found["models"].values()):
        raise typer.Exit(1)


def _versions() -> dict[str, str]:
    versions = {"dominotable": VERSION, "python": platform.python_version(), "system": platform.platform()}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    return versions


def _models() -> dict[str, dict[str, str]]:
    models = {}
    for name in MODELS:
        try:
            path: Path = find_model(name)
            _OPENERS[name](path)
        except DominoError as error:
            models[name] = {"problem": error.message}
        else:
            models[name] = {"path": str(path), "sha256": sha256_of(path)}
    return models


def _gauges(source: str) -> tuple[Gauge, ...]:
    with open_source(source) as shots:
        frame = next(shots).frame
    tiles = load_pipeline().readings(frame)
    return measure(frame.bgr, Detections(tiles.corners_px, tiles.face, tiles.score))


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{name:15} {text}" for name, text in found["versions"].items()]
    for name, model in found["models"].items():
        lines.append(f"model {name:9} {model.get('problem') or model['sha256'][:16] + '  ' + model['path']}")
    cameras = ", ".join(found["cameras"]) or "none found"
    lines.append(f"{'cameras':15} {cameras}")
    lines += [_gauge_line(gauge) for gauge in found.get("gauges", [])]
    return lines


def _gauge_line(gauge: dict[str, Any]) -> str:
    found = f"{gauge['name']:15} {gauge['value']:.3g} {gauge['unit']}: {gauge['verdict']}"
    return found if gauge["verdict"] == Verdict.GOOD else f"{found}. {gauge['words']}"
