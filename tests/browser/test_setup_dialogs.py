"""Guided set-up in the console: what the camera knows of its table, and tiles of one's own."""

import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Shown
from tests.browser.test_pages_accessibility import grave

pytestmark = pytest.mark.browser
CAMERA = {"state": "live", "label": "phone", "fps": 5.0, "size": [1280, 960], "code": None, "detail": None}


def test_camera_check_follows_what_is_known(shown: Shown) -> None:
    """Each tick stands for something in the state, and comes and goes with it while the dialog is open."""
    page = shown.open("/table/t")
    shown.table.change(camera={**CAMERA, "state": "waiting", "size": None})
    page.locator("#calibration").click()
    checks = page.locator(".checks li")
    expect(checks).to_have_count(4)
    expect(page.locator(".checks [data-done='true']")).to_have_count(0)
    shown.table.change(camera=CAMERA)
    expect(checks.nth(0)).to_have_attribute("data-done", "true")
    expect(checks.nth(0)).to_contain_text("1280 × 960 pixels")
    shown.table.change_private(calibration={"tiles": 3, "mm_per_px": 0.456, "zones": "preset"})
    expect(page.locator(".checks [data-done='true']")).to_have_count(4)
    expect(checks.nth(1)).to_contain_text("3 tiles")
    expect(checks.nth(2)).to_contain_text("0.46 mm")
    assert grave(page) == []
    shown.table.change_private(calibration={"tiles": 0, "mm_per_px": 0.456, "zones": "preset"})
    expect(checks.nth(1)).to_have_attribute("data-done", "false")


def test_own_tiles_are_taught_in_three_steps_by_keyboard(shown: Shown, demo: Path) -> None:
    """A name, pictures, what was found and is missing, and the table plays with them."""
    known = {"name": "abuelo", "set": "double-six", "tiles": 14, "kinds": 14, "of": 28, "problem": None}
    found = {"name": "casa", "set": "double-six", "tiles": ["6-6", "6-5", "5-5"], "missing": ["1-0", "0-0"]}
    shown.table.answers.update(tiles=[known])
    page = shown.open("/table/t")
    expect(page.locator("#log li")).to_have_count(11)
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Step 1 of 3")).to_be_visible()
    expect(page.locator(".own-tiles select").first.locator("option")).to_have_text(
        ["New tiles", "abuelo (14 of 28 seen)"]
    )
    assert grave(page) == []
    page.get_by_label("Name").fill("casa")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Step 2 of 3")).to_be_focused()
    page.get_by_label("Take or choose pictures").set_input_files(demo / "cincos.jpg")
    page.get_by_role("button", name="Use what the camera shows now").click()
    expect(page.locator(".own-tiles li")).to_have_count(2)
    assert grave(page) == []
    shown.table.answers["tiles"] = found
    page.get_by_role("button", name="Find the tiles").press("Enter")
    expect(page.locator(".own-found")).to_contain_text("Found: 3 tiles")
    expect(page.locator(".own-found")).to_contain_text("Not seen yet: 2 tiles")
    assert grave(page) == []
    assert _sent(shown, "POST tiles") == ["add", "name", "picture", "set"]
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".own-tiles select").first).to_have_value("casa")  # more pictures are added to what is there
    page.get_by_role("button", name="Use at this table").click()
    page.get_by_role("button", name="Use at this table").press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert _sent(shown, "PATCH tables/t") == {"config": {"tiles": "casa"}}


def test_tiles_in_doubt_are_named_by_hand(shown: Shown, demo: Path) -> None:
    """Where the pictures do not tell, the dialog says so and asks which tiles lie there."""
    shown.table.answers.update(tiles=[])
    page = shown.open("/table/t")
    page.locator("#own-tiles").click()
    page.get_by_label("Name").fill("casa")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_label("Take or choose pictures").set_input_files(demo / "cincos.jpg")
    problem = {"status": 422, "code": "tiles_doubtful", "detail": "doubt", "title": "", "params": {"doubts": ["x"]}}
    page.route("**/api/v1/tiles", lambda route: route.fulfill(status=422, json=problem))
    page.get_by_role("button", name="Find the tiles").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("cannot be told apart")
    page.get_by_label("Tiles in cincos.jpg").fill("6-6, 5-5")
    page.unroute("**/api/v1/tiles")
    shown.table.answers["tiles"] = {"name": "casa", "set": "double-six", "tiles": ["6-6"], "missing": []}
    page.get_by_role("button", name="Find the tiles").click()
    expect(page.locator(".own-found")).to_contain_text("All tiles of the set were seen.")
    assert _sent(shown, "POST tiles") == ["add", "name", "picture", "seen", "set"]


def _sent(shown: Shown, what: str) -> Any:
    """Return the newest body of a request, once it has come."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        bodies = [body for name, body in shown.table.requests if name == what]
        if bodies:
            return bodies[-1]
        time.sleep(0.02)
    raise AssertionError(f"{what} was not sent: {shown.table.requests}")
