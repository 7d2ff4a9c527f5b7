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


def test_photographs_where_the_page_is_not_secure(shown: Shown, demo: Path) -> None:
    """Without getUserMedia the page says why and posts a photograph instead."""
    shown.page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', {value: undefined})")
    shown.table.answers["tables/t/photo"] = {"taken": True, "picture": 2}
    page = shown.open("/camera/t?lang=pl")
    expect(page.locator("#why")).to_contain_text("https")
    page.locator("#file").set_input_files(demo / "cincos.jpg")
    expect(page.locator("#photo-said")).to_have_text("Stół ma już zdjęcie.")
    assert ("POST tables/t/photo", ["picture"]) in shown.table.requests
