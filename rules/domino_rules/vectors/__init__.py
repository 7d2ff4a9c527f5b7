"""Conformance vectors: load a file of cases, put each to the engine, compare.

A vector file is `{"encoding", "vectors": [{"id", "op", "setup", "actions", "expect", ...}]}`. For each game a module
holds `OPS`, a table of small functions, one for each op. Such an adapter translates a vector into calls of the engine
and its answer back into plain JSON; it decides no rule. It never sees a vector's id or expected answer. An adapter may
let a `DominoError` escape: its code becomes the answer `{"error": code}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from domino_rules.errors import DominoError, ParseError

GAME_OF_NAME: Final = {
    "pincset": "pincset",
    "500": "pincset",
    "cincos": "cincos",
    "bingo": "bingo",
    "tiu": "tiu_u",
    "pecanje": "tiu_u",
}
"""Part of a file's name (or its `game` entry) → module of this package."""

UNORDERED: Final = frozenset({
    "allowed_openers", "captured", "captured_A", "hand", "legal", "mates", "moves", "not_pairs", "opened_66", "pairs",
    "partners", "playable", "remaining", "talon", "tripled", "winners",
})  # fmt: skip
"""Answers in which the order of a list says nothing. Source: RULES 0.1."""


SAMPLES: Final = frozenset({"not_pairs", "pairs"})
"""Answers of which a vector lists only some: each one listed must be among them."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One case: what is set up, what is done, and what must come out."""

    id: str
    op: str
    setup: Mapping[str, Any] = field(default_factory=dict)
    actions: Sequence[Mapping[str, Any]] = ()
    expect: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    source: str = ""
    certainty: str = ""

    def question(self) -> Vector:
        """Return what an adapter may see: the op, the set-up and the actions."""
        return Vector("", self.op, self.setup, self.actions)


Adapter = Callable[[Vector], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class VectorResult:
    """What the engine answered to a vector; `differences` is empty if it passed."""

    vector: Vector
    actual: Mapping[str, Any]
    differences: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expected key came out as expected."""
        return not self.differences


def ops(game: str) -> Mapping[str, Adapter]:
    """Return the adapters of the game `pincset`, `cincos`, `bingo` or `tiu_u`, by op."""
    table: Mapping[str, Adapter] = import_module(f"domino_rules.vectors.{game}").OPS
    return table


def check(vector: Vector, table: Mapping[str, Adapter]) -> VectorResult:
    """Put one vector to the engine and compare."""
    adapter = table.get(vector.op)
    if adapter is None:
        return VectorResult(vector, {}, (f"op: no adapter for {vector.op!r}",))
    try:
        actual = adapter(vector.question())
    except DominoError as error:
        actual = {"error": error.code}
        if "error" not in vector.expect:
            return VectorResult(vector, actual, (f"error: {error.code} ({error.message})",))
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration) as error:
        return VectorResult(vector, {}, (f"adapter: {type(error).__name__}: {error}",))
    return VectorResult(vector, actual, tuple(_compare(vector.expect, actual)))


def check_file(path: str | Path) -> list[VectorResult]:
    """Put every vector of a file to the engine, in the order of the file.

    Raises:
        ParseError: `vector_file` if the file cannot be read, is no vector file, or names no known game.
    """
    game, vectors = load_file(path)
    table = ops(game)
    return [check(vector, table) for vector in vectors]


def load_file(path: str | Path) -> tuple[str, list[Vector]]:
    """Return the game's module name and the vectors of a file.

    Raises:
        ParseError: `vector_file`, as `check_file`.
    """
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        vectors = [_vector(entry) for entry in data["vectors"]]
        encoding = dict(data.get("encoding", {}))
        game = _game_of(data.get("game", ""), path.stem, encoding)
    except OSError as error:
        raise _broken(path, error.strerror or str(error)) from error
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise _broken(path, f"{type(error).__name__}: {error}") from error
    return game, vectors


def _vector(entry: Mapping[str, Any]) -> Vector:
    known = {name: entry[name] for name in Vector.__slots__ if name in entry}
    return replace(Vector(**known), setup=dict(entry.get("setup") or {}), actions=tuple(entry.get("actions") or ()))


def _game_of(told: str, stem: str, encoding: Mapping[str, Any]) -> str:
    for name in (told.lower(), stem.lower()):
        for part, game in GAME_OF_NAME.items():
            if part in name:
                return game
    if "presets" in encoding:
        return "bingo"
    defaults = encoding.get("rules_defaults", {})
    signs = (("force_66", "pincset"), ("lone_spinner_counts", "cincos"), ("supreme", "tiu_u"))
    for option, game in signs:
        if option in defaults:
            return game
    raise LookupError("neither the name nor the encoding tells the game")


def _broken(path: Path, cause: str) -> ParseError:
    return ParseError("vector_file", f"{path}: not a vector file: {cause}", path=str(path), cause=cause)


def _compare(expect: Mapping[str, Any], actual: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, wanted in expect.items():
        name = prefix + key
        if key not in actual:
            yield f"{name}: expected {wanted!r}, got no answer"
            continue
        got = actual[key]
        unordered = UNORDERED.intersection(name.split("."))
        if isinstance(wanted, Mapping) and isinstance(got, Mapping):
            yield from _compare(wanted, got, f"{name}.")
        elif key in SAMPLES:
            yield from (f"{name}: {item!r} is not among them" for item in wanted if item not in got)
        elif _plain(wanted, sort=bool(unordered)) != _plain(got, sort=bool(unordered)):
            yield f"{name}: expected {wanted!r}, got {got!r}"


def _plain(value: Any, *, sort: bool) -> Any:
    """Return the value with tuples as lists, and the outermost list in a fixed order if `sort`."""
    if not isinstance(value, (list, tuple)):
        return value
    items = [_plain(item, sort=False) for item in value]
    return sorted(items, key=json.dumps) if sort else items
