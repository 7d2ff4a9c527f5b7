"""Write the pictures of the pages in docs/pages: `python -m tests.browser.screenshots [folder]`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from domino_rules.games.cincos import CINCOS, scored_plays
from domino_rules.layout import Layout
from domino_rules.tile import Tile
from tests.browser import canned
from tests.browser.fake_server import KEY, running

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "datasets" / "demo"
QUALITY = 80
THEMES = ("scoreboard", "layout", "minimal")
HAND = ("6-3", "5-2", "4-4", "2-2")
PHONE = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        table = canned.cincos(DEMO)
        with running(table) as base:
            console = f"{base}/table/t#token={KEY}"
            _save(folder / "console.webp", _shot(browser, console, (1440, 900)))
            _save(folder / "console-dark.webp", _shot(browser, console, (1440, 900), color_scheme="dark"))
            for theme in THEMES:
                picture = _shot(browser, f"{base}/overlay/t?theme={theme}", (1920, 1080), omit=True)
                _save(
                    folder / f"overlay-{theme}.webp",
                    cv2.resize(_over_demo(picture), (960, 540), interpolation=cv2.INTER_AREA),
                )
            table.change_private(questions=[canned.question()])
            _save(folder / "console-question.webp", _shot(browser, console, (1440, 900)))
            _save(folder / "console-phone.webp", _shot(browser, console, (390, 844), **PHONE))
            table.answers["tables/t/advice"] = _advice()
            own = f"{base}/player/t#token={KEY}"
            _save(folder / "player.webp", _shot(browser, own, (390, 844), before=_tap_hand, **PHONE))
            setup = _shot(browser, f"{base}/#token={KEY}", (1280, 800), before=lambda page: page.click("#new"))
            _save(folder / "setup.webp", setup)
        browser.close()


def _shot(
    browser: Browser,
    address: str,
    size: tuple[int, int],
    *,
    omit: bool = False,
    before: Callable[[Page], Any] | None = None,
    **how: Any,
) -> np.ndarray[Any, Any]:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en", **how)
    page = context.new_page()
    page.goto(address)
    page.wait_for_timeout(2500)
    if before is not None:
        before(page)
        page.wait_for_timeout(1500)
    data = page.screenshot(omit_background=omit, type="png")
    context.close()
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    return picture


def _tap_hand(page: Page) -> None:
    for tile in HAND:
        page.get_by_role("button", name=tile, exact=True).click()


def _advice() -> dict[str, Any]:
    found = scored_plays(Layout.parse(canned.LAYOUT), tuple(map(Tile.parse, HAND)), CINCOS.rules())
    rows = [
        {"tile": str(play.tile), "arm": play.arm.value, "text": "", "points": play.points, "count": play.count}
        for play in sorted(found, key=lambda play: -play.points)
    ]
    return {"hand": list(HAND), "plays": rows, "must_draw": False, "pass": False, "turn": True}


def _over_demo(picture: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Lay an overlay over a picture of a table, as a stream would."""
    ground = cv2.imread(str(DEMO / "cincos.jpg"))
    assert ground is not None
    height = round(ground.shape[1] * 1080 / 1920)
    top = (ground.shape[0] - height) // 2
    ground = cv2.resize(ground[top : top + height], (1920, 1080), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    alpha = picture[:, :, 3:].astype(np.float32) / 255
    return (picture[:, :, :3] * alpha + ground * (1 - alpha)).round().astype(np.uint8)


def _save(path: Path, picture: np.ndarray[Any, Any]) -> None:
    cv2.imwrite(str(path), picture[:, :, :3], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    print(path, path.stat().st_size)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pages")
