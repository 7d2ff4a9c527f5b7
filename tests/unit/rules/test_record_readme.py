"""`rules/README.md` is run: its Python blocks work, its records replay, its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from domino_rules.audit import audit
from domino_rules.explain import explain
from domino_rules.games import GAMES
from domino_rules.record import parse_record
from domino_rules.record_replay import random_record, replay
from domino_rules.ruleset import Option
from domino_rules.state import Game, find_game

README = Path(__file__).resolve().parents[3] / "rules" / "README.md"
EXAMPLES = [
    ("pincset", ["Ana", "Bo", "Cleo", "Dan"], {"target": 100}, 11),
    ("cincos", ["Ana", "Bo"], {"target": 30}, 10),
    ("bingo", ["Ewa", "Jan"], {"sets_to_win": 1}, 1),
    ("tiu-u", ["Ana", "Đorđe"], {}, 1),
]
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def between(name: str, text: str) -> str:
    """Return what stands between two markers of the README."""
    found = re.search(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", text, re.DOTALL)
    assert found is not None, f"the README has no part called {name}"
    return found[1]


def current(name: str, wanted: str, *, update: bool) -> None:
    """Compare a generated part of the README with the code, or write it anew."""
    text = README.read_text(encoding="utf-8")
    if update:
        begin, end = f"<!-- {name}:begin -->\n", f"<!-- {name}:end -->"
        text = text[: text.index(begin) + len(begin)] + wanted + text[text.index(end) :]
        README.write_text(text, encoding="utf-8")
    assert between(name, text) == wanted, "run this test with --update-golden"


def options_table(game: Game) -> str:
    """Return the options of a game as a Markdown table."""
    head = (
        f"\n### {explain(f'game.{game.name}')} (`{game.name}`)\n\n| option | default | choices | meaning | source |\n"
    )
    rows = [_row(game, option) for option in game.options]
    return head + "|---|---|---|---|---|\n" + "\n".join(rows) + "\n"


def _row(game: Game, option: Option) -> str:
    choices = ", ".join(_word(choice) for choice in option.choices)
    meaning = explain(f"option.{game.name}.{option.name}")
    source = option.source.replace("|", "\\|")
    return f"| `{option.name}` | {_word(option.default)} | {choices} | {meaning} | {source} |"


def _word(value: object) -> str:
    if isinstance(value, tuple):
        return "`" + ",".join(map(str, value)) + "`"
    return f"`{str(value).lower()}`"


def examples() -> str:
    """Return one record a game, as the README shows them."""
    shown = []
    for name, seats, options, seed in EXAMPLES:
        game = find_game(name)
        record = random_record(game, game.rules(**options), seats, Random(seed), headers={"Seed": str(seed)})
        shown.append(f"\n**{explain(f'game.{name}')}**\n\n```domino\n{record}```\n")
    return "".join(shown)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_python_blocks_run(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every Python block of the README runs on its own and prints something."""
    exec(compile(block, str(README), "exec"), {"__name__": "readme"})  # noqa: S102 - our own page
    assert capsys.readouterr().out


def test_a_random_hand_of_cincos_takes_less_than_twenty_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """The block that plays a hand of Cincos is short, and prints the count of every move."""
    block = next(block for block in BLOCKS if "count {state.count" in block)
    assert len(block.splitlines()) < 20
    exec(compile(block, str(README), "exec"), {"__name__": "readme"})  # noqa: S102 - our own page
    assert len(re.findall(r"count +\d+", capsys.readouterr().out)) > 10


def test_the_option_tables_are_current(update_golden: bool) -> None:
    """The README lists every option with its default, choices, meaning and source."""
    current("options", "".join(options_table(game) for game in GAMES) + "\n", update=update_golden)


def test_the_examples_replay_and_pass_their_audit(update_golden: bool) -> None:
    """There is one full example a game; each prints as it stands there, replays to a winner and has no finding."""
    if update_golden:
        current("examples", examples(), update=True)
    records = re.findall(r"```domino\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert [parse_record(text).game for text in records] == [game.name for game in GAMES]
    for text in records:
        record = parse_record(text)
        assert str(record) == text
        assert replay(record).winner is not None
        assert audit(record) == ()


def test_the_format_sample_is_read() -> None:
    """The annotated sample of the format parses once its explanations are cut off."""
    sample = next(part for part in re.findall(r"```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL))
    lines = [re.split(r"\s{3,}", line)[0] for line in sample.splitlines()]
    record = parse_record("\n".join(lines))
    assert record.seats == ("Ana", "Doña Inés")
    assert len(record.hands[0].moves) == 4
    assert record.hands[0].corrected().moves[3].source.value == "told"
