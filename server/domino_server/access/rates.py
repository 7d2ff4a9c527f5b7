"""How often somebody may ask: token buckets by client address and by token."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

_MOST_KEYS: Final = 20_000
_IPV6_NETWORK: Final = 64
"""One household has a whole /64 of IPv6 addresses; it counts as one client."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` requests at once, then `per_s` a second."""

    burst: float
    per_s: float


@dataclass(frozen=True, slots=True)
class Limits:
    """How often each thing may be done; None for as often as one likes.

    Attributes:
        address: any request of one client. A room of viewers may share one address.
        token: requests and commands with one token.
        wrong: wrong tokens of one client; after these its unknown tokens are not even looked at.
        upload: pictures and files of one client.
        create: tables made by one client.
    """

    address: Rate | None = Rate(600, 100)
    token: Rate | None = Rate(300, 50)
    wrong: Rate | None = Rate(10, 1 / 6)
    upload: Rate | None = Rate(60, 3)
    create: Rate | None = Rate(20, 1 / 3)

    @classmethod
    def none(cls) -> Self:
        """Return no limits at all, for load tests."""
        return cls(None, None, None, None, None)


class Buckets:
    """A token bucket for each key, in bounded memory: of many keys the least used are forgotten."""

    def __init__(self, rate: Rate | None, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow `rate` for each key; `clock` tells seconds."""
        self._rate = rate
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str) -> float:
        """Take one from a key's bucket; returns 0, or if it is empty the seconds until there is one."""
        rate = self._rate
        if rate is None:
            return 0.0
        with self._lock:
            level = self._level(key, rate)
            taken = level >= 1
            self._keep(key, level - 1 if taken else level)
        return 0.0 if taken else (1 - level) / rate.per_s

    def give_back(self, key: str) -> None:
        """Put back one that was taken for nothing."""
        rate = self._rate
        if rate is None:
            return
        with self._lock:
            self._keep(key, min(rate.burst, self._level(key, rate) + 1))

    def _level(self, key: str, rate: Rate) -> float:
        level, at = self._levels.get(key, (rate.burst, self._clock()))
        return min(rate.burst, level + (self._clock() - at) * rate.per_s)

    def _keep(self, key: str, level: float) -> None:
        self._levels[key] = (level, self._clock())
        self._levels.move_to_end(key)
        if len(self._levels) > _MOST_KEYS:
            self._levels.popitem(last=False)


def client_key(address: str | None) -> str:
    """Return what a client is counted by: its IPv4 address, its IPv6 network, or its name in a test."""
    try:
        parsed = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((parsed, _IPV6_NETWORK), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)
