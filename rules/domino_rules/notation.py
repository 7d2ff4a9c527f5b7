"""Moves as a person writes them: `Ana 6-4 L`, `Ana draws ?`, `Bo leads 5-5 declares 2`. Knows no rule and no record.

A name of letters and digits stands as it is; any other name, and any name that is a word of the notation, is quoted as
in JSON: `"Doña Ana"`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from domino_rules.errors import DominoError, ParseError
from domino_rules.layout import Arm
from domino_rules.moves import Capture, Close, Draw, Lead, Move, Pass, Play, Quadruple, Reply, Stood, Triple, Turn
from domino_rules.tile import Tile

UNSEEN: Final = "?"
"""How a tile that nobody has seen is written."""
BESIDE: Final = "beside"
"""Where a tile lies that touches no open end, as a table may let it stand."""
MAX_UNSEEN: Final = 200
"""The most tiles that one `?x7` may stand for."""

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\([^()"]*\)|:|[^\s"();:]+')
_UNSEEN_RUN = re.compile(r"\?x(\d{1,3})", re.ASCII)
_TILE = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)
_LYING = re.compile(r"(\d{1,2})\|(\d{1,2})", re.ASCII)
_NUMBERED = re.compile(r"\d+\.", re.ASCII)
_RESERVED: Final = frozenset(
    {
        "hand",
        "deal",
        "stock",
        "table",
        "opener",
        "shown",
        "result",
        "by",
        "score",
        "adjust",
        "correct",
        "insert",
        "remove",
        "none",
    }
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a line; `quoted` words are names, whatever they look like."""

    text: str
    quoted: bool = False

    @property
    def word(self) -> str:
        """The word in lower case, empty if it was quoted: what a keyword is compared with."""
        return "" if self.quoted else self.text.lower()


def tokens(line: str) -> tuple[tuple[Token, ...], str]:
    """Return the words of a line and the comment behind its first `;` outside quotes.

    Raises:
        ParseError: `notation_quote` if a quotation mark or bracket is left open.
    """
    found: list[Token] = []
    at = 0
    while at < len(line):
        if line[at].isspace():
            at += 1
        elif line[at] == ";":
            return tuple(found), line[at + 1 :].strip()
        else:
            match = _TOKEN.match(line, at)
            if match is None:
                raise ParseError("notation_quote", f"a quote or bracket is left open: {line[at:]!r}", text=line[at:])
            found.append(_token(match[0]))
            at = match.end()
    return tuple(found), ""


def _token(text: str) -> Token:
    if not text.startswith('"'):
        return Token(text)
    try:
        name = json.loads(text, strict=False)
        name.encode()
    except ValueError as error:
        raise ParseError("notation_quote", f"not a quoted name: {text}", text=text) from error
    return Token(name, quoted=True)


def format_name(name: str) -> str:
    """Return a player's or side's name as the notation writes it, quoted where it must be."""
    plain = name[:1].isalnum() and all(char.isalnum() or char in "_'’+-" for char in name)
    if plain and name.lower() not in _RESERVED and not _TILE.fullmatch(name):
        return name
    quoted = json.dumps(name, ensure_ascii=False)
    if " ".join(name.split()) == name:
        return quoted
    return re.sub(r"\s", lambda space: f"\\u{ord(space[0]):04x}", quoted)  # a header keeps single blanks only


def parse_name(token: Token) -> str:
    """Return the name that a word stands for.

    Raises:
        ParseError: `notation_name` if the word is a keyword, a tile or a mark.
    """
    plain = token.text
    if token.quoted or (format_name(plain) == plain and not _NUMBERED.fullmatch(plain)):
        return plain
    raise ParseError("notation_name", f"not a name: {plain!r} (put it in quotes)", text=plain)


def parse_tile(token: Token) -> Tile:
    """Return the tile written `6-4`.

    Raises:
        ParseError: `tile_syntax` or `tile_pips`.
    """
    if token.quoted or not _TILE.fullmatch(token.text):
        raise ParseError("tile_syntax", f"not a tile: {token.text!r} (write it like 6-4)", text=token.text)
    return Tile.parse(token.text)


def parse_unseen(words: Iterable[Token]) -> tuple[Tile | None, ...]:
    """Return a list of tiles in which `?` is one unseen tile and `?x7` seven.

    Raises:
        ParseError: `tile_syntax`, `tile_pips`.
    """
    return tuple(tile for word in words for tile in _unseen(word))


def _unseen(word: Token) -> Iterator[Tile | None]:
    run = _UNSEEN_RUN.fullmatch(word.word)
    if word.word == UNSEEN:
        yield None
    elif run is not None and int(run[1]) <= MAX_UNSEEN:
        yield from [None] * int(run[1])
    else:
        yield parse_tile(word)


def format_unseen(tiles: Iterable[Tile | None]) -> str:
    """Return tiles as `parse_unseen` reads them, runs of unseen tiles drawn together."""
    words: list[str] = []
    run = 0
    for tile in (*tiles, Tile(0, 0)):  # the last one only ends a run
        if tile is None and run < MAX_UNSEEN:
            run += 1
            continue
        if run:
            words.append(UNSEEN if run == 1 else f"{UNSEEN}x{run}")
        run = 1 if tile is None else 0
        if tile is not None:
            words.append(str(tile))
    return " ".join(words[:-1])


def format_move(move: Move) -> str:
    """Return the move as `parse_move` reads it.

    Example:
        >>> format_move(Play("Ana", Tile(6, 4), Arm.LEFT)), format_move(Draw("Doña Ana"))
        ('Ana 6-4 L', '"Doña Ana" draws ?')
    """
    return f"{format_name(move.player)} {_predicate(move)}"


def _predicate(move: Move) -> str:  # noqa: C901, PLR0911 - one line for each kind of move
    match move:
        case Play(_, tile, Arm.START, left) if left is not None and left in tile:
            return f"{left}|{tile.other(left)} start"
        case Play(_, tile, arm):
            return f"{tile} {arm.value}"
        case Draw(_, drawn):
            return f"draws {drawn or UNSEEN}"
        case Pass():
            return "passes"
        case Lead(_, tile, declare):
            return f"leads {tile}{_declared(declare)}"
        case Reply(_, tile, declare):
            return f"replies {tile}{_declared(declare)}"
        case Close():
            return "closes"
        case Capture(_, tile, take):
            return f"captures {take} with {tile}"
        case Triple(_, tile):
            return f"triples {tile}"
        case Quadruple(_, tile):
            return f"quadruples {tile}"
        case Turn(_, tile, taken):
            return f"turns {tile}" + ("" if taken is None else f" takes {taken}")
        case Stood():
            return _stood(move)


def _stood(stood: Stood) -> str:
    move, inner = stood.move, stood.inner
    taken = "" if stood.taker is None else f" taker {format_name(stood.taker)}"
    if isinstance(move, Play) and move.arm is not Arm.START:
        lying = f"{move.tile} {BESIDE}" if inner is None else f"{inner}|{move.tile.other(inner)} {move.arm.value}"
        return f"{lying} stood"
    return f"{_predicate(move)} stood{taken}"


def _declared(declare: int | None) -> str:
    return "" if declare is None else f" declares {declare}"


def parse_move(text: str) -> Move:
    """Return the move written as `format_move` prints it.

    Raises:
        ParseError: `notation_move` with what was `expected`; `tile_syntax`, `tile_pips`, `notation_name`,
            `notation_quote`.
    """
    words, comment = tokens(text)
    if comment:
        raise ParseError("notation_move", f"a move has no comment: {comment!r}", expected="a move alone", text=text)
    return move_from(words)


def move_from(words: Sequence[Token]) -> Move:
    """Return the move that the words of a line make, the player first. Raises as `parse_move`."""
    if len(words) < 2:
        raise _expected("a player and what he does, like `Ana 6-4 L` or `Ana passes`", words)
    if len(words) > 4 and [word.word for word in words[-3:-1]] == ["stood", "taker"]:
        return _let_stand(words[:-3], parse_name(words[-1]))
    if len(words) > 3 and words[-1].word == "stood":
        return _let_stand(words[:-1], None)
    player = parse_name(words[0])
    verb, rest = words[1], words[2:]
    lying = _LYING.fullmatch(verb.word)
    if lying is not None and _arm(rest) is Arm.START:
        return Play(player, Tile.parse(verb.text), Arm.START, int(lying[1]))
    if _TILE.fullmatch(verb.word):
        return Play(player, parse_tile(verb), _arm(rest))
    reader = _VERBS.get(verb.word)
    if reader is None:
        raise _expected("a tile or one of " + ", ".join(_VERBS), words[1:])
    return reader(player, rest)


def _let_stand(words: Sequence[Token], taker: str | None) -> Stood:
    """Return the move that was let stand: of a tile in a line of play the half that touches comes first."""
    if words[-1].word == BESIDE and len(words) == 3:
        return Stood(Play(parse_name(words[0]), parse_tile(words[1]), Arm.RIGHT))
    lying = _LYING.fullmatch(words[1].word)
    if lying is not None and _arm(words[2:]) is not Arm.START:
        return Stood(Play(parse_name(words[0]), Tile.parse(words[1].text), _arm(words[2:])), int(lying[1]))
    move = move_from(words)
    if not isinstance(move, Play | Lead | Reply | Capture | Turn) or (taker and not isinstance(move, Reply)):
        raise _expected("a tile that was laid, before `stood`", words)
    return Stood(move, None, taker)


def _arm(words: Sequence[Token]) -> Arm:
    if len(words) == 1:
        for arm in Arm:
            if words[0].word == arm.value.lower():
                return arm
    raise _expected("the end where the tile was laid: start, L, R, U or D", words)


def _pass(player: str, words: Sequence[Token]) -> Move:
    _end(words)
    return Pass(player)


def _close(player: str, words: Sequence[Token]) -> Move:
    _end(words)
    return Close(player)


def _draw(player: str, words: Sequence[Token]) -> Move:
    if len(words) != 1:
        raise _expected("the tile drawn, or ?", words)
    return Draw(player, None if words[0].word == UNSEEN else parse_tile(words[0]))


def _lead(player: str, words: Sequence[Token]) -> Move:
    return Lead(player, *_declaring(words))


def _reply(player: str, words: Sequence[Token]) -> Move:
    return Reply(player, *_declaring(words))


def _declaring(words: Sequence[Token]) -> tuple[Tile, int | None]:
    if len(words) == 1:
        return parse_tile(words[0]), None
    if len(words) == 3 and words[1].word == "declares" and re.fullmatch(r"[0-9]", words[2].word):
        return parse_tile(words[0]), int(words[2].text)
    raise _expected("a tile, or a tile and `declares 2`", words)


def _capture(player: str, words: Sequence[Token]) -> Move:
    if len(words) != 3 or words[1].word != "with":
        raise _expected("the talon tile, `with` and the tile from the hand: `captures 5-2 with 4-3`", words)
    return Capture(player, tile=parse_tile(words[2]), take=parse_tile(words[0]))


def _triple(player: str, words: Sequence[Token]) -> Move:
    return Triple(player, _only_tile(words))


def _quadruple(player: str, words: Sequence[Token]) -> Move:
    return Quadruple(player, _only_tile(words))


def _turn(player: str, words: Sequence[Token]) -> Move:
    if len(words) == 3 and words[1].word == "takes":
        return Turn(player, parse_tile(words[0]), parse_tile(words[2]))
    return Turn(player, _only_tile(words))


def _only_tile(words: Sequence[Token]) -> Tile:
    if len(words) != 1:
        raise _expected("one tile", words)
    return parse_tile(words[0])


def _end(words: Sequence[Token]) -> None:
    if words:
        raise _expected("the end of the line", words)


def _expected(what: str, words: Sequence[Token]) -> DominoError:
    found = " ".join(word.text for word in words) or "nothing"
    return ParseError("notation_move", f"expected {what}; found {found!r}", expected=what, text=found)


_VERBS: Final[dict[str, Callable[[str, Sequence[Token]], Move]]] = {
    "draws": _draw,
    "passes": _pass,
    "leads": _lead,
    "replies": _reply,
    "closes": _close,
    "captures": _capture,
    "triples": _triple,
    "quadruples": _quadruple,
    "turns": _turn,
}
