"""What happened in a hand, one entry each, with the evidence that was kept of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

from domino_rules.errors import DominoError
from domino_rules.explain import explain
from domino_rules.notation import parse_move
from domino_server.judge.reports.moves import move_text
from domino_server.judge.words import alert_text
from domino_server.rules_view import plain
from domino_server.store import StoredEvent

Kind = Literal[
    "move", "correction", "question", "answer", "illegal", "finding", "alert", "claim", "ruling", "undo", "redo",
    "shown", "hand_end",
]  # fmt: skip


class Entry(BaseModel):
    """Something that happened, as an event of the table."""

    model_config = ConfigDict(extra="forbid")

    seq: int
    at: str = Field(description="ISO 8601 UTC")
    kind: Kind
    code: str | None = None
    moves: list[int] = Field(default_factory=list, description="numbers of the moves that it is about, as of now")
    player: str | None = None
    tile: str | None = None
    text: str = Field(default="", description="in the language asked for")
    before: str | None = Field(default=None, description="of a correction: the move as it was, in words")
    odds: float | None = None
    holds: bool = Field(default=False, description="of a move: whether it is in the record now")
    frame: str | None = Field(default=None, description="name of the evidence file")
    size: tuple[int, int] | None = None
    crops: list[str] = Field(default_factory=list)
    clip: str | None = None
    purged: bool = Field(default=False, description="there was a picture; it was removed on purpose")
    alert: dict[str, Any] | None = Field(default=None, description="data of an alert, with its words")
    ruling: dict[str, Any] | None = Field(default=None, description="data of a ruling")
    params: dict[str, Any] = Field(default_factory=dict, description="of a claim: points called, and those right")
    said: str | None = Field(default=None, description="the move in the notation")


def entries_of(events: Sequence[StoredEvent], texts: Sequence[str], lang: str) -> list[Entry]:
    """Return what happened in a hand.

    Args:
        events: of the hand, in their order.
        texts: its moves in the notation, as they hold now.
        lang: language of the words.
    """
    log = _Log(lang)
    for event in events:
        log.take(event)
    last = {entry.moves[0]: entry for entry in log.entries if entry.said is not None and entry.moves}
    for number, text in enumerate(texts, 1):
        entry = last.get(number)
        if entry is not None and entry.said == text:
            entry.holds = True
    return log.entries


class _Log:
    """Takes events one after the other; evidence comes behind what it shows."""

    def __init__(self, lang: str) -> None:
        self.entries: list[Entry] = []
        self._lang = lang
        self._bare: list[Entry] = []
        self._purged: set[str] = set()

    def take(self, event: StoredEvent) -> None:
        """Take the next event."""
        data: Mapping[str, Any] = event.data
        numbered: dict[str, Any] = {"seq": event.seq, "at": event.at.isoformat()}
        match event.kind:
            case "evidence":
                self._show(data)
            case "purge":
                self._purge(set(map(str, data.get("files", ()))))
            case "alert":
                self._alert(data, numbered)
            case "ruling":
                moves = [data["move"]] if data.get("move") else []
                self._add(Entry(kind="ruling", moves=moves, code=data["kind"], text=data["reason"], ruling=plain(data),
                                player=data["by"], **numbered))  # fmt: skip
            case "said" if (write := _SAID.get(str(data.get("event")))) is not None:
                fields = write(data, self._lang)
                if fields is not None:
                    self._shift(data)
                    kind = cast("Kind", "answer" if data["event"] == "settled" else data["event"])  # a key of _SAID
                    self._add(Entry(kind=kind, **fields, **numbered))
            case _:
                pass

    def _add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._bare.append(entry)

    def _alert(self, data: Mapping[str, Any], numbered: Mapping[str, Any]) -> None:
        """Add an alert; one that is withdrawn is marked where it stands."""
        for entry in self.entries:
            if entry.alert is not None and entry.alert["key"] == data["key"]:
                entry.alert = {**entry.alert, "withdrawn": bool(data["withdrawn"])}
        if data["withdrawn"]:
            return
        seen = (data["player"], next(iter(data["tiles"]), None))
        gone = [e for e in self._bare if e.kind == "illegal" and (e.player, e.tile) == seen]  # the alert says it all
        self.entries = [entry for entry in self.entries if entry not in gone]
        words = alert_text(data, self._lang)
        moves = [data["move"]] if data.get("move") else []
        self._add(Entry(kind="alert", code=data["kind"], moves=moves, player=data["player"], odds=data["odds"],
                        tile=next(iter(data["tiles"]), None), text=words["text"], alert={**plain(data), **plain(words)},
                        **numbered))  # fmt: skip

    def _show(self, data: Mapping[str, Any]) -> None:
        """Give the pictures of an event of evidence to what it is about."""
        if "clip" in data:
            name = None if data["clip"] in self._purged else str(data["clip"])
            for entry in self.entries:
                if name is not None and entry.clip is None and _is_about(entry, data):
                    entry.clip = name
            return
        if "frame" not in data:
            return
        for entry in self._bare:
            if entry.kind in {"alert", "claim", "ruling"} or _is_about(entry, data):
                entry.frame, entry.size = str(data["frame"]), tuple(data.get("size") or ()) or None
                entry.crops = [str(name) for name in data.get("crops", ())]
        self._bare.clear()

    def _purge(self, files: set[str]) -> None:
        self._purged |= files
        for entry in self.entries:
            if entry.frame in files:
                entry.frame, entry.purged = None, True
            if entry.clip in files:
                entry.clip = None
            entry.crops = [name for name in entry.crops if name not in files]

    def _shift(self, data: Mapping[str, Any]) -> None:
        """Follow the numbers of moves when one is left out or added in between."""
        if data["event"] != "correction" or (data["before"] is not None) == (data["after"] is not None):
            return
        number, step = int(data["number"]), 1 if data["before"] is None else -1
        for entry in self.entries:
            gone = step < 0 and entry.moves == [number]
            entry.said = None if gone else entry.said
            entry.moves = [n + step if n >= number and not gone else n for n in entry.moves]


def _is_about(entry: Entry, data: Mapping[str, Any]) -> bool:
    if entry.kind in {"move", "correction"}:
        return any(number in data.get("moves", ()) for number in entry.moves)
    if entry.kind == "hand_end":
        return bool(data.get("moves"))
    code = entry.code if entry.alert is None else entry.alert["code"]  # an alert goes by its kind
    return code in data.get("codes", ())


# The fields of an entry by what was said


def _moved(data: Mapping[str, Any], lang: str) -> dict[str, Any]:
    text = str(data["record"]["move"])
    return {"moves": [data["number"]], "said": text, **_in_words(text, lang)}


def _corrected(data: Mapping[str, Any], lang: str) -> dict[str, Any]:
    before, after = data["before"], data["after"]
    text = None if after is None else str(after["move"])
    was = None if before is None else _in_words(str(before["move"]), lang)
    words = {"player": None if was is None else was["player"]} if text is None else _in_words(text, lang)
    return {"moves": [data["number"]], "said": text, "before": None if was is None else was["text"], **words}


def _in_words(text: str, lang: str) -> dict[str, Any]:
    try:
        move = parse_move(text)
    except DominoError:
        return {"player": None, "text": text}
    return {"player": move.player, "text": move_text(move, lang)}


def _asked(data: Mapping[str, Any], lang: str) -> dict[str, Any]:
    question = data["question"]
    player = question["params"].get("player")
    text = _explained("question", question["code"], lang, question["params"])
    return {"code": question["code"], "tile": next(iter(question["tiles"]), None), "player": player, "text": text}


def _answered(data: Mapping[str, Any], _: str) -> dict[str, Any] | None:
    return None if data["answer"] is None else {"code": data["code"], "text": str(data["answer"])}


def _illegal(data: Mapping[str, Any], lang: str) -> dict[str, Any]:
    text = _explained("reason", data["code"], lang, {"tile": data["tile"], **data["params"]})
    return {"code": data["code"], "player": data["player"], "tile": data["tile"], "odds": data["odds"], "text": text}


def _found(data: Mapping[str, Any], lang: str) -> dict[str, Any]:
    text = _explained("finding", data["code"], lang, {})
    moves = [] if data["move"] is None else [data["move"]]
    return {"code": data["code"], "player": data["player"], "moves": moves, "text": text}


def _claimed(data: Mapping[str, Any], _: str) -> dict[str, Any]:
    return {
        "moves": [data["move"]],
        "player": data["player"],
        "params": {"points": data["points"], "right": data["right"]},
    }


def _ended(data: Mapping[str, Any], lang: str) -> dict[str, Any]:
    result = data["result"]
    text = explain(f"result.{result['kind']}", {"side": result["side"], "player": result["player"]}, lang)
    return {"code": result["kind"], "player": result["player"], "text": text}


def _explained(section: str, code: str, lang: str, params: Mapping[str, Any]) -> str:
    key = f"{section}.{code}"
    text = explain(key, dict(params), lang)
    return code.replace("_", " ") if text in {key, code} else text


_SAID: Final[Mapping[str, Callable[[Mapping[str, Any], str], dict[str, Any] | None]]] = {
    "move": _moved,
    "correction": _corrected,
    "question": _asked,
    "settled": _answered,
    "illegal": _illegal,
    "finding": _found,
    "claim": _claimed,
    "shown": lambda data, _: {"player": data["player"], "text": " ".join(map(str, data["tiles"]))},
    "undo": lambda data, _: {"moves": [data["moves"]]},
    "redo": lambda data, _: {"moves": [data["moves"]]},
    "hand_end": _ended,
}
