"""The first page with its guided set-up, counting tiles, and a player's own page."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Shown

pytestmark = pytest.mark.browser


def test_guided_set_up_makes_a_table(shown: Shown) -> None:
    """Game, house rule, names and camera are chosen step by step; the new table is made, started and opened."""
    table = {"id": "t", "name": "x"}
    shown.table.answers["tables"] = []
    page = shown.open("/")
    expect(page.locator(".game-card")).to_have_count(4)
    shown.table.answers["tables"] = {"table": table, "tokens": {"keeper": "dt_keeper", "judge": "j", "camera": "c"}}
    page.get_by_role("radio", name="Cincos").check()
    page.locator("summary").click()
    page.get_by_label("What target means.").fill("200")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio", name="2", exact=True).check()
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill("Мира")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("radio", name="A phone")).to_be_checked()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    made: Any = next(body for what, body in shown.table.requests if what == "POST tables")
    assert made["game"] == "cincos"
    assert made["seats"] == ["Ana", "Мира"]
    assert made["options"] == {"target": "200"}
    assert made["source"] == "push"
    assert ("POST tables/t/start", {}) in shown.table.requests


def test_first_page_without_a_token_only_lists(shown: Shown) -> None:
    """Who has no token sees the open tables, and how to get one, but no set-up."""
    page = shown.open("/", token=False)
    expect(page.locator(".table-card")).to_contain_text("Table one")
    expect(page.locator("#locked")).to_be_visible()
    expect(page.locator("#new")).to_be_hidden()


def test_tiles_are_counted_and_put_right(shown: Shown, demo: Path) -> None:
    """A photograph's tiles are summed with the right plural; what is misread is taken out and the sum follows."""
    box = {"quad": [[100, 100], [140, 100], [140, 180], [100, 180]], "tile": "6-4", "confidence": 0.9}
    found = {"name": "x", "set": "double-six", "tiles": ["6-4", "3-1"], "pips": 14, "size": [1280, 960], "boxes": [box]}
    shown.table.answers["count"] = {"hands": [found], "pips": 14}
    page = shown.open("/count?lang=pl", token=False)
    page.locator("#file").set_input_files(demo / "hand.jpg")
    expect(page.locator("#total")).to_contain_text("14 oczek")
    expect(page.locator("#total")).to_contain_text("2 kamienie")
    page.get_by_role("button", name="Usuń 6-4").click()
    expect(page.locator("#total")).to_contain_text("4 oczka")


@pytest.mark.parametrize(
    ("path", "asked"),
    [("/count", "POST count"), ("/player/t", "POST tables/t/advice"), ("/camera/t", "POST tables/t/photo")],
)
def test_picture_chosen_before_the_page_is_ready_is_not_lost(shown: Shown, demo: Path, path: str, asked: str) -> None:
    """A page that still loads its words takes, once it is ready, what was chosen before, and takes it once."""
    held: list[Route] = []
    shown.page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})")

    def hold(words: Route) -> None:
        held.append(words)

    shown.page.route("**/locales/*.json", hold)
    page = shown.open(path)
    page.locator("#file").set_input_files(demo / "hand.jpg")
    expect(page.locator("h1")).to_be_empty()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        for words in held:
            words.continue_()
    expect(page.locator("h1")).not_to_be_empty()
    assert [what for what, _ in shown.table.requests if what.startswith("POST")] == [asked]


def test_player_sees_legal_plays_that_follow_the_table(shown: Shown) -> None:
    """A hand tapped in gets plays with points; they are asked for anew when the table moves, and can be covered."""
    play = {"tile": "6-5", "arm": "U", "text": "Ana 6-5 U", "points": 15, "count": 15}
    shown.table.answers["tables/t/advice"] = {"hand": ["6-5"], "plays": [play], "must_draw": False, "pass": False}
    page = shown.open("/player/t")
    page.get_by_role("button", name="6-5", exact=True).click()
    expect(page.locator("#plays li")).to_contain_text("15 points")
    shown.table.answers["tables/t/advice"] = {"hand": ["6-5"], "plays": [], "must_draw": True, "pass": False}
    shown.table.change(moves=shown.table.state["moves"][:-1])
    expect(page.locator("#plays li")).to_have_text("Nothing fits: draw.")
    assert ("POST tables/t/advice", {"hand": ["6-5"]}) in shown.table.requests
    page.locator("#hide").click()
    expect(page.locator("#private")).to_be_hidden()
    page.locator("#cover").click()
    expect(page.locator("#private")).to_be_visible()
