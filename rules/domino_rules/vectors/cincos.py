"""Adapters of the Cincos vectors: one small function for each op."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from domino_rules.errors import IllegalMoveError
from domino_rules.games.cincos import CINCOS, CincosState, hand_end, round5
from domino_rules.games.cincos_options import deal_sizes
from domino_rules.games.cincos_score import count, points_of
from domino_rules.layout import Arm, Layout
from domino_rules.moves import Draw, Move, Pass, Play
from domino_rules.ruleset import RuleSet
from domino_rules.score import ScoreEvent
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_rules.vectors import Vector


def _rules(setup: Mapping[str, Any]) -> RuleSet:
    return CINCOS.rules(**dict(setup.get("rules") or {}))


def _tiles(texts: Iterable[str]) -> tuple[Tile, ...]:
    return tuple(Tile.parse(text) for text in texts)


def _place(layout: Layout, action: Mapping[str, Any]) -> Layout:
    tile, arm = Tile.parse(action["tile"]), Arm(action["at"])
    if arm is Arm.START and not layout.placements:
        return layout.put(tile, arm, _left(action["tile"]))
    return layout.place(tile, arm)


def _left(text: str) -> int:
    return int(text.split("-", maxsplit=1)[0])


def _layout(actions: Iterable[Mapping[str, Any]]) -> Layout:
    layout = Layout()
    for action in actions:
        layout = _place(layout, action)
    return layout


def sequence(vector: Vector) -> dict[str, Any]:
    """Return the count and the points after each tile, and the open ends after the last."""
    rules, layout = _rules(vector.setup), Layout()
    counts = []
    for action in vector.actions:
        layout = _place(layout, action)
        counts.append(count(layout, rules))
    ends = {end.arm.value: end.pips for end in layout.open_ends}
    return {"counts": counts, "points": [points_of(total) for total in counts], "open": ends}


def sequence_error(vector: Vector) -> dict[str, Any]:
    """Return which tile was refused, and why."""
    layout = Layout()
    for step, action in enumerate(vector.actions, 1):
        try:
            layout = _place(layout, action)
        except IllegalMoveError as error:
            return {"error": error.code, "at_step": step}
    return {"error": None}


def _asked(setup: Mapping[str, Any], stock: Sequence[Tile | None]) -> CincosState:
    """Return the position of one player with a told hand against one with a hidden one."""
    hands = {"A": Hand.of(_tiles(setup["hand"])), "B": Hand.hidden(1)}
    return CINCOS.resume(_layout(setup["layout"]), Deal(hands, tuple(stock)), "A", _rules(setup))


def legal(vector: Vector) -> dict[str, Any]:
    """Return the plays of a hand, and whether it must draw or may pass."""
    state = _asked(vector.setup, (None,) * vector.setup["boneyard"])
    return {
        "moves": _plays(state),
        "must_draw": any(isinstance(move, Draw) for move in state.legal_moves),
        "may_pass": any(isinstance(move, Pass) for move in state.legal_moves),
    }


def _plays(state: CincosState) -> list[list[str]]:
    return [[str(move.tile), move.arm.value] for move in state.legal_moves if isinstance(move, Play)]


def draw(vector: Vector) -> dict[str, Any]:
    """Return what is drawn until something fits."""
    state = _asked(vector.setup, _tiles(vector.setup["boneyard_order"]))
    drawn = []
    while (move := next(iter(state.legal_moves), None)) is not None and isinstance(move, Draw):
        drawn.append(str(move.tile))
        state = state.apply(move)
    then = "play" if isinstance(move, Play) else "pass"
    return {"drawn": drawn, "then": then, "playable": _plays(state), "boneyard_left": len(state.boneyard)}


def round_to_five(_: Vector) -> dict[str, Any]:
    """Return every number of pips that a set has, rounded."""
    return {"rounded": {str(pips): round5(pips) for pips in range(DOUBLE_SIX.pips + 1)}}


def end_of_hand(vector: Vector) -> dict[str, Any]:
    """Return the points of the tiles left in the hands."""
    setup = vector.setup
    hands = {player: _tiles(texts) for player, texts in setup["hands"].items()}
    sides = {side: tuple(players) for side, players in setup["sides"].items()}
    end = hand_end(setup["kind"], hands, sides, _rules(setup), setup.get("out"))
    counted = points_of(setup.get("count_of_last_play", 0))
    return {"side": end.side, "raw": end.raw, "hand_points": end.points, "total": end.points + counted}


def match(vector: Vector) -> dict[str, Any]:
    """Return the totals after told scores, in order; `hand_end` among them ends a hand."""
    setup, rules = vector.setup, _rules(vector.setup)
    seats = tuple(setup["sides"])
    results: list[HandResult] = []
    running: list[ScoreEvent] = []
    winner = None
    for entry in setup["events"]:
        words = [entry] if isinstance(entry, str) else list(entry)
        numbers = [word for word in words if isinstance(word, int)]
        running += [ScoreEvent(side, number, "count") for side in words if side in seats for number in numbers]
        ended = "hand_end" in words
        if ended or rules["finish"] == "immediate":
            winner = CINCOS.winner(seats, rules, [*results, HandResult("told", None, None, tuple(running))])
        if ended:
            results.append(HandResult("told", None, None, tuple(running)))
            running = []
        if winner is not None:
            break
    totals = CINCOS.totals(seats, rules, [*results, HandResult("told", None, None, tuple(running))])
    return {"totals": dict(totals), "over": winner is not None, "winner": winner}


def deal(vector: Vector) -> dict[str, Any]:
    """Return the sizes of a deal."""
    size, boneyard = deal_sizes(vector.setup["players"], _rules(vector.setup))
    return {"hand_size": size, "boneyard": boneyard}


def opening(vector: Vector) -> dict[str, Any]:
    """Return who leads, and what he must lead."""
    setup, rules = vector.setup, _rules(vector.setup)
    seats = tuple(setup["hands"])
    previous = setup.get("previous")
    results = [] if previous is None else [HandResult(previous["kind"], None, previous.get("winner"), ())]
    hands = Deal({player: Hand.of(_tiles(texts)) for player, texts in setup["hands"].items()})
    lead = CINCOS.opening(hands, rules, CINCOS.next_context(seats, rules, results))
    player = lead.players[0] if len(lead.players) == 1 else None
    return {"player": player, "must_lead": None if lead.tile is None else str(lead.tile)}


def trace(vector: Vector) -> dict[str, Any]:
    """Return the end of a whole hand; every count and score told on the way must come out too.

    Who led what is told, but not which hand of the match it was: any lead is taken.
    """
    setup, rules = vector.setup, _rules(vector.setup)
    hands = {player: Hand.of(_tiles(setup["hands"][player])) for player in setup["players"]}
    context = HandContext(opener=vector.actions[0]["player"], facts={"lead_any": True})
    state = CINCOS.start(Deal(hands, _tiles(setup["boneyard_order"])), rules, context)
    for step, action in enumerate(vector.actions, 1):
        for text in action.get("drew", ()):
            state = state.apply(Draw(action["player"], Tile.parse(text)))
        before = sum(event.points for event in state.events if event.reason == "count")
        state = state.apply(_move(action))
        points = sum(event.points for event in state.events if event.reason == "count") - before
        if (state.count, points) != (action.get("count", state.count), action.get("points", points)):
            return {"error": f"step {step}: count {state.count}, points {points}"}
    return _ending(state)


def _move(action: Mapping[str, Any]) -> Move:
    if action.get("pass"):
        return Pass(action["player"])
    arm = Arm(action["at"])
    left = _left(action["play"]) if arm is Arm.START else None
    return Play(action["player"], Tile.parse(action["play"]), arm, left)


def _ending(state: CincosState) -> dict[str, Any]:
    result = state.result
    if result is None:
        return {"hand_over": None}
    totals = dict.fromkeys(state.sides, 0)
    counted = dict.fromkeys(state.sides, 0)
    for event in result.events:
        totals[event.side] += event.points
        counted[event.side] += event.points if event.reason == "count" else 0
    answer = {"side": result.side, "count_points": counted, "totals": totals, "hand_over": result.kind}
    if result.kind == "target":
        return answer
    kind = "domino" if result.kind == "domino" else "block"
    hands = {player: hand.known for player, hand in state.hands.items()}
    end = hand_end(kind, hands, state.sides, state.rules, result.player if kind == "domino" else None)
    return {**answer, "hand_over": kind, "raw": end.raw, "hand_points": sum(totals.values()) - sum(counted.values())}


OPS: Final[dict[str, Callable[[Vector], dict[str, Any]]]] = {
    "sequence": sequence,
    "sequence_error": sequence_error,
    "legal": legal,
    "draw": draw,
    "round5": round_to_five,
    "hand_end": end_of_hand,
    "match": match,
    "deal": deal,
    "opening": opening,
    "trace": trace,
}
