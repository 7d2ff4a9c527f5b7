"""The names and addresses of this machine, as others in the network call it."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final

import ifaddr

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_LABEL: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_LOOPBACK: Final = (ipaddress.IPv4Address("127.0.0.1"), ipaddress.IPv6Address("::1"))


@dataclass(frozen=True, slots=True)
class Machine:
    """What a machine is called.

    Attributes:
        names: in lower case, `localhost` first.
        addresses: loopback first, then those of its networks.
    """

    names: tuple[str, ...]
    addresses: tuple[Address, ...]


def this_machine() -> Machine:
    """Return the names and addresses of this machine; asks no name server, so that it answers at once."""
    return Machine(_names(), _addresses())


def lan_address(machine: Machine) -> Address | None:
    """Return the address at which a phone in the same network most likely reaches a machine; None without network."""
    others = [each for each in machine.addresses if not each.is_loopback and not each.is_link_local]
    others.sort(key=lambda each: (each.version == 6, not each.is_private))
    return others[0] if others else None


def in_url(address: Address | str) -> str:
    """Return a name or address as it stands in a URL, IPv6 in brackets."""
    text = str(address)
    return f"[{text}]" if ":" in text and not text.startswith("[") else text


def _names() -> tuple[str, ...]:
    full = socket.gethostname().lower().removesuffix(".")
    short = full.partition(".")[0]
    found = ["localhost"]
    if all(_LABEL.fullmatch(label) for label in full.split(".")) and len(full) <= 253:
        found += [full, short, f"{short}.local"]
    return tuple(dict.fromkeys(found))


def _addresses() -> tuple[Address, ...]:
    found: list[Address] = list(_LOOPBACK)
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            text = each.ip if isinstance(each.ip, str) else each.ip[0]
            address = ipaddress.ip_address(text.partition("%")[0])
            if not address.is_unspecified and not address.is_multicast:
                found.append(address)
    return tuple(dict.fromkeys(found))
