"""The public state of a table, from what is kept of it and from the thread that watches it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from domino_server.referee import Journal
from domino_server.referee.ledger import Ledger, header_lines
from domino_server.store import Store, StoredEvent, StoreJournal, TableRow
from domino_server.tables.config import TableConfig
from domino_server.tables.public import Played, facts, text_of
from domino_server.tables.states import AlertRow, CameraState, SettleInfo, TableState

MOST_ALERTS: Final = 20
SAID: Final = "said"

Phase = Literal["stopped", "running", "archived"]


class History:
    """What was said of the hand in progress: when moves were committed, what went wrong, which hands were shown."""

    def __init__(self, said: Iterable[StoredEvent] = ()) -> None:
        """Take what was said so far."""
        self.times: dict[tuple[int, int], str] = {}
        self.alerts: deque[AlertRow] = deque(maxlen=MOST_ALERTS)
        self.shown: dict[str, list[str]] = {}
        for event in said:
            self.take(event.data, event.at.isoformat())

    def take(self, line: Mapping[str, Any], at: str, lang: str = "en") -> None:
        """Take the next event."""
        match line["event"]:
            case "hand" | "match":
                self.alerts.clear()
                self.times.clear()
                self.shown.clear()
            case "shown":
                self.shown[line["player"]] = list(line["tiles"])
            case "seats":
                self._rename(dict(zip(line["before"], line["seats"], strict=True)))
            case "undo" | "redo":
                self.shown.clear()
            case "move":
                self.times[line["hand"], line["number"]] = at
            case "correction":
                self._correct(line, at)
            case "illegal":
                row = AlertRow(
                    code=line["code"],
                    player=line["player"],
                    tile=line["tile"],
                    text=text_of("reason", line["code"], lang, **{"tile": line["tile"], **line["params"]}),
                    at=at,
                )
                self.alerts.append(row)

    def _rename(self, names: Mapping[str, str]) -> None:
        alerts = [row.model_copy(update={"player": names.get(row.player or "", row.player)}) for row in self.alerts]
        self.alerts = deque(alerts, maxlen=MOST_ALERTS)
        self.shown = {names.get(player, player): tiles for player, tiles in self.shown.items()}

    def _correct(self, line: Mapping[str, Any], at: str) -> None:
        hand, number = line["hand"], line["number"]
        shift = (line["after"] is not None) - (line["before"] is not None)
        if shift:
            moved = {(h, n + shift if h == hand and n >= number else n): t for (h, n), t in self.times.items() if not (
                shift < 0 and h == hand and n == number
            )}  # fmt: skip
            self.times = moved
        if line["after"] is not None:
            self.times[hand, number] = at


@dataclass(frozen=True, slots=True)
class Standing:
    """What only the thread of a table knows of it."""

    phase: Phase = "stopped"
    camera: CameraState = CameraState()  # noqa: RUF009 - frozen
    settle: SettleInfo = SettleInfo()  # noqa: RUF009 - frozen
    picture: int = 0


def table_state(row: TableRow, config: TableConfig, seq: int, played: Played, standing: Standing) -> TableState:
    """Return the public state of a table; a pure function of its arguments."""
    match = played.match
    return TableState(
        id=row.id,
        name=row.name,
        game=match.game.name,
        set=config.tile_set.name,
        seats=list(match.seats),
        language=config.language,
        delay_s=config.delay_s,
        tournament=config.tournament,
        seq=seq,
        phase="archived" if row.archived_at is not None else standing.phase,
        camera=standing.camera,
        settle=standing.settle,
        picture=standing.picture,
        **facts(played, config.language),
    )


def kept_state(store: Store, row: TableRow) -> TableState:
    """Return the state of a table that nobody watches, from what is kept.

    Raises:
        RecordError, SetupError, IllegalMoveError: if its record cannot be played.
        StoreError: if the store cannot be reached.
    """
    seq = store.last_seq(row.id)
    config = TableConfig.kept(row.config)
    journal: Journal = StoreJournal(store, row.id)
    if journal.empty:
        journal = Journal()
        journal.add(header_lines(config.game, config.seats, config.options, {}))
    ledger = Ledger(journal)
    history = History(store.events(row.id, kinds=(SAID,)))
    played = Played(ledger.match, ledger.moves, None, history.times, tuple(history.alerts))
    return table_state(row, config, seq, played, Standing())
