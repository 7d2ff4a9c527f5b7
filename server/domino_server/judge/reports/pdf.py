"""Reports as PDF by WeasyPrint, which is optional: the extra `report`, and the system's Pango."""

from __future__ import annotations

from pathlib import Path

from domino_rules.errors import DominoError
from domino_vision.sinks import write_bytes


class ReportError(DominoError):
    """A report that cannot be made: `pdf_not_installed`."""


def write_pdf(html: str, out: Path) -> None:
    """Write a report as PDF. Nothing is fetched: all that a report shows is within it.

    Raises:
        ReportError: `pdf_not_installed` without the extra `report`, or without Pango.
        VisionError: `cannot_write`.
    """
    try:
        from weasyprint import HTML
        from weasyprint.urls import URLFetcher
    except (ImportError, OSError) as error:  # OSError: a library of the system is missing
        message = "PDF needs the extra `report` (pip install dominotable[report]) and the system's Pango"
        raise ReportError("pdf_not_installed", f"{message}: {error}") from error
    fetcher = URLFetcher(allowed_protocols=("data",))
    data: bytes = HTML(string=html, url_fetcher=fetcher).write_pdf() or b""
    write_bytes(out, data)
