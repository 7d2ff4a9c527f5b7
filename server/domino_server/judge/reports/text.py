"""A report as a few lines for a terminal: who played what, how each hand ended, and whether the file is genuine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from domino_rules.explain import find_language
from domino_server.judge.reports.model import HandReport, MatchReport, TableReport
from domino_server.judge.words import word


def as_text(tables: Sequence[TableReport], lang: str) -> str:
    """Return a summary of tables as lines, each ended; raises SetupError `unknown_language`."""
    language = find_language(lang)
    return "".join(f"{line}\n" for table in tables for line in _table(table, language))


def _table(table: TableReport, lang: str) -> Iterator[str]:
    for match in table.matches:
        yield from _match(table.name, match, lang)
    if table.verification is None:
        yield word("label.unsigned", lang)
        return
    yield word("label.genuine" if table.verification["genuine"] else "label.not_genuine", lang)
    yield from (f"  {problem}" for problem in table.problems)


def _match(name: str, match: MatchReport, lang: str) -> Iterator[str]:
    yield f"{name}: {match.title}, {', '.join(match.seats)}"
    yield from (_hand(hand, lang) for hand in match.hands)
    if match.problem is not None:
        yield f"  {match.problem}"
    yield f"  {word('label.total', lang)}: {_points(match.totals)}; {_winner(match, lang)}"


def _hand(hand: HandReport, lang: str) -> str:
    """Return how a hand ended, what it brought, and how much there was to say of it."""
    told = [f"{word('label.hand', lang)} {hand.number}", hand.result or word("label.undecided", lang)]
    notes = {"label.alerts": len(hand.alerts), "label.findings": len(hand.findings), "label.rulings": len(hand.rulings)}
    told += [f"{word(key, lang)} {count}" for key, count in notes.items() if count]
    return f"  {': '.join(told[:2])} ({', '.join([_points(hand.points), *told[2:]])})"


def _winner(match: MatchReport, lang: str) -> str:
    return word("label.undecided", lang) if match.winner is None else f"{word('label.winner', lang)}: {match.winner}"


def _points(points: Mapping[str, int]) -> str:
    return ", ".join(f"{side} {number}" for side, number in points.items())
