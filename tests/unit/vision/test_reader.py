"""The reader at run time, with the network that ships."""

from pathlib import Path

import numpy as np
import pytest

from domino_vision.errors import ModelError
from domino_vision.reader import CLASSES, TileReader, combine_directions
from domino_vision.synth.faces import back_texture, face_texture
from domino_vision.synth.styles import TileStyle, random_style
from domino_vision.types import BACK_CLASS, HALF_CLASSES

MODEL = Path(__file__).parents[3] / "models" / "reader" / "reader.onnx"


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader(MODEL, threads=1)


def easy_style(set_name: str = "double-six") -> TileStyle:
    """The first random style that is plain black on white or ivory."""
    for seed in range(500):
        style = random_style(np.random.default_rng(seed), set_name)
        dark = max(style.pip_colours[1]) < 70
        marked = style.divider == "bar" and style.logo == "none" and style.pip_kind == "printed"
        if (
            style.body_kind == "plain"
            and min(style.body) > 180
            and dark
            and marked
            and len(set(style.pip_colours)) == 1
        ):
            return style
    raise AssertionError("no plain style")


def table(halves: list[tuple[int, int]], style: TileStyle) -> tuple[np.ndarray, np.ndarray]:
    """A picture of tiles in a column on green, and their corners; (13, 13) is a back."""
    rng = np.random.default_rng(3)
    frame = np.full((120 * len(halves) + 40, 300, 3), (60, 110, 50), dtype=np.uint8)
    quads = []
    for row, pair in enumerate(halves):
        face, alpha = back_texture(rng, style, 80) if pair[0] == BACK_CLASS else face_texture(rng, style, *pair, 80)
        h, w = face.shape[:2]
        x, y = 70, 30 + 120 * row
        place = frame[y : y + h, x : x + w]
        place[:] = np.where(alpha[..., None] > 127, face, place)
        quads.append([[x, y + h], [x, y], [x + w, y], [x + w, y + h]])
    return frame, np.array(quads, dtype=np.float32)


def test_clean_tiles_are_read(reader: TileReader) -> None:
    """Every pip count of a double-six set is read from clean drawings."""
    halves = [(0, 1), (2, 3), (4, 5), (6, 6), (6, 0), (5, 2), (3, 1), (4, 0)]
    logp = reader.read(*table(halves, easy_style()))
    assert [tuple(row) for row in logp.argmax(axis=2)] == halves
    assert np.exp(logp.max(axis=2)).mean() > 0.9


def test_high_pips_are_read(reader: TileReader) -> None:
    """Halves of a double-twelve set, 7 to 12, are read from clean drawings."""
    halves = [(7, 8), (9, 10), (11, 12), (12, 7)]
    logp = reader.read(*table(halves, easy_style("double-twelve")))
    assert [tuple(row) for row in logp.argmax(axis=2)] == halves


def test_log_probabilities_sum_to_one(reader: TileReader) -> None:
    """Every row is a distribution, in natural logarithms."""
    logp = reader.read(*table([(1, 2), (6, 4)], easy_style()))
    assert logp.shape == (2, 2, HALF_CLASSES)
    assert logp.dtype == np.float32
    assert np.allclose(np.exp(logp).sum(axis=2), 1, atol=1e-5)


def test_reading_from_the_other_end_swaps_the_halves(reader: TileReader) -> None:
    """A tile addressed from its other end gives the same two distributions in the other order."""
    frame, quads = table([(1, 2), (6, 4), (5, 0)], easy_style())
    straight, turned = reader.read(frame, quads), reader.read(frame, np.roll(quads, 2, axis=1))
    assert np.allclose(straight, turned[:, ::-1], atol=0.02)


def test_no_tiles_give_an_empty_reading(reader: TileReader) -> None:
    """No corners, no distributions, no error."""
    logp = reader.read(np.zeros((20, 20, 3), np.uint8), np.zeros((0, 4, 2), np.float32))
    assert logp.shape == (0, 2, HALF_CLASSES)


def test_many_tiles_are_read_as_few(reader: TileReader) -> None:
    """Splitting a crowded picture into chunks changes nothing."""
    frame, quads = table([(1, 2), (6, 4), (5, 0)], easy_style())
    few, many = reader.read(frame, quads), reader.read(frame, np.tile(quads, (30, 1, 1)))
    assert np.allclose(many.reshape(30, 3, 2, HALF_CLASSES), few, atol=1e-4)


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    """A path without a file raises `model_missing`."""
    with pytest.raises(ModelError) as caught:
        TileReader(tmp_path / "none.onnx")
    assert caught.value.code == "model_missing"


def test_a_broken_model_is_named(tmp_path: Path) -> None:
    """A file that is no network raises `model_broken`."""
    path = tmp_path / "broken.onnx"
    path.write_bytes(b"not a network")
    with pytest.raises(ModelError) as caught:
        TileReader(path)
    assert caught.value.code == "model_broken"


@pytest.mark.parametrize(
    "changes", [{"classes": "0,1,2"}, {"temperature": "0"}, {"size_wh": "128"}, {"margin": "wide"}, {"classes": None}]
)
def test_a_model_without_its_facts_is_refused(tmp_path: Path, changes: dict[str, str | None]) -> None:
    """Metadata that are absent or senseless raise `model_broken`."""
    onnx = pytest.importorskip("onnx", reason="needs the extra `train`")
    model = onnx.load(str(MODEL))
    facts = {entry.key: entry.value for entry in model.metadata_props} | changes
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, {key: value for key, value in facts.items() if value is not None})
    onnx.save(model, str(tmp_path / "changed.onnx"))
    with pytest.raises(ModelError) as caught:
        TileReader(tmp_path / "changed.onnx")
    assert caught.value.code == "model_broken"


def test_both_directions_are_averaged() -> None:
    """The turned reading counts with its halves swapped, and a temperature above one flattens the answer."""
    logits = np.zeros((2, 2, len(CLASSES)), dtype=np.float32)
    logits[0, 0, 3] = logits[1, 1, 3] = 8.0  # first half: both directions say three
    logits[0, 1, 5], logits[1, 0, 6] = 8.0, 8.0  # second half: five against six
    logp = combine_directions(logits, 1.0)
    assert logp[0, 0].argmax() == 3
    assert logp[0, 1, 5] == pytest.approx(logp[0, 1, 6])
    assert combine_directions(logits, 2.0)[0, 0, 3] < logp[0, 0, 3]


def test_a_tile_never_shows_pips_and_a_back() -> None:
    """A half that looks like a back, on a tile whose other half surely shows pips, is read as the best pip count."""
    logits = np.zeros((2, 2, len(CLASSES)), dtype=np.float32)
    logits[0, 0, 4] = logits[1, 1, 4] = 14.0
    logits[0, 1, BACK_CLASS] = logits[1, 0, BACK_CLASS] = 8.0
    logits[0, 1, 0] = logits[1, 0, 0] = 5.0
    assert combine_directions(logits, 1.0)[0].argmax(axis=1).tolist() == [4, 0]
