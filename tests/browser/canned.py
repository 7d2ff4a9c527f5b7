"""Canned tables for the pages' tests: a hand of Cincos over the demo picture, and one of Bingo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from domino_rules.layout import Arm, Layout
from domino_rules.state import find_game
from domino_rules.tile import Tile
from domino_server.tables.drawings import crop_jpeg
from domino_vision.types import Frame
from tests.browser.fake_server import FakeTable

LAYOUT = "0-0 R:0-3 R:3-5 L:0-4 U:0-1 U:1-6 D:0-6 D:6-4 D:4-2 D:2-1 D:1-3"
PLAYS = ("0|0 start", "3-0 R", "5-3 R", "4-0 L", "1-0 U", "6-1 U", "6-0 D", "6-4 D", "4-2 D", "2-1 D", "3-1 D")
ROUND = ("Ana", "Đorđe", "Łukasz", "Мира")


def cincos(demo: Path) -> FakeTable:
    """A table of four with two pairs in the middle of its third hand."""
    layout = Layout.parse(LAYOUT)
    ends = [{"arm": end.arm.value, "pips": end.pips, "count": end.count} for end in layout.open_ends]
    moves = [
        {
            "number": n,
            "hand": 3,
            "player": ROUND[(n - 1) % 4],
            "text": f"{ROUND[(n - 1) % 4]} {play}",
            "known": "told" if n == 6 else "seen",
            "points": points,
            "at": None,
        }
        for n, (play, points) in enumerate(zip(PLAYS, _scored(), strict=True), 1)
    ]
    state = _state(
        game="cincos",
        set="double-six",
        seats=list(ROUND),
        sides={"Ana+Łukasz": ["Ana", "Łukasz"], "Đorđe+Мира": ["Đorđe", "Мира"]},
        hand=3,
        to_move="Мира",
        target=150,
        totals={"Ana+Łukasz": 85, "Đorđe+Мира": 60},
        moves=moves,
        board=None,
        layout={"text": str(layout), "ends": ends, "count": layout.count},
        hands=[
            {
                "number": 1,
                "winner": "Ana+Łukasz",
                "points": {"Ana+Łukasz": 45, "Đorđe+Мира": 20},
                "totals": {"Ana+Łukasz": 45, "Đorđe+Мира": 20},
                "reason": "domino",
                "pending": False,
            },
            {
                "number": 2,
                "winner": "Đorđe+Мира",
                "points": {"Ana+Łukasz": 25, "Đorđe+Мира": 25},
                "totals": {"Ana+Łukasz": 70, "Đorđe+Мира": 45},
                "reason": "block",
                "pending": False,
            },
        ],
    )
    table = FakeTable(state, _private(demo), (demo / "cincos.jpg").read_bytes())
    table.answers = {
        "games": games(),
        "crops": _crops(demo),
        "tables": [{"id": "t", "name": "Table one", "game": "cincos", "seats": list(ROUND), "phase": "running"}],
        "cameras": [{"source": "0", "label": "Camera 0"}],
        "tables/t": {"id": "t", "name": "Table one", "config": _config()},
        "tables/t/tokens": [],
        "tables/t/start": {},
        "tables/t/stop": {},
    }
    return table


def _scored() -> list[int]:
    """Return what each play of the hand scores: the count, where it is a multiple of five."""
    layout, points = Layout(), list[int]()
    for play in PLAYS:
        tile, arm = play.split()
        layout = layout.place(Tile.parse(tile.replace("|", "-")), Arm(arm))
        points.append(0 if layout.count % 5 else layout.count)
    return points


def bingo(demo: Path) -> FakeTable:
    """A table of two at Bingo."""
    table = cincos(demo)
    table.state = _state(
        game="bingo",
        set="double-six",
        seats=["Ana", "Bo"],
        sides={"Ana": ["Ana"], "Bo": ["Bo"]},
        hand=1,
        to_move="Bo",
        target=7,
        totals={"Ana": 2, "Bo": 1},
        layout=None,
        hands=[],
        board={
            "trump": 5,
            "trump_tile": "5-2",
            "lead": {"player": "Ana", "tile": "6-6", "declared": 2},
            "trick": [],
            "tricks": {"Ana": 3, "Bo": 1},
            "stock": 9,
            "phase": 1,
            "points": {"Ana": 34, "Bo": 12},
            "closed": None,
        },
        moves=[
            {
                "number": 1,
                "hand": 1,
                "player": "Ana",
                "text": "Ana leads 6-6 declares 2",
                "known": "seen",
                "points": 20,
                "at": None,
            }
        ],
    )
    return table


def question() -> dict[str, Any]:
    """An open question with two crops and what each answer changes."""
    return {
        "code": "misread_or_illegal",
        "tiles": ["3-1", "2-1"],
        "crops": 2,
        "params": {"code": "no_match"},
        "choices": [
            {"key": "as:5-1", "text": "5-1", "odds": 0.72, "changes": {"legal": True, "points": {"Ana+Łukasz": 20}}},
            {"key": "as:3-1", "text": "3-1", "odds": 0.2, "changes": {"legal": True, "points": {}, "to_move": "Мира"}},
            {"key": "illegal", "text": "3-1 no_match", "odds": 0.08, "changes": {"legal": False}},
        ],
    }


def games() -> list[dict[str, Any]]:
    """The games as the server lists them."""
    found = []
    for name, seats in (("pincset", [2, 3, 4]), ("cincos", [2, 3, 4]), ("bingo", [2]), ("tiu-u", [2, 3, 4])):
        game = find_game(name)
        options = [
            {
                "name": o.name,
                "default": list(o.default) if isinstance(o.default, tuple) else o.default,
                "choices": list(o.choices),
                "minimum": o.minimum,
                "text": {"en": f"What {o.name.replace('_', ' ')} means."},
            }
            for o in game.rules().options
        ]
        found.append({"name": name, "title": {}, "seats": seats, "set": game.tile_set.name, "options": options})
    return found


def _config() -> dict[str, Any]:
    return {
        "game": "cincos",
        "seats": list(ROUND),
        "options": {},
        "source": "push",
        "language": "en",
        "delay_s": 0,
        "public": True,
        "tournament": False,
    }


def _state(**values: Any) -> dict[str, Any]:
    camera = {"state": "live", "label": "phone", "fps": 14.6, "size": [1280, 960], "code": None, "detail": None}
    return {
        "id": "t",
        "name": "Table one",
        "language": "en",
        "seq": 40,
        "phase": "running",
        "camera": camera,
        "winner": None,
        "settle": {"state": "wait", "code": None, "text": ""},
        "pause": None,
        "alerts": [],
        "picture": 1,
        "delay_s": 0,
        "tournament": False,
        **values,
    }


def _private(demo: Path) -> dict[str, Any]:
    seen = json.loads((demo / "cincos.json").read_text(encoding="utf-8"))
    tiles = [
        {
            "index": i,
            "quad": tile["quad"],
            "tile": f"{max(tile['halves'])}-{min(tile['halves'])}",
            "halves": tile["halves"],
            "role": "chain" if i < 11 else "loose",
            "confidence": 0.99,
        }
        for i, tile in enumerate(seen["tiles"])
    ]
    ends = [_end(tiles, *end) for end in (("L", "4-0", 4), ("R", "5-3", 5), ("U", "6-1", 6), ("D", "3-1", 3))]
    zones = [{"name": "hand-0", "polygon": [[330, 800], [540, 800], [540, 950], [330, 950]]}]
    return {
        "questions": [],
        "zones": zones,
        "zones_mm": None,
        "shown": {},
        "can_undo": True,
        "can_redo": False,
        "observation": {
            "size": _size(demo),
            "tiles": tiles,
            "joins": seen["chain"],
            "ends": ends,
            "problems": [],
            "believed": True,
        },
    }


def _end(tiles: list[dict[str, Any]], arm: str, name: str, pips: int) -> dict[str, Any]:
    """Return the mark of an open end at the free side of its tile."""
    tile = next(tile for tile in tiles if tile["tile"] == name)
    a, b, c, d = np.array(tile["quad"], float)
    at = (a + b) / 2 if tile["halves"][0] == pips else (c + d) / 2
    out = at - (a + b + c + d) / 4
    return {
        "arm": arm,
        "pips": pips,
        "count": pips,
        "at": at.tolist(),
        "out": (out / np.linalg.norm(out)).tolist(),
    }


def _size(demo: Path) -> list[int]:
    import cv2

    picture = cv2.imread(str(demo / "cincos.jpg"))
    assert picture is not None
    return [picture.shape[1], picture.shape[0]]


def _crops(demo: Path) -> list[bytes]:
    """Return the tiles of the question as it shows them."""
    import cv2

    picture = cv2.imread(str(demo / "cincos.jpg"))
    assert picture is not None
    seen = {tile["tile"]: tile["quad"] for tile in _private(demo)["observation"]["tiles"]}
    frame = Frame(np.asarray(picture, np.uint8))
    return [crop_jpeg(frame, [(x, y) for x, y in seen[tile]]) for tile in question()["tiles"]]
