"""What `serve` prints when it is up: links for house, keeper, overlay and phones, with QR codes for these."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass

import segno

from domino_server.console import note
from domino_server.machine import Machine, in_url, lan_address, this_machine

_EVERYWHERE = {"0.0.0.0", "::", "*"}  # noqa: S104 - compared only
_WIDTH = 9
_BLACK_ON_WHITE = "\x1b[97;40m"
"""The colours of a QR code: its blocks are the light parts, also in a terminal that is light itself."""


@dataclass(frozen=True, slots=True)
class Links:
    """What a server can be reached by.

    Attributes:
        host: the address that it listens on.
        port: its port.
        https: whether it speaks HTTPS.
        table: id of the live table.
        house: secret of the house's link, which opens all tables; None to print none.
        keeper: secret of the link of who keeps the live table alone; None to print none.
        camera: secret of the phone's link.
        trust_port: port of plain HTTP with the page that helps phones.
        fingerprint: SHA-256 of the authority.
        left_out: names and addresses that the certificate does not hold for.
    """

    host: str
    port: int
    https: bool
    table: str | None
    house: str | None
    keeper: str | None
    camera: str | None
    trust_port: int | None
    fingerprint: str | None
    left_out: tuple[str, ...] = ()

    @property
    def here(self) -> str:
        """Base address for a browser on this machine."""
        return self._base("127.0.0.1" if self.host in _EVERYWHERE else self.host)

    def network(self, machine: Machine) -> str | None:
        """Return the base address for other machines; None if the server is not for them."""
        name = self._lan(machine)
        return None if name is None else self._base(name)

    def camera_page(self, machine: Machine) -> str | None:
        """Return the link of the phone's camera page, its token in the fragment; None if no phone comes here."""
        base = self.network(machine)
        if base is None or self.table is None or self.camera is None:
            return None
        return f"{base}camera/{self.table}#token={self.camera}"

    def trust_page(self, machine: Machine) -> str | None:
        """Return the plain link of the page that helps phones to trust the certificate."""
        name = self._lan(machine)
        if name is None or self.trust_port is None:
            return None
        return f"http://{in_url(name)}:{self.trust_port}/trust"

    def house_page(self) -> str | None:
        """Return the link of the house, its token in the fragment: the live table, else the list of tables."""
        page = "" if self.table is None else f"table/{self.table}"
        return None if self.house is None else f"{self.here}{page}#token={self.house}"

    def keeper_page(self) -> str | None:
        """Return the link of who keeps the live table, its token in the fragment."""
        return None if self.keeper is None else f"{self.here}table/{self.table}#token={self.keeper}"

    def _base(self, name: str) -> str:
        scheme = "https" if self.https else "http"
        return f"{scheme}://{in_url(name)}:{self.port}/"

    def _lan(self, machine: Machine) -> str | None:
        if self.host in {"127.0.0.1", "::1", "localhost"}:
            return None
        address = lan_address(machine) if self.host in _EVERYWHERE else self.host
        return None if address is None else str(address)


def show(links: Links, *, qr: bool | None = None, machine: Machine | None = None) -> None:
    """Print the links on stdout, and on stderr what one should know of them.

    Args:
        links: what to print.
        qr: whether to print QR codes; None if stdout is a terminal that can show them.
        machine: this machine.
    """
    machine = machine or this_machine()
    print(f"dominotable serves {links.here} (API: /openapi.json); stop with Ctrl-C")
    _line("house", links.house_page())
    _line("keeper", links.keeper_page())
    _line("network", links.network(machine))
    _line("overlay", f"{links.here}overlay/{links.table}" if links.table else None)
    codes = _shows_codes() if qr is None else qr
    _line("trust", links.trust_page(machine), qr=codes)
    _line("", f"authority, SHA-256 {links.fingerprint}" if links.fingerprint else None)
    _line("camera", links.camera_page(machine), qr=codes)
    sys.stdout.flush()
    _tell(links, machine)


def _line(name: str, text: str | None, *, qr: bool = False) -> None:
    if text is None:
        return
    print(f"{name:<{_WIDTH}}{text}")
    if qr:
        print(qr_code(text))


def _tell(links: Links, machine: Machine) -> None:
    if links.left_out:
        note(f"the authority may not sign for {', '.join(links.left_out)}: remove the folder tls to begin anew")
    if links.https and links.network(machine) is None:
        note("only this machine reaches the server; for phones: --host 0.0.0.0")
    if not links.https and links.network(machine) is not None:
        note("tokens cross the network unencrypted: --https, or a network that you trust")


def _shows_codes() -> bool:
    return sys.stdout.isatty() and "utf" in (sys.stdout.encoding or "").lower()


def qr_code(text: str) -> str:
    """Return a QR code as lines of half blocks, light on dark whatever the colours of the terminal."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    return "\n".join(f"{_BLACK_ON_WHITE}{line}\x1b[0m" for line in out.getvalue().splitlines())
