"""A certificate for this machine's names and addresses, from an authority of its own, for `serve --https`.

Phones open their camera only for pages over HTTPS, and no public authority signs for `192.168.1.5`. The authority is
made once; whoever installs its certificate on a phone need not do so again when the machine's address changes. It can
sign for private addresses and for this machine's names only (name constraints), so that its key, should it be stolen,
is of no use against other sites.
"""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes

from domino_rules.errors import DominoError
from domino_server.machine import Address, Machine, this_machine
from domino_server.tls.certificates import make_authority, make_server, names_of, permits, renewal_due
from domino_server.tls.keyfiles import PrivateKey, new_key, private_folder, read_certificate, read_key, write_pair

LOOK_S: Final = 60.0
"""How often a running server looks whether its certificate is still right."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerTls:
    """What a server needs for HTTPS.

    Attributes:
        certificate: path of the chain of certificates, PEM.
        key: path of the private key.
        authority: the authority's certificate.
        names: the names and addresses that the certificate holds for.
        left_out: those that the authority may not sign for.
        renewed: whether the certificate was made just now.
        founded: whether the authority was made just now, so that phones have to be told.
    """

    certificate: Path
    key: Path
    authority: x509.Certificate
    names: tuple[str | Address, ...]
    left_out: tuple[str | Address, ...]
    renewed: bool
    founded: bool

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the authority's certificate, as phones show it."""
        return self.authority.fingerprint(hashes.SHA256()).hex(":").upper()

    def context(self) -> ssl.SSLContext:
        """Return the TLS settings of a server with this certificate: version 1.2 and later."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate, self.key)
        return context


def prepare(folder: Path, machine: Machine | None = None, now: datetime | None = None) -> ServerTls:
    """Return the certificate in `folder`, made or renewed if need be: missing, near its end, or other addresses.

    The authority is kept, and made anew only when it nears its own end. Keys are readable by their owner alone.

    Raises:
        DominoError: `tls_broken` if a file there is no key or certificate, or the two of a pair do not belong together.
        OSError: if the folder cannot be written.
    """
    machine = machine or this_machine()
    now = now or datetime.now(UTC)
    private_folder(folder)
    authority, authority_key, founded = _authority(folder, machine, now)
    wanted: tuple[str | Address, ...] = (*machine.names, *machine.addresses)
    names = tuple(each for each in wanted if permits(authority, each))
    certificate, key = folder / "server.crt", folder / "server.key"
    renewed = founded or not _holds(certificate, key, authority, names, now)
    if renewed:
        server_key = new_key()
        chain = (make_server(server_key.public_key(), names, authority, authority_key, now), authority)
        write_pair(key, server_key, certificate, chain)
    left_out = tuple(each for each in wanted if each not in names)
    return ServerTls(certificate, key, authority, names, left_out, renewed, founded)


def _authority(folder: Path, machine: Machine, now: datetime) -> tuple[x509.Certificate, PrivateKey, bool]:
    certificate, key = folder / "authority.crt", folder / "authority.key"
    if certificate.exists() and key.exists():
        found, secret = read_certificate(certificate), read_key(key)
        if found.public_key() != secret.public_key():
            raise DominoError("tls_broken", f"{certificate} and {key} do not belong together: remove both", path=key)
        if not renewal_due(found, now):
            return found, secret, False
    secret = new_key()
    made = make_authority(secret, machine, now)
    write_pair(key, secret, certificate, (made,))
    return made, secret, True


def _holds(path: Path, key: Path, authority: x509.Certificate, names: tuple[str | Address, ...], now: datetime) -> bool:
    if not path.exists() or not key.exists():
        return False
    try:
        found, secret = read_certificate(path), read_key(key)
        found.verify_directly_issued_by(authority)
        held = names_of(found)
    except (DominoError, ValueError, TypeError, InvalidSignature, x509.ExtensionNotFound):
        return False  # whatever it was, a new one takes its place
    return found.public_key() == secret.public_key() and not renewal_due(found, now) and held == set(names)


class TlsKeeper:
    """Keeps a running server's certificate right: it is renewed when addresses change or its end nears."""

    def __init__(self, folder: Path, context: ssl.SSLContext, look: Callable[[Path], ServerTls] = prepare) -> None:
        """Renew what is in `folder` and load it into `context`; connections that are open go on."""
        self._folder = folder
        self._context = context
        self._look = look
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tls", daemon=True)

    def start(self) -> None:
        """Begin to look, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Stop looking."""
        self._stop.set()

    def look(self) -> bool:
        """Look once; returns whether the certificate was renewed."""
        found = self._look(self._folder)
        if found.renewed:
            self._context.load_cert_chain(found.certificate, found.key)
        return found.renewed

    def _run(self) -> None:
        while not self._stop.wait(LOOK_S):
            try:
                self.look()
            except (DominoError, OSError) as error:
                _LOG.warning("the certificate could not be renewed: %s", error)
