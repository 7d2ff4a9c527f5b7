"""The table's page and the overlay in real Chromium, following a folder as their camera."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.serving import serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PATIENCE_MS = 60_000


def test_page_follows_a_folder_of_photographs(page: Page, photos: Path, tmp_path: Path) -> None:
    """Pictures of a growing game in a folder change picture, count and ends on the page without a reload."""
    frames = sorted((photos / "sequences" / "hsb").glob("hsb__gestell2_*.jpg"), key=_number)[:5]
    folder = tmp_path / "camera"
    folder.mkdir()
    shutil.copy(frames[1], folder / "01.jpg")
    with serving("--source", str(folder), "--every", "0.1") as base:
        page.goto(base)
        count = page.locator("#count")
        expect(count).not_to_have_text("–", timeout=PATIENCE_MS)
        expect(page.locator("#source")).to_have_text("01.jpg")
        expect(page.get_by_role("img", name="newest picture")).to_be_visible()
        before = count.text_content()
        shutil.copy(frames[2], folder / "02.jpg")
        expect(page.locator("#source")).to_have_text("02.jpg", timeout=PATIENCE_MS)
        expect(count).not_to_have_text(before or "", timeout=PATIENCE_MS)
        expect(page.locator("#ends li").first).to_be_visible()
        expect(page.locator("#plays tr").first).to_be_visible()


def test_overlay_is_transparent_and_shows_no_advice(page: Page, demo: Path) -> None:
    """The overlay shows count and ends on transparent pixels, and nothing of hands or plays."""
    with serving("--source", str(demo), "--every", "0.1") as base:
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.goto(f"{base}/overlay")
        expect(page.locator("#count")).not_to_have_text("–", timeout=PATIENCE_MS)
        assert page.locator("table").count() == 0
        picture = page.screenshot(omit_background=True, type="png")
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_UNCHANGED)
    assert pixels is not None
    assert pixels.shape == (1080, 1920, 4)
    assert pixels[20, 1800, 3] == 0, "the ground is not transparent"
    assert pixels[:, :, 3].max() > 200, "nothing is drawn"


def test_page_reads_a_posted_photograph(page: Page, demo: Path) -> None:
    """A picture chosen in the form is read and its count shown; a text file is refused in plain words."""
    with serving() as base:
        page.goto(base)
        page.get_by_label("Picture").set_input_files(demo / "cincos.jpg")
        page.get_by_role("button", name="Read").click()
        expect(page.locator("#upload-result")).to_contain_text("count", timeout=PATIENCE_MS)
        page.get_by_label("Picture").set_input_files(
            {"name": "note.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"}
        )
        page.get_by_role("button", name="Read").click()
        expect(page.locator("#upload-result")).to_contain_text("note.jpg", timeout=PATIENCE_MS)


def _number(path: Path) -> int:
    return int(path.stem.rsplit("_", 1)[1])
