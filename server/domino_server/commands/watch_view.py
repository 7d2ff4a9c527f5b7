"""The live view of a watched table in a terminal: layout, ends, count, scores, last moves, state, open questions."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from domino_rules.games.chain import ChainState
from domino_rules.games.cincos_state import CincosState
from domino_rules.layout import Arm, Layout
from domino_rules.notation import format_move
from domino_rules.record import MoveRecord, Source
from domino_server.commands.watch_words import in_words, why_illegal
from domino_server.referee.events import Question
from domino_server.referee.session import Line, TableSession
from domino_vision.types import TableObservation

_EVERY_S: Final = 0.1
_MOVES: Final = 8
_NEWS: Final = 4
_MARK: Final = {Source.SEEN: "", Source.TOLD: " (told)", Source.INFERRED: " (inferred)"}
_STYLE: Final = {"illegal": "bold red", "pause": "yellow", "question": "bold cyan", "source": "red"}


class View:
    """Draws the state of a session; use it in a `with` statement."""

    def __init__(self, session: TableSession, console: Console | None = None) -> None:
        """Prepare.

        Args:
            session: what is shown.
            console: where; default stdout.
        """
        self._session = session
        self._live = Live(console=console or Console(), refresh_per_second=8, transient=False)
        self._news: deque[Text] = deque(maxlen=_NEWS)
        self._drawn_at = 0.0
        self._frames: deque[float] = deque(maxlen=30)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.update(self.picture())
        self._live.stop()

    def heard(self, line: Line) -> None:
        """Note an event for the list of news."""
        text = news(line)
        if text is not None:
            self._news.append(Text(text, style=_STYLE.get(str(line["event"]), "")))

    def show(self, at: float) -> None:
        """Draw, if it is time; `at` is the time of the frame."""
        del at
        now = time.monotonic()
        self._frames.append(now)
        if now - self._drawn_at >= _EVERY_S:
            self._drawn_at = now
            self._live.update(self.picture())

    @property
    def fps(self) -> float:
        """Frames a second over the last ones."""
        if len(self._frames) < 2 or self._frames[-1] == self._frames[0]:
            return 0.0
        return (len(self._frames) - 1) / (self._frames[-1] - self._frames[0])

    def picture(self) -> RenderableType:
        """Return everything that is shown."""
        session = self._session
        referee = session.referee
        parts: list[RenderableType] = [self._table(), self._scores()]
        if referee.pause is not None:
            expects = " ".join(map(str, referee.pause.expects))
            waits = f"waits: {in_words('pause', referee.pause.code)}"
            parts.append(Text(f"{waits} Expected: {expects}" if expects else waits, style="yellow"))
        parts += [asked(question) for question in referee.questions.values()]
        parts += list(self._news)
        reason = session.settler.reason.code.replace("_", " ")
        state = f"{in_words('settle', session.settler.state.value)} ({reason})   {self.fps:.0f} fps   q quits"
        title = f"{referee.ledger.seating.game.name}  hand {referee.ledger.hand}"
        return Panel(Group(*parts), title=title, subtitle=state)

    def _table(self) -> RenderableType:
        state = self._session.referee.state
        if not isinstance(state, ChainState):
            return Text(facts(state) if state is not None else seen(self._session.observation))
        ends = "  ".join(f"{end.arm.value}:{end.pips}" for end in state.layout.open_ends)
        count = f"   count {state.count}" if isinstance(state, CincosState) else ""
        turn = "" if state.to_move is None else f"   {state.to_move} to move"
        return Group(Text(drawn(state.layout)), Text(f"ends {ends or '-'}{count}{turn}", style="bold"))

    def _scores(self) -> RenderableType:
        referee = self._session.referee
        table = Table.grid(padding=(0, 3))
        scores = "\n".join(f"{side:>10} {points}" for side, points in referee.match.totals.items())
        table.add_row(scores, "\n".join(moves(referee.ledger.moves)))
        return table


def drawn(layout: Layout) -> str:
    """Return the line of play as text: the main line, and the spinner's arms below it."""
    left = [f"[{p.outer}|{p.inner}]" for p in reversed(layout.line(Arm.LEFT))]
    first = [f"[{p.inner}|{p.outer}]" for p in layout.line(Arm.START)]
    right = [f"[{p.inner}|{p.outer}]" for p in layout.line(Arm.RIGHT)]
    lines = ["".join((*left, *first, *right)) or "(nothing laid yet)"]
    for arm in (Arm.UP, Arm.DOWN):
        tiles = [f"[{p.inner}|{p.outer}]" for p in layout.line(arm)]
        if tiles and layout.spinner is not None:
            lines.append(f"  {arm.value} of {layout.spinner.tile}: {''.join(tiles)}")
    return "\n".join(lines)


def seen(observation: TableObservation | None) -> str:
    """Return what lies on the table before a hand is begun."""
    tiles = [] if observation is None else [str(tile.tile) for tile in observation.tiles if tile.tile is not None]
    return f"on the table: {' '.join(tiles)}" if tiles else "waiting for the first tiles"


def facts(state: Any) -> str:
    """Return a hand of Bingo or Tiu-U as text."""
    lines = [f"{state.to_move or 'nobody'} to move"]
    if hasattr(state, "trump"):
        lead = "" if state.lead is None else f"   led {state.lead.tile}"
        points = "  ".join(f"{player} {n}" for player, n in state.points.items())
        lines.append(f"trump {state.trump}   stock {len(state.stock)}   phase {state.phase}{lead}   points {points}")
    else:
        lines.append(f"talon {' '.join(map(str, state.talon))}   stock {len(state.stock)}")
        lines.append("  ".join(f"{player} {n}" for player, n in state.finals.items()))
    return "\n".join(lines)


def moves(records: list[MoveRecord]) -> list[str]:
    """Return the last moves as lines, with how they are known."""
    start = max(0, len(records) - _MOVES)
    return [f"{n + 1:>3}. {format_move(r.move)}{_MARK[r.source]}" for n, r in enumerate(records[start:], start)]


def asked(question: Question) -> Text:
    """Return a question with the keys that answer it."""
    tiles = " ".join(map(str, question.tiles))
    text = Text(f"? {in_words('question', question.code)} {tiles}", style="bold cyan")
    for number, choice in enumerate(question.choices, 1):
        odds = "" if choice.odds is None else f"  {choice.odds:.0%}"
        points = choice.changes.get("points")
        changes = "" if not points else "  " + " ".join(f"{side}:{n}" for side, n in points.items())
        text.append(f"\n   {number}  {choice.text}{odds}{changes}")
    return text


def news(line: Line) -> str | None:
    """Return an event as a line for people; None for what the view shows anyway."""
    write = _NEWS_OF.get(str(line["event"]))
    return None if write is None else " ".join(write(line).split())


def _why(line: Line) -> str:
    known = {name: line[name] for name in ("player", "tile") if line.get(name)}
    return why_illegal(str(line["code"]), {**known, **(line.get("params") or {})})


_NEWS_OF: Final[dict[str, Callable[[Line], str]]] = {
    "illegal": lambda line: f"illegal: {line['player'] or ''} {line['tile'] or ''}: {_why(line)}",
    "correction": lambda line: f"move {line['number']}: {line['after']['move'] if line['after'] else 'not made'}",
    "hand_end": lambda line: (
        f"hand {line['hand']}: {in_words('result', line['result']['kind'])} {line['result']['side'] or ''}"
    ),
    "match_end": lambda line: f"{line['winner']} wins the match",
    "finding": lambda line: f"found: {line['player'] or ''} {in_words('finding', line['code'])} ({line['certainty']})",
    "source": lambda line: f"source {line['state']} {line.get('detail', '')}",
    "resume": lambda line: "the game goes on",
}
