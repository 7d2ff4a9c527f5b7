"""`dominotable verify`: is an exported file genuine, and do its scores follow from its moves?"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import typer

from domino_server.console import printable
from domino_server.judge.verify import Verdict, verify
from domino_server.rules_view import plain

NOT_GENUINE = 1


def run(path: Path, key: str | None, head: str | None, *, as_json: bool) -> None:
    """Check an exported file: exit code 0 if it is genuine, 1 if not.

    Raises:
        ExportError: if it is no exported file.
        SigningError: if the key is none.
        OSError: if it cannot be read.
    """
    verdict = verify(path, key, head)
    if as_json:
        typer.echo(json.dumps({"genuine": verdict.genuine, **plain(asdict(verdict))}, ensure_ascii=False, indent=2))
    else:
        for line in lines(verdict):
            typer.echo(printable(line))
    if not verdict.genuine:
        raise typer.Exit(NOT_GENUINE)


def lines(verdict: Verdict) -> list[str]:
    """Return a verdict as lines of text."""
    about = f"table {verdict.name or '?'} ({verdict.table}), {verdict.events} events"
    found = [("genuine: " if verdict.genuine else "NOT genuine: ") + about]
    found += [f"  {problem.text}" for problem in verdict.problems]
    for number, match in enumerate(verdict.matches, 1):
        totals = ", ".join(f"{side} {points}" for side, points in match["totals"].items())
        won = f"; won by {match['winner']}" if match["winner"] else ""
        hands = "1 hand" if match["hands"] == 1 else f"{match['hands']} hands"
        found.append(f"  match {number}, {match['game']}, {hands}, from its moves: {totals}{won}")
    there, purged = verdict.evidence
    if there or purged:
        found.append(f"  evidence: {there} files" + (f", {purged} removed on purpose" if purged else ""))
    if verdict.public_key is not None:
        note = "the key that was asked for" if verdict.trusted else "compare it with the table's public key"
        found.append(f"  signed with {verdict.public_key} ({note})")
    return found
