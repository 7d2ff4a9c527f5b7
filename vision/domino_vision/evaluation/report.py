"""An evaluation in words: the whole, and a row for each photo table."""

from __future__ import annotations

from collections.abc import Iterable

from domino_vision.evaluation.metrics import Metrics

_COLUMNS = ("table", "images", "tiles", "det F1", "halves", "tiles =", "boards =", "joins F1", "count =", "asked")


def report_text(overall: Metrics, by_table: dict[str, Metrics]) -> str:
    """Return figures for a terminal, one table a row, the whole at the foot."""
    rows = [_row(name, metrics) for name, metrics in sorted(by_table.items())]
    rows.append(_row("all", overall))
    lines = [*_aligned([_COLUMNS, *rows]), "", *_details(overall)]
    return "\n".join(lines)


def ablation_text(together: Metrics, alone: Metrics) -> str:
    """Return what joint decoding gains: its figures beside those of the same readings, every half decoded by itself."""
    names = ("halves", "tiles_exact", "boards_exact", "joins", "open_end_count_exact", "asked")
    shown = ("halves", "tiles =", "boards =", "joins F1", "count =", "asked")
    rows: list[tuple[str, ...]] = [("decoding", *shown, "boards = not asked", "count = not asked")]
    for name, metrics in (("joint", together), ("each half alone", alone)):
        figures = {**{key: getattr(metrics, key) for key in names}, "joins": metrics.joins.f1}
        accepted = (metrics.boards_exact_accepted, metrics.open_end_count_exact_accepted)
        rows.append((name, *map(_share, figures.values()), *map(_share, accepted)))
    return "\n".join(_aligned(rows))


def _row(name: str, m: Metrics) -> tuple[str, ...]:
    shares = (m.detection.f1, m.halves, m.tiles_exact, m.boards_exact, m.joins.f1, m.open_end_count_exact, m.asked)
    return (name, str(m.images), str(m.tiles), *map(_share, shares))


def _details(m: Metrics) -> Iterable[str]:
    yield f"detection    precision {_share(m.detection.precision)}  recall {_share(m.detection.recall)}"
    yield f"face down    F1 {_share(m.face_down.f1)}"
    yield f"corners      {_share(m.corner_error)} of a tile's length off"
    yield f"false tiles  {_share(m.false_per_image)} a picture"
    yield f"calibration  error {_share(m.ece)} a half"
    yield f"not asked    boards {_share(m.boards_exact_accepted)}  count {_share(m.open_end_count_exact_accepted)}"
    times = (f"{stage} {time['p50']:.0f}/{time['p95']:.0f}" for stage, time in m.latency_ms.items())
    yield f"latency      {'  '.join(times) or '-'} ms (median/95 %)"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _aligned(rows: list[tuple[str, ...]]) -> Iterable[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
