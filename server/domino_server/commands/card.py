"""The measured part of a model card: `metrics.json` and the block of the README that is made from it."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from domino_rules.errors import DominoError
from domino_server.version import VERSION
from domino_vision.evaluation import Evaluation
from domino_vision.sinks import write_bytes
from domino_vision.weights import DETECTOR, READER, find_model, sha256_of

BEGIN = "<!-- metrics: written by `dominotable evaluate --card`, not by hand -->"
END = "<!-- /metrics -->"
_COLUMNS = {
    "images": "photos",
    "tiles": "tiles",
    "detection.f1": "detection F1",
    "halves": "halves",
    "tiles_exact": "tiles exact",
    "boards_exact": "photos exact",
    "joins.f1": "joins F1",
    "open_end_count_exact": "count exact",
    "asked": "asked",
    "ece": "ECE",
    "corner_error": "corner error",
    "false_per_image": "false a photo",
}


class CardError(DominoError):
    """A folder that holds no model card."""


def write_card(folder: Path, data_name: str, result: Evaluation) -> None:
    """Put the figures for one set of photographs into `metrics.json` and the card of a model folder.

    Raises:
        CardError: as `check_card`.
    """
    text, metrics = check_card(folder)
    card, store = folder / "README.md", folder / "metrics.json"
    metrics[data_name] = {
        "command": f"dominotable evaluate ../shared/photos/{data_name}",
        "date": datetime.now(UTC).date().isoformat(),
        "version": VERSION,
        "sha256": {name: sha256_of(find_model(name)) for name in (DETECTOR, READER)},
        **result.to_json(),
    }
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    write_bytes(store, (json.dumps(metrics, indent=1) + "\n").encode())
    write_bytes(card, f"{head}{BEGIN}\n{_block(metrics)}{END}{tail}".encode())


def check_card(folder: Path) -> tuple[str, dict[str, Any]]:
    """Return the card of a model folder and the figures measured so far.

    Raises:
        CardError: `card_missing`, or `metrics_broken` if `metrics.json` is not what this program writes.
    """
    card, store = folder / "README.md", folder / "metrics.json"
    try:
        text = card.read_text(encoding="utf-8")
    except (OSError, ValueError):
        text = ""
    if END not in text.partition(BEGIN)[2]:
        raise CardError("card_missing", f"{card} is no model card with a place for figures ({BEGIN})", path=str(card))
    try:
        metrics: dict[str, Any] = json.loads(store.read_text(encoding="utf-8")) if store.is_file() else {}
        _block(metrics)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        message = f"{store} holds no figures as this command writes them; delete it to begin anew"
        raise CardError("metrics_broken", message, path=str(store)) from error
    return text, metrics


def _block(metrics: dict[str, Any]) -> str:
    parts = []
    for name, figures in sorted(metrics.items()):
        table = _table("photo table", [("**all**", figures), *sorted(figures["by_table"].items())])
        groups = [row for found in figures.get("by_condition", {}).values() for row in found.items()]
        if groups:
            table += ["", *_table("condition", groups)]
        latency = ", ".join(f"{stage} {time['p50']:.0f} ms" for stage, time in figures["latency_ms"].items())
        parts.append(
            f"\n### `{name}`\n\n`{figures['command']}`, {figures['date']}, version {figures['version']}. "
            f"Median times on two cores: {latency or 'none'}.\n\n" + "\n".join(table) + "\n"
        )
    return "".join(parts) + "\n"


def _table(title: str, rows: list[tuple[str, dict[str, Any]]]) -> list[str]:
    head = [f"| {title} | {' | '.join(_COLUMNS.values())} |", f"|---|{'--:|' * len(_COLUMNS)}"]
    return head + [f"| {label} | {' | '.join(_cell(row, key) for key in _COLUMNS)} |" for label, row in rows]


def _cell(figures: dict[str, Any], key: str) -> str:
    value: Any = figures
    for part in key.split("."):
        value = value[part] if value is not None else None
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
