"""`dominotable serve`: the table's pages, the overlay and the API, on loopback unless told otherwise."""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding
from filelock import FileLock, Timeout

from domino_rules.errors import DominoError
from domino_server.access import AccessOptions, Limits, Tokens, Trust
from domino_server.access.hosts import OwnHosts
from domino_server.access.trust import plain_app
from domino_server.app import ServeOptions, create_app
from domino_server.commands.serve_arguments import ServeArguments
from domino_server.commands.serve_links import Links, show
from domino_server.commands.serve_live import live_table
from domino_server.commands.serve_tokens import printed_token
from domino_server.console import note
from domino_server.enrolled import enrolled_tiles
from domino_server.listening import Server, SideServer, allow_many_files, http_config, listen
from domino_server.machine import in_url
from domino_server.problems import RequestError
from domino_server.store import Place, Store
from domino_server.tables.capture import check_source
from domino_server.tls import ServerTls, TlsKeeper, prepare


def run(arguments: ServeArguments) -> None:
    """Serve until interrupted.

    Raises:
        RequestError: `address_in_use` or `bad_address` if the address cannot be listened on.
        DominoError: `data_unwritable`, `data_in_use`, `tls_broken`; an unreachable database; a source or an option
            that cannot be.
    """
    with ExitStack() as stack:
        _check(arguments)
        listener = stack.enter_context(listen(arguments.host, arguments.port))
        place = Place.of(arguments.data, arguments.database)
        make_data_folder(place.folder)
        stack.enter_context(_alone(place.folder))
        tls = prepare(place.folder / "tls") if arguments.https else None
        store = Store.open(place.url)
        stack.callback(store.close)
        before = {row.id for row in store.tables()}
        live = None if arguments.live is None else live_table(store, arguments.live)
        if live in before and store.last_seq(str(live)):
            note(f"goes on with table {live} of {place.folder}; another --data begins anew")
        options = ServeOptions(
            data=place.folder, access=_access(arguments, tls), retention=arguments.retention, live_table=live
        )
        app = create_app(options, store=store)
        context = None if tls is None else tls.context()
        trust_port = stack.enter_context(_plain_http(arguments, options.access.trust))
        if context is not None:
            stack.enter_context(_kept(place.folder / "tls", context))
        show(_links(arguments, store, live, tls, trust_port), qr=arguments.qr)
        allow_many_files()
        config = http_config(
            app,
            arguments.logs,
            ws_max_size=options.max_upload_bytes,
            ws_per_message_deflate=False,  # pictures are compressed as they are, and little bombs are not
            **_tls_options(context),
        )
        Server(config, app.state.say_goodbye).run(sockets=[listener])


def make_data_folder(folder: Path) -> None:
    """Make the folder of data and see that it can be written to.

    Raises:
        DominoError: `data_unwritable`.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"the data folder {folder} cannot be written: {reason} (another one: --data)"
        raise DominoError("data_unwritable", message, folder=str(folder)) from error


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep a second server off the folder: two would follow the same tables. The lock goes when the process does."""
    lock = FileLock(folder / "serve.lock", mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        message = f"another dominotable serves the data folder {folder} (another one: --data)"
        raise DominoError("data_in_use", message, folder=str(folder)) from None
    try:
        yield
    finally:
        lock.release()


def _check(arguments: ServeArguments) -> None:
    OwnHosts(arguments.allow_hosts)
    if arguments.live is not None and arguments.live.source not in {None, "push"}:
        check_source(str(arguments.live.source))
    if arguments.live is not None:
        enrolled_tiles(arguments.live.tiles, arguments.data)


def _access(arguments: ServeArguments, tls: ServerTls | None) -> AccessOptions:
    named = arguments.host if arguments.host not in {"0.0.0.0", "::", "*"} else None  # noqa: S104 - compared only
    trust = None
    if tls is not None:
        trust = Trust(tls.authority.public_bytes(Encoding.DER), tls.fingerprint)
    return AccessOptions(
        allow_hosts=(*arguments.allow_hosts, *([named.partition("%")[0]] if named else [])),
        limits=Limits() if arguments.limits else Limits.none(),
        trust=trust,
    )


@contextmanager
def _plain_http(arguments: ServeArguments, trust: Trust | None) -> Iterator[int | None]:
    """Serve the page that helps phones over plain HTTP; yields its port, None without one."""
    port = arguments.port + 1 if arguments.trust_port is None else arguments.trust_port
    if trust is None or not 0 < port < 65536:
        yield None
        return
    try:
        listener = listen(arguments.host, port, "--trust-port")
    except RequestError as error:
        if arguments.trust_port is not None:
            raise
        note(f"{error.message}; phones find the certificate at /trust of the HTTPS address only")
        yield None
        return
    side = SideServer(plain_app(trust, arguments.port, arguments.allow_hosts), listener)
    side.start()
    try:
        yield port
    finally:
        side.stop()


@contextmanager
def _kept(folder: Path, context: ssl.SSLContext) -> Iterator[None]:
    keeper = TlsKeeper(folder, context)
    keeper.start()
    try:
        yield
    finally:
        keeper.stop()


def _tls_options(context: ssl.SSLContext | None) -> dict[str, Any]:
    return {} if context is None else {"ssl_context_factory": lambda *_: context}


def _links(
    arguments: ServeArguments, store: Store, live: str | None, tls: ServerTls | None, trust_port: int | None
) -> Links:
    tokens = Tokens(store)
    where = f"{in_url(arguments.host)}:{arguments.port}"
    phone = tls is not None and live is not None
    label = f"printed by serve at {where}"
    return Links(
        host=arguments.host,
        port=arguments.port,
        https=tls is not None,
        table=live,
        house=printed_token(tokens, "admin", None, label) if arguments.link else None,
        keeper=printed_token(tokens, "keeper", live, label) if arguments.link and live is not None else None,
        camera=printed_token(tokens, "camera", live, "printed by serve for a phone") if phone else None,
        trust_port=trust_port,
        fingerprint=None if tls is None else tls.fingerprint,
        left_out=() if tls is None else tuple(str(each) for each in tls.left_out),
    )
