"""Cards of models: what may be wrong with one is told before anything is measured."""

from pathlib import Path

import pytest

from domino_server.commands.card import BEGIN, END, CardError, check_card


def card(folder: Path, text: bytes, metrics: str | None = None) -> Path:
    (folder / "README.md").write_bytes(text)
    if metrics is not None:
        (folder / "metrics.json").write_text(metrics)
    return folder


def test_a_card_with_a_place_for_figures_is_fine(tmp_path: Path) -> None:
    """Text around the place is kept, and no figures yet are no figures."""
    text, metrics = check_card(card(tmp_path, f"# m\n{BEGIN}\n{END}\n".encode()))
    assert text.startswith("# m")
    assert metrics == {}


@pytest.mark.parametrize("text", [b"", b"# no place", f"{END}\n{BEGIN}".encode(), b"\xff\xfe"])
def test_a_card_without_a_place_is_refused(tmp_path: Path, text: bytes) -> None:
    """No place, the marks in the wrong order, or no text at all: all are said."""
    with pytest.raises(CardError) as error:
        check_card(card(tmp_path, text))
    assert error.value.code == "card_missing"
    with pytest.raises(CardError):
        check_card(tmp_path / "nowhere")


@pytest.mark.parametrize("metrics", ["{", "[]", '{"dev": {}}', '{"dev": 3}', "null"])
def test_figures_of_another_kind_are_refused(tmp_path: Path, metrics: str) -> None:
    """A `metrics.json` that this program did not write is neither used nor overwritten."""
    folder = card(tmp_path, f"{BEGIN}\n{END}".encode(), metrics)
    with pytest.raises(CardError) as error:
        check_card(folder)
    assert error.value.code == "metrics_broken"
    assert (folder / "metrics.json").read_text() == metrics
