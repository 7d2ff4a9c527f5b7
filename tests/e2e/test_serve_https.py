"""`dominotable serve --https` as a phone meets it: certificate, page to trust it, QR code of the camera's page."""

import http.client
import json
import re
import socket
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from domino_server.access import Tokens
from domino_server.commands.serve_links import qr_code
from domino_server.machine import lan_address, this_machine
from domino_server.store import Place, Store
from tests.serving import Served, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for the whole network, with a table."""
    data = tmp_path_factory.mktemp("data")
    options = ("--https", "--host", "0.0.0.0", "--game", "cincos", "--seats", "Ana,Bo", "--qr")  # noqa: S104
    with serving(*options, data=data) as base:
        yield base


def port_of(served: Served) -> int:
    return int(served.rpartition(":")[2])


def trusting(served: Served) -> ssl.SSLContext:
    """Return a client that trusts the server's authority and nobody else."""
    context = ssl.create_default_context(cafile=str(served.data / "tls" / "authority.crt"))
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def test_every_address_is_served_with_a_certificate_that_holds(served: Served) -> None:
    """A client that trusts the authority opens each IPv4 address and each name of this machine over HTTPS."""
    machine = this_machine()
    addresses = [str(each) for each in machine.addresses if each.version == 4]
    assert "127.0.0.1" in addresses
    for address in addresses:
        for name in (address, *machine.names):
            with (
                socket.create_connection((address, port_of(served)), timeout=10) as plain,
                trusting(served).wrap_socket(plain, server_hostname=name) as wrapped,
            ):
                request = f"GET /api/health/live HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n"
                wrapped.sendall(request.encode())
                assert b" 200 " in wrapped.recv(100)


def test_client_that_does_not_trust_it_yet_is_warned(served: Served) -> None:
    """Without the authority the connection is refused by the client, as a phone does at first."""
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(served, timeout=10)


def test_phone_gets_the_authority_over_plain_http(served: Served) -> None:
    """The page to trust explains itself in the phone's language, and gives the very certificate that is served."""
    page_link = served.line("trust")
    assert page_link == f"http://{lan_address(this_machine())}:{port_of(served) + 1}/trust"
    base = f"http://127.0.0.1:{port_of(served) + 1}"
    request = urllib.request.Request(f"{base}/trust", headers={"Accept-Language": "pl-PL,pl;q=0.9"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        page = answer.read().decode()
        assert "script" not in page
        assert answer.headers["Content-Security-Policy"]
    assert '<html lang="pl">' in page
    with urllib.request.urlopen(f"{base}/trust/authority.crt", timeout=10) as answer:
        assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
        certificate = x509.load_der_x509_certificate(answer.read())
    assert certificate == x509.load_pem_x509_certificate((served.data / "tls" / "authority.crt").read_bytes())
    fingerprint = certificate.fingerprint(hashes.SHA256()).hex(":").upper()
    assert fingerprint in page
    assert any(fingerprint in line for line in served.stdout)
    with urllib.request.urlopen(f"{served}/trust", timeout=10, context=trusting(served)) as answer:
        assert fingerprint in answer.read().decode()


def test_plain_http_leads_to_https_and_serves_nothing_else(served: Served) -> None:
    """Whoever types the address without HTTPS is sent there; the plain port has no table on it."""
    connection = http.client.HTTPConnection("127.0.0.1", port_of(served) + 1, timeout=10)
    connection.request("GET", "/table/x?a=1")
    answer = connection.getresponse()
    assert answer.status == 307
    assert answer.headers["Location"] == f"{served}/table/x?a=1"
    answer.read()
    connection.request("GET", "/x", headers={"Host": "evil.example"})
    answer = connection.getresponse()
    assert answer.status == 403
    answer.read()
    connection.request("POST", "/api/v1/tables")
    assert connection.getresponse().status == 405
    connection.close()


def test_printed_links_open_what_they_say(served: Served) -> None:
    """The house's link carries an admin's token; the others open this table alone, the phone's as its camera."""
    place = Place.of(served.data)
    store = Store.open(place.url)
    tokens = Tokens(store)
    house, keeper, camera = (tokens.find(served.printed_token(name)) for name in ("house", "keeper", "camera"))
    tables = store.tables()
    store.close()
    assert house is not None
    assert keeper is not None
    assert camera is not None
    assert [row.name for row in tables] == ["live"]
    assert (house.role, house.table) == ("admin", None)
    assert (keeper.role, keeper.table) == ("keeper", tables[0].id)
    assert (camera.role, camera.table) == ("camera", tables[0].id)
    assert served.line("camera").startswith(
        f"https://{lan_address(this_machine())}:{port_of(served)}/camera/{tables[0].id}#token="
    )
    request = urllib.request.Request(
        f"{served}/api/v1/tables/{tables[0].id}", headers={"Authorization": f"Bearer {served.token}"}
    )
    with urllib.request.urlopen(request, timeout=10, context=trusting(served)) as answer:
        assert json.load(answer)["name"] == "live"


def test_codes_in_the_terminal_are_the_links(served: Served) -> None:
    """A QR reader that looks at the terminal reads the link of the camera's page and that of the page to trust."""
    codes = decode("".join(served.stdout))
    assert codes == [served.line("trust"), served.line("camera")]
    assert decode(qr_code("https://[fd00::5]:8420/camera/x#token=y")) == ["https://[fd00::5]:8420/camera/x#token=y"]


def decode(text: str) -> list[str]:
    """Return what the QR codes in the output of a terminal say."""
    colored = re.findall(r"(?:\x1b\[97;40m[█▀▄ ]+\x1b\[0m\n?)+", text)
    return [zxingcpp.read_barcodes(picture_of(code))[0].text for code in colored]


def picture_of(code: str) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    """Return half blocks as a camera sees them: two pixels of the code below each other in each character."""
    shades = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in code.splitlines()]
    rows = [[shades[char][half] for char in line] for line in lines for half in (0, 1)]
    return np.kron(np.array(rows, np.uint8), np.ones((8, 8), np.uint8))


def test_authority_outlives_the_server(tmp_path: Path) -> None:
    """The next start serves under the same authority, and on loopback alone it says how phones could come."""
    fingerprints = []
    for _ in range(2):
        with serving("--https", "--trust-port", "0", data=tmp_path) as base:
            pem = ssl.get_server_certificate(("127.0.0.1", port_of(base)))
            authority = x509.load_pem_x509_certificate((tmp_path / "tls" / "authority.crt").read_bytes())
            x509.load_pem_x509_certificate(pem.encode()).verify_directly_issued_by(authority)
            fingerprints.append(authority.public_bytes(Encoding.DER))
            assert not any(line.startswith(("camera ", "trust ", "network ")) for line in base.stdout)
        assert any("--host 0.0.0.0" in line for line in base.stderr)
    assert fingerprints[0] == fingerprints[1]
