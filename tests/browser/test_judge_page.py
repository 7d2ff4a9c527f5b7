"""A judge walks through a dispute in real Chromium, in two languages: seen, compared, ruled on, the score follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_MS
from tests.browser.test_pages_accessibility import grave
from tests.judge_walk import SEATS, bumped, dispute
from tests.referee_games import Table
from tests.table_frames import Film
from tests.table_server import TableOfTest, listening

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WALK = dispute()
WORDS = {
    "en": {"ask": "May be against the rules", "decide": "Rule on it", "penalty": "Points are taken",
           "give": "Give the ruling", "live": "Live picture", "kept": r"\d MiB · at most 2 GiB · for 90 days"},
    "sr-Cyrl": {"ask": "Можда није по правилима", "decide": "Пресуди", "penalty": "Одузимају се поени",
                "give": "Донеси одлуку", "live": "Слика уживо", "kept": r"\d MiB · највише 2 GiB · 90 дана"},
}  # fmt: skip


@contextmanager
def playing(data: Path, tables: Sequence[Table]) -> Iterator[TableOfTest]:
    """Give a table at which these tables were photographed one after the other."""
    with listening(Film(), data=data) as house:
        made = house.make(seats=list(SEATS), opener=WALK.opener)
        for laid in tables:
            made.photograph(laid)
        yield made


@pytest.mark.parametrize("lang", list(WORDS))
def test_a_dispute_is_walked_through(browser: Browser, tmp_path: Path, lang: str) -> None:
    """The illegal play stands out with its rule; two frames are swiped; a penalty is given and the score follows."""
    with playing(tmp_path, WALK.tables) as table:
        words, mistakes = WORDS[lang], list[str]()
        page = opened(browser, table, lang, mistakes)
        now = page.locator("#now")
        expect(now).to_contain_text(words["ask"])
        expect(now.locator(".outcomes tr").first).to_be_visible()
        expect(page.locator("#strip .event[data-kind=move]")).to_have_count(3)
        expect(page.locator("#kept")).to_contain_text(re.compile(words["kept"]))
        compare(page)
        now.get_by_role("button", name=words["decide"]).click()
        expect(page.locator("#ruling-kind")).to_be_focused()
        watch_clip(page)
        page.locator("#ruling-kind").select_option("penalty")
        page.locator("#ruling input[type=number]").fill("25")
        page.locator("#ruling input:not([type=number])").first.fill("laid against the rules")
        page.locator("#ruling input:not([type=number])").nth(1).fill("Рут Đ.")
        page.locator("#ruling").get_by_role("button", name=words["give"]).click()
        expect(page.locator("#rulings")).to_contain_text("laid against the rules")
        expect(now).to_be_hidden()
        fined = next(side for side, total in table.state()["totals"].items() if total == -25)
        expect(page.locator("#score .side-row").filter(has_text=fined.split("+")[0])).to_contain_text(
            re.compile("[-−]25")
        )
        assert grave(page) == []
        assert mistakes == []
        page.context.close()


def watch_clip(page: Page) -> None:
    """The seconds around the offence play to their end, once they are over; the clip can be saved."""
    video = page.locator("#about video")
    expect(video).to_be_visible()
    expect(video).to_have_js_property("readyState", 4)
    told = video.evaluate("video => [video.duration, video.videoWidth, video.videoHeight, video.error]")
    assert 1 < told[0] <= 8
    assert told[1:] == [640, 360, None]
    video.evaluate("async video => { video.loop = false; video.playbackRate = 4; await video.play(); }")
    expect(video).to_have_js_property("ended", value=True)
    with page.expect_download() as saved:
        page.locator("#about .clip button").click()
    assert saved.value.suggested_filename.endswith(".webm")


def compare(page: Page) -> None:
    """Compare the frame of the offence with the one before it, by mouse and by keyboard."""
    lower, upper = page.locator("#lower"), page.locator("#upper")
    expect(lower).to_be_visible()
    expect(upper).to_be_visible()
    assert lower.get_attribute("data-name") != upper.get_attribute("data-name")
    page.locator("#swipe").focus()
    page.keyboard.press("End")
    expect(upper).to_have_css("clip-path", re.compile(r"inset\(0(px)? 0(px)? 0(px)? 100%\)"))
    page.keyboard.press("Home")
    expect(upper).to_have_css("clip-path", re.compile(r"inset\(0(px)?( 0(px)? 0(px)? 0%)?\)"))
    page.locator("#jump").select_option("2")
    expect(page.locator("#strip [aria-current]")).to_have_attribute("data-kind", "move")
    expect(page.locator("#layout-before")).to_be_visible()
    page.locator("#strip [aria-current]").press("ArrowRight")
    expect(page.locator("#jump")).to_have_value("3")
    page.locator("#filter").select_option("alert")
    expect(page.locator("#strip .event[data-kind=move]")).to_have_count(0)
    page.locator("#filter").select_option("all")


def test_a_bumped_table_leaves_a_ghost(browser: Browser, tmp_path: Path) -> None:
    """Where the tiles lay is drawn over the live picture while one lies elsewhere; on a phone nothing overflows."""
    mistakes = list[str]()
    with playing(tmp_path, WALK.tables[:3]) as table:
        page = opened(browser, table, "en", mistakes, width=390)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        table.photograph(bumped(WALK.tables[2]))
        expect(page.locator("#ghost-said")).to_contain_text("1 tile lies elsewhere")
        expect(page.locator("#ghost polygon[data-matches=false]")).to_have_count(1)
        expect(page.locator("#live-picture")).to_be_visible()
        assert grave(page) == []
        table.photograph(WALK.tables[2])
        expect(page.locator("#ghost polygon")).to_have_count(0)
        page.context.close()
    assert mistakes == []


def opened(browser: Browser, table: TableOfTest, lang: str, mistakes: list[str], width: int = 1280) -> Page:
    """Open the judge's page with the judge's link."""
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    page.on("console", lambda line: mistakes.append(line.text) if "Content Security" in line.text else None)
    base = table.house.client.base_url
    page.goto(f"{base}/judge/{table.id}?lang={lang}#token={table.secrets['judge']}")
    expect(page.locator("#strip .event").first).to_be_visible()
    return page
