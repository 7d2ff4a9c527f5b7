"""`dominotable serve`: the HTTP server of one live table."""

import errno
import socket

from domino_server.problems import RequestError


def run(source: str | None, game: str | None, set_name: str, host: str, port: int, every_s: float) -> None:
    """Serve until interrupted.

    Raises:
        RequestError: `address_in_use` or `bad_address` if the address cannot be listened on.
    """
    import uvicorn

    from domino_server.app import ServeOptions, create_app
    from domino_server.live import check_source

    if source is not None:
        check_source(source)
    listener = _listen(host, port)
    app = create_app(ServeOptions(source=source, every_s=every_s, game=game, set_name=set_name))
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=3)
    print(f"dominotable serves http://{host}:{port}/ (overlay: /overlay, API: /docs); stop with Ctrl-C", flush=True)
    with listener:
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        code = "address_in_use" if error.errno == errno.EADDRINUSE else "bad_address"
        reason = error.strerror or str(error)
        raise RequestError(0, code, f"cannot listen on {host}:{port}: {reason}", host=host, port=port) from error
    listener.listen(128)
    return listener
