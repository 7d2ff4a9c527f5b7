"""Positions of a record as pictures: layouts, tricks, talon and piles; illegal moves are shown as they were made."""

import xml.etree.ElementTree as ET
from random import Random

import pytest

from domino_rules.errors import SetupError
from domino_rules.record import Record, parse_record
from domino_rules.record_replay import random_record
from domino_rules.state import find_game
from domino_rules.svg_record import record_svg

SVG = "{http://www.w3.org/2000/svg}"
BINGO = "Game: bingo\nSeats: A B\n\nHand 1\nTable: 6-4\nOpener: A\nA leads 5-4\nB replies 2-1\nA closes\nA leads 5-5\n"


def hand_of(game: str, seats: str) -> Record:
    found = find_game(game)
    return random_record(found, found.rules(), list(seats), Random(8), hands=1)


def drawn(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - our own picture


def labels(text: str) -> list[str | None]:
    return [node.text for node in drawn(text).findall(f"{SVG}text[@class='label']")]


def faces(text: str) -> int:
    return len(drawn(text).findall(f".//{SVG}rect[@class='tile']"))


def backs(text: str) -> int:
    return len(drawn(text).findall(f".//{SVG}rect[@class='back']"))


@pytest.mark.parametrize(("game", "seats"), [("pincset", "ABCD"), ("cincos", "AB")])
def test_a_line_of_play_grows_with_the_moves(game: str, seats: str) -> None:
    """Behind each move lie as many tiles as were played; an earlier position has fewer."""
    record = hand_of(game, seats)
    for number in (0, 1, len(record.hands[0].moves)):
        played = sum(hasattr(moved.move, "arm") for moved in record.hands[0].moves[:number])
        assert faces(record_svg(record, 1, number)) == played


def test_bingo_shows_stock_lead_and_tricks() -> None:
    """The trump tile lies open until it is turned; the tile led lies alone; tricks lie with their takers."""
    record = parse_record(BINGO)
    open_stock = record_svg(record, move=2)
    assert labels(open_stock) == ["Stock and trump tile", "A: 12 points", "B: 0 points"]
    assert (faces(open_stock), backs(open_stock)) == (3, 13)
    closed = record_svg(record, lang="sr-Cyrl")
    assert labels(closed) == ["Талон и адутска плочица", "Отвара: A", "A: 12 поена", "B: 0 поена"]
    assert backs(closed) == 14


def test_bingo_without_its_trump_tile_is_empty() -> None:
    """A record that lacks the tile turned up has nothing to show."""
    assert faces(record_svg(parse_record("Game: bingo\nSeats: A B\n\nHand 1\nA leads 5-4\n"))) == 0


def test_tiu_u_shows_talon_stock_and_piles() -> None:
    """All tiles on the table are there, the stock face down, red pips red."""
    record = hand_of("tiu-u", "AB")
    start = record_svg(record, move=0)
    assert backs(start) == 24
    assert labels(start)[:2] == ["Talon", "Stock: 24 tiles"]
    end = record_svg(record)
    assert backs(end) == 0
    assert labels(end) == ["Talon", "Captured by A", "Captured by B"]
    assert drawn(end).findall(f".//{SVG}circle[@class='pip red']")


def test_an_illegal_play_is_shown_where_it_was_laid() -> None:
    """A picture is there for the dispute: the tile that does not match lies there."""
    record = parse_record("Game: pincset\nSeats: A B C D\n\nHand 1\nA 6-6 start\nB 5-4 L\nC 4-1 L\n")
    title = drawn(record_svg(record)).findtext(f"{SVG}title")
    assert title == "pincset, 1.3: 6-6 L:5-4 L:4-1"


@pytest.mark.parametrize(("hand", "move", "code"), [(2, None, "no_such_hand"), (1, 9, "no_such_move")])
def test_a_position_that_is_not_there_is_refused(hand: int, move: int | None, code: str) -> None:
    """Hand and move must be in the record."""
    with pytest.raises(SetupError) as caught:
        record_svg(parse_record(BINGO), hand, move)
    assert caught.value.code == code


def test_a_record_without_hands_has_no_picture() -> None:
    """Headers alone show nothing."""
    with pytest.raises(SetupError) as caught:
        record_svg(parse_record("Game: bingo\nSeats: A B\n"))
    assert caught.value.code == "no_such_hand"
