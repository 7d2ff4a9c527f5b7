"""`dominotable serve`: the HTTP server of one live table."""

import errno
import socket
from types import FrameType
from typing import Any

import uvicorn

from domino_server.app import ServeOptions, create_app
from domino_server.live import LiveTable, check_source
from domino_server.problems import RequestError


def run(source: str | None, game: str | None, set_name: str, host: str, port: int, every_s: float) -> None:
    """Serve until interrupted.

    Raises:
        RequestError: `address_in_use` or `bad_address` if the address cannot be listened on.
    """
    if source is not None:
        check_source(source)
    if not host:
        raise RequestError(0, "bad_address", "no address to listen on: --host is empty", host=host, port=port)
    listener = _listen(host, port)
    app = create_app(ServeOptions(source=source, every_s=every_s, game=game, set_name=set_name))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3)
    base = f"http://{_place(host, port)}/"
    print(f"dominotable serves {base} (overlay: /overlay, API: /openapi.json); stop with Ctrl-C", flush=True)
    with listener:
        _Server(config, app.state.services.table).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends the streams of events when it is told to stop; it would wait for them in vain."""

    def __init__(self, config: uvicorn.Config, table: LiveTable) -> None:
        super().__init__(config)
        self._table = table

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop, as a signal asks."""
        self._table.say_goodbye()
        super().handle_exit(sig, frame)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on the first address that a name or number stands for."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return _bound(socket.socket(family, kind, protocol), address)
    except (OSError, UnicodeError) as error:
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = getattr(error, "strerror", None) or "no such host"
        code = "address_in_use" if in_use else "bad_address"
        raise RequestError(0, code, f"cannot listen on {_place(host, port)}: {reason}", host=host, port=port) from error


def _bound(listener: socket.socket, address: tuple[Any, ...]) -> socket.socket:
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _place(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
