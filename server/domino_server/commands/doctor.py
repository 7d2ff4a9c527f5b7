"""`dominotable doctor`: is everything there, and is the camera placed well?"""

import json
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import typer

from domino_rules.errors import DominoError
from domino_server.console import note, printable
from domino_server.version import VERSION
from domino_vision.detectors.onnx import OnnxDetector
from domino_vision.errors import SourceError
from domino_vision.gauges import Gauge, Verdict, camera_list, measure
from domino_vision.pipeline import load_pipeline
from domino_vision.reader import TileReader
from domino_vision.sources import Shot, open_source, readable
from domino_vision.sources.video import without_password
from domino_vision.types import Detections
from domino_vision.weights import DETECTOR, READER, find_model, sha256_of

PACKAGES = ("numpy", "opencv-python", "onnxruntime", "scipy", "fastapi", "uvicorn", "typer", "ultralytics", "torch")
MODELS = (DETECTOR, READER)
MOST_LOOKS: Final = 24
"""In so many pictures of a source tiles are looked for; then the first is judged."""
LOOK_EVERY_S: Final = 1.0
"""So far apart in a film."""
_OPENERS: dict[str, Callable[[Path], object]] = {DETECTOR: OnnxDetector, READER: TileReader}


def run(source: str | None, *, as_json: bool) -> None:
    """Print what is installed and found, and judge a picture of the source, if one is named.

    Of a folder or film that is the first picture with tiles, or if there is none the first. Exit code 1 if a model is
    no good.

    Raises:
        SourceError: the source cannot be opened, or none of its pictures can be read.
    """
    found: dict[str, Any] = {
        "versions": _versions(),
        "models": _models(),
        "cameras": [f"{each.index} ({each.name})" for each in camera_list()],
    }
    if source is not None and not any("problem" in model for model in found["models"].values()):
        found["source"] = without_password(source) if "://" in source else source
        judged = _judged(source)
        found |= {"picture": judged.name, "looked_at": judged.looked_at}
        found["gauges"] = [asdict(each) for each in judged.gauges]
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


@dataclass(frozen=True, slots=True)
class _Judged:
    """Which picture was judged, how many were looked at for it, and the verdicts."""

    name: str
    looked_at: int
    gauges: tuple[Gauge, ...]


def _judged(source: str) -> _Judged:
    pipeline = load_pipeline()
    first: _Judged | None = None
    looked_at, passed_over = 0, list[SourceError]()
    with open_source(source) as opened:
        for shot in _apart(readable(opened, passed_over.append)):
            while passed_over:
                note(passed_over.pop(0).message)
            looked_at += 1
            tiles = pipeline.readings(shot.frame)
            gauges = measure(shot.frame.bgr, Detections(tiles.corners_px, tiles.face, tiles.score))
            judged = _Judged(shot.name, looked_at, gauges)
            if opened.live or gauges[0].value:
                return judged
            first = first or judged
            if looked_at == MOST_LOOKS:
                break
    assert first is not None  # noqa: S101 - readable() raises where there is no picture
    return replace(first, looked_at=looked_at)


def _apart(shots: Iterator[Shot]) -> Iterator[Shot]:
    """Leave out frames of a film that follow the one before at once."""
    last: Shot | None = None
    for shot in shots:
        if last is None or shot.frame.at - last.frame.at >= LOOK_EVERY_S:
            yield (last := shot)


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{name:15} {text}" for name, text in found["versions"].items()]
    for name, model in found["models"].items():
        lines.append(f"model {name:9} {model.get('problem') or model['sha256'][:16] + '  ' + model['path']}")
    cameras = ", ".join(found["cameras"]) or "none found"
    lines.append(f"{'cameras':15} {cameras}")
    if "picture" in found:
        lines.append(_picture_line(found))
    lines += [_gauge_line(gauge) for gauge in found.get("gauges", [])]
    return lines


def _picture_line(found: dict[str, Any]) -> str:
    shown, looked_at = bool(found["gauges"][0]["value"]), found["looked_at"]
    why = ""
    if looked_at > 1:
        why = "  (the first with tiles)" if shown else f"  (the first of {looked_at}, none of which shows a tile)"
    return f"{'picture':15} {found['picture']}{why}"


def _gauge_line(gauge: dict[str, Any]) -> str:
    found = f"{gauge['name']:15} {gauge['value']:.3g} {gauge['unit']}: {gauge['verdict']}"
    return found if gauge["verdict"] == Verdict.GOOD else f"{found}. {gauge['words']}"
