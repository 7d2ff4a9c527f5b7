"""`dominotable enrol`: teach the reader a set of tiles from pictures of it, and keep that under a name."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from domino_rules.errors import ParseError
from domino_rules.tile import Tile, find_tile_set, parse_tiles
from domino_server.console import note, printable
from domino_server.data_folder import tiles_folder
from domino_server.enrolling import check_unused, enrol_seen, facts_of, rows_of, seen_in, tiles_before
from domino_vision.errors import EnrolError
from domino_vision.types import Frame, U8Array


@dataclass(frozen=True, slots=True)
class EnrolOptions:
    """How to enrol.

    Attributes:
        set_name: the set that the tiles belong to.
        seen: for each picture the tiles in it, such as `6-6,6-5`; empty if they are to be found out.
        add: add to tiles that have the name already.
        data: folder of all that is kept.
        as_json: print JSON instead of text.
        weights: another detector.
        threads: threads of the networks.
    """

    set_name: str
    seen: tuple[str, ...] = ()
    add: bool = False
    data: Path | None = None
    as_json: bool = False
    weights: Path | None = None
    threads: int = 2


def run(pictures: list[Path], name: str | None, options: EnrolOptions) -> None:
    """Enrol the tiles in pictures; all that can be wrong with the options is told before the work begins.

    Raises:
        EnrolError, SetupError, ParseError, SourceError, ModelError: nothing is kept then.
    """
    from domino_vision.enrol import TileStore
    from domino_vision.pipeline import load_pipeline
    from domino_vision.sources import read_picture

    if not pictures or name is None:
        raise EnrolError("bad_option", "name the pictures and the tiles: dominotable enrol PICTURE --name NAME")
    tile_set = find_tile_set(options.set_name)
    given = [parse_tiles(text) for text in options.seen] or None
    store = TileStore(tiles_folder(options.data))
    before = tiles_before(store, name, add=options.add)
    frames = [Frame(read_picture(picture)) for picture in pictures]
    detector = None if options.weights is None else str(options.weights)
    pipeline = load_pipeline(tile_set.name, detector, threads=options.threads)
    seen = [seen_in(picture.name, frame, pipeline) for picture, frame in zip(pictures, frames, strict=True)]
    ask = _ask if given is None and sys.stdin is not None and sys.stdin.isatty() and not options.as_json else None
    threads = options.threads
    report = enrol_seen(name, seen, tile_set, given=given, ask=ask, before=before, threads=threads)
    store.save(report.tiles)
    facts = facts_of(report)
    sys.stdout.write((json.dumps(facts, indent=2) if options.as_json else _text(facts)) + "\n")


def show(data: Path | None, *, as_json: bool) -> None:
    """List the names of enrolled tiles."""
    from domino_vision.enrol import TileStore

    store = TileStore(tiles_folder(data))
    rows: list[dict[str, Any]] = [
        {"name": row.name, "set": row.set_name, "tiles": row.tiles}
        if row.problem is None
        else {"name": row.name, "problem": row.problem.message}
        for row in rows_of(store)
    ]
    if as_json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
        return
    if not rows:
        note("no tiles are enrolled; see: dominotable enrol --help")
    for row in rows:
        what = row.get("problem") or f"{row['set']}, {row['tiles']} tiles seen"
        sys.stdout.write(printable(f"{row['name']}: {what}") + "\n")


def remove(name: str, data: Path | None, database: str | None = None) -> None:
    """Forget enrolled tiles, if no table plays with them.

    Raises:
        EnrolError: `tiles_name`, `tiles_unknown`, `tiles_in_use` or `tiles_unwritable`.
        StoreError: if there are tables, and they cannot be read.
    """
    from domino_server.store import Place, Store
    from domino_vision.enrol import TileStore

    tiles, place = TileStore(tiles_folder(data)), Place.of(data, database)
    if place.file is None or place.file.exists():
        tables = Store.open(place.url)
        try:
            check_unused(tables, name)
        finally:
            tables.close()
    tiles.remove(name)
    note(f"forgotten: {printable(name)}")


def _ask(doubt: Any, _crop: U8Array) -> Tile | None:
    """Ask on the terminal which tile a doubt is; an empty answer takes the likeliest."""
    while True:
        text = typer.prompt(printable(str(doubt)) + "?", default=str(doubt.choices[0]), err=True)
        try:
            return Tile.parse(text)
        except ParseError as error:
            note(error.message)


def _text(facts: dict[str, Any]) -> str:
    kinds = len(set(facts["tiles"]))
    lines = [f"{printable(facts['name'])}: {len(facts['tiles'])} tiles of the {facts['set']} set ({kinds} different)"]
    if facts["missing"] and len(facts["missing"]) <= 12:
        lines.append(f"not seen   {', '.join(facts['missing'])}")
    lines += _worth(facts)
    lines += [f"check      {printable(each)}: named against a clear reading" for each in facts["against"]]
    same = "" if facts["changed"] else "   (reads as without, until --add teaches more)"
    lines.append(f"use        --tiles {_quoted(facts['name'])}{same}")
    return "\n".join(lines)


def _worth(facts: dict[str, Any]) -> list[str]:
    """Return what the learning was worth: halves read right before and after, and how surely."""
    before, after = facts["halves"]["before"], facts["halves"]["after"]
    if not facts["changed"]:
        return [f"halves     {before:.1%} right; what was learned made that no surer and is left out"]
    lines = [f"halves     {before:.1%} right before, {after:.1%} after (small, soft views; each tile held out)"]
    if facts["worse"]:
        how = "fewer are right" if after < before else "they are read less surely"
        lines.append(f"           {how} with what was learned: compare with and without --tiles")
    return lines


def _quoted(name: str) -> str:
    return f'"{printable(name)}"' if " " in name else printable(name)
