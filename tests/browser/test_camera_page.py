"""The phone as a camera: frames with back-pressure from a camera that is none, and photographs where there is none."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Shown

pytestmark = pytest.mark.browser


def test_live_camera_sends_a_frame_for_each_ack_and_comes_back(shown: Shown) -> None:
    """Frames come one by one, stop while the server is gone, which is said, and go on when it is back."""
    page = shown.open("/camera/t")
    expect(page.locator("#sent")).to_contain_text("a second")
    expect(page.locator("#line")).to_have_text("Sending")
    expect(page.locator("#settle")).to_have_text("reading")
    assert min(shown.table.frames) > 1000, "a frame holds no picture"
    assert shown.table.most_waiting <= 1, "a frame was sent before the last was acknowledged"
    shown.table.down = True
    expect(page.locator("#line")).to_contain_text("lost")
    before = len(shown.table.frames)
    shown.table.down = False
    expect(page.locator("#line")).to_have_text("Sending")
    page.wait_for_timeout(500)
    assert len(shown.table.frames) > before


RECORDS = """
window.asked = [];
MediaStreamTrack.prototype.applyConstraints = async function ({advanced: [wanted]}) {
  if (window.refused in wanted) throw new OverconstrainedError(window.refused);
  window.asked.push(wanted);
};"""
"""Keeps what is asked of the camera: a browser's camera that is none can do what real ones can, and changes nothing."""


def test_focus_and_exposure_are_held_once_the_picture_has_settled(shown: Shown) -> None:
    """The camera holds what it can after three seconds, lets go when it is told to, and holds again."""
    shown.page.add_init_script(RECORDS)
    page = shown.open("/camera/t")
    expect(page.locator("#sent")).to_contain_text("a second")
    expect(page.locator("#locked")).to_have_text("")
    assert page.evaluate("window.asked") == []
    expect(page.locator("#locked")).to_have_text("Held: focus, exposure")
    held, free = ([{"focusMode": mode}, {"exposureMode": mode}] for mode in ("manual", "continuous"))
    assert page.evaluate("window.asked") == held
    lock = page.get_by_role("button", name="Hold focus and light")
    expect(lock).to_have_attribute("aria-pressed", "true")
    lock.click()
    expect(page.locator("#locked")).to_have_text("")
    expect(lock).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("window.asked") == [*held, *free]
    lock.click()
    expect(page.locator("#locked")).to_have_text("Held: focus, exposure")
    assert page.evaluate("window.asked") == [*held, *free, *held]


def test_what_a_camera_refuses_is_not_said_to_be_held(shown: Shown) -> None:
    """A camera that keeps its focus for itself still holds the exposure, and the page says just that."""
    shown.page.add_init_script(f"{RECORDS} window.refused = 'focusMode';")
    page = shown.open("/camera/t")
    expect(page.locator("#locked")).to_have_text("Held: exposure")
    assert page.evaluate("window.asked") == [{"exposureMode": "manual"}]


def test_a_browser_that_can_hold_nothing_says_so(shown: Shown) -> None:
    """There is nothing to press, and a word of what to do instead."""
    shown.page.add_init_script("delete MediaStreamTrack.prototype.getCapabilities")
    page = shown.open("/camera/t")
    expect(page.locator("#locked")).to_contain_text("cannot hold focus and light")
    expect(page.locator("#lock")).to_be_hidden()


def test_photographs_where_the_page_is_not_secure(shown: Shown, demo: Path) -> None:
    """Without getUserMedia the page says why and posts a photograph instead."""
    shown.page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})")
    shown.table.answers["tables/t/photo"] = {"taken": True, "picture": 2}
    page = shown.open("/camera/t?lang=pl")
    expect(page.locator("#why")).to_contain_text("https")
    page.locator("#file").set_input_files(demo / "cincos.jpg")
    expect(page.locator("#photo-said")).to_have_text("Stół ma już zdjęcie.")
    assert ("POST tables/t/photo", ["picture"]) in shown.table.requests
