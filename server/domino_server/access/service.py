"""Access to one server: whose token this is, how often it may ask, and whether it still holds."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from domino_rules.errors import DominoError
from domino_server.access.errors import token_unknown, too_many
from domino_server.access.rates import Buckets, Limits
from domino_server.access.roles import Principal
from domino_server.access.tokens import Tokens, digest_of, is_token, parse_bearer

CHECK_S: Final = 1.0
"""How often open streams ask whether their token still holds; answers are shared for as long."""
_MOST_KNOWN: Final = 4096
_THREADS: Final = 8

_LOG = logging.getLogger(__name__)


class Access:
    """What the dependencies of the routes share. Its methods may be called from any thread."""

    def __init__(self, tokens: Tokens, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        """Look tokens up in `tokens`; `clock` tells seconds."""
        self.tokens = tokens
        self._clock = clock
        self._wrong = Buckets(limits.wrong, clock)
        self._by_token = Buckets(limits.token, clock)
        self._known: OrderedDict[str, None] = OrderedDict()
        self._verdicts: OrderedDict[Principal, tuple[float, bool]] = OrderedDict()
        self._lock = threading.Lock()
        self._threads = CapacityLimiter(_THREADS)

    async def identify(self, client: str, header: str | None) -> Principal | None:
        """Return whose `Authorization` header this is; None without one. Raises as `resolve`."""
        return None if header is None else await run_sync(self.resolve, client, header, limiter=self._threads)

    async def identify_secret(self, client: str, secret: str) -> Principal:
        """Return whose token this is. Raises as `resolve_secret`."""
        return await run_sync(self.resolve_secret, client, secret, limiter=self._threads)

    async def is_public(self, table: str) -> bool:
        """Whether anybody may look on at a table; raises StoreError `unknown_table`."""
        return await run_sync(self.tokens.is_public, table, limiter=self._threads)

    def resolve(self, client: str, header: str | None) -> Principal | None:
        """Return whose `Authorization` header this is; None without one.

        Raises:
            RequestError: `token_unknown`; `too_many_requests` after many wrong ones, or many requests of a right one.
        """
        try:
            secret = parse_bearer(header)
        except DominoError as error:
            self._take_wrong(client)
            raise error from None
        return None if secret is None else self.resolve_secret(client, secret)

    def resolve_secret(self, client: str, secret: str) -> Principal:
        """Return whose token this is, after one is taken from its bucket.

        A client that has guessed too often has its guesses refused unseen; tokens that were right before still are, so
        that one wrong page at a table does not lock out the others.

        Raises:
            RequestError: as `resolve`.
        """
        digest = digest_of(secret)
        fresh = not self._is_known(digest)
        if fresh:
            self._take_wrong(client)
        who = self.tokens.lookup(digest) if is_token(secret) else None
        if who is None:
            if not fresh:
                self._forget(digest)
                self._take_wrong(client)
            raise token_unknown()
        if fresh:
            self._wrong.give_back(client)
            self._learn(digest)
        self.spend(who)
        return who

    def spend(self, who: Principal) -> None:
        """Count one request or command of a token.

        Raises:
            RequestError: `too_many_requests`.
        """
        wait = self._by_token.take(who.token) if who.token is not None else 0.0
        if wait:
            raise too_many(wait)

    async def still_valid(self, who: Principal) -> bool:
        """Whether somebody who was let in still would be; at most `CHECK_S` old, however many ask."""
        found = self._verdicts.get(who)
        if found is not None and self._clock() - found[0] < CHECK_S:
            return found[1]
        verdict = await run_sync(self._verdict, who, limiter=self._threads)
        with self._lock:
            self._verdicts[who] = (self._clock(), verdict)
            self._verdicts.move_to_end(who)
            if len(self._verdicts) > _MOST_KNOWN:
                self._verdicts.popitem(last=False)
        return verdict

    def _verdict(self, who: Principal) -> bool:
        try:
            if who.digest is not None:
                return self.tokens.lookup(who.digest) is not None
            return who.table is not None and self.tokens.is_public(who.table)
        except DominoError as error:
            if error.code == "unknown_table":
                return False
            _LOG.warning("whether a token still holds could not be looked up: %s", error.message)
            return True  # nobody can revoke a token while the database is away either

    def _take_wrong(self, client: str) -> None:
        wait = self._wrong.take(client)
        if wait:
            raise too_many(wait)

    def _is_known(self, digest: str) -> bool:
        with self._lock:
            return digest in self._known

    def _learn(self, digest: str) -> None:
        with self._lock:
            self._known[digest] = None
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def _forget(self, digest: str) -> None:
        with self._lock:
            self._known.pop(digest, None)
