"""Results for the organiser: CSV, one row for each side of each hand, and JSON with everything but pictures."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from domino_server.judge.reports.model import HandReport, MatchReport, TableReport

COLUMNS: Final = (
    "table_id", "table", "match", "game", "hand", "side", "players", "points", "total", "hand_winner", "match_winner",
    "findings", "rulings",
)  # fmt: skip
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def as_csv(tables: Sequence[TableReport]) -> str:
    """Return one row for each side of each hand, with a header; names can do no harm in a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for table in tables:
        for match in table.matches:
            for hand in match.hands:
                writer.writerows(_rows(table, match, hand))
    return out.getvalue()


def _rows(table: TableReport, match: MatchReport, hand: HandReport) -> Iterator[tuple[object, ...]]:
    for side, players in match.sides.items():
        texts = (table.name, match.game, side, " ".join(players), hand.winner or "", match.winner or "")
        name, game, team, who, won, all_won = map(_harmless, texts)
        yield (
            table.table, name, match.number, game, hand.number, team, who, hand.points.get(side, 0),
            hand.totals.get(side, 0), won, all_won, len(hand.findings), len(hand.rulings),
        )  # fmt: skip


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_json(tables: Sequence[TableReport]) -> str:
    """Return everything but pictures and drawings."""
    return json.dumps([_table(table) for table in tables], ensure_ascii=False, indent=2, default=str) + "\n"


def _table(table: TableReport) -> dict[str, Any]:
    plain = asdict(table)
    for match in plain["matches"]:
        for hand in match["hands"]:
            del hand["layout"]
            hand["pictures"] = [picture["name"] for picture in hand["pictures"]]
    return plain
