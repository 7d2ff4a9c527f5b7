"""Whole random games laid out as a camera would see them, for tests of the referee; the truth is the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from random import Random

import numpy as np

from domino_rules.audit import audit_results
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.layout import Arm, Layout
from domino_rules.match import Match
from domino_rules.moves import Close, Draw, Lead, Move, Pass, Play, Reply, Stood
from domino_rules.record import Record
from domino_rules.record_replay import Replay, random_record, replay
from domino_rules.state import GameState, find_game
from domino_rules.tile import Tile
from domino_server.films.answers import truthful as film_answer
from domino_server.films.plays import Step
from domino_server.films.wrong_tricks import REVOKES
from domino_server.referee import (
    Answer,
    Declared,
    Event,
    IllegalPlay,
    Kind,
    Moved,
    Opener,
    Place,
    Question,
    Reading,
    Referee,
    Sight,
    Told,
    sight_of,
)
from domino_vision.types import Join, Part, ReadTile, TableObservation, TileRole

LENGTH, WIDTH = 50.0, 25.0
FAR = 5000.0


def random_game(name: str, seats: Sequence[str], seed: int, hands: int = 2, **options: object) -> Record:
    """Return the record of a random match."""
    game = find_game(name)
    return random_record(game, game.rules(**options), tuple(seats), Random(seed), hands=hands)


@dataclass
class Seen:
    """What the camera of a test shows besides the faces, and how badly.

    Attributes:
        actors: it sees whose hand was over the table.
        racks: it sees the tiles that stand before the players.
        stock: it sees the boneyard.
        drop: share of the tables that it misses.
        misread: share of new tiles that it misreads on the first look.
    """

    actors: bool = True
    racks: bool = False
    stock: bool = True
    drop: float = 0.0
    misread: float = 0.0


@dataclass
class Table:
    """Tiles as they lie: (centre, axis from first to second half, halves or None, role) and the joins."""

    tiles: list[tuple[np.ndarray, np.ndarray, tuple[int, int] | None, TileRole]] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)

    def add(
        self, at: tuple[float, float], axis: tuple[float, float], halves: tuple[int, int] | None, role: TileRole
    ) -> int:
        self.tiles.append((np.array(at, float), np.array(axis, float), halves, role))
        return len(self.tiles) - 1

    def observation(self) -> TableObservation:
        tiles = []
        for centre, axis, halves, role in self.tiles:
            side = np.array([-axis[1], axis[0]]) * WIDTH / 2
            u = axis * LENGTH / 2
            quad = np.array([centre - u - side, centre - u + side, centre + u + side, centre + u - side], np.float32)
            tiles.append(ReadTile(quad, quad, halves, 0.99, role))
        return TableObservation(
            (1920, 1080), tuple(tiles), tuple(self.joins), (), None, 1.0, (), (), np.eye(3), 60.0, {}
        )


def place_of(seats: tuple[str, ...]):
    """Return the parts of the table of these tests: the line in the middle, everything else far away."""
    kinds = (Kind.STOCK, Kind.TRUMP, Kind.TRICK, Kind.TALON)

    def where(at: tuple[float, float]) -> Place:
        row, column = round(at[1] / FAR), round(at[0] / FAR)
        if row == 0:
            return Place(Kind.LAYOUT)
        if row == 1:
            return Place(kinds[column])
        return Place(Kind.HAND if row == 2 else Kind.PILE, seats[column])

    return where


def lay_line(table: Table, layout: Layout, random: Random) -> None:
    """Lay the line of play: the main line along x, the spinner's arms along y."""
    ends: dict[Arm, tuple[int, float]] = {}
    index_of: dict[Tile, int] = {}
    for placement in layout:
        tile, arm = placement.tile, placement.arm
        flip = random.random() < 0.5
        if arm is Arm.START:
            halves = (placement.inner, placement.outer)
            index = _place(table, (0.0, 0.0), (1, 0), halves, flip, tile.is_double)
            half = WIDTH / 2 if tile.is_double else LENGTH / 2
            ends = {Arm.LEFT: (index, -half), Arm.RIGHT: (index, half)}
            if tile.is_double:
                ends |= {Arm.UP: (index, -LENGTH / 2), Arm.DOWN: (index, LENGTH / 2)}
            spinner_x = 0.0
        else:
            neighbour, edge = ends[arm]
            sign = -1.0 if arm in (Arm.LEFT, Arm.UP) else 1.0
            half = WIDTH / 2 if tile.is_double else LENGTH / 2
            centre = edge + sign * (half + 1)
            along = arm in (Arm.LEFT, Arm.RIGHT)
            spot = (centre, 0.0) if along else (spinner_x, centre)
            way = (sign, 0.0) if along else (0.0, sign)
            index = _place(table, spot, way, (placement.inner, placement.outer), flip, tile.is_double)
            table.joins.append(_join(table, neighbour, index, placement.inner, sign, along=along))
            ends[arm] = (index, edge + sign * (2 * half + 1))
            if layout.spinner is placement:
                spinner_x = centre
                ends |= {Arm.UP: (index, -LENGTH / 2), Arm.DOWN: (index, LENGTH / 2)}
        index_of[tile] = index


def lay_beside(table: Table, state: ChainState) -> None:
    """Lay the tiles that were let stand though they touch no open end: at the end of a double inside the line."""
    for tile in state.beside:
        near = [i for i, placed in enumerate(state.layout) if placed.tile.is_double and placed.tile.high in tile]
        for index in near:
            centre, axis = table.tiles[index][0], table.tiles[index][1]
            if len([join for join in table.joins if index in (join.a, join.b)]) == 2:
                half = table.tiles[index][2] or (0, 0)
                new = table.add((centre[0], centre[1] + 51.0), (0, 1), (half[0], tile.other(half[0])), TileRole.CHAIN)
                table.joins.append(Join(index, "b" if axis[1] > 0 else "a", new, "a"))
                break


def _place(
    table: Table, spot: tuple[float, float], way: tuple[float, float], halves: tuple[int, int], flip: bool, double: bool
) -> int:
    axis = (-way[1], way[0]) if double else way
    if flip:
        axis, halves = (-axis[0], -axis[1]), (halves[1], halves[0])
    return table.add(spot, axis, halves, TileRole.CHAIN)


def _join(table: Table, neighbour: int, index: int, inner: int, sign: float, *, along: bool) -> Join:
    return Join(neighbour, _part(table, neighbour, sign, along=along), index, _part(table, index, -sign, along=along))


def _part(table: Table, index: int, sign: float, *, along: bool) -> Part:
    """Return the part of a tile that faces one way."""
    axis = table.tiles[index][1]
    reach = axis[0] if along else axis[1]
    if abs(reach) < 0.5:
        return "m"
    return "b" if reach * sign > 0 else "a"


def backs(table: Table, count: int, row: int, column: int, role: TileRole = TileRole.DOWN) -> None:
    """Lay tiles without a face in a part of the table."""
    for k in range(count):
        table.add((column * FAR + 60.0 * (k % 16), row * FAR + 60.0 * (k // 16)), (0, 1), None, role)


def faces(table: Table, tiles: tuple[Tile, ...], row: int, column: int) -> None:
    """Lay tiles face up in a part of the table."""
    for k, tile in enumerate(tiles):
        table.add((column * FAR + 60.0 * (k % 16), row * FAR + 60.0 * (k // 16)), (0, 1), tile.halves, TileRole.LOOSE)


def table_of(state: GameState, seen: Seen, random: Random, *, turned_up: bool = False, tidy: bool = False) -> Table:
    """Return the table at a state; `turned_up`: the hands lie open; `tidy`: the trick was carried off."""
    table = Table()
    seats = tuple(state.hands)
    if isinstance(state, ChainState):
        lay_line(table, state.layout, random)
        lay_beside(table, state)
        if seen.stock:
            backs(table, len(state.boneyard), 1, 0)
    elif isinstance(state, BingoState):
        _lay_bingo(table, state, seats, tidy=tidy)
    elif isinstance(state, TiuUState):
        faces(table, state.talon, 1, 3)
        backs(table, len(state.stock.face_down), 1, 0)
        for stack in state.stock.stacks:
            faces(table, stack, 1, 0)
        for column, seat in enumerate(seats):
            faces(table, state.captured[seat], 3, column)
    for column, (_, hand) in enumerate(state.hands.items()):
        if turned_up and hand.tiles is not None:
            faces(table, hand.tiles, 2, column)
        elif seen.racks and not turned_up:
            backs(table, hand.size, 2, column, TileRole.STANDING)
    return table


def _lay_bingo(table: Table, state: BingoState, seats: tuple[str, ...], *, tidy: bool) -> None:
    if state.stock:
        backs(table, len(state.stock.face_down), 1, 0)
        trump = state.stock.stacks[-1]
        if state.closing is None:
            faces(table, trump, 1, 1)
        else:
            backs(table, 1, 1, 1)
    if state.lead is not None:
        faces(table, (state.lead.tile,), 1, 2)
    elif state.tricks and not tidy:
        faces(table, state.tricks[-1].tiles, 1, 2)
    for column, seat in enumerate(seats):
        done = state.tricks if tidy or state.lead is not None else state.tricks[:-1]
        backs(table, 2 * sum(trick.taker == seat for trick in done), 3, column)


class Camera:
    """Turns states into sights, as badly as `seen` says."""

    def __init__(self, seats: tuple[str, ...], seen: Seen, seed: int) -> None:
        self.seats, self.seen = seats, seen
        self.random = Random(seed)
        self.known: set[Tile] = set()
        self.waiting: list[str] = []
        self.calls: list[Declared] = []

    def look(self, state: GameState, *, turned_up: bool = False, tidy: bool = False) -> Sight:
        table = table_of(state, self.seen, self.random, turned_up=turned_up, tidy=tidy)
        return self.sight(table)

    def sight(self, table: Table) -> Sight:
        hidden = set()
        if not self.seen.stock:
            hidden.add(Kind.STOCK)
        if not self.seen.racks and not any(row[0][1] > 1.5 * FAR for row in table.tiles):
            hidden.add(Kind.HAND)
        actors = tuple(name for name, _ in groupby(self.waiting)) if self.seen.actors else ()
        self.waiting = []
        sight = sight_of(table.observation(), place_of=place_of(self.seats), hidden=hidden, actors=actors)
        return self._spoilt(sight)

    def _spoilt(self, sight: Sight) -> Sight:
        for index, seen in enumerate(sight.tiles):
            if seen.tile is None or seen.tile in self.known or seen.halves is None:
                continue
            if self.random.random() < self.seen.misread:
                right = seen.halves
                wrong = (right[0], self.random.choice([n for n in range(7) if n != right[1]]))
                sight = sight.read_as(index, wrong)
                tiles = list(sight.tiles)
                tiles[index] = type(seen)(
                    wrong, seen.at, seen.head, seen.place, seen.role, 0.75, (Reading(right, 0.2),), seen.quad_px
                )
                sight = Sight(tuple(tiles), sight.joins, sight.match_p, sight.actors, sight.hidden)
            else:
                self.known.add(seen.tile)
        return sight


def sights(record: Record, camera: Camera) -> Iterator[Sight]:
    """Yield what is seen of a whole match."""
    played = replay(record)
    for hand in played.hands:
        camera.known.clear()
        states = [step.state for step in hand.steps]
        start = start_of(played.match, hand.number - 1)
        if not isinstance(start, ChainState):
            yield camera.look(start)
            yield camera.look(start)
        for number, state in enumerate(states):
            move = hand.steps[number].record.move
            if not isinstance(move, Pass):
                camera.waiting.append(move.player)
            if isinstance(move, Lead | Reply) and move.declare is not None:
                camera.calls.append(Declared(move.player, move.declare))
            last = number == len(states) - 1
            nothing = isinstance(move, Pass) or (isinstance(state, BingoState) and isinstance(move, Draw))
            if nothing and not last:
                continue
            if camera.random.random() < camera.seen.drop and not last:
                continue
            yield camera.look(state)
            if isinstance(state, BingoState) and not last and state.lead is None and not isinstance(move, Close):
                yield camera.look(state, tidy=True)
        if states:
            yield camera.look(states[-1], turned_up=True)
            yield camera.look(states[-1], turned_up=True)
        camera.waiting.clear()
        yield camera.sight(Table())


def start_of(match: Match, hand: int) -> GameState:
    """Return a hand of a match as it was dealt."""
    played = match.hands[hand]
    assert played.deal is not None
    return match.game.start(played.deal, match.rules, played.context)


def _opener(match: Match, hand: int) -> str:
    state = match.hands[hand].state
    assert isinstance(state, BingoState | TiuUState)
    assert state.opener is not None
    return state.opener


def follow(referee: Referee, record: Record, camera: Camera, *, answers: bool = True) -> list[Event]:
    """Show a referee a whole match, tell it what only people know, and return all that it said.

    With `answers` somebody who knows the truth answers its questions.
    """
    said: list[Event] = []
    truth = replay(record)
    for sight in sights(record, camera):
        hand = len(referee.ledger.match.hands)
        for call in camera.calls:
            said += referee.tell(call)
        camera.calls.clear()
        said += referee.see(sight)
        if "opener" in referee.questions and not referee.groups:
            said += referee.tell(Opener(_opener(truth.match, hand)))
        if answers:
            said += answer_all(referee, truth)
    return said


def answer_all(referee: Referee, truth: Replay) -> list[Event]:
    """Answer the open questions as somebody does who knows what happened."""
    said: list[Event] = []
    for _ in range(6):
        told = next((t for q in referee.questions.values() if (t := truthful(referee, q, truth)) is not None), None)
        if told is None:
            break
        said += referee.tell(told)
    return said


def truthful(referee: Referee, question: Question, truth: Replay) -> Told | None:
    """Return the true answer to a question; None if none of the answers is true."""
    if not 0 < referee.ledger.hand <= len(truth.hands):
        return None
    played = truth.hands[referee.ledger.hand - 1]
    done = len(referee.ledger.moves)
    rest = [step.record.move for step in played.steps][done:]
    if question.code in {"order", "opener", "which_tile"} and referee.groups:
        for key, branches in referee.groups.items():
            for branch in branches:
                made = [as_text(record.move) for record in branch.moves]
                if made == [as_text(move) for move in rest[: len(made)]]:
                    return Answer(question.code, key)
    if question.code in {"missed_reply", "missed_trick"} and rest:
        return Moved(rest[0])
    if question.code == "misread_or_illegal":
        laid = [str(getattr(step.record.move, "tile", "")) for step in played.steps]
        return next((Answer(question.code, c.key) for c in question.choices if c.key[3:] in laid), None)
    return None


def watch_steps(referee: Referee, steps: Sequence[Step], camera: Camera) -> tuple[list[str], list[str]]:
    """Show a referee a hand with plays against the rules; return the codes reported and those planted, in time."""
    reported, planted = [], []
    first = steps[0].before
    if not isinstance(first, ChainState):
        referee.see(camera.look(first))
        assert isinstance(first, BingoState | TiuUState)
        referee.tell(Opener(first.opener or ""))
    wrong: str | None = None
    call: int | None = None
    for number, step in enumerate(steps):
        move = step.move.move if isinstance(step.move, Stood) else step.move
        if isinstance(move, Pass):
            continue
        if step.code == "false_declaration":
            assert isinstance(move, Lead | Reply)
            call = move.declare
            planted.append(step.code)
            continue
        if step.undone and step.code == "wrong_taker":
            wrong = step.code
            continue
        camera.waiting.append(move.player)
        illegal = step.before.let_stand(step.move) if step.undone and isinstance(step.move, Stood) else step.after
        last = number == len(steps) - 1
        said = list(referee.see(camera.look(illegal, tidy=isinstance(move, Close | Draw))))
        if isinstance(move, Lead | Reply) and (doubles := call or move.declare) is not None:
            said += referee.tell(Declared(move.player, doubles))
            call = None
        if isinstance(illegal, BingoState) and isinstance(move, Reply) and (step.code == "wrong_taker" or not last):
            carried = illegal
            if wrong is not None and illegal.result is None:
                planted.append(wrong)
                trick = illegal.tricks[-1]
                carried = step.before.let_stand(Stood(trick.reply, taker=illegal.other(trick.taker)))
            said += referee.see(camera.look(carried, tidy=True))
            if wrong is not None and illegal.result is None:
                said += referee.see(camera.look(illegal, tidy=True))
            wrong = None
        if step.code is not None and not step.shown_by:
            planted.append(step.code)
        if step.undone:
            referee.see(camera.look(step.before))
        reported += [e.code for e in said if isinstance(e, IllegalPlay) and e.code not in REVOKES]
        answer_by(referee, steps)
        assert shown_revokes(steps[: number + 1]) <= audited(referee)
    referee.see(camera.look(steps[-1].after, turned_up=True, tidy=True))
    referee.see(camera.look(steps[-1].after, turned_up=True, tidy=True))
    referee.see(camera.sight(Table()))
    return reported, planted


def shown_revokes(steps: Sequence[Step]) -> set[tuple[str, str]]:
    """Return the broken duties, with the players, that tiles laid later have shown."""
    return {
        (step.code, step.move.player)
        for number, step in enumerate(steps)
        for later in steps[number + 1 :]
        if step.code is not None and not later.undone and later.move.player == step.move.player
        if getattr(later.move, "tile", None) in step.shown_by and not isinstance(later.move, Draw)
    }


def audited(referee: Referee) -> set[tuple[str, str | None]]:
    """Return the broken duties that the audit of the hand so far finds."""
    return {(f.code, f.player) for f in audit_results(referee.record)[-1].findings if f.code in REVOKES}


def answer_by(referee: Referee, steps: Sequence[Step]) -> None:
    """Answer a question of who, or in which order, as the steps tell."""
    moves = [step.move for step in steps if not step.undone]
    for question in list(referee.questions.values()):
        answer = film_answer(referee, question, moves)
        if isinstance(answer, Answer):
            referee.tell(answer)


def referee_for(record: Record) -> Referee:
    """Return a referee that knows only what the headers of a record say."""
    return Referee.start(record.game, record.seats, record.options)


def plain(record: Record) -> list[list[str]]:
    """Return the moves of a record hand by hand; what no camera can tell (drawn tiles) is left out."""
    return [[as_text(move.move) for move in hand.moves] for hand in record.corrected().hands]


def as_text(move: Move) -> str:
    if isinstance(move, Draw):
        return f"{move.player} draws"
    if isinstance(move, Play):
        left = f" {move.tile.high if move.left is None else move.left}" if move.arm is Arm.START else ""
        return f"{move.player} {move.tile} {move.arm.value}{left}"
    if isinstance(move, Stood) and isinstance(move.move, Reply) and move.taker is None:
        move = move.move  # a broken duty shows only later
    return f"{type(move).__name__} {move.player} {getattr(move, 'tile', '')} {getattr(move, 'take', '')}"


def scores(record: Record) -> list[tuple[str, int, str, str]]:
    """Return all scores of a record."""
    return [(e.side, e.points, e.reason, e.unit) for e in replay(record).match.events]


def totals(record: Record) -> list[dict[str, int]]:
    """Return what each side has in the end, in each unit."""
    played = replay(record)
    return [played.totals(unit) for unit in ("points", "sets", "payment", "games")]
