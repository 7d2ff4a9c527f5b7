"""Sockets and the HTTP server on them, with patience that ends."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from domino_server.logs import LogOptions
from domino_server.machine import in_url
from domino_server.problems import RequestError

HEAD_S: Final = 20.0
"""How long a client may take to send the head of a request."""
CLOSE_S: Final = 3
"""How long open connections may go on after the server was told to stop."""
_MOST_FILES: Final = 65_536
_OTHER_PORT: Final = frozenset({errno.EADDRINUSE, errno.EACCES})


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Return a socket that listens on the first address that a name or number stands for.

    Args:
        host: the name or number.
        port: the port.
        option: names another port, for the message where this one is taken or not for everybody.

    Raises:
        RequestError: `address_in_use` or `bad_address`.
    """
    if not host:
        raise RequestError(0, "bad_address", "no address to listen on: --host is empty", host=host, port=port)
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return _bound(socket.socket(family, kind, protocol), address)
    except (OSError, UnicodeError) as error:
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = getattr(error, "strerror", None) or "no such host"
        code = "address_in_use" if in_use else "bad_address"
        where = f"{in_url(host)}:{port}"
        hint = f" (another port: {option})" if isinstance(error, OSError) and error.errno in _OTHER_PORT else ""
        raise RequestError(0, code, f"cannot listen on {where}: {reason}{hint}", host=host, port=port) from error


def _bound(listener: socket.socket, address: tuple[Any, ...]) -> socket.socket:
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def allow_many_files() -> None:
    """Let this process hold as many connections as the system allows it; the usual limit is a thousand."""
    with suppress(ImportError, OSError, ValueError):  # no such module on Windows
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class PatientProtocol(HttpToolsProtocol):
    """HTTP that closes a connection whose request has no whole head in time; uvicorn alone would wait for ever."""

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._head_timer = self.loop.call_later(HEAD_S, self._too_slow)

    def data_received(self, data: bytes) -> None:
        """Take bytes; the waiting ends with a whole head and begins with the first byte of the next one."""
        super().data_received(data)
        if not self._waits():
            self._forget()
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_S, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _waits(self) -> bool:
        """Whether no request is being served; its head may be on its way."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _too_slow(self) -> None:
        self._head_timer = None
        upgraded = self.transport.get_protocol() is not self  # a WebSocket by now
        if self._waits() and not upgraded and not self.transport.is_closing():
            self.transport.close()


class Server(uvicorn.Server):
    """Ends the streams of events when it is told to stop; it would wait for them in vain."""

    def __init__(self, config: uvicorn.Config, say_goodbye: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._say_goodbye = say_goodbye

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop, as a signal asks."""
        self._say_goodbye()
        super().handle_exit(sig, frame)


def http_config(app: Any, logs: LogOptions | None = None, **more: Any) -> uvicorn.Config:
    """Return the settings of a server: our logs, no name of the software, no endless heads."""
    logs = logs or LogOptions()
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        log_config=logs.config(),
        log_level=logs.level,
        access_log=False,  # the application writes a line for each request, with its id
        server_header=False,
        timeout_graceful_shutdown=CLOSE_S,
        **more,
    )


class SideServer:
    """A second, small server in a thread of its own, beside the main one."""

    def __init__(self, app: Any, listener: socket.socket) -> None:
        """Serve `app` on `listener` once started."""
        self._server = uvicorn.Server(http_config(app))
        self._listener = listener
        self._thread = threading.Thread(target=self._run, name="plain http", daemon=True)

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Stop serving; returns once the connections are closed."""
        self._server.should_exit = True
        self._thread.join(timeout=CLOSE_S + 2)

    def _run(self) -> None:
        with self._listener:
            self._server.run(sockets=[self._listener])
