"""Exported networks become trainable again; needs the extra `train`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from domino_vision.errors import TrainingError
from domino_vision.training.reader import write_onnx
from domino_vision.training.reader_net import make_reader_net
from domino_vision.training.restore import detector_from_onnx, folded, reader_from_onnx

torch = pytest.importorskip("torch", reason="needs the extra `train`")
pytest.importorskip("onnx", reason="needs the extra `train`")

WIDTHS = (4, 4, 8, 8)


def _seen() -> Any:
    return torch.from_numpy(np.random.default_rng(0).integers(0, 255, (64, 64, 128, 3), dtype=np.uint8))


def _export(folder: Path) -> tuple[Any, Path]:
    """A reader whose normalisation has seen some data, and its export."""
    torch.manual_seed(3)
    net = make_reader_net(WIDTHS)
    net.train()
    for _ in range(5):
        net(_seen())
    net.eval()
    path = folder / "reader.onnx"
    write_onnx(net, (128, 64), {}, path)
    return net, path


def test_a_restored_reader_answers_as_before_and_keeps_its_answers_in_training(tmp_path: Path) -> None:
    """Logits are those of the network that was exported; normalising by the batch at hand changes them little."""
    net, path = _export(tmp_path)
    again = make_reader_net(WIDTHS)
    reader_from_onnx(path, again, [_seen()])
    with torch.no_grad():
        wanted, got = net.eval()(_seen()), again.eval()(_seen())
        for dropout in again.modules():
            if isinstance(dropout, torch.nn.Dropout):
                dropout.p = 0.0
        trained = again.train()(_seen())
    assert torch.allclose(wanted, got, atol=1e-4)
    assert torch.allclose(wanted, trained, atol=1e-3)


def test_every_normalisation_scales(tmp_path: Path) -> None:
    """The scale of a channel is its spread, so that a step of the optimiser weighs what it did."""
    _, path = _export(tmp_path)
    again = make_reader_net(WIDTHS)
    reader_from_onnx(path, again, [_seen()])
    pairs = list(folded(again))
    assert len(pairs) == 10
    for _, _, norm in pairs:
        assert torch.allclose(norm.weight**2, norm.running_var + norm.eps, rtol=1e-4)


def test_other_weights_are_refused(tmp_path: Path) -> None:
    """An export of another width, or no export at all, is named."""
    _, path = _export(tmp_path)
    with pytest.raises(TrainingError) as caught:
        reader_from_onnx(path, make_reader_net((4, 4, 8, 16)), [_seen()])
    assert caught.value.code == "weights_broken"
    nothing = tmp_path / "nothing.onnx"
    nothing.write_bytes(b"nothing")
    with pytest.raises(TrainingError, match="no ONNX file"):
        reader_from_onnx(nothing, make_reader_net(WIDTHS), [_seen()])


def test_the_shipped_detector_is_restored(root: Path, tmp_path: Path) -> None:
    """The checkpoint of the shipped detector answers as its export does."""
    yolo = pytest.importorskip("ultralytics", reason="needs the extra `train`")
    import onnxruntime

    shipped = root / "models" / "tiles-n" / "tiles-n.onnx"
    sample = torch.rand(2, 3, 128, 160)
    checkpoint = detector_from_onnx(shipped, [sample], tmp_path / "start.pt")
    net = yolo.YOLO(str(checkpoint)).model.float().eval()
    with torch.no_grad():
        got = net(sample)
    wanted = onnxruntime.InferenceSession(str(shipped)).run(None, {"images": sample.numpy()})[0]
    assert np.allclose((got[0] if isinstance(got, (tuple, list)) else got).numpy(), np.asarray(wanted), atol=0.05)
