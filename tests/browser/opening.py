"""Pages opened as people open them, each in a browser profile of its own."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_MS
from tests.table_server import TableOfTest


def opened(browser: Browser, address: str, *, init: str = "") -> Page:
    """Open a page in English on a small screen; `init` is a script that runs before its own."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en").new_page()
    page.set_default_timeout(PATIENCE_MS)
    if init:
        page.add_init_script(init)
    page.goto(address)
    return page


def console_of(browser: Browser, table: TableOfTest) -> Page:
    """Open the keeper's console of a table, and wait until it knows the table."""
    page = opened(browser, f"{table.house.client.base_url}/table/{table.id}#token={table.secrets['keeper']}")
    expect(page.locator("#name")).to_have_text("T")
    return page
