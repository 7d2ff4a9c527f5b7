"""By which names the server may be called.

A page of another site can point its own name at this machine (DNS rebinding); the browser then takes the server for
that site and lets the page read it. A request for a name that is not the server's own is therefore refused.
"""

from __future__ import annotations

import ipaddress
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from domino_server.access.errors import AccessError
from domino_server.machine import Machine, this_machine

_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*", re.ASCII)
_PORT: Final = re.compile(r"[0-9]{1,5}", re.ASCII)
_MOST_CHARACTERS: Final = 253
_REFRESH_S: Final = 5.0
"""How often the machine's addresses are looked up anew for a name that is not known: they change with the network."""


@dataclass(frozen=True, slots=True)
class Host:
    """A name or address as of a `Host` header, in lower case, with the port if one was given."""

    name: str
    port: int | None

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port is None else f"{name}:{self.port}"


def parse_host(text: str) -> Host | None:
    """Return the host that a header names; None if it is none."""
    text = text.lower()
    if text.startswith("["):
        inside, closed, rest = text[1:].partition("]")
        name = _address(inside) if closed and ":" in inside else None
        if rest and not rest.startswith(":"):
            return None
        port = rest[1:] if rest else None
    else:
        before, colon, after = text.partition(":")
        name = _name(before)
        port = after if colon else None
    if name is None or (port is not None and not _is_port(port)):
        return None
    return Host(name, None if port is None else int(port))


def allowed_name(text: str) -> str:
    """Return a name given to `--allow-host` as it is compared.

    Raises:
        AccessError: `bad_host` if it is no name or address.
    """
    bare = text.strip()
    host = parse_host(f"[{bare}]" if bare.count(":") > 1 and not bare.startswith("[") else bare)
    if host is None or host.port is not None:
        raise AccessError("bad_host", f"{text!r} is no name or address of a host (without a port)", host=text)
    return host.name


def _name(text: str) -> str | None:
    text = text.removesuffix(".")
    if len(text) > _MOST_CHARACTERS or not _NAME.fullmatch(text):
        return None
    last = text.rpartition(".")[2]
    return _address(text) if last.isdigit() else text  # what ends in a number is an address, or nothing


def _address(text: str) -> str | None:
    try:
        return str(ipaddress.ip_address(text)) if "%" not in text else None
    except ValueError:
        return None


def _is_port(text: str) -> bool:
    return _PORT.fullmatch(text) is not None and 0 < int(text) < 65536


class OwnHosts:
    """The names and addresses of this server: the machine's, `localhost`, and those that were allowed."""

    def __init__(self, allowed: Iterable[str] = (), machine: Callable[[], Machine] = this_machine) -> None:
        """Allow further names; `machine` looks up the machine's own.

        Raises:
            AccessError: `bad_host`.
        """
        self._allowed = frozenset(allowed_name(each) for each in allowed)
        self._machine = machine
        self._own: frozenset[str] = frozenset()
        self._looked_at: float | None = None
        self._lock = threading.Lock()

    def knows(self, name: str, local: str | None = None) -> bool:
        """Whether `name` is the server's; `local` is the address at which the client has reached it."""
        if name in self._allowed or name in self._own or (local is not None and name == local.lower()):
            return True
        return name in self._refreshed()

    def _refreshed(self) -> frozenset[str]:
        with self._lock:
            now = time.monotonic()
            if self._looked_at is None or now - self._looked_at >= _REFRESH_S:
                machine = self._machine()
                addresses = (str(each).partition("%")[0] for each in machine.addresses)
                self._own = frozenset({*machine.names, *addresses})
                self._looked_at = now
            return self._own
