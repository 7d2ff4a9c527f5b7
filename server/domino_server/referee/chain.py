"""Reads the tables of the games with a line of play: Pińćset and Cincos."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import hypot
from typing import Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.chain import ChainState
from domino_rules.layout import Layout
from domino_rules.match import Match
from domino_rules.moves import Draw, Pass, Play, Stood, plain
from domino_rules.record import HandRecord, MoveRecord, Record
from domino_rules.record_replay import Seating
from domino_rules.state import Deal, GameState
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.referee.boneyard import Boneyard
from domino_server.referee.chain_illegal import diagnose
from domino_server.referee.chain_line import (
    SAME_PLACE_MM,
    Line,
    Matched,
    attach,
    bridged,
    first_play,
    inner_neighbours,
    match_line,
)
from domino_server.referee.chain_search import Evidence, Search
from domino_server.referee.events import Pause, Question
from domino_server.referee.reader import MOST_PATHS, Explained, Path, Swap, inferred, seen
from domino_server.referee.sight import Kind, Point, Sight
from domino_server.referee.taken_over import asked, orders
from domino_vision.types import TileRole

_BLANK: Final = Tile(0, 0)
_UNSURE: Final = 0.9
"""Of a new tile that is read less surely than this, other readings are followed too."""
_LEAST_OTHER: Final = 0.05
_MOST_MISSING: Final = 1 / 3
"""If a larger share of the line is not seen, or not joined as it was, the game waits."""
_MOST_NEW: Final = 7
"""More tiles than this at once are not put in order."""


class ChainReader:
    """Finds out how a line of play came about."""

    needs_opener = False

    def __init__(self, seating: Seating) -> None:
        """Start for a game.

        Args:
            seating: the game, its rules, the seats.
        """
        self._seating = seating
        self._boneyard = Boneyard()
        self._came: dict[Tile, float] = {}

    def begins(self, match: Match, sight: Sight, *, cleared: bool) -> Deal | None:
        """Return a deal of hidden hands if a new line lies there."""
        line = Line.of(sight)
        if not line.links:
            self._boneyard.laid_out(sight)
            return None
        old = match.state
        if isinstance(old, ChainState) and not cleared and _left_over(old.layout, line):
            return None
        return self._seating.deal(HandRecord(len(match.hands) + 1))

    def note(self, sight: Sight) -> None:
        """Note nothing: a hand begins with what is read for certain."""
        del sight

    def asks(self, sight: Sight) -> Question | None:
        """Return nothing: the tiles with which a hand begins are seen sooner or later."""
        del sight
        return None

    def explain(self, state: GameState, sight: Sight, where: Mapping[Tile, Point]) -> Explained:
        """Return how the line may have come about; `where` says where tiles lay when they were last seen."""
        assert isinstance(state, ChainState)  # noqa: S101 - the reader of this kind of game
        sight = _with_known(state, sight, where)
        self._boneyard.see(state, sight)
        line = Line.of(sight)
        matched = match_line(state.layout, line, where, state.beside)
        self._note_new(state, line, matched)
        if state.result is not None:
            late = tuple(line.tile(i) for i in matched.new) if not matched.missing else ()
            pause = Pause("hand_over", late) if late else None
            missed = _missed_draw(state) if late else None
            return Explained((Path((), state),), pause=pause, missing=matched.missing, missed=missed)
        if state.layout and not matched.new:
            near = bridged(state.layout, line, matched, where)
            line = near or line
            matched = matched if near is None else match_line(state.layout, line, where, state.beside)
        swaps = tuple(_swaps(state, line, matched, where))
        if swaps:
            return Explained(swaps=swaps)
        return self._moves(state, sight, line, matched)

    def _moves(self, state: ChainState, sight: Sight, line: Line, matched: Matched) -> Explained:
        """Return the moves that explain the new tiles of a line in which all else is as it was."""
        new = tuple(line.tile(i) for i in matched.new)
        waiting = _absent(state, matched)
        if waiting is None and state.layout and matched.apart:
            waiting = Pause("not_joined", tuple(line.tile(i) for i in matched.apart))
        if waiting is None and len(new) > _MOST_NEW:
            return replace(self._too_many(state, sight, line, matched), missing=matched.missing)
        if waiting is not None:
            return Explained(pause=waiting, missing=matched.missing)
        if not new:
            self._boneyard.wait(state, sight)
            path = _ended_by_block(state, sight, self.shown(state, sight)) or _closed(Path((), state), sight)
            return Explained((path,), missing=matched.missing)
        return replace(self._ordered(state, sight, line, matched), missing=matched.missing)

    def shown(self, state: GameState, sight: Sight) -> dict[str, tuple[Tile, ...]]:
        """Return the hands that are turned up, by player; the seats whose hand shows only faces.

        A tile without a divider that shows no pips looks like a back: where a single one lies among the faces of a
        whole hand, no boneyard is left that it may be in, and the double blank is not seen elsewhere, it is that.
        """
        found = {}
        assert isinstance(state, ChainState)  # noqa: S101 - the reader of this kind of game
        blank = not state.boneyard and not any(seen.tile is _BLANK for seen in sight.tiles)
        for seat, hand in state.hands.items():
            tiles = sight.faces(Kind.HAND, seat)
            backs = [seen.role for seen in sight.within(Kind.HAND, seat) if seen.tile is None]
            if tiles and not backs:
                found[seat] = tiles
            elif tiles and blank and backs == [TileRole.DOWN] and len(tiles) + 1 >= hand.size:
                found[seat] = (*tiles, _BLANK)
        return found

    def boneyard(self, state: ChainState, sight: Sight) -> int | None:
        """Return how many tiles lie in the boneyard; None if nothing tells."""
        self._boneyard.see(state, sight)
        return self._boneyard.size(state, sight)

    def _ordered(self, state: ChainState, sight: Sight, line: Line, matched: Matched) -> Explained:
        evidence = _evidence(state, sight, self._boneyard.drawn(state, sight), self._boneyard.before(state))
        paths: list[Path] = []
        stuck = None
        overflow = False
        for reading, weight in _readings(sight, matched.new if sight.believed else ()):
            search = Search(replace(line, sight=reading), evidence)
            search.run(state, matched.at, matched.new)
            if search.overflow:
                search = self._as_they_came(search, state, matched)
            paths += [replace(path, weight=path.weight * weight) for path in search.paths]
            overflow |= search.overflow
            stuck = stuck or (search if search.stuck is not None else None)
        if paths:
            kept = _distinct(paths)
            ways = tuple(_closed(path, sight) for path in kept)
            return replace(self._too_many(state, sight, line, matched), paths=ways) if overflow else Explained(ways)
        if stuck is None or stuck.stuck is None:
            return Explained(pause=Pause("unexplained", tuple(line.tile(i) for i in matched.new)))
        return diagnose(line, stuck.stuck, evidence)

    def _note_new(self, state: ChainState, line: Line, matched: Matched) -> None:
        """Remember when tiles were seen in the line for the first time."""
        if not state.layout:
            self._came.clear()
        for index in matched.new:
            self._came.setdefault(line.tile(index), line.sight.at)

    def _as_they_came(self, search: Search, state: ChainState, matched: Matched) -> Search:
        """Return a search that lays tiles in the order in which looks showed them, if that leads anywhere."""
        came = {index: self._came.get(search.line.tile(index), search.line.sight.at) for index in matched.new}
        ordered = Search(search.line, search.evidence, came)
        ordered.run(state, matched.at, matched.new)
        return ordered if ordered.paths else search

    def _too_many(self, state: ChainState, sight: Sight, line: Line, matched: Matched) -> Explained:
        """Wait for tiles that cannot be put in order, and ask who plays next, so that they are taken as they lie."""
        tiles = tuple(line.tile(i) for i in matched.new)
        gone = self._boneyard.drawn(state, sight) or 0
        overs = orders(state, line, matched.at, matched.new, gone) if sight.believed else {}
        return Explained(pause=Pause("too_many_orders", tiles), question=asked(overs, tiles), overs=overs)


def chain_reader(record: Record) -> ChainReader:
    """Return the reader for the game that a record's headers name; raises as `Seating.of`."""
    return ChainReader(Seating.of(record))


def _with_known(state: ChainState, sight: Sight, where: Mapping[Tile, Point]) -> Sight:
    """Return the sight in which tiles of the line that are read unsurely, as others, are taken for what they were."""
    seen_there = set(sight.faces(Kind.LAYOUT))
    for tile in state.layout.tiles:
        if tile in seen_there:
            continue
        for index, shown in enumerate(sight.tiles):
            meant = next((other for other in shown.others if Tile(*other.halves) is tile), None)
            at = where.get(tile, shown.at)
            near = hypot(shown.at[0] - at[0], shown.at[1] - at[1]) < SAME_PLACE_MM
            if shown.place.kind is Kind.LAYOUT and meant is not None and shown.confidence < _UNSURE and near:
                sight = sight.read_as(index, meant.halves)
                break
    return sight


def _left_over(old: Layout, line: Line) -> bool:
    """Return whether what lies there may be left of the line before: a long line, a lone tile, or a join of it."""
    if not 2 <= len(line.links) <= _MOST_NEW:
        return True
    inner = inner_neighbours(old)
    pairs = {frozenset((tile, other)) for tile, other in inner.items() if other is not None}
    return any(frozenset((line.tile(i), line.tile(j))) in pairs for i, near in line.links.items() for j in near)


def _absent(state: ChainState, matched: Matched) -> Pause | None:
    known = len(state.layout)
    missing = len(matched.missing)
    if missing and missing == known:
        return Pause("table_cleared", matched.missing)
    if missing + len(matched.torn) > max(1, known * _MOST_MISSING):
        return Pause("tiles_missing", matched.missing)
    return None


def _swaps(state: ChainState, line: Line, matched: Matched, where: Mapping[Tile, Point]) -> Iterator[Swap]:
    """Yield the moves whose tile is read otherwise now, or whose tile lies elsewhere."""
    made = ((number, plain(move)) for number, move in enumerate(state.moves))
    plays = {move.tile: (number, move) for number, move in made if isinstance(move, Play)}
    inner = inner_neighbours(state.layout)
    for tile in matched.missing:
        if tile not in plays or tile not in inner:
            continue
        for index in matched.new or tuple(line.links):
            if index in matched.at.values() or not _in_place(line, matched, inner, tile, index, where):
                continue
            number, move = plays[tile]
            again = first_play(move.player, line.seen(index)) if inner[tile] is None else None
            read = again or Play(move.player, line.tile(index), move.arm)
            yield Swap(number, read, line.seen(index).confidence, "read_anew", index, tile)
            break
    yield from _laid_elsewhere(state, line, matched)


def _in_place(
    line: Line, matched: Matched, inner: dict[Tile, Tile | None], tile: Tile, index: int, where: Mapping[Tile, Point]
) -> bool:
    here = line.seen(index).at
    if tile in where:
        there = where[tile]
        return hypot(here[0] - there[0], here[1] - there[1]) < SAME_PLACE_MM
    near = {inner[tile]} | {other for other, base in inner.items() if base is tile}
    wanted = {matched.at[other] for other in near if other is not None and other in matched.at}
    branching = inner[tile] is not None and inner[inner[tile] or tile] is None
    return len(wanted) > branching and wanted <= set(line.links.get(index, ()))


def _laid_elsewhere(state: ChainState, line: Line, matched: Matched) -> Iterator[Swap]:
    """Yield the last play if its tile is joined to another end now."""
    number = len(state.moves) - 1
    while number >= 0 and not isinstance(state.moves[number], Play | Stood):
        number -= 1
    last = state.moves[number] if number >= 0 else None
    if not isinstance(last, Play) or last.tile not in matched.at or len(state.layout) < 2:
        return
    base = inner_neighbours(state.layout)[last.tile]
    index = matched.at[last.tile]
    touched = set(line.links.get(index, ()))
    if base is None or base not in matched.at or matched.at[base] in touched or not touched:
        return
    layout = Layout(state.layout.with_spinner)
    for placement in state.layout.placements[:-1]:
        layout = layout.put(placement.tile, placement.arm, placement.inner)
    others = {tile: place for tile, place in matched.at.items() if tile is not last.tile}
    joined = attach(layout, line, others, index)
    if joined is not None and joined.is_legal and joined.arm is not last.arm:
        yield Swap(number, replace(last, arm=joined.arm), 1.0, "laid_elsewhere")


def _evidence(state: ChainState, sight: Sight, draws: int | None, before: int) -> Evidence:
    """Return what a sight tells besides the line.

    At the end of a hand, when somebody lays his last tile, who turns his own up reaches over the table for that, and
    until all lie there they are fewer than he holds.
    """
    sizes = {}
    showing = {seat for seat in state.players if sight.faces(Kind.HAND, seat)}
    if not any(state.hands[actor].size == 1 for actor in sight.actors if actor not in showing):
        showing = set()
    if sight.shows(Kind.HAND):
        seats = (seat for seat in state.players if seat in sight.racks)
        sizes = {seat: len(sight.within(Kind.HAND, seat)) for seat in seats}
        sizes = {s: size for s, size in sizes.items() if s not in showing or size >= state.hands[s].size}
    actors = tuple(actor for actor in sight.actors if actor not in showing)
    return Evidence(actors, sight.unclear, draws, before, sizes)


def _readings(sight: Sight, new: tuple[int, ...]) -> Iterator[tuple[Sight, float]]:
    """Yield the sight and, for a new tile that is read unsurely, the sights with its other readings."""
    yield sight, 1.0
    unsure = [i for i in new if sight.tiles[i].confidence < _UNSURE]
    for index in unsure[:2]:
        own = max(sight.tiles[index].confidence, 1e-3)
        for other in sight.tiles[index].others:
            if other.p >= _LEAST_OTHER:
                yield sight.read_as(index, other.halves), other.p / own


def _distinct(paths: list[Path]) -> list[Path]:
    best: dict[tuple[object, ...], Path] = {}
    for path in paths:
        key = tuple(record.move for record in path.moves)
        if key not in best or best[key].weight < path.weight:
            best[key] = path
    return sorted(best.values(), key=lambda path: -path.weight)[:MOST_PATHS]


def _closed(path: Path, sight: Sight) -> Path:
    """Return the path with the passes of a block that the table proves: everything that could fit lies there."""
    state = path.state
    assert isinstance(state, ChainState)  # noqa: S101 - the reader of this kind of game
    if not state.layout.exhausts(DOUBLE_SIX):
        return path
    moves = list(path.moves)
    while (player := state.to_move) is not None:
        move = Pass(player) if state.blocked else Draw(player)
        if isinstance(move, Draw) and sight.shows(Kind.STOCK):
            return path
        try:
            state = state.apply(move)
        except IllegalMoveError:
            return path
        moves.append(inferred(move, "blocked"))
    return Path(tuple(moves), state, path.weight)


def _missed_draw(state: ChainState) -> tuple[int, MoveRecord] | None:
    """Return the draw that nobody saw if a hand goes on though somebody laid his last tile: he had one more."""
    result = state.result
    if result is None or result.kind != "domino" or result.player is None or not state.boneyard:
        return None
    return len(state.moves) - 1, inferred(Draw(result.player), "played_on")


def _ended_by_block(state: ChainState, sight: Sight, shown: Mapping[str, tuple[Tile, ...]]) -> Path | None:
    """Return the draws and passes with which a hand ended, if all hands lie turned up and none of them can play."""
    if not state.layout or set(shown) != {seat for seat, hand in state.hands.items() if hand.size}:
        return None
    numbers = {end.pips for end in state.layout.open_ends}
    if any(numbers & set(tile.halves) for tiles in shown.values() for tile in tiles):
        return None
    moves: list[MoveRecord] = []
    while state.result is None and (player := state.to_move) is not None:
        draws = len(shown.get(player, ())) > state.hands[player].size
        move = Draw(player) if draws else Pass(player)
        try:
            state = state.apply(move)
        except IllegalMoveError:
            return None
        moves.append(seen(move) if draws and sight.shows(Kind.STOCK) else inferred(move, "hands_shown"))
    return Path(tuple(moves), state)
