"""A phone meets `serve --https`: the page to trust the computer, and the one that makes the phone its camera."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from playwright.sync_api import Browser, Page, expect

from domino_rules.explain import LANGUAGES
from domino_server.machine import lan_address, this_machine
from tests.browser.conftest import PATIENCE_MS
from tests.browser.test_pages_accessibility import grave
from tests.serving import Served, serving

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


NETWORK = ("--host", "0.0.0.0", "--game", "cincos", "--seats", "Ana,Bo", "--opener", "Ana")  # noqa: S104


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving("--https", *NETWORK, data=tmp_path_factory.mktemp("data")) as base:
        yield base


def phone(browser: Browser, address: str) -> Page:
    """Open a page as a phone that goes on past the warning of a certificate that it does not trust yet."""
    page = browser.new_context(**PHONE, ignore_https_errors=True).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    return page


def on_loopback(link: str) -> str:
    """Return a printed link for a browser on the same machine."""
    parts = urlsplit(link)
    return parts._replace(netloc=f"127.0.0.1:{parts.port}").geturl()


def test_the_page_to_trust_explains_itself_and_gives_the_authority(browser: Browser, served: Served) -> None:
    """Over plain HTTP, in every language, readable on a phone; what is downloaded is the authority that is served."""
    page = phone(browser, on_loopback(served.line("trust")))
    expect(page.locator("code")).to_have_text(_fingerprint(served))
    seen = {page.locator("html").get_attribute("lang")}
    for lang in LANGUAGES:
        if lang not in seen:
            page.locator(f"nav a[lang={lang}]").click()
            expect(page.locator("html")).to_have_attribute("lang", lang)
            seen.add(lang)
        assert grave(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{lang}: wider than the phone"
        expect(page.locator("ol")).to_have_count(2)
    assert seen == set(LANGUAGES)
    with page.expect_download() as download:
        page.locator("a.main").click()
    assert download.value.suggested_filename == "dominotable.crt"
    given = Path(download.value.path()).read_bytes()
    assert given == _authority(served).public_bytes(Encoding.DER)
    page.context.close()


def test_the_phone_becomes_the_camera(browser: Browser, served: Served) -> None:
    """By the printed link: the page is secure, so its camera is live; the keeper's console shows what it sees."""
    camera = phone(browser, on_loopback(served.line("camera")))
    assert camera.evaluate("isSecureContext")
    expect(camera.locator("#line")).to_have_text("Sending")
    expect(camera.locator("#photo")).to_be_hidden()
    console = phone(browser, on_loopback(served.line("keeper")))
    expect(console.locator("#camera")).to_have_attribute("data-state", "live", timeout=60_000)
    expect(console.locator("#picture")).to_be_visible()
    assert console.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the console is wider than a phone"
    for page in (camera, console):
        page.context.close()


def test_photographs_over_plain_http(browser: Browser, tmp_path: Path, demo: Path) -> None:
    """Where nothing is encrypted no page may open a camera: the same page takes photographs, which the table reads."""
    if lan_address(this_machine()) is None:
        pytest.skip("this machine is in no network: a page from itself is secure")
    with serving(*NETWORK, data=tmp_path) as base:
        console = phone(browser, base.line("keeper"))
        console.get_by_role("button", name="Links").click()
        console.get_by_role("button", name="Show the code").click()
        part = console.locator(".link-part").filter(has_text="Phone as camera")
        link = urlsplit(part.get_by_label("Link", exact=True).input_value())
        page = phone(browser, urlsplit(base.line("network"))._replace(path=link.path, fragment=link.fragment).geturl())
        assert not page.evaluate("isSecureContext")
        expect(page.locator("#why")).to_contain_text("https")
        page.locator("#file").set_input_files(demo / "game" / "02.jpg")
        expect(page.locator("#photo-said")).to_contain_text("has the photograph", timeout=60_000)
        expect(console.locator("#boxes .box")).to_have_count(2, timeout=60_000)
        for each in (console, page):
            each.context.close()


def _authority(served: Served) -> x509.Certificate:
    return x509.load_pem_x509_certificate((served.data / "tls" / "authority.crt").read_bytes())


def _fingerprint(served: Served) -> str:
    return _authority(served).fingerprint(hashes.SHA256()).hex(":").upper()
