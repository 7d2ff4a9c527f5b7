"""Moves and names as a person writes them."""

import pytest

from domino_rules.errors import ParseError
from domino_rules.layout import Arm
from domino_rules.moves import Capture, Close, Draw, Lead, Move, Pass, Play, Quadruple, Reply, Triple, Turn
from domino_rules.notation import format_move, format_name, format_unseen, parse_move, parse_unseen, tokens
from domino_rules.tile import Tile

MOVES: list[tuple[str, Move]] = [
    ("Ana 6-6 start", Play("Ana", Tile(6, 6), Arm.START)),
    ("Ana 6-4 L", Play("Ana", Tile(6, 4), Arm.LEFT)),
    ("D 6-4 D", Play("D", Tile(6, 4), Arm.DOWN)),
    ("Ana draws ?", Draw("Ana")),
    ("Ana draws 5-1", Draw("Ana", Tile(5, 1))),
    ("Ana passes", Pass("Ana")),
    ("Ana leads 5-5", Lead("Ana", Tile(5, 5))),
    ("Ana replies 5-5 declares 3", Reply("Ana", Tile(5, 5), 3)),
    ("Ana closes", Close("Ana")),
    ("Ana captures 5-2 with 4-3", Capture("Ana", tile=Tile(4, 3), take=Tile(5, 2))),
    ("Ana triples 6-5", Triple("Ana", Tile(6, 5))),
    ("Ana quadruples 6-5", Quadruple("Ana", Tile(6, 5))),
    ("Ana turns 4-1", Turn("Ana", Tile(4, 1))),
    ("Ana turns 6-3 takes 5-4", Turn("Ana", Tile(6, 3), Tile(5, 4))),
    ('"Doña Ana" passes', Pass("Doña Ana")),
    ("Љубица passes", Pass("Љубица")),
    ('"6-4" passes', Pass("6-4")),
    ('"hand" passes', Pass("hand")),
    ('"" passes', Pass("")),
]


@pytest.mark.parametrize(("text", "move"), MOVES)
def test_every_move_has_one_spelling(text: str, move: Move) -> None:
    """Printing and reading agree for each kind of move and for names of any script."""
    assert format_move(move) == text
    assert parse_move(text) == move


def test_a_move_alone_takes_no_comment() -> None:
    """Comments belong to records."""
    with pytest.raises(ParseError) as caught:
        parse_move("Ana passes ; so")
    assert caught.value.code == "notation_move"


def test_unseen_tiles_are_drawn_together() -> None:
    """Runs of unseen tiles are written as one word, single ones as a question mark."""
    tiles = (None, Tile(0, 0), None, None, Tile(6, 1))
    assert format_unseen(tiles) == "? 0-0 ?x2 6-1"
    assert parse_unseen(tokens("? 0-0 ?x2 6-1")[0]) == tiles
    assert format_unseen(()) == ""


@pytest.mark.parametrize("name", ["a b", 'say "x"', "back\\slash", "line\nbreak", "1.", "x;y", "a:b", "(a)"])
def test_awkward_names_survive(name: str) -> None:
    """A name that is no plain word is quoted and comes back."""
    assert format_name(name).startswith('"')
    assert parse_move(f"{format_name(name)} passes") == Pass(name)
