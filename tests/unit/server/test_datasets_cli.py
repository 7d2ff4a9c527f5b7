"""`dominotable datasets`: options, refusals, and what `compose` writes."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domino_server.datasets_cli import app
from domino_vision.labels import read_label
from domino_vision.render.dataset import TEST_SEED

RUNNER = CliRunner()


def _fails(arguments: list[str]) -> str:
    result = RUNNER.invoke(app, arguments)
    assert result.exit_code == 2
    return result.stderr


def test_compose_writes_labelled_pictures_of_the_set_and_size_asked_for(tmp_path: Path) -> None:
    """Two pictures with labels, of the named set; a second run gives the same bytes."""
    for folder in ("one", "two"):
        arguments = ["compose", str(tmp_path / folder), "--count", "2", "--seed", "5", "--size", "320x240"]
        assert RUNNER.invoke(app, [*arguments, "--set", "chinese", "--kind", "loose"]).exit_code == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert len(names) == 4
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert {read_label(path).tile_set for path in (tmp_path / "one").glob("*.json")} == {"chinese"}


def test_the_seed_of_the_test_set_is_refused(tmp_path: Path) -> None:
    """Training pictures cannot be rendered from the seed of the test set."""
    assert "test-set" in _fails(["render", str(tmp_path), "--seed", str(TEST_SEED)])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("size", ["640", "640x", "axb", "-1x9"])
def test_sizes_that_are_none_are_refused(tmp_path: Path, size: str) -> None:
    """A picture size is two whole numbers with an x between them."""
    assert "1280x960" in _fails(["render", str(tmp_path), f"--size={size}"])


@pytest.mark.parametrize("text", ["kind: [", "- 1", "colour: red", "samples: many", "kind: tower"])
def test_configurations_that_make_no_sense_are_refused(tmp_path: Path, text: str) -> None:
    """Broken YAML, lists, unknown names and impossible values end in one line."""
    config = tmp_path / "options.yaml"
    config.write_text(text)
    assert _fails(["render", str(tmp_path / "out"), "--config", str(config)]).count("\n") == 1


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both commands that need Mitsuba name the extra."""
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    arguments = ["--count", "1"]
    assert "dominotable[render]" in _fails(["render", str(tmp_path / "a"), "--size", "64x64", *arguments])
    assert "dominotable[render]" in _fails(["test-set", str(tmp_path / "b"), *arguments])


def test_a_variant_that_mitsuba_has_not_is_refused(tmp_path: Path) -> None:
    """The test set is traced by a known variant or not at all."""
    assert "llvm_ad_rgb" in _fails(["test-set", str(tmp_path / "a"), "--variant", "fast"])
    assert not list(tmp_path.iterdir())
