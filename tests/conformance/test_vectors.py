"""The conformance vectors: every case of the four games, and how the loader behaves on what is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from domino_rules.errors import ParseError, SetupError
from domino_rules.vectors import GAME_OF_NAME, Vector, check, check_file, load_file, ops

DATA = Path(__file__).parent / "data"
FILES = ("pincset_500.json", "tiu_u.json", "bingo.json", "cincos.json")


def failures(path: Path) -> list[str]:
    """Return a line for each vector that fails."""
    return [f"{result.vector.id}: {'; '.join(result.differences)}" for result in check_file(path) if not result.passed]


@pytest.mark.parametrize("name", FILES)
def test_the_shared_vectors_pass(shared: Path, name: str) -> None:
    """Every shared vector comes out as expected."""
    path = shared / "rules" / "vectors" / name
    assert len(check_file(path)) >= 39
    assert failures(path) == []


@pytest.mark.parametrize("path", sorted(DATA.glob("*.json")), ids=lambda path: path.stem)
def test_our_own_vectors_pass(path: Path) -> None:
    """The vectors that come with the repository pass too."""
    assert failures(path) == []


@pytest.mark.parametrize("game", sorted(set(GAME_OF_NAME.values())))
def test_no_part_of_the_engine_knows_a_vector(game: str, root: Path) -> None:
    """Adapters see neither the id nor the answer, and no source file names an id."""
    for adapter in ops(game).values():
        assert callable(adapter)
    question = Vector("P500-01", "deal", {"players": 4}, (), {"dealt": 28}).question()
    assert (question.id, question.expect) == ("", {})
    sources = "".join(path.read_text(encoding="utf-8") for path in (root / "rules").rglob("*.py"))
    assert not [prefix for prefix in ("P500-", "CINCOS-", "BINGO-", "TIU-0") if prefix in sources]


def test_a_wrong_answer_is_reported() -> None:
    """A differing, a missing and a nested answer each give a line; an expected error is compared by its code."""
    vector = Vector("x", "op", expect={"a": 1, "b": {"c": [1, 2]}, "legal": [["1-0", "L"], ["2-0", "R"]], "d": 0})
    answer: dict[str, Any] = {"a": 2, "b": {"c": [2, 1]}, "legal": [["2-0", "R"], ["1-0", "L"]]}
    result = check(vector, {"op": lambda _: answer})
    assert list(result.differences) == [
        "a: expected 1, got 2", "b.c: expected [1, 2], got [2, 1]", "d: expected 0, got no answer",
    ]  # fmt: skip
    assert not result.passed


def test_errors_of_adapters() -> None:
    """A refusal is an answer; a refusal that nobody expects, an unknown op and a broken set-up are failures."""

    def refuse(_: Vector) -> dict[str, Any]:
        raise SetupError("players", "too few")

    assert check(Vector("x", "op", expect={"error": "players"}), {"op": refuse}).passed
    assert check(Vector("x", "op", expect={"a": 1}), {"op": refuse}).differences == ("error: players (too few)",)
    assert check(Vector("x", "other"), {}).differences == ("op: no adapter for 'other'",)
    broken = check(Vector("x", "op"), {"op": lambda vector: vector.setup["nothing"]})
    assert broken.differences == ("adapter: KeyError: 'nothing'",)


@pytest.mark.parametrize(
    ("text", "cause"),
    [("{", "JSONDecodeError"), ("[]", "TypeError"), ('{"vectors": [{}]}', "TypeError"), ('{"vectors": []}', "game")],
)
def test_a_file_that_is_no_vector_file_is_refused(tmp_path: Path, text: str, cause: str) -> None:
    """Broken files raise one clear error."""
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParseError, match=cause) as caught:
        check_file(path)
    assert caught.value.code == "vector_file"
    with pytest.raises(ParseError, match="No such file"):
        check_file(tmp_path / "nothing.json")


@pytest.mark.parametrize(
    ("encoding", "game"),
    [
        ({"rules_defaults": {"force_66": True}}, "pincset"),
        ({"rules_defaults": {"lone_spinner_counts": "once"}}, "cincos"),
        ({"rules_defaults": {"supreme": "also"}}, "tiu_u"),
        ({"presets": {}}, "bingo"),
    ],
)
def test_the_game_is_told_by_the_options(tmp_path: Path, encoding: dict[str, Any], game: str) -> None:
    """A file whose name says nothing is recognised by the options that it prints."""
    path = tmp_path / "kept.json"
    path.write_text(json.dumps({"encoding": encoding, "vectors": []}), encoding="utf-8")
    assert load_file(path) == (game, [])
