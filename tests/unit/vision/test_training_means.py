"""Means of exported networks; needs the extra `train`."""

from pathlib import Path

import numpy as np
import pytest

from domino_vision.errors import TrainingError
from domino_vision.training.means import write_mean

onnx = pytest.importorskip("onnx", reason="needs the extra `train`")


def network(path: Path, weight: float, steps: int = 7, shape: tuple[int, ...] = (2, 3)) -> Path:
    """Write a network that multiplies by a weight and reshapes."""
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    graph = helper.make_graph(
        [helper.make_node("Mul", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, shape)],
        [
            numpy_helper.from_array(np.full(shape, weight, np.float32), "w"),
            numpy_helper.from_array(np.array([steps], np.int64), "n"),
        ],
    )
    onnx.save(helper.make_model(graph), str(path))
    return path


def test_weights_are_averaged_by_their_shares(tmp_path: Path) -> None:
    """Floating weights are mixed; whole numbers, which are shapes and axes, stay as they are in the first network."""
    first, second = network(tmp_path / "a.onnx", 1.0), network(tmp_path / "b.onnx", 3.0, steps=9)
    write_mean({first: 0.25, second: 0.75}, tmp_path / "mean.onnx")
    found = {
        each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(tmp_path / "mean.onnx").graph.initializer
    }
    assert found["w"].dtype == np.float32
    assert np.allclose(found["w"], 2.5)
    assert found["n"].tolist() == [7]


def test_networks_that_are_not_alike_have_no_mean(tmp_path: Path) -> None:
    """Other shapes, and shares that do not sum to one, are told."""
    first, second = network(tmp_path / "a.onnx", 1.0), network(tmp_path / "b.onnx", 3.0, shape=(3, 3))
    for parts, code in (({first: 0.5, second: 0.5}, "weights_broken"), ({first: 0.5}, "bad_option")):
        with pytest.raises(TrainingError) as caught:
            write_mean(parts, tmp_path / "mean.onnx")
        assert caught.value.code == code
    assert not (tmp_path / "mean.onnx").exists()
