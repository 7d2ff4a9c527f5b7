"""Adapters between Tiu-U's conformance vectors and the engine. They translate; they decide no rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.games.pool import Stock
from domino_rules.games.tiu_u import TIU_U, opening_pairs
from domino_rules.games.tiu_u_rules import TWO_CHINESE, is_big_fish, mates, pairs, red_pips, tile_score
from domino_rules.games.tiu_u_score import Catch, payments, rounded, winners
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.moves import Capture, Move, Pass, Quadruple, Triple, Turn
from domino_rules.ruleset import RuleSet
from domino_rules.state import Deal, Hand, HandContext
from domino_rules.tile import Tile
from domino_rules.vectors import Vector

ROUNDED_UP_TO: Final = 2000
"""More than any pile can count."""


def _rules(vector: Vector) -> RuleSet:
    return TIU_U.rules(**vector.setup.get("rules", {}))


def _tiles(texts: Sequence[str]) -> tuple[Tile, ...]:
    return tuple(map(Tile.parse, texts))


def _texts(tiles: Sequence[Tile | None]) -> list[str]:
    return [str(tile) for tile in tiles]


def _composition(vector: Vector) -> dict[str, Any]:
    del vector
    by_weight: dict[str, int] = {}
    for tile in TWO_CHINESE:
        by_weight[str(tile.pips)] = by_weight.get(str(tile.pips), 0) + 1
    counts = {str(tile): TWO_CHINESE.copies(tile) for tile in TWO_CHINESE.kinds}
    return {"total": len(TWO_CHINESE), "counts": counts, "by_weight": by_weight}


def _deal(vector: Vector) -> dict[str, Any]:
    seats = tuple(f"player {number}" for number in range(vector.setup["players"]))
    deal = TIU_U.shuffled_deal(seats, _rules(vector), Random(0))
    return {"talon": len(deal.table), "hand": deal.hands[seats[0]].size, "stock": len(deal.stock)}


def _pairs(vector: Vector) -> dict[str, Any]:
    rules = _rules(vector)
    answer: dict[str, Any] = {"pairs": [], "not_pairs": []}
    for a, b in product(TWO_CHINESE.kinds, repeat=2):
        answer["pairs" if pairs(a, b, rules) else "not_pairs"].append([str(a), str(b)])
    return answer


def _mates(vector: Vector) -> dict[str, Any]:
    rules, kinds = _rules(vector), TWO_CHINESE.kinds
    return {"mates": {str(tile): _texts(mates(tile, kinds, rules)) for tile in kinds}}


def _red(vector: Vector) -> dict[str, Any]:
    del vector
    return {"red": {str(tile): red_pips(tile) for tile in TWO_CHINESE.kinds if not is_big_fish(tile)}}


def _tile_scores(vector: Vector) -> dict[str, Any]:
    del vector
    scores = {str(tile): tile_score(tile) for tile in TWO_CHINESE.kinds}
    return {"scores": scores, "grand_total": Catch.of(TWO_CHINESE).raw}


def _round(vector: Vector) -> dict[str, Any]:
    rules = _rules(vector)
    return {"rounded": {str(points): rounded(points, rules) for points in range(ROUNDED_UP_TO)}}


def _score(vector: Vector) -> dict[str, Any]:
    catch = Catch.of(_tiles(vector.setup["captured"]))
    return {"big": catch.big, "small": catch.small, "raw": catch.raw, "final": catch.final(_rules(vector))}


def _settled(finals: Mapping[str, int], rules: RuleSet) -> dict[str, Any]:
    return {"final": dict(finals), "winners": list(winners(finals)), "net": payments(finals, rules)}


def _pay(vector: Vector) -> dict[str, Any]:
    rules = _rules(vector)
    return _settled({player: rounded(raw, rules) for player, raw in vector.setup["raw"].items()}, rules)


def _final(vector: Vector) -> dict[str, Any]:
    rules = _rules(vector)
    catches = {player: Catch.of(_tiles(tiles)) for player, tiles in vector.setup["captured"].items()}
    finals = {player: catch.final(rules) for player, catch in catches.items()}
    return {"raw": {player: catch.raw for player, catch in catches.items()}, **_settled(finals, rules)}


def _open66(vector: Vector) -> dict[str, Any]:
    laid, hand = opening_pairs(Hand.of(_tiles(vector.setup["hand"])))
    return {"captured": _texts(laid), "hand_size": hand.size}


def _first_part(player: str, action: Mapping[str, Any]) -> Move:
    if "triple" in action:
        return Triple(player, Tile.parse(action["triple"]))
    if "quadruple" in action:
        return Quadruple(player, Tile.parse(action["quadruple"]))
    if "hand" in action:
        return Capture(player, Tile.parse(action["hand"]), Tile.parse(action["take"]))
    return Pass(player)


def _taken(take: str | None) -> Tile | None:
    return None if take is None else Tile.parse(take)


def _turn(vector: Vector) -> dict[str, Any]:
    setup, player = vector.setup, vector.setup["player"]
    piles = {name: _tiles(tiles) for name, tiles in setup["captured"].items()}
    held = tuple(Hand.of(_tiles(setup["hand"])) if name == player else Hand.of(()) for name in piles)
    stock = Stock.with_stacks(_tiles(setup["stock"]), _tiles(setup.get("tripled", ())))
    state = TiuUState(
        _rules(vector), tuple(piles), held, player, _tiles(setup["talon"]), stock, tuple(piles.values())
    )  # fmt: skip
    first, *choices = vector.actions
    state = state.apply(_first_part(player, first))
    while state.drawing and not state.result:
        state = _turned(state, choices)
    return {
        "hand": _texts(state.hand(player).known),
        "talon": _texts(state.talon),
        "stock": _texts(tuple(state.stock)),
        "tripled": _texts(state.stock.kinds),
        f"captured_{player}": _texts(state.captured[player]),
        "game_over": state.result is not None,
    }


def _turned(state: TiuUState, choices: list[Mapping[str, Any]]) -> TiuUState:
    """Turn the next tile; `choices` say what is taken, they are told only for tiles that pair."""
    tile = state.stock.next
    if tile is None:
        raise SetupError("inconsistent_state", "the stock of a vector is known")
    told = bool(choices) and (choices[0]["drawn"] == str(tile) or bool(mates(tile, state.talon, state.rules)))
    if not told:
        return state.apply(Turn(state.turn, tile))
    choice = choices.pop(0)
    return state.apply(Turn(state.turn, Tile.parse(choice["drawn"]), _taken(choice["take"])))


def _trace(vector: Vector) -> dict[str, Any]:
    setup, rules = vector.setup, _rules(vector)
    hands = {player: Hand.of(_tiles(tiles)) for player, tiles in setup["hands"].items()}
    deal = Deal(hands, _tiles(setup["stock"]), _tiles(setup["talon"]))
    state = TIU_U.start(deal, rules, HandContext(opener=setup["starter"]))
    opened = {player: len(pile) // 2 for player, pile in state.captured.items()}
    for action in vector.actions:
        state = state.apply(_first_part(action["player"], action))
        for tile, take in action["draws"]:
            state = state.apply(Turn(action["player"], Tile.parse(tile), _taken(take)))
    return {
        "opened_66": opened,
        "turns": len(vector.actions),
        "captured_sizes": {player: len(pile) for player, pile in state.captured.items()},
        "left_in_hands": {player: hand.size for player, hand in state.hands.items()},
        "left_on_talon": len(state.talon),
        "raw": {player: catch.raw for player, catch in state.catches.items()},
        **_settled(state.finals, rules),
    }


OPS: Final[Mapping[str, Callable[[Vector], dict[str, Any]]]] = MappingProxyType({
    "composition": _composition,
    "deal": _deal,
    "final": _final,
    "mates": _mates,
    "open66": _open66,
    "pairs": _pairs,
    "pay": _pay,
    "red": _red,
    "round": _round,
    "score": _score,
    "tile_scores": _tile_scores,
    "trace": _trace,
    "turn": _turn,
})  # fmt: skip
