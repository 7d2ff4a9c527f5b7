"""What a person may tell of a game: every kind of move that the rules know, written as the notation writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from domino_rules.layout import Arm
from domino_rules.moves import Move, Play, Stood
from domino_rules.notation import format_move, parse_move
from domino_rules.record import Record
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.tables.public import open_move
from tests.browser import canned
from tests.browser.conftest import Shown
from tests.referee_games import random_game

pytestmark = pytest.mark.browser
GAMES = {"pincset": "ABCD", "cincos": "ABCD", "bingo": "AB", "tiu-u": "ABC"}
KINDS = "game => import('/static/js/moves.js').then(moves => Object.keys(moves.kindsOf(game)))"
WRITTEN = (
    "moves => import('/static/js/moves.js').then(({ notation, parsed }) =>"
    " moves.map(([text, player]) => notation(parsed(text, player))))"
)


def records(game: str) -> Iterator[Record]:
    """Yield games in which everything happens that the rules know."""
    for seed in range(30):
        yield random_game(game, [f"Мира {seat}" for seat in GAMES[game]], seed, 1)


def moves_of(game: str) -> list[Move]:
    return [open_move(move) for record in records(game) for move in replay(record).match.hands[0].moves]


def whole(move: Move) -> Move:
    """Return a move as it is meant: a first tile lies with its higher half towards L unless it is said otherwise."""
    if isinstance(move, Play) and move.arm is Arm.START and move.left is None:
        return replace(move, left=move.tile.high)
    return move


def kind(move: Move) -> str:
    """Return the word that the notation has for a kind of move."""
    return "play" if isinstance(move, Play) else re.split(r" +", format_move(move).rpartition('" ')[2])[0]


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_game_can_be_told(shown: Shown, game: str) -> None:
    """The form offers just the kinds of moves that games are made of, and writes each move as it was."""
    moves = moves_of(game)
    page = shown.open("/table/t")
    assert set(page.evaluate(KINDS, game)) == {kind(move) for move in moves}
    written = page.evaluate(WRITTEN, [[format_move(move), move.player] for move in moves])
    assert [parse_move(text) for text in written] == [whole(move) for move in moves]


def test_a_tile_that_was_let_stand_is_shown_and_put_right(shown: Shown) -> None:
    """A tile beside the line is said to lie there; where it belongs must be chosen before it is put right."""
    state = shown.table.state
    text = format_move(Stood(Play("Łukasz", Tile(3, 1), Arm.RIGHT)))
    moves = [*state["moves"][:-1], {**state["moves"][-1], "text": text}]
    shown.table.change(moves=moves)
    page = shown.open("/table/t")
    expect(page.locator("#log li").first).to_contain_text("beside the line")
    page.locator("#log .entry").first.click()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_label("Where").select_option("D")
    page.get_by_role("button", name="Save").click()
    shown.told({"op": "correct", "number": 11, "text": '"Łukasz" 3-1 D', "insert": False})


def test_a_pass_in_tiu_u_is_one_key_or_inserted(shown: Shown, demo: Path) -> None:
    """Who has nothing that pairs passes: told by a key, and in the form before the tile that was turned."""
    turned = {
        "number": 1,
        "hand": 1,
        "player": "Ana",
        "text": "Ana turns 6-1",
        "known": "seen",
        "points": 0,
        "at": None,
    }
    shown.table.state = {
        **canned.bingo(demo).state,
        "game": "tiu-u",
        "set": "chinese",
        "board": None,
        "moves": [turned],
    }
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(1)
    page.keyboard.press("p")
    shown.told({"op": "pass", "player": "Bo"})
    page.locator("#log .entry").first.click()
    page.get_by_label("What").select_option("passes")
    page.get_by_role("button", name="Insert before").click()
    shown.told({"op": "correct", "number": 1, "text": '"Ana" passes', "insert": True})


def test_a_draw_in_bingo_is_one_key_or_told(shown: Shown, demo: Path) -> None:
    """A tile that was drawn and not seen: told by a key, and in the form for whoever drew it."""
    shown.table.state = canned.bingo(demo).state
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(1)
    page.keyboard.press("d")
    shown.told({"op": "draw", "player": "Bo"})
    page.keyboard.press("a")
    tell(page, "Ana", "draws")
    shown.told({"op": "move", "text": '"Ana" draws ?'})
    assert page.locator("[data-action=pass]").count() == 0, "nobody passes in Bingo"


def tell(page: Page, player: str, what: str) -> None:
    page.get_by_label("Player").select_option(player)
    page.get_by_label("What").select_option(what)
    page.get_by_role("dialog").get_by_role("button", name="Add a move").click()
