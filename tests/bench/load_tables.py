"""Load on one server: viewers of tables whose pictures are pushed, while people tell moves.

Run by hand, not by pytest: `python -m tests.bench.load_tables --minutes 10`. It starts `dominotable serve` with the
trained networks in a process of its own and prints figures as JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2 as httpx
from websockets.asyncio.client import connect

from domino_rules.notation import format_move
from domino_rules.record_replay import replay
from tests.referee_games import random_game
from tests.serving import Served, serving
from tests.table_frames import Film, pincset_tables

HERE = "127.0.0.1"


@dataclass
class Figures:
    """What was measured."""

    delays: list[float] = field(default_factory=list)
    numbers: dict[str, list[list[int]]] = field(default_factory=dict)
    acks: int = 0
    dropped: int = 0
    told: int = 0
    memory_mib: list[float] = field(default_factory=list)


async def view(base: Served, table: str, figures: Figures, until: float) -> None:
    """Read a stream of events until the time is up."""
    host, port = HERE, int(base.rpartition(":")[2])
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET /api/v1/tables/{table}/events HTTP/1.1\r\nHost: {HERE}:{port}\r\n\r\n".encode())
    numbers: list[int] = []
    figures.numbers.setdefault(table, []).append(numbers)
    name, number = "", 0
    while (left := until - time.monotonic()) > 0:
        try:
            line = await asyncio.wait_for(reader.readline(), left)
        except TimeoutError:
            break
        if line.startswith(b"id: "):
            number = int(line[4:])
        elif line.startswith(b"event: "):
            name = line[7:].decode().strip()
        elif line.startswith(b"data: ") and name in {"undo", "redo", "move"}:
            at = datetime.fromisoformat(json.loads(line[6:])["at"])
            figures.delays.append(time.time() - at.timestamp())
            numbers.append(number)
    writer.close()


async def push(
    base: Served, table: str, token: str, frames: Sequence[bytes], fps: float, figures: Figures, until: float
) -> None:
    """Push frames as a phone does: the next one after the acknowledgement, not before its time."""
    url = base.replace("http", "ws")
    async with connect(f"{url}/api/v1/tables/{table}/camera", max_size=None) as socket:
        await socket.send(json.dumps({"token": token}))
        await socket.recv()
        due = time.monotonic()
        count = 0
        while time.monotonic() < until:
            await socket.send(frames[count // (20 * round(fps)) % len(frames)])
            ack = json.loads(await socket.recv())
            figures.acks += 1
            figures.dropped += ack["dropped"]
            count += 1
            due += 1 / fps
            await asyncio.sleep(max(0.0, due - time.monotonic()))


async def tell(base: Served, table: str, token: str, every_s: float, figures: Figures, until: float) -> None:
    """Undo and redo, again and again."""
    async with httpx.AsyncClient(
        base_url=str(base), headers={"Authorization": f"Bearer {token}"}, timeout=60
    ) as client:
        redo = False
        while time.monotonic() < until:
            started = time.monotonic()
            op = "redo" if redo else "undo"
            answer = await client.post(f"/api/v1/tables/{table}/commands", json={"op": op})
            if answer.status_code == 200:
                redo = not redo
                figures.told += 1
            else:
                redo = answer.json()["code"] == "nothing_to_undo"
            await asyncio.sleep(max(0.0, every_s - (time.monotonic() - started)))


async def weigh(pid: int, figures: Figures, until: float) -> None:
    """Note the memory of the server."""
    while time.monotonic() < until:
        status = Path(f"/proc/{pid}/status").read_text()
        kib = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        figures.memory_mib.append(kib / 1024)
        await asyncio.sleep(5)


def make_tables(base: Served, count: int, option: Any) -> list[tuple[str, str, str]]:
    """Return id, keeper's and camera's token of running tables at which some moves were told."""
    made = []
    moves = replay(random_game("pincset", "ABCD", 5, 1, force_66=False)).match.hands[0].moves[:12]
    with httpx.Client(base_url=str(base), headers={"Authorization": f"Bearer {base.token}"}, timeout=60) as client:
        for number in range(count):
            config = {"name": f"T{number}", "game": "pincset", "seats": list("ABCD"), "source": "push", **option}
            answer = client.post("/api/v1/tables", json=config)
            answer.raise_for_status()
            table, tokens = answer.json()["table"]["id"], answer.json()["tokens"]
            client.post(f"/api/v1/tables/{table}/start").raise_for_status()
            for move in moves:
                body = {"op": "move", "text": format_move(move)}
                client.post(f"/api/v1/tables/{table}/commands", json=body).raise_for_status()
            made.append((table, tokens["keeper"], tokens["camera"]))
    return made


async def load(base: Served, arguments: argparse.Namespace) -> Figures:
    """Run viewers, phones and keepers together."""
    figures = Figures()
    tables = make_tables(base, arguments.tables, {"options": {"force_66": "false"}})
    film = Film()
    frames = [film.show(table) for table in pincset_tables(3, 6)[1]]
    until = time.monotonic() + arguments.minutes * 60
    jobs = [view(base, tables[n % len(tables)][0], figures, until) for n in range(arguments.viewers)]
    jobs += [push(base, table, camera, frames, arguments.fps, figures, until) for table, _, camera in tables]
    jobs += [tell(base, table, keeper, arguments.every, figures, until) for table, keeper, _ in tables]
    jobs.append(weigh(base.process.pid, figures, until))
    await asyncio.gather(*jobs)
    return figures


def lost(figures: Figures) -> int:
    """Return how many numbers some viewer of a table did not hear between his first and his last, or heard twice."""
    missing = 0
    for viewers in figures.numbers.values():
        every = sorted({number for numbers in viewers for number in numbers})
        for numbers in viewers:
            if numbers:
                expected = [number for number in every if numbers[0] <= number <= numbers[-1]]
                missing += len(set(expected) ^ set(numbers)) + len(numbers) - len(set(numbers))
    return missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--viewers", type=int, default=200)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--fps", type=float, default=15)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two commands at a table")
    arguments = parser.parse_args()
    with serving("--no-limits", "--log-level", "error") as base:
        figures = asyncio.run(load(base, arguments))
    delays = sorted(figures.delays)
    memory = figures.memory_mib
    third = max(1, len(memory) // 3)
    print(json.dumps({
        "viewers": arguments.viewers,
        "tables": arguments.tables,
        "minutes": arguments.minutes,
        "frames_per_s": round(figures.acks / (arguments.minutes * 60), 1),
        "frames_dropped": figures.dropped,
        "commands": figures.told,
        "events_heard": len(delays),
        "delay_ms": {
            name: round(1000 * delays[min(len(delays) - 1, int(len(delays) * share))], 1)
            for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("most", 1.0))
        },
        "numbers_lost_or_repeated": lost(figures),
        "memory_mib": {
            "first_third": round(statistics.median(memory[:third])),
            "last_third": round(statistics.median(memory[-third:])),
            "most": round(max(memory)),
        },
    }, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
