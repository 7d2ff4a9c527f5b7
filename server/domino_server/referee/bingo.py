"""Reads the tables of Bingo: the tile turned up, lead and reply, draws, and the closing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.bingo_state import BingoState
from domino_rules.match import Match
from domino_rules.moves import Close, Draw, Lead, Reply, Stood
from domino_rules.record import HandRecord, MoveRecord
from domino_rules.record_replay import Seating
from domino_rules.state import Deal, GameState, refusal
from domino_rules.tile import Tile
from domino_server.referee.beginnings import TRUMP_UNSEEN
from domino_server.referee.events import Choice, IllegalPlay, Pause, Question
from domino_server.referee.reader import Explained, Path, inferred, seen
from domino_server.referee.sight import Kind, Point, SeenTile, Sight
from domino_vision.types import TileRole

_SURE: Final = 0.9
"""A hand begins only with a trump tile that is read this surely."""
_BLANK: Final = Tile(0, 0)
_UNSURE: Final = 0.9
_STOCK_SEEN: Final = 10
"""With so many backs seen beside the tricks a stock lies there, even if some are overlooked."""
_LEAST_OTHER: Final = 0.05
_MOST_NEW: Final = 4


class BingoReader:
    """Finds out how the tricks came about."""

    needs_opener = True

    def __init__(self, seating: Seating) -> None:
        """Start for a game.

        Args:
            seating: the game, its rules, the seats.
        """
        self._seating = seating
        self._piles: tuple[int, dict[str, int]] = (0, {})
        self._swept = -1
        """After so many tricks the table was seen without any tile of a trick."""

    def begins(self, match: Match, sight: Sight, *, cleared: bool) -> Deal | None:
        """Return a deal of hidden hands if a new tile lies turned up beside the stock, which may lie in piles."""
        up = [t for t in sight.within(Kind.TRUMP) if t.tile is not None]
        if len(up) != 1 or up[0].confidence < _SURE:
            return None
        full = not sight.shows(Kind.STOCK) or sight.backs(Kind.STOCK) > 0
        old = match.hands[-1].deal if match.hands else None
        fresh = cleared or old is None or up[0].tile not in old.table
        if not full or not fresh or up[0].tile is None:
            return None
        return self._seating.deal(HandRecord(len(match.hands) + 1, Deal({}, (), (up[0].tile,))))

    def note(self, sight: Sight) -> None:
        """Note nothing: a hand begins with what is read for certain."""
        del sight

    def asks(self, sight: Sight) -> Question | None:
        """Ask which tile is the trump, if tricks are played beside a stock and it is not found or looks like a back."""
        played = sight.faces(Kind.TRICK)
        whole = sight.shows(Kind.STOCK) and sight.backs(Kind.STOCK) >= _STOCK_SEEN
        if not played or not whole or sight.faces(Kind.TRUMP) or sight.within(Kind.PILE):
            return None
        seen = {tile.tile for tile in sight.tiles}
        maybe = [tile for tile in sorted(self._seating.game.tile_set.kinds) if tile not in seen]
        return Question(TRUMP_UNSEEN, tuple(Choice(str(tile), str(tile)) for tile in maybe))

    def explain(self, state: GameState, sight: Sight, where: Mapping[Tile, Point]) -> Explained:
        """Return how the trick on the table may have come about."""
        del where
        assert isinstance(state, BingoState)  # noqa: S101 - the reader of this game
        if sight.believed and state.lead is None and not sight.within(Kind.TRICK):
            self._swept = len(state.tricks)
        sight = _with_lead(state, _with_blank(state, sight, swept=self._swept == len(state.tricks)))
        lying = sight.faces(Kind.TRICK)
        self._note_piles(state, sight, lying)
        gone = {tile for trick in state.tricks for tile in trick.tiles}
        lead = None if state.lead is None else state.lead.tile
        fresh = tuple(dict.fromkeys(tile for tile in lying if tile not in gone and tile is not lead))
        old = {tile for tile in lying if tile in gone} - set(state.tricks[-1].tiles if state.tricks else ())
        if old or len(fresh) > _MOST_NEW or _blank_turned(state, lying, fresh):
            return Explained(pause=Pause("unexplained", tuple(old) or fresh))
        if lead is not None and lead not in lying and sight.shows(Kind.TRICK):
            return self._missed_reply(state, lead, sight)
        if state.result is not None:
            return Explained((Path((), state),), pause=Pause("hand_over", fresh) if fresh else None)
        if lead is None and sight.shows(Kind.PILE) and len(sight.within(Kind.PILE)) > 2 * len(state.tricks):
            return Explained(question=Question("missed_trick"), pause=Pause("missed_trick", fresh))
        trump = _trump_differs(state, sight)
        if trump is not None:
            return Explained(pause=trump)
        ready = _closed(Path((), state), sight)
        found = tuple(self._orders(ready, sight, fresh))
        explained = Explained(found) if found else self._refused(ready, sight, fresh)
        took = self._took(state, sight, lying)
        return _wrong_taker(explained, state, took) or _out_of_turn(explained, state, sight, fresh) or explained

    def shown(self, state: GameState, sight: Sight) -> dict[str, tuple[Tile, ...]]:
        """Return nothing: no score of Bingo waits for a hand."""
        del state, sight
        return {}

    def _note_piles(self, state: BingoState, sight: Sight, lying: tuple[Tile, ...]) -> None:
        """Note how many tiles lie in the piles while a trick still lies on the table."""
        trick = len(state.tricks) + (state.lead is not None)
        there = state.tricks[-1].tiles if state.lead is None and state.tricks else ()
        if sight.believed and (state.lead is not None or (there and set(there) <= set(lying))):
            self._piles = (trick, {seat: len(sight.within(Kind.PILE, seat)) for seat in state.players})

    def _took(self, state: BingoState, sight: Sight, lying: tuple[Tile, ...]) -> str | None:
        """Return who carried off the last trick: whose pile grew by it; None if the piles do not tell."""
        if state.lead is not None or not state.tricks or not sight.shows(Kind.PILE):
            return None
        if set(state.tricks[-1].tiles) & set(lying):
            return None
        piles = {seat: len(sight.within(Kind.PILE, seat)) for seat in state.players}
        noted, before = self._piles
        if noted != len(state.tricks):
            before = {seat: 2 * sum(trick.taker == seat for trick in state.tricks[:-1]) for seat in state.players}
        grown = [seat for seat in state.players if piles[seat] - before[seat] == 2]
        return grown[0] if len(grown) == 1 and sum(piles.values()) == sum(before.values()) + 2 else None

    def _orders(self, ready: Path, sight: Sight, fresh: tuple[Tile, ...]) -> Iterator[Path]:
        if not fresh:
            yield ready
            return
        for order in permutations(fresh):
            for tiles, weight in _readings(order, sight):
                path: Path | None = Path(ready.moves, ready.state, weight)
                for tile in tiles:
                    path = None if path is None else _laid(path, tile, sight)
                if path is not None:
                    yield path

    def _refused(self, ready: Path, sight: Sight, fresh: tuple[Tile, ...]) -> Explained:
        """Return what speaks against the new tiles, after those that could be laid."""
        path, left = max((_as_far(ready, order, sight) for order in permutations(fresh)), key=lambda far: -len(far[1]))
        path = _drawn(path, sight)
        state, tile = path.state, left[0]
        assert isinstance(state, BingoState)  # noqa: S101 - the reader of this game
        move = _play_of(state, state.to_move or "", tile)
        code = refusal(state, move)
        return Explained(pause=Pause("unexplained", fresh)) if code is None else _illegal(path, move, code, sight)

    def _missed_reply(self, state: BingoState, lead: Tile, sight: Sight) -> Explained:
        """Return that the trick was carried off before its reply was read; a pile of open tiles may show it."""
        known = {lead, *(tile for trick in state.tricks for tile in trick.tiles)}
        piled = [tile for tile in sight.faces(Kind.PILE) if tile not in known]
        if lead in sight.faces(Kind.PILE) and len(piled) == 1:
            path = _laid(Path((), state), piled[0], sight)
            if path is not None:
                return Explained((path,))
        params = {"player": state.to_move, "lead": str(lead)}
        question = Question("missed_reply", (), (lead,), (), params)
        return Explained(question=question, pause=Pause("missed_reply", (lead,), params))


def _with_blank(state: BingoState, sight: Sight, *, swept: bool) -> Sight:
    """Return the sight in which the only back of the trick is the double blank, if it may have been played.

    Tricks lie face up, and a double blank without a divider looks like a back. It is a reply beside the lead, or a lead
    where the trick before was `swept` away at an earlier look: tiles that are carried off are turned over.
    """
    backs = [i for i, t in enumerate(sight.tiles) if t.place.kind is Kind.TRICK and t.role is TileRole.DOWN]
    out = {tile for trick in state.tricks[:-1] for tile in trick.tiles} | {shown.tile for shown in sight.tiles}
    out |= {tile for stack in state.stock.stacks for tile in stack}
    played = state.tricks[-1].tiles if state.tricks and state.lead is None else ()
    if state.lead is not None:
        due = state.lead.tile is _BLANK or state.lead.tile in sight.faces(Kind.TRICK)
    else:
        due = _BLANK in played or swept
    return sight.read_as(backs[0], _BLANK.halves) if len(backs) == 1 and due and _BLANK not in out else sight


def _blank_turned(state: BingoState, lying: tuple[Tile, ...], fresh: tuple[Tile, ...]) -> bool:
    """Return whether a tile lies in the last trick where the double blank was taken to lie: it was no double blank."""
    last = state.tricks[-1].tiles if state.tricks and state.lead is None else ()
    return bool(fresh) and _BLANK in last and _BLANK not in lying and bool({*last} & {*lying})


def _with_lead(state: BingoState, sight: Sight) -> Sight:
    """Return the sight in which a tile that may be the lead, though it is read otherwise, is the lead."""
    lead = None if state.lead is None else state.lead.tile
    if lead is None or lead in sight.faces(Kind.TRICK):
        return sight
    for index, shown in enumerate(sight.tiles):
        meant = next((other for other in shown.others if Tile(*other.halves) is lead), None)
        if shown.place.kind is Kind.TRICK and meant is not None and shown.confidence < _UNSURE:
            return sight.read_as(index, meant.halves)
    return sight


def _laid(path: Path, tile: Tile, sight: Sight) -> Path | None:
    """Return the path after the next tile was led or replied, with the draws that must come before."""
    path = _drawn(path, sight)
    state = path.state
    assert isinstance(state, BingoState)  # noqa: S101 - the reader of this game
    move = _play_of(state, state.to_move or "", tile)
    try:
        return Path((*path.moves, seen(move)), state.apply(move), path.weight)
    except IllegalMoveError:
        return None


def _drawn(path: Path, sight: Sight) -> Path:
    """Return the path after the draws that are due: seen if the stock is shorter by just them, else inferred."""
    state = path.state
    assert isinstance(state, BingoState)  # noqa: S101 - the reader of this game
    moves: list[MoveRecord] = list(path.moves)
    while state.due and state.result is None:
        known = state.stock.next
        move = Draw(state.due[0], known)
        after = state.apply(move)
        shrunk = sight.shows(Kind.STOCK) and sight.backs(Kind.STOCK) == max(
            0, len(state.stock.face_down) - len(state.due)
        )
        moves.append(seen(move) if shrunk else inferred(move, "draw_before_lead"))
        state = after
    return Path(tuple(moves), state, path.weight)


def _closed(path: Path, sight: Sight) -> Path:
    """Return the path after the closing, if the trump tile lies face down."""
    state = path.state
    assert isinstance(state, BingoState)  # noqa: S101 - the reader of this game
    turned = sight.backs(Kind.TRUMP) == 1 and not sight.faces(Kind.TRUMP)
    if _BLANK in {tile for stack in state.stock.stacks for tile in stack}:
        turned = _undrawn(state, sight)
    if not turned or state.taker is None or state.closing is not None or not state.stock:
        return path
    move = Close(state.taker)
    try:
        return Path((*path.moves, seen(move)), state.apply(move), path.weight)
    except IllegalMoveError:
        return path


def _undrawn(state: BingoState, sight: Sight) -> bool:
    """Return whether the next tile was led though nobody drew: with a double blank, which looks alike, that is all."""
    gone = {tile for trick in state.tricks for tile in trick.tiles}
    led = any(tile not in gone for tile in sight.faces(Kind.TRICK))
    due = len(state.due) == len(state.players) and state.lead is None
    return led and due and sight.shows(Kind.STOCK) and sight.backs(Kind.STOCK) == len(state.stock.face_down)


def _trump_differs(state: BingoState, sight: Sight) -> Pause | None:
    """Return a pause if another tile than the one turned up lies in its place."""
    up = sight.faces(Kind.TRUMP)
    if not state.stock.stacks or state.closing is not None or not up:
        return None
    awaited = state.stock.stacks[-1][0]
    return None if awaited in up else Pause("trump_differs", (awaited,), {"seen": str(up[0])})


def _wrong_taker(explained: Explained, before: BingoState, took: str | None) -> Explained | None:
    """Return that somebody else carried off the last trick than the rules say, if the piles tell so."""
    if took is None or took == before.tricks[-1].taker:
        return None
    trick, other = before.tricks[-1], took
    stood = MoveRecord(Stood(trick.reply, taker=other))
    params = {"expected": trick.taker, "lead": str(trick.lead.tile)}
    illegal = IllegalPlay("wrong_taker", other, trick.reply.tile, None, (), params)
    pause = Pause("illegal_play", trick.tiles, {"code": "wrong_taker", "player": other, "expected": trick.taker})
    choices = (Choice("rules", f"{trick.taker} takes it"), Choice("table", f"{other} keeps it"))
    question = Question("taker_differs", choices, trick.tiles, (), {"rules": trick.taker, "table": other})
    return replace(explained, pause=pause, illegal=illegal, question=question, stands=stood, retold=True)


def _out_of_turn(explained: Explained, before: BingoState, sight: Sight, fresh: tuple[Tile, ...]) -> Explained | None:
    """Return that the wrong player led, if the hand that laid the tile was seen."""
    if len(fresh) != 1 or len(explained.paths) != 1 or before.lead is not None or not sight.actors:
        return None
    path = explained.paths[0]
    last = path.moves[-1].move if path.moves else None
    actor = sight.actors[-1]
    if not isinstance(last, Lead) or last.player == actor or actor not in before.players or not before.tricks:
        return None
    drawn = _drawn(_closed(Path((), before), sight), sight)
    return _illegal(drawn, Lead(actor, last.tile), "not_your_turn", sight)


def _illegal(path: Path, move: Lead | Reply, code: str, sight: Sight) -> Explained:
    """Return that a tile was laid against the rules after the moves of a path."""
    pause = Pause("illegal_play", (move.tile,), {"code": code, "player": move.player})
    crops = tuple(t.quad_px for t in sight.within(Kind.TRICK) if t.tile is move.tile)
    illegal = IllegalPlay(code, move.player, move.tile, _confidence(sight, move.tile), crops)
    return Explained((path,), pause=pause, illegal=illegal, stands=MoveRecord(Stood(move)))


def _play_of(state: BingoState, player: str, tile: Tile) -> Lead | Reply:
    return Lead(player, tile) if state.lead is None else Reply(player, tile)


def _as_far(path: Path, order: Sequence[Tile], sight: Sight) -> tuple[Path, tuple[Tile, ...]]:
    """Return the path after as many of the tiles as may be laid in that order, and those that are left."""
    for at, tile in enumerate(order):
        after = _laid(path, tile, sight)
        if after is None:
            return path, tuple(order[at:])
        path = after
    return path, ()


def _readings(order: tuple[Tile, ...], sight: Sight) -> Iterator[tuple[tuple[Tile, ...], float]]:
    """Yield the tiles as read and, where one is read unsurely, with its other readings."""
    yield order, 1.0
    for at, tile in enumerate(order):
        shown = _tile(sight, tile)
        if shown is None or shown.confidence >= _UNSURE:
            continue
        for other in shown.others:
            read = Tile(*other.halves)
            if other.p >= _LEAST_OTHER and read not in order:
                yield (*order[:at], read, *order[at + 1 :]), other.p / max(shown.confidence, 1e-3)


def _tile(sight: Sight, tile: Tile) -> SeenTile | None:
    return next((t for t in sight.within(Kind.TRICK) if t.tile is tile), None)


def _confidence(sight: Sight, tile: Tile) -> float | None:
    shown = _tile(sight, tile)
    return None if shown is None else shown.confidence
