"""Reads the text of a record, line by line. What is wrong becomes a RecordError: the line, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeVar

from domino_rules.errors import ParseError, RecordError
from domino_rules.notation import Token, move_from, parse_name, parse_unseen, tokens
from domino_rules.record import Adjustment, Correction, HandRecord, MoveRecord, Record, Source, ToldResult, ToldScore
from domino_rules.state import Deal, Hand
from domino_rules.tile import Tile

_HEADER = re.compile(r"([\w.\-]+):[ \t]*(.*)")
_INTEGER = re.compile(r"[+-]?\d{1,6}", re.ASCII)
_SIGNED = re.compile(r"[+-]\d{1,6}", re.ASCII)
_NUMBER = re.compile(r"(\d{1,6})\.", re.ASCII)
_CODE = re.compile(r"[a-z0-9_.]+", re.ASCII)
_SOURCES: Final = ", ".join(f"({source.value})" for source in Source)
_WANTED: Final = {
    "tile_syntax": "a tile like 6-4",
    "tile_pips": "a tile with 0 to 18 pips on each half",
    "notation_quote": "a closing quote or bracket",
    "notation_name": "a name, in quotes if it is no plain word",
}
_Noted = TypeVar("_Noted", MoveRecord, ToldScore, Adjustment, Correction)


@dataclass
class _Draft:
    """A hand while it is read; `note` appends a comment line to what was read last."""

    number: int
    hands: dict[str, Hand] = field(default_factory=dict)
    stock: tuple[Tile | None, ...] | None = None
    table: tuple[Tile, ...] | None = None
    opener: str | None = None
    moves: list[MoveRecord] = field(default_factory=list)
    shown: dict[str, tuple[Tile, ...]] = field(default_factory=dict)
    result: ToldResult | None = None
    scores: list[ToldScore] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    note: Callable[[str], None] = field(default=lambda _: None)

    def __post_init__(self) -> None:
        self.note = self.comments.append

    def add(self, items: list[_Noted], item: _Noted, comment: str) -> None:
        at = len(items)
        items.append(item)

        def note(text: str) -> None:
            items[at] = replace(items[at], comment=f"{items[at].comment}\n{text}")

        self.note = note
        if comment:
            note(comment)

    def finished(self) -> HandRecord:
        return HandRecord(
            number=self.number,
            deal=Deal(MappingProxyType(self.hands), self.stock or (), self.table or ()),
            opener=self.opener,
            moves=tuple(self.moves),
            shown=MappingProxyType(self.shown),
            result=self.result,
            scores=tuple(self.scores),
            adjustments=tuple(self.adjustments),
            corrections=tuple(self.corrections),
            sources=MappingProxyType(self.sources),
            comment="\n".join(self.comments),
        )


def read_record(text: str) -> Record:
    """Return the record that the text holds. Raises as `domino_rules.record.parse_record`."""
    headers: dict[str, str] = {}
    comments: list[str] = []
    hands: list[HandRecord] = []
    draft: _Draft | None = None
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        line = raw.strip()
        if not line:
            continue
        try:
            begun = _hand_line(line, draft)
            if begun is not None:
                hands.extend([] if draft is None else [draft.finished()])
                draft = begun
            elif draft is not None:
                _read_line(draft, line)
            elif line.startswith(";"):
                comments.append(line[1:])
            else:
                _read_header(headers, line)
        except ParseError as error:
            raise _at_line(number, line, error) from error
    hands.extend([] if draft is None else [draft.finished()])
    return Record(MappingProxyType(headers), tuple(hands), "\n".join(comments))


def _at_line(number: int, line: str, error: ParseError) -> RecordError:
    expected = str(error.params.get("expected") or _WANTED.get(error.code, error.message))
    code = "record_syntax" if error.code == "notation_move" else error.code
    message = f"line {number}: {error.message}"
    return RecordError(code, message, line=number, expected=expected, text=line)


def _expected(what: str, words: Iterable[Token] | str) -> ParseError:
    found = words if isinstance(words, str) else " ".join(word.text for word in words)
    message = f"expected {what}; found {found or 'nothing'!r}"
    return ParseError("record_syntax", message, expected=what)


def _read_header(headers: dict[str, str], line: str) -> None:
    match = _HEADER.fullmatch(line)
    if match is None:
        raise _expected("a header such as `Game: cincos`, or `Hand 1`", line)
    if match[1] in headers:
        raise ParseError("record_twice", f"header {match[1]} stands there twice", expected="each header once")
    headers[match[1]] = match[2]


def _hand_line(line: str, before: _Draft | None) -> _Draft | None:
    words, comment = tokens(line) if line[:4].lower() == "hand" else ((), "")
    if len(words) != 2 or words[0].word != "hand" or not re.fullmatch(r"[0-9]{1,6}", words[1].word):
        return None
    draft = _Draft(int(words[1].text))
    wanted = 1 if before is None else before.number + 1
    if draft.number != wanted:
        raise _expected(f"Hand {wanted}", words)
    if comment:
        draft.note(comment)
    return draft


def _read_line(draft: _Draft, line: str) -> None:
    words, comment = tokens(line)
    if not words:
        draft.note(comment)
        return
    colon = next((at for at, word in enumerate(words) if word.word == ":"), None)
    if colon is None:
        draft.add(draft.moves, _read_move(_unnumbered(words, len(draft.moves) + 1)), comment)
        return
    reader = _LINES.get(words[0].word)
    if reader is None:
        known = ", ".join(name.capitalize() for name in _LINES)
        raise _expected(f"a move without a colon, or a line that begins with one of {known}", words)
    reader(draft, words[1:colon], words[colon + 1 :], comment)


def _unnumbered(words: tuple[Token, ...], number: int) -> tuple[Token, ...]:
    match = _NUMBER.fullmatch(words[0].word)
    if match is None:
        return words
    if int(match[1]) != number:
        raise _expected(f"move number {number}., or no number", words)
    return words[1:]


def _read_move(words: tuple[Token, ...]) -> MoveRecord:
    words, source, rule = _sourced(words)
    claim = None
    if words and _SIGNED.fullmatch(words[-1].word):
        claim, words = int(words[-1].text), words[:-1]
    return MoveRecord(move_from(words), source, rule, claim=claim)


def _sourced(words: tuple[Token, ...]) -> tuple[tuple[Token, ...], Source, str | None]:
    """Return the words without the mark at their end that says how the fact is known."""
    if not words or words[-1].quoted or not words[-1].text.startswith("("):
        return words, Source.SEEN, None
    name, _, rule = words[-1].text[1:-1].strip().partition(" ")
    try:
        source = Source(name.lower())
    except ValueError:
        raise _expected(f"one of {_SOURCES}", words[-1:]) from None
    if rule and not _CODE.fullmatch(rule.strip()):
        raise _expected("the code of a rule, such as (inferred later_seat_moved)", words[-1:])
    return words[:-1], source, rule.strip() or None


def _fact(draft: _Draft, key: str, words: tuple[Token, ...], comment: str) -> tuple[Token, ...]:
    words, source, _ = _sourced(words)
    if source is not Source.SEEN:
        draft.sources[key] = source
    draft.note = draft.comments.append
    if comment:
        draft.note(comment)
    return words


def _tiles(words: tuple[Token, ...]) -> tuple[Tile | None, ...]:
    if not words:
        raise _expected("tiles such as `6-4 5-5`, unseen ones `?x7`, or `none`", words)
    return () if [word.word for word in words] == ["none"] else parse_unseen(words)


def _known(words: tuple[Token, ...]) -> tuple[Tile, ...]:
    tiles = tuple(tile for tile in _tiles(words) if tile is not None)
    if len(tiles) < len(words) and words[0].word != "none":
        raise _expected("tiles that were seen", words)
    return tiles


def _once(already: object, what: str) -> None:
    if already:
        raise ParseError("record_twice", f"{what} stands there twice", expected=f"{what} once")


def _subject(words: tuple[Token, ...], what: str) -> str:
    if len(words) != 1:
        raise _expected(f"the name of a {what} and a colon", words)
    return parse_name(words[0])


def _nothing_between(words: tuple[Token, ...]) -> None:
    if words:
        raise _expected("a colon", words)


def _read_deal(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    player = _subject(subject, "player")
    _once(player in draft.hands, f"the deal of {player}")
    tiles = _tiles(_fact(draft, f"deal {player}", words, comment))
    known = tuple(tile for tile in tiles if tile is not None)
    draft.hands[player] = Hand.of(known) if len(known) == len(tiles) else Hand.hidden(len(tiles), known)


def _read_stock(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    _nothing_between(subject)
    _once(draft.stock is not None, "the stock")
    draft.stock = _tiles(_fact(draft, "stock", words, comment))


def _read_table(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    _nothing_between(subject)
    _once(draft.table is not None, "the table")
    draft.table = _known(_fact(draft, "table", words, comment))


def _read_opener(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    _nothing_between(subject)
    _once(draft.opener is not None, "the opener")
    draft.opener = _subject(_fact(draft, "opener", words, comment), "player")


def _read_shown(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    player = _subject(subject, "player")
    _once(player in draft.shown, f"what {player} showed")
    draft.shown[player] = _known(_fact(draft, f"shown {player}", words, comment))


def _read_result(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    _nothing_between(subject)
    _once(draft.result is not None, "the result")
    draft.note = draft.comments.append
    if comment:
        draft.note(comment)
    by = next((at for at, word in enumerate(words) if word.word == "by"), len(words))
    if not 1 <= by <= 2 or len(words) - by not in {0, 2} or not _CODE.fullmatch(words[0].word):
        raise _expected(
            "a kind, a side and a player: `Result: domino AC by A`, `Result: block AC`, `Result: tie`", words
        )
    side = parse_name(words[1]) if by == 2 else None
    draft.result = ToldResult(words[0].word, side, parse_name(words[-1]) if by < len(words) else None)


def _read_score(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    side = _subject(subject, "side")
    if not 1 <= len(words) <= 2 or not _INTEGER.fullmatch(words[0].word):
        raise _expected("a number, and a unit if need be: `Score AC: 75`, `Score A: 2 sets`", words)
    unit = words[1].word if len(words) == 2 else None
    if unit is not None and not _CODE.fullmatch(unit):
        raise _expected("a unit such as points, sets or payment", words[1:])
    draft.add(draft.scores, ToldScore(side, int(words[0].text), unit), comment)


def _read_adjust(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    side = _subject(subject, "side")
    if len(words) != 1 or not _INTEGER.fullmatch(words[0].word):
        raise _expected("a number such as -10", words)
    draft.add(draft.adjustments, Adjustment(side, int(words[0].text)), comment)


def _read_correct(draft: _Draft, subject: tuple[Token, ...], words: tuple[Token, ...], comment: str) -> None:
    if len(subject) != 1 or not re.fullmatch(r"[1-9][0-9]{0,5}", subject[0].word):
        raise _expected("the number of the move and a colon: `Correct 12: Ana 6-4 R`", subject)
    number = int(subject[0].text)
    first = words[0].word if words else ""
    if first == "remove" and len(words) == 1:
        correction = Correction(number, "remove")
    elif first == "insert":
        correction = Correction(number, "insert", _read_move(words[1:]))
    else:
        correction = Correction(number, "replace", _read_move(words))
    draft.add(draft.corrections, correction, comment)


_LINES: Final[dict[str, Callable[[_Draft, tuple[Token, ...], tuple[Token, ...], str], None]]] = {
    "deal": _read_deal,
    "stock": _read_stock,
    "table": _read_table,
    "opener": _read_opener,
    "shown": _read_shown,
    "result": _read_result,
    "score": _read_score,
    "adjust": _read_adjust,
    "correct": _read_correct,
}
