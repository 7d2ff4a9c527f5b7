"""The overlay over a canned table: transparent pixels, themes, delay, each correction said once, the public alone."""

import time
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from domino_rules.layout import Layout
from tests.browser.conftest import Shown

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("theme", "there", "not_there"),
    [
        ("scoreboard", ("plates", "last", "ends"), ("table",)),
        ("layout", ("plates", "table", "ends", "last"), ()),
        ("minimal", ("plates",), ("table", "last", "ends")),
    ],
)
def test_theme_shows_its_parts_on_transparent_pixels(
    shown: Shown, theme: str, there: tuple[str, ...], not_there: tuple[str, ...]
) -> None:
    """Each theme draws its plates, and every pixel that no plate covers is wholly transparent."""
    page = _open(shown, f"theme={theme}")
    for name in there:
        expect(page.locator(f"#{name}")).to_be_visible()
    for name in not_there:
        expect(page.locator(f"#{name}")).to_be_hidden()
    if theme == "layout":
        expect(page.locator("#layout")).to_be_visible()
    expect(page.locator("#plates strong")).to_have_text(["85", "60"])
    page.wait_for_timeout(400)
    alpha = _alpha(page)
    assert alpha.shape == (1080, 1920)
    covered = np.zeros(alpha.shape, bool)
    for name in there:
        box = page.locator(f"#{name}").bounding_box()
        assert box is not None
        left, top = int(box["x"]) - 1, int(box["y"]) - 1
        covered[max(top, 0) : int(box["y"] + box["height"]) + 2, max(left, 0) : int(box["x"] + box["width"]) + 2] = True
    assert alpha[~covered].max() == 0, "something is drawn outside of the plates"
    assert alpha[covered].max() == 255, "the plates have no ink"
    assert covered.mean() < 0.45, "the plates cover too much of the stream"


def test_open_ends_add_up_to_the_count(shown: Shown) -> None:
    """At a spinner that is still covered on one side only, and at a double, each end says what it counts."""
    layout = Layout.parse("6-6 R:6-5 R:5-5")
    ends = [{"arm": end.arm.value, "pips": end.pips, "count": end.count} for end in layout.open_ends]
    page = _open(shown, "theme=scoreboard")
    shown.table.change(layout={"text": str(layout), "ends": ends, "count": layout.count})
    expect(page.locator("#ends .count strong")).to_have_text(str(layout.count))
    said = page.locator("#ends li")
    expect(said).to_have_text(["" if end["count"] == end["pips"] else f"counts {end['count']}" for end in ends])
    assert sum(end["count"] for end in ends) == layout.count


def test_correction_is_said_once_though_the_line_is_torn(shown: Shown) -> None:
    """A correction is shown when it comes and not again when it is repeated after the connection was lost."""
    page = _open(shown, "theme=scoreboard&lang=es")
    expect(page.locator("#plates strong")).to_have_text(["85", "60"])
    page.evaluate(
        """() => { window.said = 0; const news = document.getElementById("news"); let was = news.hidden;
        new MutationObserver(() => { if (was && !news.hidden) window.said += 1; was = news.hidden; })
          .observe(news, {attributes: true}); }"""
    )
    shown.table.emit("correction", hand=3, number=8, before="Мира 6-4 D", after="Мира 5-4 D")
    expect(page.locator("#news")).to_contain_text("Corregido: Мира: 5-4 abajo (no Мира: 6-4 abajo)")
    shown.table.down = True
    page.wait_for_timeout(400)
    shown.table.events.append(dict(shown.table.events[-1]))
    shown.table.change(totals={"Ana+Łukasz": 90, "Đorđe+Мира": 60})
    shown.table.down = False
    expect(page.locator("#plates strong")).to_have_text(["90", "60"])
    expect(page.locator("#news")).to_be_hidden(timeout=15_000)
    page.wait_for_timeout(300)
    assert page.evaluate("window.said") == 1


def test_delay_holds_everything_back(shown: Shown) -> None:
    """With a delay a new score is shown that much later than it came."""
    page = _open(shown, "theme=minimal&delay=3")
    expect(page.locator("#plates strong")).to_have_text(["85", "60"])
    shown.table.change(totals={"Ana+Łukasz": 95, "Đorđe+Мира": 60})
    began = time.monotonic()
    expect(page.locator("#plates strong").first).to_have_text("95", timeout=20_000)
    assert time.monotonic() - began > 2.5


@pytest.mark.parametrize(
    ("wishes", "there"),
    [
        ("theme=minimal&show=score,last", {"plates", "last"}),
        ("theme=scoreboard&show= layout , ends", {"table", "ends"}),
        ("theme=layout&show=score,nothing", {"plates"}),
        ("show=", set()),
    ],
)
def test_what_is_to_be_shown_is_shown_and_nothing_else(shown: Shown, wishes: str, there: set[str]) -> None:
    """`show=` names the parts, whatever the theme; what is none is passed over. News are a part like any other."""
    page = _open(shown, wishes)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.wait_for_function("state => document.title !== state", arg="")
    for name in ("plates", "last", "ends", "table"):
        visible = expect(page.locator(f"#{name}"))
        if name in there:
            visible.to_be_visible()
        else:
            visible.to_be_hidden()
    shown.table.emit("correction", hand=3, number=8, before="Мира 6-4 D", after="Мира 5-4 D")
    page.wait_for_timeout(400)
    expect(page.locator("#news")).to_be_hidden()


def test_language_is_the_one_wished_for_or_the_tables(shown: Shown) -> None:
    """Without a wish the overlay speaks the table's language, also once that is another one."""
    page = _open(shown, "theme=scoreboard&lang=sr-Cyrl")
    expect(page.locator(".plates .hand")).to_have_text("Дељење 3 · до 150")
    shown.table.change(language="pl")
    page = _open(shown, "theme=scoreboard")
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    shown.table.change(language="es")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("#last")).to_contain_text("abajo")


def test_overlay_asks_for_the_public_channel_alone(shown: Shown) -> None:
    """Even in a tab that holds the house's token the overlay sends none, and asks for events and layout only."""
    asked: list[Any] = []
    expect(shown.open("/").locator(".table-card")).to_be_visible()
    shown.page.on("request", lambda request: asked.append(request))  # noqa: PLW0108 - Playwright marks its handlers
    page = _open(shown, "theme=layout")
    expect(page.locator("#layout")).to_be_visible()
    api = [request for request in asked if "/api/" in request.url]
    assert {request.url.rsplit("/", 1)[-1] for request in api} == {"events", "layout.svg"}
    assert not any("authorization" in request.headers for request in asked)


@pytest.mark.parametrize("size", [(1440, 900), (1280, 1080), (2560, 1440)])
def test_a_window_of_another_size_shows_the_whole_stage(shown: Shown, size: tuple[int, int]) -> None:
    """Every plate lies in the window, as large as the window allows, on transparent pixels; resizing fits it anew."""
    page = _open(shown, "theme=layout")
    expect(page.locator("#layout")).to_be_visible()
    page.wait_for_timeout(400)
    names = ("plates", "table", "last", "ends")
    stage = {name: page.locator(f"#{name}").bounding_box() for name in names}
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function("wide => innerWidth === wide", arg=size[0])
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    scale = min(size[0] / 1920, size[1] / 1080)
    for name in names:
        before, now = stage[name], page.locator(f"#{name}").bounding_box()
        assert before is not None
        assert now is not None
        assert {side: now[side] for side in before} == pytest.approx({side: scale * before[side] for side in before})
        assert now["x"] + now["width"] <= size[0]
        assert now["y"] + now["height"] <= size[1]
    alpha = _alpha(page)
    assert alpha.shape == (size[1], size[0])
    assert alpha.max() == 255
    assert (alpha == 0).mean() > 0.5


def test_unknown_theme_is_the_scoreboard_and_said_in_the_console(shown: Shown) -> None:
    """A theme that is none shows the default one, and the browser's console names those that there are."""
    said: list[str] = []
    shown.page.on("console", lambda message: said.append(message.text))
    page = _open(shown, "theme=foo")
    expect(page.locator("#plates strong")).to_have_text(["85", "60"])
    assert page.locator("body").get_attribute("data-theme") == "scoreboard"
    assert [text for text in said if "foo" in text] == [
        "no theme foo: scoreboard is shown; there are scoreboard, layout, minimal"
    ]


def _open(shown: Shown, wishes: str) -> Page:
    shown.page.set_viewport_size({"width": 1920, "height": 1080})
    return shown.open(f"/overlay/t?{wishes}", token=False)


def _alpha(page: Page) -> np.ndarray[Any, np.dtype[np.uint8]]:
    picture = page.screenshot(omit_background=True, type="png")
    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_UNCHANGED)
    assert pixels is not None
    assert pixels.shape[2] == 4
    return pixels[:, :, 3].astype(np.uint8)
