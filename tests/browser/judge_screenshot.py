"""Write docs/pages/judge.webp: the judge's page at a dispute. `python -m tests.browser.judge_screenshot [file]`."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from tests import table_frames
from tests.judge_walk import SEATS, dispute
from tests.referee_games import Table
from tests.table_frames import Film
from tests.table_server import listening

OUT = Path(__file__).resolve().parents[2] / "docs" / "pages" / "judge.webp"
SIZE = (1440, 1700)
QUALITY = 80
CELLS = {0: "", 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "adgcfi"}
"""The pips of a half: cells of three by three, named row by row."""


class Drawn(Film):
    """Tables with real pips."""

    def show(self, table: Table) -> bytes:
        self.tables.append(table)
        picture = table_frames.draw(Table(), len(self.tables) - 1)
        for quad, (_, _, pair, _) in zip(table_frames.quads_px(table), table.tiles, strict=True):
            _tile(picture, quad, pair or (0, 0))
        return table_frames.jpeg(cv2.GaussianBlur(picture, (3, 3), 0))


def _tile(picture: np.ndarray, quad: np.ndarray, pair: tuple[int, int]) -> None:
    shadow = (quad + 5).round().astype(np.int32)
    cv2.fillPoly(picture, [shadow], (34, 62, 34), cv2.LINE_AA)
    cv2.fillPoly(picture, [quad.round().astype(np.int32)], (222, 236, 242), cv2.LINE_AA)
    head, side = (quad[0] + quad[1]) / 2 - quad.mean(0), (quad[1] - quad[0]) / 2
    bar = [(quad.mean(0) + side * k).round().astype(int).tolist() for k in (-0.8, 0.8)]
    cv2.line(picture, bar[0], bar[1], (130, 140, 150), 2, cv2.LINE_AA)
    for half, pips in enumerate(pair):
        middle = quad.mean(0) + head * (0.5 if half == 0 else -0.5)
        for cell in CELLS[pips]:
            row, column = divmod(ord(cell) - ord("a"), 3)
            at = middle + head * 0.29 * (row - 1) + side * 0.55 * (column - 1)
            cv2.circle(
                picture, (round(at[0]), round(at[1])), round(np.hypot(*side) * 0.15), (30, 26, 24), -1, cv2.LINE_AA
            )


def main(out: Path) -> None:
    """Take the picture."""
    table_frames.PX_PER_MM = 3.4
    walk = dispute(most=4)
    with tempfile.TemporaryDirectory() as data, listening(Drawn(), data=Path(data)) as house:
        table = house.make(name="Table two", seats=list(SEATS), opener=walk.opener)
        for laid in walk.tables:
            table.photograph(laid)
        with sync_playwright() as playwright:
            arguments = ["--no-sandbox", "--disable-gpu"]
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
            page = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, locale="en").new_page()
            page.goto(f"{house.client.base_url}/judge/{table.id}#token={table.secrets['judge']}")
            page.wait_for_selector("#upper:not([hidden])")
            page.wait_for_selector("#about video", timeout=60_000)
            page.wait_for_timeout(2500)
            page.locator("#about video").evaluate("video => { video.currentTime = video.duration * 0.6; }")
            page.locator("#swipe").fill("62")
            page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
            page.wait_for_timeout(2500)
            data_png = page.screenshot(type="png")
            browser.close()
    picture = cv2.imdecode(np.frombuffer(data_png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    cv2.imwrite(str(out), picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT)
