"""Offences planted into random games as a camera would see them, one function a kind; each says whom to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from domino_rules.errors import DominoError
from domino_rules.games.bingo_state import BingoState
from domino_rules.games.chain import ChainState
from domino_rules.layout import Layout
from domino_rules.moves import Close, Draw, Move, Pass, Play, Reply
from domino_rules.record_replay import random_record, replay
from domino_rules.state import GameState, find_game
from domino_rules.tile import Tile
from domino_server.judge.alerts import Alerts
from domino_server.referee import Moved, Opener, Referee, Shown, Sight
from domino_server.referee.events import event_json
from domino_server.referee.told import Told
from tests.referee_games import Camera, Seen, Table, backs, faces, lay_line, sights, truthful

TALON = "1-1 1-1 3-1 3-1 6-6 6-6 5-1 5-1 6-5 6-5 4-4 4-4 6-4 6-4 5-5 5-5"
SEATS = {"pincset": ("A", "B", "C", "D"), "cincos": ("A", "B", "C", "D"), "bingo": ("A", "B"), "tiu-u": ("A", "B")}


@dataclass
class Watched:
    """A referee whose alerts are followed, and the camera over its table."""

    game: str
    seed: int
    seats: tuple[str, ...] = ()
    seen: Seen = field(default_factory=Seen)
    referee: Referee = field(init=False)
    alerts: Alerts = field(default_factory=Alerts)
    moves: int = 0

    def __post_init__(self) -> None:
        self.seats = self.seats or SEATS[self.game]
        self.referee = Referee.start(self.game, self.seats)
        self.camera = Camera(self.seats, self.seen, self.seed)
        self.chance = Random(self.seed)

    def see(self, sight: Sight) -> list[dict[str, Any]]:
        return self.alerts.take(self.referee, [event_json(event) for event in self.referee.see(sight)])

    def tell(self, told: Told) -> list[dict[str, Any]]:
        return self.alerts.take(self.referee, [event_json(event) for event in self.referee.tell(told)])

    def lay(self, layout: Layout, stock: int, *actors: str) -> Sight:
        """Return the sight of a line of play."""
        table = Table()
        lay_line(table, layout, self.chance)
        backs(table, stock, 1, 0)
        self.camera.waiting = list(actors)
        return self.camera.sight(table)

    def play(self, least: int) -> tuple[ChainState, list[dict[str, Any]]]:
        """Play a random game by the rules for some plays; return the true state and what was alerted."""
        game = find_game(self.game)
        record = random_record(game, game.rules(), SEATS[self.game], self.chance, hands=1)
        found: list[dict[str, Any]] = []
        plays = 0
        for step in replay(record).hands[0].steps:
            state = step.state
            assert isinstance(state, ChainState)
            if isinstance(step.record.move, Pass):
                continue
            self.moves += 1
            self.camera.waiting.append(step.record.move.player)
            found += self.see(self.camera.look(state))
            plays += isinstance(step.record.move, Play)
            if plays >= least and isinstance(step.record.move, Play):
                return state, found
        return self.play(least)


Offence = Callable[[int], tuple[str, str, list[dict[str, Any]], Watched]]
"""From a seed: the kind that is expected, whom to blame, the alerts, and the table."""


def _next(state: ChainState) -> str:
    assert state.to_move is not None
    return state.to_move


def _unseen(state: ChainState) -> list[Tile]:
    return [tile for hand in state.hands.values() for tile in hand.tiles or ()]


def illegal_join(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """A tile that fits nowhere is laid at an end."""
    table = Watched("pincset", seed)
    state, _ = table.play(3 + seed % 6)
    odd = [tile for tile in _unseen(state) if not state.layout.fits(tile) and not tile.is_double]
    if not odd:
        return illegal_join(seed + 1000)
    arm = table.chance.choice([end.arm for end in state.layout.open_ends])
    tile = table.chance.choice(odd)
    layout = state.layout.put(tile, arm, table.chance.choice(tile.halves))
    return "illegal_join", _next(state), table.see(table.lay(layout, 0, _next(state))), table


def wrong_end(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """A tile that fits one end is laid at the other one."""
    table = Watched("pincset", seed)
    state, _ = table.play(3 + seed % 6)
    ends = {end.arm: end.pips for end in state.layout.open_ends}
    odd = [
        (tile, arm)
        for tile in _unseen(state)
        for arm in ends
        if state.layout.fits(tile) and arm not in state.layout.fits(tile) and not tile.is_double
    ]
    if not odd:
        return wrong_end(seed + 1000)
    tile, arm = table.chance.choice(odd)
    layout = state.layout.put(tile, arm, table.chance.choice(tile.halves))
    return "wrong_end", _next(state), table.see(table.lay(layout, 0, _next(state))), table


def out_of_turn(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """In Cincos somebody lays a tile though the player to move has neither laid nor drawn."""
    table = Watched("cincos", seed)
    state, _ = table.play(2 + seed % 5)
    other = table.chance.choice([seat for seat in state.players if seat != state.to_move])
    fitting = [tile for tile in _unseen(state) if state.layout.fits(tile)]
    if not fitting or not state.boneyard:
        return out_of_turn(seed + 1000)
    tile = table.chance.choice(fitting)
    arm = next(iter(state.layout.fits(tile)))
    inner = next(end.pips for end in state.layout.open_ends if end.arm is arm)
    layout = state.layout.put(tile, arm, inner)
    return "out_of_turn", other, table.see(table.lay(layout, len(state.boneyard), other)), table


def tile_twice(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """A tile of another set that lies there already is laid once more, where it would fit."""
    table = Watched("pincset", seed)
    state, _ = table.play(5 + seed % 6)
    ends = {end.arm: end.pips for end in state.layout.open_ends}
    twice = [(p.tile, arm) for p in state.layout for arm, pips in ends.items() if pips in p.tile.halves]
    spare = [tile for tile in _unseen(state) if not tile.is_double]
    if not twice or not spare:
        return tile_twice(seed + 1000)
    tile, arm = table.chance.choice([pair for pair in twice if not pair[0].is_double] or twice)
    inner = ends[arm]
    layout = state.layout.put(spare[0], arm, spare[0].high)
    sight = table.lay(layout, 0, _next(state))
    at = next(i for i, seen in enumerate(sight.tiles) if seen.tile is spare[0])
    outer = tile.other(inner)
    first = sight.tiles[at].halves == (spare[0].high, spare[0].low)
    return "tile_twice", _next(state), table.see(sight.read_as(at, (inner, outer) if first else (outer, inner))), table


def taken_back(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """The last tile is taken off the table again."""
    table = Watched("pincset", seed)
    state, _ = table.play(3 + seed % 6)
    last = table.referee.ledger.moves[-1].move
    layout = Layout(with_spinner=False)
    for placement in list(state.layout)[:-1]:
        layout = layout.put(placement.tile, placement.arm, placement.inner)
    found = [alert for _ in range(3) for alert in table.see(table.lay(layout, 0))]
    return "taken_back", last.player, found, table


def wrong_count(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """Points are called that the tile does not make."""
    table = Watched("cincos", seed)
    table.play(2 + seed % 6)
    last = table.referee.ledger.moves[-1].move
    right = sum(event.points for event in table.referee.ledger.match.hands[-1].events)
    alert = table.alerts.claimed(table.referee, last.player, right + 5)
    return "wrong_count", last.player, [] if alert is None else [alert], table


def illegal_pass(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """Somebody passes though he holds a tile that fits, and lays it a round later at the same end."""
    table = Watched("pincset", seed)
    state, _ = table.play(2 + seed % 4)
    who, found = _next(state), list[dict[str, Any]]()
    hands = {seat: list(hand.tiles or ()) for seat, hand in state.hands.items()}
    held = [tile for tile in hands[who] if state.layout.fits(tile)]
    if not held:
        return illegal_pass(seed + 1000)
    found += table.tell(Moved(Pass(who)))
    layout, seat = state.layout, who
    for _ in range(7):
        seat = state.players[(state.players.index(seat) + 1) % 4]
        choices = [(tile, arm) for tile in hands[seat] for arm in layout.fits(tile)]
        if seat == who:
            choices = [(tile, arm) for tile, arm in choices if tile in held]
            if not choices:
                return illegal_pass(seed + 1000)
        if not choices:
            found += table.tell(Moved(Pass(seat)))
            continue
        tile, arm = table.chance.choice(choices)
        layout = layout.put(tile, arm, next(end.pips for end in layout.open_ends if end.arm is arm))
        found += table.tell(Moved(Play(seat, tile, arm)))
        if seat == who:
            break
    return "illegal_pass", who, found, table


def illegal_draw(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """Somebody draws seen tiles though he holds one that fits, and lays it then."""
    table = Watched("cincos", seed)
    state, _ = table.play(2 + seed % 4)
    who = _next(state)
    held = [tile for tile in state.hands[who].tiles or () if state.layout.fits(tile)]
    drawn = next((tile for tile in state.boneyard if tile is not None), None)
    if not held or drawn is None:
        return illegal_draw(seed + 1000)
    found = table.tell(Moved(Draw(who, drawn)))
    found += table.tell(Moved(Play(who, held[0], next(iter(state.layout.fits(held[0]))))))
    return "illegal_draw", who, found, table


def revoke(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """In Bingo, with the stock closed, somebody does not match though he can; his tiles are shown afterwards."""
    table = Watched("bingo", seed)
    game = find_game("bingo")
    record = random_record(game, game.rules(), SEATS["bingo"], table.chance, hands=1)
    hand = replay(record).hands[0]
    assert hand.played.deal is not None
    table.tell(Opener(hand.played.context.opener or record.hands[0].moves[0].move.player))
    before: GameState = game.start(hand.played.deal, game.rules(), hand.played.context)
    found = [alert for _ in range(2) for alert in table.see(table.camera.look(before))]
    for step in hand.steps:
        move, state = step.record.move, step.state
        wrong = _revoking(before, move)
        if wrong is not None:
            found += table.see(_trick(table, before, wrong))
            left = tuple(tile for tile in before.hands[move.player].tiles or () if tile is not wrong)
            found += _shown(table, move.player, left)
            return "revoke", move.player, found, table
        found += _seen(table, move, state)
        before = state
    return revoke(seed + 100)


def _seen(table: Watched, move: Move, state: GameState) -> list[dict[str, Any]]:
    """Show a legal step of Bingo."""
    table.camera.waiting.append(move.player)
    if isinstance(move, Draw) or not isinstance(state, BingoState):
        return []
    found = table.see(table.camera.look(state))
    if state.lead is None and not isinstance(move, Close):
        found += table.see(table.camera.look(state, tidy=True))
    return found


def _revoking(state: GameState, move: Move) -> Tile | None:
    """Return a tile that does not match the lead though the player holds one that does; None if that cannot be here."""
    if not isinstance(state, BingoState) or not isinstance(move, Reply) or state.lead is None:
        return None
    if state.stock and state.closing is None:
        return None
    lead, tiles = set(state.lead.tile.halves), state.hands[move.player].tiles or ()
    odd = [tile for tile in tiles if not set(tile.halves) & lead]
    return odd[0] if odd and any(set(tile.halves) & lead for tile in tiles) else None


def _trick(table: Watched, state: GameState, reply: Tile) -> Sight:
    """Return the sight of a trick whose reply is `reply`."""
    assert isinstance(state, BingoState)
    assert state.lead is not None
    seen = Table()
    if state.stock:
        backs(seen, len(state.stock.face_down) + 1, 1, 0)
    faces(seen, (state.lead.tile, reply), 1, 2)
    for column, seat in enumerate(state.hands):
        backs(seen, 2 * sum(trick.taker == seat for trick in state.tricks), 3, column)
    replier = next(seat for seat in state.hands if seat != state.lead.player)
    table.camera.waiting = [replier]
    return table.camera.sight(seen)


def _shown(table: Watched, player: str, tiles: tuple[Tile, ...]) -> list[dict[str, Any]]:
    try:
        return table.tell(Shown(player, tiles))
    except DominoError:  # the hand goes on, and the offence was reported at once
        return []


def wrong_pair(seed: int) -> tuple[str, str, list[dict[str, Any]], Watched]:
    """In Tiu-U somebody takes a tile of the talon with one that is no mate."""
    chance = Random(seed)
    talon: list[str] = [*TALON.split()]
    table = Watched("tiu-u", seed)
    table.tell(Opener("A"))
    table.see(_fishing(table, talon, ""))
    take, mate = chance.choice(["6-6", "5-5"]), chance.choice(["2-1", "4-1", "6-2"])
    left = [*talon]
    left.remove(take)
    return "wrong_pair", "A", table.see(_fishing(table, left, f"{take} {mate}")), table


def _fishing(table: Watched, talon: list[str], pile: str) -> Sight:
    seen = Table()
    faces(seen, tuple(map(Tile.parse, talon)), 1, 3)
    backs(seen, 24, 1, 0)
    faces(seen, tuple(map(Tile.parse, pile.split())), 3, 0)
    table.camera.waiting = ["A"] if pile else []
    return table.camera.sight(seen)


KINDS: tuple[Offence, ...] = (
    illegal_join, wrong_end, out_of_turn, tile_twice, taken_back, wrong_count, illegal_pass, illegal_draw, revoke,
    wrong_pair,
)  # fmt: skip


def legal_game(game: str, seed: int) -> tuple[int, list[dict[str, Any]]]:
    """Show a whole legal game; return how many moves it had, and what was alerted and never withdrawn."""
    moves, alerts = alerts_of_legal_game(Watched(game, seed))
    gone = {alert["key"] for alert in alerts if alert["withdrawn"]}
    return moves, [alert for alert in alerts if alert["key"] not in gone]


def alerts_of_legal_game(table: Watched) -> tuple[int, list[dict[str, Any]]]:
    """Show a whole legal game at a table; return how many moves it had, and all that was alerted."""
    found = find_game(table.game)
    record = random_record(found, found.rules(), table.seats, Random(table.seed), hands=1)
    truth = replay(record)
    alerts: list[dict[str, Any]] = []
    for sight in sights(record, table.camera):
        for call in table.camera.calls:
            alerts += table.tell(call)
        table.camera.calls.clear()
        alerts += table.see(sight)
        if "opener" in table.referee.questions and not table.referee.groups:
            alerts += table.tell(Opener(truth.hands[0].steps[0].record.move.player))
        for question in list(table.referee.questions.values()):
            told = truthful(table.referee, question, truth)
            alerts += [] if told is None else table.tell(told)
    return len(truth.hands[0].steps), alerts


def offences(each: int) -> Iterator[tuple[str, bool, bool]]:
    """Yield for each planted offence its kind, whether it was reported as that, and whether the player was right."""
    for plant in KINDS:
        for seed in range(each):
            kind, player, found, _ = plant(seed)
            right = [alert for alert in found if alert["kind"] == kind]
            yield kind, bool(right), any(alert["player"] == player for alert in right)
