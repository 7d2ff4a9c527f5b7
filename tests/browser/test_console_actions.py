"""What a keeper tells a table from the console beside moves: hands, matches, points, names, house rules, its life."""

from __future__ import annotations

from collections.abc import Iterator
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Shown
from tests.browser.opening import console_of
from tests.browser.test_pages_accessibility import grave
from tests.table_frames import Film, pincset_tables
from tests.table_server import House, listening

pytestmark = pytest.mark.browser
RECORD, TABLES = pincset_tables(3, 2)
OPENER = RECORD.hands[0].moves[0].move.player


@pytest.fixture
def server() -> Iterator[House]:
    with listening(Film()) as running:
        yield running


def test_hands_and_matches_are_begun_by_keys(shown: Shown) -> None:
    """The next hand at once; who leads is picked; a new match and a new deal only after a question."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("n")
    shown.told({"op": "next_hand"})
    page.keyboard.press("o")
    page.get_by_role("button", name="Łukasz", exact=True).click()
    shown.told({"op": "opener", "player": "Łukasz"})
    for key, op, yes in (("w", "new_match", "New match"), ("g", "redeal", "Deal again")):
        page.keyboard.press(key)
        page.get_by_role("button", name="Cancel").click()
        page.keyboard.press(key)
        page.get_by_role("dialog").get_by_role("button", name=yes).click()
        shown.told({"op": op})
    assert [told["op"] for told in shown.table.commands] == ["next_hand", "opener", "new_match", "redeal"]


def test_points_are_given_and_called(shown: Shown) -> None:
    """Points with a note for a side, fewer than none too; and what a player calls for the last move."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("j")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Side").select_option("Đorđe+Мира")
    dialog.get_by_label("Points").fill("-15")
    dialog.get_by_label("Why").fill("late")
    dialog.get_by_role("button", name="Save").click()
    shown.told({"op": "adjust", "side": "Đorđe+Мира", "points": -15, "note": "late"})
    page.keyboard.press("c")
    dialog.get_by_label("Player").select_option("Ana")
    dialog.locator("input[type=number]").fill("10")
    dialog.locator("button.main").click()
    shown.told({"op": "claim", "player": "Ana", "count": 10})


def test_keys_are_listed_and_can_be_turned_off(shown: Shown) -> None:
    """`?` shows what each key does; who turns single keys off types in peace."""
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("?")
    listed = page.locator(".keys dt").all_text_contents()
    assert {"P", "U", "R", "M", "Z", "I", "T", "L", "S", "V", "B"} <= set(listed)
    page.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.wait_for_timeout(300)
    assert shown.table.commands == []


def test_settings_of_a_running_table(browser: Browser, server: House) -> None:
    """Names are changed in what was played, options and tournament mode are kept; the record is saved as a file."""
    table = server.make(opener=OPENER)
    table.photograph(TABLES[0])
    page = console_of(browser, table)
    expect(page.locator("#log li")).to_have_count(1)
    page.keyboard.press("s")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the table").fill("Стол 7")
    seats = dialog.get_by_role("group", name="Players").get_by_role("textbox")
    for at, name in enumerate(("Ana", "Đorđe", "Łukasz", "Мира")):
        seats.nth(at).fill(name)
    dialog.locator("summary").click()
    target = dialog.locator(".option").filter(has_text="target").get_by_role("spinbutton").first
    target.fill("300")
    dialog.get_by_role("checkbox", name="Tournament").check()
    assert grave(page) == []
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#name")).to_have_text("Стол 7")
    expect(page.locator("#log li").first).to_contain_text(("Ana", "Đorđe", "Łukasz", "Мира")["ABCD".index(OPENER)])
    kept = server.client.get(table.path, headers=server.admin).json()
    assert kept["config"]["options"]["target"] == "300"
    assert kept["config"]["tournament"] is True
    page.keyboard.press("s")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the record").click()
    with ZipFile(saved.value.path()) as record:
        assert "Мира" in record.read("record.txt").decode()
    page.context.close()


def test_a_table_is_stopped_started_and_put_away(browser: Browser, server: House) -> None:
    """A stopped table says so and takes nothing; started it goes on; put away it is in no list any more."""
    table = server.make(opener=OPENER)
    table.photograph(TABLES[0])
    page = console_of(browser, table)
    for what, phase in (("Stop", "stopped"), ("Start", "running"), ("Stop", "stopped")):
        page.keyboard.press("s")
        page.get_by_role("button", name=what, exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        table.until(lambda state, phase=phase: state["phase"] == phase)
        expect(page.locator("#log li")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("#says")).to_contain_text("stopped")
    page.keyboard.press("s")
    page.get_by_role("button", name="Put away").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert server.client.get("/api/v1/tables", headers=server.admin).json() == []
    page.context.close()
