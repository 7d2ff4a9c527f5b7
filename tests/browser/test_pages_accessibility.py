"""axe over every page, light and dark; the language of a page; stillness where it is wished for."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import canned
from tests.browser.conftest import Shown

pytestmark = pytest.mark.browser
GRAVE = {"serious", "critical"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(shown: Shown, scheme: Any) -> None:
    """No page has a serious or critical fault, with a question open, and in its dialogs too."""
    shown.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    shown.table.change_private(questions=[canned.question()])
    shown.table.answers["tiles"] = []
    found: dict[str, list[str]] = {}
    page = shown.open("/table/t")
    expect(page.locator(".crop")).to_have_count(2)
    found["table"] = grave(page)
    for key in ("l", "s", "h", "a", "m", "z", "i", "t", "o", "j", "c", "?"):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        found[f"table {key}"] = grave(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    for path, ready in (("/", ".table-card"), ("/count", ".shutter"), ("/player/t", ".pick"), ("/camera/t", "#sent")):
        shown.open(path)
        expect(page.locator(ready).first).to_be_visible()
        if path == "/":
            page.locator("#new").click()
            expect(page.locator(".game-card")).to_have_count(4)
        found[path] = grave(page)
    shown.open("/overlay/t?theme=layout", token=False)
    expect(page.locator("#plates")).to_be_visible()
    found["overlay"] = grave(page)
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_page_speaks_the_language_that_was_chosen(shown: Shown) -> None:
    """A chosen language is kept, set on the document, and names stay in their own script."""
    page = shown.open("/table/t", token=False)
    page.locator("#language").select_option("sr-Cyrl")
    expect(page.locator("html")).to_have_attribute("lang", "sr-Cyrl")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    expect(page.locator(".score .hand")).to_have_text("Дељење 3 · до 150")
    expect(page.locator(".side-row").first).to_contain_text("Łukasz")
    page.reload()
    expect(page.locator("#log").locator("li").first).to_contain_text("доњи крак")


def moving(page: Page) -> bool:
    """Whether anything on a page is in motion, or would be when a button is pointed at."""
    lasting = (
        "[...document.querySelectorAll('*')].some(each =>"
        " getComputedStyle(each).transitionDuration.split(',').some(time => parseFloat(time) > 0))"
    )
    return bool(page.evaluate(f"document.getAnimations().length > 0 || {lasting}"))


@pytest.mark.parametrize("path", ["/overlay/t?theme=scoreboard", "/table/t"])
def test_nothing_moves_for_who_wants_it_still(shown: Shown, path: str) -> None:
    """News and moves appear without motion where less of it is wished for; elsewhere they come in gently."""
    page = shown.page
    for wish, moves in (("no-preference", True), ("reduce", False)):
        page.emulate_media(reduced_motion=wish)  # type: ignore[arg-type]
        shown.open(path, token=False)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("strong, .points").first).to_be_visible()
        page.wait_for_timeout(600)
        shown.table.emit("move", hand=3, number=11, player="Мира", text="Мира 6-5 U", known="seen", points=0)
        shown.table.emit("correction", hand=3, number=8, before="Мира 6-4 D", after="Мира 5-4 D")
        page.wait_for_function("() => document.querySelector('#says p, #news:not([hidden]) p')")
        assert moving(page) is moves, wish


def grave(page: Page) -> list[str]:
    """Return the serious faults of a page as it is."""
    report = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{fault['id']}: {node['target']} {node.get('failureSummary', '')}"
        for fault in report["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]
