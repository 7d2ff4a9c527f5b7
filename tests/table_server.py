"""Tables of an application in this process, with a network that reads without mistakes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
from fastapi import FastAPI
from fastapi.testclient import TestClient

from domino_server.access import AccessOptions, Limits, Tokens
from domino_server.app import ServeOptions, create_app
from domino_server.listening import Server, http_config, listen
from domino_server.store import Store
from domino_server.tables.manager import TableManager
from domino_vision.pipeline import Pipeline
from tests.misreading import Misreading
from tests.referee_games import Table
from tests.table_frames import Film

WAIT_S = 30.0


@dataclass
class House:
    """A running application, its store, and the token of the house."""

    client: httpx.Client
    store: Store
    film: Film
    admin: dict[str, str]
    app: FastAPI

    @property
    def manager(self) -> TableManager:
        manager: TableManager = self.app.state.services.manager
        return manager

    def make(self, *, start: bool = True, **config: Any) -> TableOfTest:
        """Make a table of Pińćset whose pictures are sent, and start it."""
        asked = {"name": "T", "game": "pincset", "seats": list("ABCD"), "source": "push", "use_zones": False, **config}
        if asked["game"] == "pincset":
            asked.setdefault("options", {"force_66": "false"})
        made = self.client.post("/api/v1/tables", json=asked, headers=self.admin)
        assert made.status_code == 201, made.text
        body = made.json()
        tokens = {role: bearer(secret) for role, secret in body["tokens"].items()}
        table = TableOfTest(self, body["table"]["id"], tokens, body["tokens"])
        if start:
            assert table.post("start").status_code == 200
        return table


@dataclass
class TableOfTest:
    """A table, and what those may send who have a token of it."""

    house: House
    id: str
    headers: dict[str, dict[str, str]]
    secrets: dict[str, str] = field(repr=False)

    @property
    def path(self) -> str:
        return f"/api/v1/tables/{self.id}"

    def get(self, what: str, who: str | None = "keeper") -> httpx.Response:
        return self.house.client.get(f"{self.path}/{what}", headers=self.headers[who] if who else {})

    def post(self, what: str, who: str | None = "keeper", **more: Any) -> httpx.Response:
        return self.house.client.post(f"{self.path}/{what}", headers=self.headers[who] if who else {}, **more)

    def patch(self, changes: dict[str, Any], who: str = "keeper") -> httpx.Response:
        return self.house.client.patch(self.path, headers=self.headers[who], json=changes)

    def tell(self, op: str, who: str = "keeper", **more: Any) -> httpx.Response:
        return self.post("commands", who, json={"op": op, **more})

    def told(self, op: str, who: str = "keeper", **more: Any) -> dict[str, Any]:
        """Tell something that is carried out, and return the state behind it."""
        answer = self.tell(op, who, **more)
        assert answer.status_code == 200, answer.text
        return self.state()

    def state(self, who: str | None = "keeper") -> dict[str, Any]:
        answer = self.get("state", who)
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    def texts(self) -> list[str]:
        return [move["text"] for move in self.state()["moves"]]

    def photograph(self, table: Table) -> None:
        """Send a photograph of a table, and wait until it was taken and looked at."""
        picture = self.house.film.show(table)
        self.look(picture)

    def look(self, picture: bytes) -> None:
        answer = self.post("photo", files={"picture": ("table.jpg", picture)})
        assert answer.status_code == 202, answer.text
        assert answer.json()["taken"]
        self.idle()

    def idle(self) -> None:
        """Wait until the table's thread has done what was asked of it."""
        worker = self.house.manager.worker(self.id)
        assert worker is not None
        worker.ask(lambda desk: desk).result(WAIT_S)

    def until(self, what: Callable[[dict[str, Any]], bool], within_s: float = WAIT_S) -> dict[str, Any]:
        """Wait until the state is as wanted, and return it."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            state = self.state()
            if what(state):
                return state
            time.sleep(0.03)
        raise AssertionError(f"not so within {within_s:.0f} s: {self.state()}")


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


@contextmanager
def house(
    film: Film | None = None, store: Store | None = None, data: Path | None = None, **options: Any
) -> Iterator[House]:
    """Run an application without limits of rates."""
    film = film or Film()
    store = store or Store.open("sqlite://")
    access = AccessOptions(allow_hosts=("testserver",), limits=Limits.none())
    app = create_app(ServeOptions(access=access, data=data, **options), film, store)  # type: ignore[arg-type]
    admin = bearer(Tokens(store).create("admin", table=None).secret)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield House(client, store, film, admin, app)


class Listening(threading.Thread):
    """A real server on a free port, in a thread of this process."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(name="uvicorn", daemon=True)
        self.listener = listen("127.0.0.1", 0)
        self.port = int(self.listener.getsockname()[1])
        config = http_config(app, ws_max_size=64 * 1024 * 1024)
        self.server = Server(config, app.state.say_goodbye)

    def run(self) -> None:
        self.server.run(sockets=[self.listener])

    def stop(self) -> None:
        self.server.should_exit = True
        self.join(20)
        self.listener.close()


@contextmanager
def listening(
    film: Film | None = None,
    store: Store | None = None,
    *,
    networks: Pipeline | Misreading | None = None,
    **options: Any,
) -> Iterator[House]:
    """Run an application behind real sockets, which reads with networks or knows the film; the house speaks HTTP."""
    film, store = film or Film(), store or Store.open("sqlite://")
    access = AccessOptions(limits=Limits.none())
    app = create_app(ServeOptions(access=access, **options), networks or film, store)  # type: ignore[arg-type]
    admin = bearer(Tokens(store).create("admin", table=None).secret)
    running = Listening(app)
    running.start()
    base = f"http://127.0.0.1:{running.port}"
    with httpx.Client(base_url=base, timeout=30) as client:
        try:
            _wait_until_up(client)
            yield House(client, store, film, admin, app)
        finally:
            running.server.handle_exit(15, None)
            running.stop()


def _wait_until_up(client: httpx.Client) -> None:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        try:
            if client.get("/api/health/ready").status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.05)
    raise AssertionError("the server did not come up")
