"""Cameras chosen in the console: at this machine, over RTSP and as motion JPEG, looked through live."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from domino_server.api import catalogue
from domino_vision.gauges import Camera
from domino_vision.sources import video
from tests.browser.opening import console_of
from tests.network_cameras import EVERY_S, mjpeg_camera, rtsp_camera
from tests.referee_games import Table
from tests.table_frames import SIZE_WH, Film, pincset_tables
from tests.table_server import House, listening

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RECORD, TABLES = pincset_tables(3, 2)
OPENER = RECORD.hands[0].moves[0].move.player
BLACK = np.zeros((SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
BRIGHTNESS = """image => {
  const canvas = document.createElement("canvas"), [width, height] = [canvas.width, canvas.height] = [16, 16];
  const paint = canvas.getContext("2d");
  paint.drawImage(image, 0, 0, width, height);
  return paint.getImageData(0, 0, width, height).data.reduce((sum, value, n) => sum + (n % 4 < 3 ? value : 0), 0) / 768;
}"""


class Scene:
    """What lies before the camera."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self.picture = BLACK

    def show(self, table: Table) -> None:
        self.picture = self._film.paint(table)

    def now(self) -> np.ndarray:
        return self.picture


class Device:
    """A camera at this machine as OpenCV gives it."""

    def __init__(self, shows: Callable[[], np.ndarray]) -> None:
        self._shows = shows

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        time.sleep(EVERY_S)
        return True, self._shows()

    def release(self) -> None: ...


@contextmanager
def usb_camera(shows: Callable[[], np.ndarray]) -> Iterator[str]:
    """Plug a camera into this machine, and give its index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "camera_list", lambda: (Camera(0, "Desk camera"),))
        patch.setattr(video, "_capture", lambda _: Device(shows))
        yield "0"


@pytest.mark.parametrize("camera", [usb_camera, mjpeg_camera, rtsp_camera])
def test_camera_is_looked_through_and_chosen(browser: Browser, camera: Callable[..., Iterator[str]]) -> None:
    """What the camera sees is shown live before it is chosen; then it shows the table, and the game goes on."""
    film = Film()
    scene = Scene(film)
    with listening(film) as house, camera(scene.now) as source:  # type: ignore[attr-defined]
        page, table = opened(browser, house)
        page.keyboard.press("s")
        page.get_by_role("radio", name="A camera or a file here").check()
        if source == "0":
            page.get_by_role("button", name="Desk camera (0)").click()
        else:
            page.get_by_label("Camera, stream or file").fill(source)
            page.get_by_role("button", name="Have a look").click()
        image = page.locator(".preview img")
        expect(image).to_be_visible()
        page.wait_for_function(f"image => ({BRIGHTNESS})(image) < 10", arg=image.element_handle())
        scene.show(TABLES[0])
        page.wait_for_function(f"image => ({BRIGHTNESS})(image) > 50", arg=image.element_handle())
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("#log li")).to_have_count(1, timeout=60_000)
        expect(page.locator("#picture")).to_be_visible()
        scene.show(TABLES[1])
        expect(page.locator("#log li")).to_have_count(2, timeout=60_000)
        expect(page.locator("#camera")).to_have_attribute("data-state", "live")
        assert house.client.get(table, headers=house.admin).json()["config"]["source"] == source
        left = house.app.state.services.lookers.borrowed_tokens
        assert left == 0, "the look ended with the dialog"
        page.context.close()


def test_camera_that_cannot_be_opened_is_said(browser: Browser) -> None:
    """What is wrong stands in the dialog, in the words of the page."""
    with listening(Film()) as house:
        page, _ = opened(browser, house)
        page.keyboard.press("s")
        page.get_by_role("radio", name="A camera or a file here").check()
        page.get_by_label("Camera, stream or file").fill("http://127.0.0.1:9/nothing")
        page.get_by_role("button", name="Have a look").click()
        expect(page.locator(".own-camera [role=status]")).to_contain_text("stream", timeout=60_000)
        expect(page.locator(".preview")).to_be_hidden()
        page.context.close()


def opened(browser: Browser, house: House) -> tuple[Page, str]:
    """Open the console of a new table with its keeper's token; return it and the table's address."""
    table = house.make(opener=OPENER)
    return console_of(browser, table), table.path
