"""`dominotable evaluate --ablate`: what joint decoding gains, beside each half decoded by itself."""

import json
from pathlib import Path

import pytest

from domino_server.commands import evaluate
from domino_vision.synth.dataset import write_dataset
from domino_vision.synth.scene import SceneOptions

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One composed table with its label."""
    folder = tmp_path_factory.mktemp("tables")
    write_dataset(folder, 1, 7, SceneOptions(kind="chain", harm=0.2), sets=("double-six",))
    return folder


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
