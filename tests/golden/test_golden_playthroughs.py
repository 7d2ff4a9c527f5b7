"""Golden files: one playthrough a game (record, replay and totals) and pictures. `--update-golden` writes them anew."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from domino_rules.layout import Layout
from domino_rules.record import Record, parse_record
from domino_rules.record_replay import random_record, replay
from domino_rules.state import find_game
from domino_rules.svg import layout_svg
from domino_rules.svg_record import record_svg
from domino_server.rules_view import replay_lines

FOLDER = Path(__file__).parent
PLAYTHROUGHS = [
    ("pincset", ("Ana", "Beto", "Celia", "Darío"), {"target": 150}),
    ("cincos", ("Ana", "Beto"), {"target": 60}),
    ("bingo", ("Ewa", "Łukasz"), {"sets_to_win": 2}),
    ("tiu-u", ("Ana", "Đorđe", "Љиља"), {}),
]
RULER = "=" * 40
LAYOUTS = {
    "line": "3-3 L:3-1 R:3-0 L:1-0 L:0-5 R:0-2 L:5-1 R:2-2 L:1-4 R:2-4 R:4-4 R:4-0 R:0-0 R:0-6 R:6-3 L:4-5 L:5-5 L:5-6"
    " R:3-4 R:4-6 R:6-6 R:6-1 R:1-1 L:6-2 L:2-1",
    "cross": "6-6 L:6-3 R:6-4 U:6-1 D:6-0 L:3-2 R:4-1 U:1-0 D:0-4 L:2-2 R:1-1 U:0-5 D:4-3 L:2-5 R:1-5 U:5-6 D:3-3",
}


def compare(path: Path, text: str, *, update: bool) -> None:
    """Compare with the golden file, or write it anew."""
    if update:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path.name} differs; see it with --update-golden and git diff"


def recorded(name: str, seats: tuple[str, ...], options: dict[str, object], *, update: bool) -> Record:
    """Return the record of the golden file; a new random match if the files are written anew.

    The match comes from the file, so that another way of shuffling does not look like another game.
    """
    if update:
        game = find_game(name)
        return random_record(game, game.rules(**options), seats, Random(2026))
    return parse_record((FOLDER / f"{name}.txt").read_text(encoding="utf-8").partition(RULER)[0])


@pytest.mark.parametrize(("name", "seats", "options"), PLAYTHROUGHS)
def test_playthrough(name: str, seats: tuple[str, ...], options: dict[str, object], update_golden: bool) -> None:
    """A recorded match prints as it stands there, and has the same scores, evidence and totals as ever."""
    record = recorded(name, seats, options, update=update_golden)
    lines = "\n".join(replay_lines(replay(record), "en"))
    compare(FOLDER / f"{name}.txt", f"{record}\n{RULER}\n{lines}\n", update=update_golden)


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_picture(name: str, update_golden: bool) -> None:
    """A long line and a full cross are drawn as they were approved."""
    picture = layout_svg(Layout.parse(LAYOUTS[name], with_spinner=name == "cross"))
    compare(FOLDER / f"{name}.svg", picture, update=update_golden)


@pytest.mark.parametrize(("name", "seats", "options"), PLAYTHROUGHS)
def test_record_picture(name: str, seats: tuple[str, ...], options: dict[str, object], update_golden: bool) -> None:
    """The position behind the tenth move of a playthrough is drawn as it was approved."""
    record = recorded(name, seats, options, update=update_golden)
    compare(FOLDER / f"{name}.svg", record_svg(record, 1, min(10, len(record.hands[0].moves))), update=update_golden)
