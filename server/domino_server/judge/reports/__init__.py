"""Reports of a hand, a match or a day: self-contained HTML, PDF, CSV and JSON."""

from domino_server.judge.reports.html import render
from domino_server.judge.reports.model import MatchReport, TableReport, build
from domino_server.judge.reports.pdf import write_pdf
from domino_server.judge.reports.source import Source, open_source
from domino_server.judge.reports.tables import as_csv, as_json
from domino_server.judge.reports.text import as_text

__all__ = [
    "MatchReport",
    "Source",
    "TableReport",
    "as_csv",
    "as_json",
    "as_text",
    "build",
    "open_source",
    "render",
    "write_pdf",
]
