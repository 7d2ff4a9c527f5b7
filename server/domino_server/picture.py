"""The annotated picture with the report's lines beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from domino_rules.layout import Layout
from domino_server.report import left_out_of, problem_text
from domino_server.schemas import PlayReport, Report
from domino_vision.annotate import Words, annotate
from domino_vision.sinks import encode_picture, write_picture
from domino_vision.types import Frame, TableObservation, U8Array

SHOWN_PLAYS = 8
WORDS = Words(problem=problem_text)
"""The words of a report."""


def annotated(frame: Frame, observation: TableObservation, report: Report) -> U8Array:
    """Return the picture with boxes, values, joins, ends and, in a strip beside it, count, points and plays."""
    lines = []
    if report.points:
        lines.append(f"scores {report.points}")
    if report.must_draw:
        lines.append("no tile of the hand fits")
    lines += [_line(play) for play in report.legal_plays[:SHOWN_PLAYS]]
    more = len(report.legal_plays) - SHOWN_PLAYS
    if more > 0:
        lines.append(f"and {more} more")
    layout = None if report.layout is None else Layout.parse(report.layout)
    questions = (*observation.questions, *left_out_of(layout, observation))
    layouts = () if layout is None else (layout,)
    seen = replace(observation, layouts=layouts, open_end_count=report.count, questions=questions)
    return annotate(frame.bgr, seen, lines, WORDS)


def annotated_jpeg(frame: Frame, observation: TableObservation, report: Report) -> bytes:
    """Return the annotated picture as a JPEG file."""
    return encode_picture(annotated(frame, observation, report), ".jpg")


def save_annotated(path: Path, frame: Frame, observation: TableObservation, report: Report) -> None:
    """Write the annotated picture, whole or not at all.

    Raises:
        SourceError: if the folder is missing, the suffix unknown or the disk full.
    """
    write_picture(path, annotated(frame, observation, report))


def _line(play: PlayReport) -> str:
    text = f"{play.tile} at {play.arm}"
    if play.if_spinner:
        text += f" if {play.if_spinner} is the spinner"
    if play.points:
        return f"{text}  +{play.points}"
    return text if play.count is None else f"{text}  {play.count}"
