"""Adapters between Bingo's conformance vectors and the engine. They translate; they decide no rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.games.bingo import BINGO
from domino_rules.games.bingo_rules import BLANKS, TRUMP_NUMBERS, starter, tile_values, trump_number
from domino_rules.games.bingo_score import Closing, hand_outcome
from domino_rules.games.bingo_state import BingoState, drawing_order
from domino_rules.games.pool import Stock
from domino_rules.moves import Close, Draw, Lead, Reply
from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend, ScoreEvent
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import Tile
from domino_rules.vectors import Vector

PLAYERS: Final = ("A", "B")
OPEN: Final = Stock((None,) * 13, ())
"""A stock of which nothing is known, for a position in phase 1."""


def _rules(vector: Vector) -> RuleSet:
    return BINGO.rules(**vector.setup.get("rules", {}))


def _tiles(texts: Sequence[str]) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, texts))


def _position(vector: Vector, hands: Mapping[str, Hand], turn: str, lead: Lead | None = None) -> BingoState:
    """Return the position of a vector that tells hands, trump and phase."""
    stock = OPEN if vector.setup["phase"] == 1 else Stock()
    first, second = PLAYERS
    return BingoState(
        _rules(vector), PLAYERS, (hands[first], hands[second]), vector.setup["trump"], turn, stock=stock, lead=lead
    )


def _deal(vector: Vector) -> dict[str, Any]:
    seats = PLAYERS[: vector.setup["players"]]
    rules = _rules(vector)
    deal = BINGO.shuffled_deal(seats, rules, Random(0))
    state = BINGO.start(deal, rules, HandContext())
    per_trick = len(state.players)
    return {
        "stock_total": len(state.stock),
        "face_down": len(state.stock.face_down),
        "face_up": len(deal.table),
        "tricks_phase1_max": len(state.stock) // per_trick,
        "tricks_phase2_if_not_closed": sum(hand.size for hand in state.held) // per_trick,
    }


def _starter(vector: Vector) -> dict[str, Any]:
    drawer, guesser = vector.setup["drawer"], vector.setup["guesser"]
    first = starter(drawer, guesser, Tile.parse(vector.setup["drawn"]), vector.setup["guess"])
    return {"starter": first, "trump_drawn_by": guesser if first == drawer else drawer}


def _trump(vector: Vector) -> dict[str, Any]:
    return {"trump": trump_number(Tile.parse(vector.setup["turned_up"]), _rules(vector))}


def _two_plays(vector: Vector, hands: Mapping[str, Hand]) -> BingoState:
    lead, reply = vector.actions
    state = _position(vector, hands, lead["player"])
    state = state.apply(Lead(lead["player"], Tile.parse(lead["play"]), lead.get("declare")))
    return state.apply(Reply(reply["player"], Tile.parse(reply["play"]), reply.get("declare")))


def _trick(vector: Vector) -> dict[str, Any]:
    trick = _two_plays(vector, dict.fromkeys(PLAYERS, Hand.hidden(7))).tricks[-1]
    return {
        "taker": trick.taker,
        "points_to": trick.points_to,
        "points": trick.points,
        "next_lead": trick.taker,
    }


def _declare(vector: Vector) -> dict[str, Any]:
    hands = {"A": Hand.of(_tiles(vector.setup["hand_A"])), "B": Hand.hidden(len(vector.setup["hand_A"]))}
    state = _two_plays(vector, hands)
    trick = state.tricks[-1]
    return {"taker": trick.taker, "tile_points": trick.points, "bonus": trick.bonus, **state.points}


def _replying(vector: Vector) -> BingoState:
    tiles = _tiles(vector.setup["hand"])
    lead = Lead("A", Tile.parse(vector.setup["lead"]))
    return _position(vector, {"A": Hand.hidden(len(tiles)), "B": Hand.of(tiles)}, "B", lead)


def _legal_follow(vector: Vector) -> dict[str, Any]:
    moves = _replying(vector).legal_moves
    return {"legal": [str(move.tile) for move in moves if isinstance(move, Reply) and move.declare is None]}


def _follow_error(vector: Vector) -> dict[str, Any]:
    state = _replying(vector)
    for action in vector.actions:
        state = state.apply(Reply(action["player"], Tile.parse(action["play"]), action.get("declare")))
    return {}


def _tile_points(vector: Vector) -> dict[str, Any]:
    points = {str(tile): value.points for tile, value in tile_values(vector.setup["trump"], _rules(vector)).items()}
    return {"points": points, "total": sum(points.values())}


def _totals(vector: Vector) -> dict[str, Any]:
    rules = _rules(vector)
    totals = {str(n): sum(value.points for value in tile_values(n, rules).values()) for n in TRUMP_NUMBERS}
    return {"totals": totals}


def _after_trick(vector: Vector, taker: str | None, stock: Stock, sizes: Sequence[int], *, drawn: bool) -> BingoState:
    """Return a position after a trick of which only the taker is told, or before the first one."""
    hands = (Hand.hidden(sizes[0]), Hand.hidden(sizes[1]))
    turn = taker or PLAYERS[0]
    state = BingoState(_rules(vector), PLAYERS, hands, BLANKS, turn, stock=stock, taker=taker)
    if taker is None or drawn or not stock:
        return state
    due = drawing_order(state, taker)
    return BingoState(_rules(vector), PLAYERS, hands, BLANKS, due[0], stock=stock, taker=taker, due=due)


def _draw(vector: Vector) -> dict[str, Any]:
    stock = Stock((None,) * (vector.setup["face_down"] + vector.setup["face_up_trump"]))
    state = _after_trick(vector, vector.setup["trick_winner"], stock, (6, 6), drawn=False)
    order: list[str] = []
    got: dict[str, str] = {}
    while state.due:
        player = state.turn
        got[player] = "trump" if len(state.stock) == 1 else "face_down"
        order.append(player)
        state = state.apply(Draw(player))
    face_down = max(len(state.stock) - 1, 0)
    return {"order": order, **got, "face_down_after": face_down, "phase_after": state.phase}


def _close(vector: Vector) -> dict[str, Any]:
    setup = vector.setup
    stock = OPEN if setup["stock_open"] else Stock()
    drawn = setup["drawn_after_trick"]
    state = _after_trick(vector, setup["last_trick_winner"], stock, setup["hand_sizes"], drawn=drawn)
    for action in vector.actions:
        state = state.apply(Close(action["player"]))
    closer = state.closing.player if state.closing else None
    return {"closer": closer, "hand_sizes": [hand.size for hand in state.held], "phase": state.phase}


def _sets(vector: Vector) -> dict[str, Any]:
    setup = vector.setup
    closer = setup.get("closer")
    outcome = hand_outcome(
        setup["points"],
        _rules(vector),
        closing=None if closer is None else Closing(closer, setup.get("points_at_close", 0)),
        seven_doubles=setup.get("declared_210"),
    )
    return {"sets": {player: outcome.sets * (player == outcome.winner) for player in setup["points"]}}


def _match(vector: Vector) -> dict[str, Any]:
    rules = _rules(vector)
    results: list[HandResult] = []
    for side, sets in vector.setup["hands"]:
        event = ScoreEvent(side, sets, "points", (Addend("reached_target", sets),), unit=BINGO.unit)
        results.append(HandResult("points", side, side, (event,)))
    winner = BINGO.winner(PLAYERS, rules, results)
    return {"sets": BINGO.totals(PLAYERS, results), "over": winner is not None, "winner": winner}


def _trace(vector: Vector) -> dict[str, Any]:
    setup = vector.setup
    rules = _rules(vector)
    hands = {player: Hand.of(_tiles(tiles)) for player, tiles in setup["hands"].items()}
    deal = Deal(hands, _tiles(setup["face_down_order"]), (Tile.parse(setup["turned_up"]),))
    state = BINGO.start(deal, rules, HandContext(opener=setup["starter"]))
    for number, action in enumerate(vector.actions, 1):
        state = _traced_trick(state, action, number)
    sets = dict.fromkeys(state.players, 0)
    for event in state.events:
        if event.unit == BINGO.unit:
            sets[event.side] += event.points
    return {"trump": state.trump, "final": dict(state.points), "sets": sets, "tricks": len(state.tricks)}


def _traced_trick(state: BingoState, action: Mapping[str, Any], number: int) -> BingoState:
    """Play one trick of a trace with its draws, and compare what the trace says of it.

    Raises:
        SetupError: `trace_differs`.
    """
    lead, reply = action["lead"], action["follow"]
    phase = state.phase
    state = state.apply(Lead(lead["player"], Tile.parse(lead["play"]), lead.get("declare")))
    state = state.apply(Reply(reply["player"], Tile.parse(reply["play"]), reply.get("declare")))
    trick = state.tricks[-1]
    told = {key: action[key] for key in ("taker", "points_to", "points", "running", "phase") if key in action}
    found = {
        "taker": trick.taker,
        "points_to": trick.points_to,
        "points": trick.points,
        "running": dict(state.points),
        "phase": phase,
    }
    for key, value in told.items():
        if found[key] != value:
            message = f"trick {number}: {key} is {found[key]!r}, the trace says {value!r}"
            raise SetupError("trace_differs", message, trick=number, key=key)
    drawn = action.get("drawn", {})
    while state.due:
        state = state.apply(Draw(state.turn, Tile.parse(drawn[state.turn])))
    return state


OPS: Final[Mapping[str, Callable[[Vector], dict[str, Any]]]] = MappingProxyType({
    "close": _close,
    "deal": _deal,
    "declare": _declare,
    "draw": _draw,
    "follow_error": _follow_error,
    "legal_follow": _legal_follow,
    "match": _match,
    "sets": _sets,
    "starter": _starter,
    "tile_points": _tile_points,
    "totals": _totals,
    "trace": _trace,
    "trick": _trick,
    "trump": _trump,
})  # fmt: skip
