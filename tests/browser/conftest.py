"""Real Chromium for the pages: Debian's browser, or whatever CHROMIUM names; and the canned tables it is shown."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import canned
from tests.browser.camera_file import CameraFile
from tests.browser.fake_server import KEY, FakeTable, running
from tests.table_frames import SIZE_WH

PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the installed Chromium without reaching for the internet, with a camera that is none."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium, or set CHROMIUM")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    camera = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=fps=5"]
    arguments = [*quiet, *camera, "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
    return {**browser_type_launch_args, "executable_path": path, "args": arguments}


@pytest.fixture
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CameraFile]:
    """The camera of `camera_browser`; its parameter is the size of its pictures."""
    with CameraFile(tmp_path / "camera.y4m", getattr(request, "param", SIZE_WH)) as file:
        yield file


@pytest.fixture
def camera_browser(
    launch_browser: Callable[..., Browser], browser_type_launch_args: dict[str, Any], camera: CameraFile
) -> Iterator[Browser]:
    """A browser of its own for a test, whose camera sees what the test shows."""
    browser = launch_browser(args=[*browser_type_launch_args["args"], *camera.arguments])
    yield browser
    browser.close()


@dataclass(frozen=True, slots=True)
class Shown:
    """A canned table and the page that shows it."""

    page: Page
    table: FakeTable
    base: str

    def open(self, path: str, *, token: bool = True) -> Page:
        """Open a page of the table and wait until it knows the table."""
        self.page.goto(f"{self.base}{path}{f'#token={KEY}' if token else ''}")
        return self.page

    def told(self, wanted: dict[str, Any] | Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the page told a command and return it."""
        matches = wanted if callable(wanted) else wanted.__eq__
        deadline = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < deadline:
            found = [command for command in self.table.commands if matches(command) is True]
            if found:
                return found[0]
            self.page.wait_for_timeout(50)
        raise AssertionError(f"not told; told was {self.table.commands}")


@pytest.fixture
def shown(page: Page, demo: Path) -> Iterator[Shown]:
    """A table at Cincos with two pairs; what the page says wrong in its console fails the test."""
    page.set_default_timeout(PATIENCE_MS)
    mistakes: list[str] = []
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    page.on("console", lambda line: mistakes.append(line.text) if "Content Security" in line.text else None)
    table = canned.cincos(demo)
    with running(table) as base:
        yield Shown(page, table, base)
    assert mistakes == []
