"""Real Chromium for the pages: Debian's browser, or whatever CHROMIUM names."""

import os
import shutil
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the installed Chromium without reaching for the internet."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium, or set CHROMIUM")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
    arguments = [*quiet, "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
    return {**browser_type_launch_args, "executable_path": path, "args": arguments}
