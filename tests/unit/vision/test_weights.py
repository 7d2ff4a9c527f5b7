"""Weights: where networks are found and how broken ones are told."""

import hashlib
from pathlib import Path

import pytest

from domino_vision.errors import ModelError
from domino_vision.weights import MODELS_VARIABLE, find_model, open_session, sha256_of


def test_folder_of_the_environment_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model in the folder that the variable names is taken, flat or in a folder of its own."""
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path))
    (tmp_path / "mine.onnx").write_bytes(b"1")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "other.onnx").write_bytes(b"2")
    assert find_model("mine") == tmp_path / "mine.onnx"
    assert find_model("other") == tmp_path / "other" / "other.onnx"


def test_path_is_taken_as_it_is(tmp_path: Path) -> None:
    """A name with an ending is a path."""
    path = tmp_path / "x.onnx"
    path.write_bytes(b"1")
    assert find_model(str(path)) == path


def test_missing_model_says_where_it_looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error lists every place that was looked at."""
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path))
    with pytest.raises(ModelError, match="no model 'nothing'") as caught:
        find_model("nothing")
    assert caught.value.code == "model_missing"
    assert any(str(tmp_path) in place for place in caught.value.params["looked"])
    assert any("weights" in place for place in caught.value.params["looked"])


def test_checksum(tmp_path: Path) -> None:
    """The checksum is that of the bytes; a file that is not there is an error."""
    (tmp_path / "x").write_bytes(b"abc")
    assert sha256_of(tmp_path / "x") == hashlib.sha256(b"abc").hexdigest()
    with pytest.raises(ModelError):
        sha256_of(tmp_path / "y")


def test_broken_network(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that is no network is told apart from a missing one, without noise."""
    (tmp_path / "x.onnx").write_bytes(b"not a network")
    for name, code in (("x.onnx", "model_broken"), ("y.onnx", "model_missing")):
        with pytest.raises(ModelError) as caught:
            open_session(tmp_path / name, 1)
        assert caught.value.code == code
    assert capfd.readouterr().err == ""
