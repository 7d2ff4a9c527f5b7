"""Configuration and errors of the detector's training."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from domino_vision.errors import TrainingError
from domino_vision.render.dataset import TEST_SEED
from domino_vision.render.options import options_from
from domino_vision.training import detector
from domino_vision.training.boxes import WindowsConfig
from domino_vision.training.detector import Phase, _falling_rate, export_detector, read_config, train_detector
from domino_vision.weights import find_model


def test_shipped_configuration_is_read(root: Path) -> None:
    """The configuration beside the model names its phases and leaves out the tables of the check."""
    config = read_config(root / "models" / "tiles-n" / "train.yaml")
    assert [phase.name for phase in config.phases][:2] == ["real", "mixed"]
    assert all("hsb-white-2" in phase.windows["skip_tables"] for phase in config.phases)
    assert all(phase.options["optimizer"] == "AdamW" for phase in config.phases)


def test_path_traced_phases_begin_with_the_shipped_network(root: Path) -> None:
    """The second configuration names the shipped detector and mixes path-traced windows in."""
    config = read_config(root / "models" / "tiles-n" / "traced.yaml")
    assert find_model(str(config.start)) == root / "models" / "tiles-n" / "tiles-n.onnx"
    assert all(phase.windows["traced"] and phase.epochs == 1 for phase in config.phases)


@pytest.mark.parametrize("name", ["wide", "compare"])
def test_what_is_kept_for_checking_is_named(root: Path, tmp_path: Path, name: str) -> None:
    """Later configurations leave out the printed board, every third empty picture and tables of the check."""
    config = read_config(root / "models" / "tiles-n" / f"{name}.yaml")
    for number, phase in enumerate(config.phases):
        windows = detector._windows(config, phase, root, tmp_path, number)
        assert windows.skip_negatives == ("printed_board",)
        assert windows.keep_negatives == 3
        assert "hsb-white-2" in windows.skip_tables
        assert (windows.options.closer, windows.options.flat) == (3.0, 0.2)


def test_path_traced_pictures_for_training_are_not_the_test_set(root: Path) -> None:
    """Each file of options is valid, and its first line names its own seed."""
    files = sorted((root / "models" / "tiles-n" / "renders").glob("*.yaml"))
    assert len(files) == 5
    seeds = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        seeds.append(int(text.split("--seed ")[1].split()[0]))
        assert text.splitlines()[0].endswith(f"models/tiles-n/renders/{file.name}")
        assert options_from(yaml.safe_load(text)).samples == 20
    assert len(set(seeds)) == 5
    assert TEST_SEED not in seeds


def test_the_rate_of_a_single_epoch_rises_and_falls() -> None:
    """It rises for a few steps, reaches `lr0`, falls without a break and ends near `lrf` of it."""
    phase = Phase("p", 1, 64, options={"lr0": 0.1, "lrf": 0.02})
    groups = [{"lr": 0.0}, {"lr": 0.0}]
    trainer = SimpleNamespace(train_loader=range(100), optimizer=SimpleNamespace(param_groups=groups))
    set_rate, rates = _falling_rate(phase), []
    assert set_rate is not None
    for _ in trainer.train_loader:
        set_rate(trainer)
        assert groups[0] == groups[1]
        rates.append(groups[0]["lr"])
    top = int(np.argmax(rates))
    assert 0 < top < 10
    assert rates[top] == pytest.approx(0.1, rel=0.02)
    assert rates[:top] == sorted(rates[:top])
    assert rates[top:] == sorted(rates[top:], reverse=True)
    assert rates[-1] == pytest.approx(0.002, rel=0.05)


@pytest.mark.parametrize(
    "phase",
    [Phase("p", 2, 64, options={"lr0": 0.1, "lrf": 0.02}), Phase("p", 1, 64, options={"lr0": 0.1}), Phase("p", 1, 64)],
)
def test_the_rate_is_left_to_ultralytics_otherwise(phase: Phase) -> None:
    """Over several epochs it falls by itself; where a phase does not say from what to what, it is not known."""
    assert _falling_rate(phase) is None


@pytest.mark.parametrize(
    "text",
    [
        "phases: [",
        "start: a",
        "{start: a, seed: 1, phases: []}",
        "{start: a, seed: x, phases: [{name: p, epochs: 1, imgsz: 64}]}",
        "{start: a, seed: 1, phases: [{name: p, epochs: 1, imgsz: 64, colour: red}]}",
    ],
)
def test_bad_configuration_is_named(tmp_path: Path, text: str) -> None:
    """A configuration that cannot be meant is refused with the path of the file."""
    path = tmp_path / "train.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TrainingError) as caught:
        read_config(path)
    assert caught.value.code == "bad_config"
    assert str(path) in str(caught.value)


def test_missing_extra_is_named(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ultralytics training and export say which extra to install."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    config = read_config(root / "models" / "tiles-n" / "train.yaml")
    for attempt in (
        lambda: train_detector(config, tmp_path, tmp_path / "out"),
        lambda: export_detector(tmp_path / "last.pt", tmp_path / "out.onnx"),
    ):
        with pytest.raises(TrainingError, match="dominotable\\[train\\]") as caught:
            attempt()
        assert caught.value.code == "missing_extra"


def test_missing_inputs_are_named(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing photo folder and missing weights are told apart before any work."""
    monkeypatch.setattr(detector, "_need_extra", lambda: None)
    config = read_config(root / "models" / "tiles-n" / "train.yaml")
    with pytest.raises(TrainingError) as no_photos:
        train_detector(config, tmp_path / "none", tmp_path / "out")
    with pytest.raises(TrainingError) as no_weights:
        train_detector(config, tmp_path, tmp_path / "out")
    with pytest.raises(TrainingError) as no_checkpoint:
        export_detector(tmp_path / "last.pt", tmp_path / "out.onnx")
    codes = [caught.value.code for caught in (no_photos, no_weights, no_checkpoint)]
    assert codes == ["missing_folder", "missing_weights", "missing_weights"]


def test_completed_labels_count_once_all_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels whose completion was broken off are completed anew; windows are cut from whole folders only."""
    photos, out = tmp_path / "photos", tmp_path / "out"
    photos.mkdir()
    (photos / "start.pt").write_bytes(b"")
    text = "{start: start.pt, seed: 1, phases: [{name: first, epochs: 1, imgsz: 64, windows: {pseudo: 3}}]}"
    path = tmp_path / "train.yaml"
    path.write_text(text, encoding="utf-8")
    calls: list[Path] = []

    def complete(_folder: Path, _weights: Path, into: Path, _skip: object) -> int:
        into.mkdir(parents=True, exist_ok=True)
        (into / f"{len(calls)}.json").write_text("{}", encoding="utf-8")
        calls.append(into)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return 1

    class ReachedError(Exception):
        """The windows are about to be cut."""

    def build(windows: WindowsConfig, _progress: object) -> Path:
        assert windows.pseudo_labels is not None
        assert (windows.pseudo_labels / "1.json").exists()
        raise ReachedError

    monkeypatch.setattr(detector, "_need_extra", lambda: None)
    monkeypatch.setattr(detector, "complete_labels", complete)
    monkeypatch.setattr(detector, "build_windows", build)
    for stopped in (KeyboardInterrupt, ReachedError, ReachedError):
        with pytest.raises(stopped):
            train_detector(read_config(path), photos, out)
    assert len(calls) == 2


def test_unknown_window_setting_is_named(root: Path, tmp_path: Path) -> None:
    """A misspelt setting of the windows is refused with the name of its phase."""
    text = "{start: a, seed: 1, phases: [{name: first, epochs: 1, imgsz: 64, windows: {reel: 3}}]}"
    path = tmp_path / "train.yaml"
    path.write_text(text, encoding="utf-8")
    config = read_config(path)
    with pytest.raises(TrainingError, match="first"):
        detector._windows(config, config.phases[0], root, tmp_path, 0)
    path.write_text(text.replace("reel: 3", "options: {flt: 0.5}"), encoding="utf-8")
    config = read_config(path)
    with pytest.raises(TrainingError, match="flt"):
        detector._windows(config, config.phases[0], root, tmp_path, 0)
