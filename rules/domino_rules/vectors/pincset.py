"""Adapters of the Pińćset vectors: one small function for each op."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.games.pincset import PINCSET
from domino_rules.games.pincset_match import game_winner
from domino_rules.games.pincset_options import HAND_SIZE
from domino_rules.games.pincset_score import LastTile, score_hand
from domino_rules.games.pincset_state import PincsetState
from domino_rules.layout import Arm, Layout
from domino_rules.match import order_of_play
from domino_rules.moves import Draw, Move, Pass, Play
from domino_rules.ruleset import RuleSet
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import Tile, find_tile_set
from domino_rules.vectors import Vector

SEATS: Final = ("A", "B", "C", "D")
_BOTH_USED: Final = ("AC", "BD")


def _rules(setup: Mapping[str, Any]) -> RuleSet:
    given = dict(setup.get("rules") or {})
    return PINCSET.rules(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


def _tiles(texts: Iterable[str]) -> tuple[Tile, ...]:
    return tuple(Tile.parse(text) for text in texts)


def _texts(tiles: Iterable[Tile]) -> list[str]:
    return [str(tile) for tile in tiles]


def _context(setup: Mapping[str, Any], **facts: Any) -> HandContext:
    if setup.get("first_block_bonus_used"):
        facts["first_block_used"] = _BOTH_USED
    return HandContext(index=setup.get("hand_index", 1), opener=setup.get("to_move"), facts=facts)


def _hands(setup: Mapping[str, Any]) -> dict[str, Hand]:
    """Return the told hands; a hand that is not told is hidden."""
    told = setup.get("hands") or {}
    return {seat: Hand.of(_tiles(told[seat])) if seat in told else Hand.hidden(HAND_SIZE) for seat in SEATS}


def _chain(texts: Sequence[str]) -> Layout:
    """Return the layout of tiles written from left to right, left half first."""
    words = [text if at == 0 else f"R:{text}" for at, text in enumerate(texts)]
    layout = Layout.parse(" ".join(words), with_spinner=False)
    if layout.unmatched():
        raise SetupError("inconsistent_state", "the chain does not match", chain=list(texts))
    return layout


def _state(setup: Mapping[str, Any], to_move: str | None = None) -> PincsetState:
    mover: str = to_move or setup["to_move"]
    hands, rules = _hands(setup), _rules(setup)
    if setup.get("chain"):
        return PINCSET.resume(_chain(setup["chain"]), hands, mover, rules, _context({**setup, "to_move": mover}))
    context = _context({**setup, "to_move": mover}, lead_66=setup.get("opening_forced", setup.get("hand_index") == 1))
    return PINCSET.start(Deal(hands), rules, context)


def _move(action: Mapping[str, Any]) -> Move:
    player = action["player"]
    if action.get("pass"):
        return Pass(player)
    if action.get("draw"):
        return Draw(player)
    tile, arm = Tile.parse(action["play"]), Arm(action["end"])
    return Play(player, tile, arm, int(action["play"].split("-")[0]) if arm is Arm.START else None)


def turn_order(vector: Vector) -> dict[str, Any]:
    """Return the order of play round the table and the partners."""
    seats, rules = vector.setup["seats_clockwise_from_above"], _rules(vector.setup)
    order = order_of_play(seats, rules["direction"], vector.setup["opener"])
    return {"order": list(order), "partners": [list(pair) for pair in PINCSET.sides(seats, rules).values()]}


def deal(vector: Vector) -> dict[str, Any]:
    """Return the sizes of a deal."""
    tiles = find_tile_set(vector.setup.get("set", PINCSET.tile_set.name))
    dealt = vector.setup["players"] * vector.setup.get("hand_size", HAND_SIZE)
    return {"tiles_in_set": len(tiles), "pips_in_set": tiles.pips, "dealt": dealt, "boneyard": len(tiles) - dealt}


def first_turn(vector: Vector) -> dict[str, Any]:
    """Return who opens the first hand."""
    openers = PINCSET.openers(Deal(_hands(vector.setup)), _rules(vector.setup), _context(vector.setup))
    return {"opener": openers[0] if len(openers) == 1 else None}


def opener_next(vector: Vector) -> dict[str, Any]:
    """Return who may open the hand after the previous one."""
    previous, rules = vector.setup["previous"], _rules(vector.setup)
    side = previous.get("winner_pair")
    if side is None and "winner_player" in previous:
        side = next(name for name, pair in PINCSET.sides(SEATS, rules).items() if previous["winner_player"] in pair)
    player = previous.get("winner_player", previous.get("last_tile_by"))
    result = HandResult(previous["kind"], side, player, ())
    context = PINCSET.next_context(SEATS, rules, [result])
    return {"allowed_openers": list(PINCSET.openers(Deal(_hands(vector.setup)), rules, context))}


def legal(vector: Vector) -> dict[str, Any]:
    """Return the plays of the player to move."""
    state = _state(vector.setup)
    plays = [[str(move.tile), move.arm.value] for move in state.legal_moves if isinstance(move, Play)]
    return {"ends": list(state.ends), "legal": plays}


def apply(vector: Vector) -> dict[str, Any]:
    """Return the position after the actions, or why one was refused."""
    state = _state(vector.setup)
    try:
        for action in vector.actions:
            state = state.apply(_move(action))
    except IllegalMoveError as error:
        return {"error": error.code, "ends": list(state.ends), "to_move": state.to_move}
    result = state.result
    answer: dict[str, Any] = {"ends": list(state.ends), "to_move": state.to_move}
    if result is not None:
        answer |= {"hand_over": _ending(result), "winner_player": result.player}
    return answer


def blocked(vector: Vector) -> dict[str, Any]:
    """Return whether nobody can play, and how many plays each player has."""
    states = {seat: _state(vector.setup, seat) for seat in SEATS}
    counts = {seat: sum(isinstance(m, Play) for m in state.legal_moves) for seat, state in states.items()}
    return {"ends": list(states["A"].ends), "blocked": states["A"].blocked, "legal_counts": counts}


def hand_score(vector: Vector) -> dict[str, Any]:
    """Return the score of a hand from the tiles left."""
    setup, rules = vector.setup, _rules(vector.setup)
    last = None
    if setup["kind"] == "domino":
        last = LastTile(setup["last_player"], Tile.parse(setup["last_tile"]), tuple(setup["ends_before_last"]))
    remaining = {player: _tiles(texts) for player, texts in setup["remaining"].items()}
    sides = PINCSET.sides(SEATS, rules)
    score = score_hand(setup["kind"], remaining, sides, rules, _context(setup), last)
    parts = {name: score.points(name) for name in ("base", "premium", "chuchazo", "capicu", "first_block")}
    return {**parts, "winner": score.side, "pair_pips": dict(score.pips), "total": score.points()}


def match(vector: Vector) -> dict[str, Any]:
    """Return the totals after hands of which only the results are told."""
    rules = _rules(vector.setup)
    results: list[HandResult] = []
    for hand in vector.setup["hands"]:
        context = PINCSET.next_context(SEATS, rules, results)
        results.append(PINCSET.told_result(hand["kind"], hand.get("winner"), hand.get("base", 0), rules, context))
    standing = PINCSET.standing(SEATS, rules, results)
    return {"totals": dict(standing.totals), "over": standing.winner is not None, "winner": standing.winner}


def match_winner(vector: Vector) -> dict[str, Any]:
    """Return who has won with the given totals."""
    winner = game_winner(vector.setup["totals"], _rules(vector.setup))
    return {"over": winner is not None, "winner": winner}


def trace(vector: Vector) -> dict[str, Any]:
    """Return the end of a whole hand."""
    setup = vector.setup
    first = vector.actions[0]["player"]
    told = setup.get("hand_index", 1) > 1
    start = PINCSET.start(Deal(_hands(setup)), _rules(setup), _context({**setup, "to_move": first if told else None}))
    moves = [_move(action) for action in vector.actions]
    try:
        state = _played(start, moves)
    except IllegalMoveError:
        # A trace names the first tile, but not which half lies left.
        state = _played(start, [_turned(moves[0]), *moves[1:]])
    result = state.result
    if result is None:
        return {"hand_over": None}
    points: dict[str, int] = dict.fromkeys(("base", "premium", "chuchazo", "capicu", "first_block"), 0)
    for event in result.events:
        points[event.reason] += event.points
    left = {player: _texts(hand.known) for player, hand in state.hands.items()}
    ending = {"hand_over": _ending(result), "winner": result.side, "remaining": left}
    return {**points, **ending, "total": sum(points.values())}


def _played(state: PincsetState, moves: Iterable[Move]) -> PincsetState:
    for move in moves:
        state = state.apply(move)
    return state


def _turned(lead: Move) -> Move:
    return replace(lead, left=lead.tile.other(lead.left)) if isinstance(lead, Play) and lead.left is not None else lead


def _ending(result: HandResult) -> str:
    return "block" if result.kind == "tie" else result.kind


OPS: Final[dict[str, Callable[[Vector], dict[str, Any]]]] = {
    "turn_order": turn_order,
    "deal": deal,
    "first_turn": first_turn,
    "opener_next": opener_next,
    "legal": legal,
    "apply": apply,
    "blocked": blocked,
    "hand_score": hand_score,
    "match": match,
    "match_winner": match_winner,
    "trace": trace,
}
