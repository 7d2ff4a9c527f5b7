"""`dominotable evaluate --ablate`: what joint decoding gains, beside each half decoded by itself."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_server.commands import evaluate
from domino_vision.errors import LabelError
from domino_vision.sources import read_picture
from domino_vision.synth.dataset import write_dataset
from domino_vision.synth.scene import SceneOptions

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One composed table with its label."""
    folder = tmp_path_factory.mktemp("tables")
    write_dataset(folder, 1, 7, SceneOptions(kind="chain", harm=0.2), sets=("double-six",))
    return folder


def test_the_worst_are_drawn_or_it_is_said_that_there_are_none(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drawings are counted with their folder; without an error nothing is drawn, and that is said."""
    wanted = evaluate.Wanted(worst=3, save=tmp_path / "worst")
    evaluate.run(tables, wanted, evaluate.Networks())
    assert "no photograph has an error: none is drawn" in capsys.readouterr().err
    label = next(tables.glob("*.json"))
    facts = json.loads(label.read_text())
    other = tmp_path / "other"
    other.mkdir()
    facts["tiles"], facts["chain"] = facts["tiles"][1:], None
    (other / label.name).write_text(json.dumps(facts))
    (other / f"{label.stem}.jpg").write_bytes(label.with_suffix(".jpg").read_bytes())
    evaluate.run(other, wanted, evaluate.Networks())
    assert f"1 pictures in {tmp_path / 'worst'}\n" in capsys.readouterr().err
    assert len(list((tmp_path / "worst").iterdir())) == 1


@pytest.mark.parametrize(
    ("wanted", "follows", "cause"),
    [
        (evaluate.Wanted(worst=3), {}, "--worst needs --save"),
        (evaluate.Wanted(save=Path("worst")), {}, "--save needs --worst"),
        (evaluate.Wanted(ablate=True), {"sequences": True}, "for photographs"),
        (evaluate.Wanted(cards=(Path("card"),)), {"games": True}, "for photographs"),
        (evaluate.Wanted(), {"sequences": True, "games": True}, "not both"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    wanted: evaluate.Wanted, follows: dict[str, bool], cause: str
) -> None:
    """What is asked for is done, or it is said why not."""
    with pytest.raises(LabelError, match=cause) as error:
        wanted.check(**follows)
    assert error.value.code == "bad_option"


def test_both_decodings_are_printed(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures of the same readings, twice; without the option only once."""
    evaluate.run(tables, evaluate.Wanted(ablate=True, as_json=True), evaluate.Networks())
    both = json.loads(capsys.readouterr().out)
    assert both["alone"]["images"] == both["images"] == 1
    assert both["alone"]["detection"] == both["detection"]
    evaluate.run(tables, evaluate.Wanted(ablate=True), evaluate.Networks())
    text = capsys.readouterr().out
    assert [line.split("  ")[0] for line in text.splitlines()[-3:]] == ["decoding", "joint", "each half alone"]
    evaluate.run(tables, evaluate.Wanted(), evaluate.Networks())
    assert "each half alone" not in capsys.readouterr().out


def test_tiles_of_two_sets_mixed_may_lie_twice(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tile beside its double is doubted in one set, and read as it lies where the label says that two are mixed."""
    label = next(tables.glob("*.json"))
    picture = read_picture(label.with_suffix(".jpg"))
    facts = json.loads(label.read_text())
    across = picture.shape[1]
    quads = [{**tile, "quad": [[x + across, y] for x, y in tile["quad"]]} for tile in facts["tiles"]]
    facts |= {"tiles": [*facts["tiles"], *quads], "chain": None, "down": [], "ignore": []}
    cv2.imwrite(str(tmp_path / f"{label.stem}.jpg"), np.hstack([picture, picture]))
    sure = {}
    for sets in (1, 2):
        (tmp_path / label.name).write_text(json.dumps({**facts, "sets": sets}))
        evaluate.run(tmp_path, evaluate.Wanted(as_json=True), evaluate.Networks())
        sure[sets] = json.loads(capsys.readouterr().out)
    assert sure[2]["halves"] == 1.0
    assert sure[1]["ece"] > sure[2]["ece"]
