"""Follow a film as `watch` follows a camera, and note what was said and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from domino_rules.errors import DominoError
from domino_rules.games import LINE_GAMES
from domino_rules.match import Match
from domino_rules.moves import Draw, Move, Play, plain
from domino_rules.record import HandRecord, Record
from domino_rules.state import find_game
from domino_rules.tile import Tile
from domino_server.films.answers import called, truthful
from domino_server.films.film import Calls
from domino_server.judge.alerts import ALERT, CLAIM, Alerts
from domino_server.referee import Answer, Declared, Opener, Question, Referee
from domino_server.referee.beginnings import TRUMP_UNSEEN
from domino_server.referee.session import Line, TableSession, settler_of
from domino_server.referee.unsure import AGAIN, TILE_QUESTION
from domino_vision.settle.settler import ReadsFrames
from domino_vision.types import Frame

_SURE: Final = 0.9
"""A tile that is read more surely than this is what it is read as."""
Listener = Callable[[float, TableSession, Sequence[Line]], None]
"""Is told at which second of the film the session said what."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that was said, at a time of the film in seconds."""

    at: float
    line: Line


@dataclass(frozen=True, slots=True)
class Followed:
    """A film that was followed.

    Attributes:
        heard: everything that was said, and what the judge was alerted to, in order.
        record: the record in the end.
        match: the match in the end, with the likeliest of what is still open.
    """

    heard: tuple[Heard, ...]
    record: Record
    match: Match


def follow(
    frames: Iterable[Frame],
    record: Record,
    opener: str | None,
    reader: ReadsFrames,
    *,
    answers: bool = True,
    listener: Listener | None = None,
    calls: Calls | None = None,
) -> Followed:
    """Follow a film from the first frame to the last.

    Args:
        frames: with their times.
        record: the truth: its headers name game, players and options; answers come from its moves.
        opener: who leads the first hand, if people must tell.
        reader: reads frames, such as a `Pipeline`.
        answers: whether somebody who knows the truth answers the questions.
        listener: is told of everything that is said, as soon as it is.
        calls: the doubles that are called, which whoever answers tells as well; at a line of play the points, which
            the judge is told.
    """
    referee = Referee.start(record.game, record.seats, record.options)
    heard: list[Heard] = []
    alerts = Alerts()
    session = TableSession(referee, settler_of(reader, record.game, find_game(record.game).tile_set))
    if opener is not None:
        session.tell(Opener(opener))
    told: set[tuple[int, Declared]] = set()
    claims = dict(calls or {}) if record.game in LINE_GAMES else {}
    hands = record.corrected().hands
    for frame in frames:
        lines = session.push(frame)
        if answers and referee.questions:
            lines += _answered(session, hands)
        if answers and lines:
            lines += _called(session, calls or {}, told)
        lines += claimed(referee, claims)
        lines += [{"event": ALERT, **alert} for alert in alerts.take(referee, lines)]
        if listener is not None and lines:
            listener(frame.at, session, lines)
        heard += [Heard(frame.at, line) for line in lines]
    return Followed(tuple(heard), referee.record, referee.match)


def claimed(referee: Referee, claims: dict[tuple[int, Tile], int]) -> list[Line]:
    """Return the points that are called for the tile laid last, as they are told to the judge, once."""
    number, moves = referee.ledger.hand, referee.ledger.moves
    move = plain(moves[-1].move) if moves else None
    points = claims.pop((number - 1, move.tile), None) if isinstance(move, Play) else None
    if move is None or points is None:
        return []
    return [{"event": CLAIM, "player": move.player, "points": points, "hand": number, "move": len(moves)}]


def _called(session: TableSession, calls: Calls, told: set[tuple[int, Declared]]) -> list[Line]:
    """Tell the call that was heard with the double laid last, once."""
    hand, call = session.referee.ledger.hand, called(session.referee, calls)
    if call is None or (hand, call) in told:
        return []
    told.add((hand, call))
    try:
        return session.tell(call)
    except DominoError:
        return []


def _lying(session: TableSession, question: Question, hand: HandRecord) -> str:
    """Return the answer to what an unsure tile is before a hand: the one that lies there and is read nowhere else."""
    look = session.ask.observation.tiles if session.ask is not None else ()
    sure = [tile.tile for tile in look if tile.tile is not None and tile.confidence >= _SURE]
    left = Counter(hand.deal.table) - Counter(sure)
    keys = {choice.text: choice.key for choice in question.choices}
    return next((keys[str(tile)] for tile in left if str(tile) in keys), AGAIN)


def _laid(referee: Referee, question: Question, hand: Sequence[Move]) -> str:
    """Return the answer to what an unsure tile is: of those that are offered the one that is laid first from now on."""
    made = () if referee.ledger.match.hand_over else referee.ledger.moves
    noted = Counter(_tiles_of(record.move for record in made))
    keys = {choice.text: choice.key for choice in question.choices}
    for tile in _tiles_of(hand):
        if noted[tile]:
            noted[tile] -= 1
        elif tile in keys:
            return keys[tile]
    return AGAIN


def _tiles_of(moves: Iterable[Move]) -> list[str]:
    """Return the tiles that moves lay; what is drawn nobody sees."""
    return [str(getattr(move, "tile", "")) for move in moves if not isinstance(move, Draw)]


def _answered(session: TableSession, hands: Sequence[HandRecord]) -> list[Line]:
    """Answer what can be answered: of the hand that goes on, or of the one that is about to begin."""
    referee = session.referee
    begins = referee.ledger.match.hand_over and referee.cleared
    number = referee.ledger.hand - (not begins)
    if not 0 <= number < len(hands):
        return []
    lines: list[Line] = []
    moves = [made.move for made in hands[number].moves]
    for question in list(referee.questions.values()):
        if question.code == TILE_QUESTION:
            key = _lying(session, question, hands[number]) if begins else AGAIN
            told = Answer(TILE_QUESTION, _laid(referee, question, moves) if key == AGAIN else key)
        elif question.code == TRUMP_UNSEEN and begins and hands[number].deal.table:
            told = Answer(TRUMP_UNSEEN, str(hands[number].deal.table[0]))
        else:
            answer = truthful(referee, question, moves)
            if not isinstance(answer, Answer):
                continue
            told = answer
        try:
            lines += session.tell(told)
        except DominoError:
            continue
    return lines
