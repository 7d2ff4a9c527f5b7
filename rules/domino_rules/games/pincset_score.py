"""What a hand of Pińćset scores, with the tiles that prove it. Source: RULES 1.1 (seed 000 l.14-27)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from domino_rules.errors import SetupError
from domino_rules.games.pincset_options import DEFAULTS, HAND_SIZE
from domino_rules.layout import Arm
from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend, ScoreEvent
from domino_rules.state import HandContext
from domino_rules.tile import DOUBLE_SIX, Tile

Sides = Mapping[str, tuple[str, ...]]
Held = list[tuple[str | None, Addend]]
"""Tiles left in the hands, each with the side that holds it."""
_DOUBLE_BLANK = Tile(0, 0)


@dataclass(frozen=True, slots=True)
class LastTile:
    """The tile with which a hand ended: who laid it, and the open ends as they were *before*."""

    player: str
    tile: Tile
    ends: tuple[int, ...]

    @property
    def fitted(self) -> int:
        """How many of the two ends the tile fitted."""
        high, low = self.tile.high, self.tile.low
        return sum([end in (high, low) for end in self.ends])


@dataclass(frozen=True, slots=True)
class Remaining:
    """The tiles left in the hands.

    Attributes:
        hands: by player, as far as they are known.
        pool: tiles of which only the side is known that holds them, or not even that.
        pool_side: that side.
    """

    hands: Mapping[str, tuple[Tile, ...]]
    pool: tuple[Tile, ...] = ()
    pool_side: str | None = None

    def held(self, sides: Sides) -> Held:
        """Return every tile as an addend, with the side that holds it."""
        side_of = {player: side for side, members in sides.items() for player in members}
        held: Held = [
            (side_of[player], tile_left(tile, player)) for player, tiles in self.hands.items() for tile in tiles
        ]
        return held + [(self.pool_side, tile_left(tile)) for tile in self.pool]


@lru_cache(maxsize=512)
def tile_left(tile: Tile, player: str | None = None) -> Addend:
    """Return the addend of a tile left in the hand of `player`, or of nobody knows whom."""
    return Addend("tile_left", tile.pips, tile, None, player)


@dataclass(frozen=True, slots=True)
class HandScore:
    """The score of a hand: `kind` is domino, block or tie; `side` is the pair that won."""

    kind: str
    side: str | None
    events: tuple[ScoreEvent, ...]
    pips: Mapping[str, int]

    def points(self, reason: str | None = None) -> int:
        """Return the points given for one reason, or all of them."""
        return sum(event.points for event in self.events if reason in {None, event.reason})


def score_hand(
    kind: str,
    remaining: Remaining | Mapping[str, Iterable[Tile]],
    sides: Sides,
    rules: RuleSet = DEFAULTS,
    context: HandContext | None = None,
    last: LastTile | None = None,
) -> HandScore:
    """Return the score of a hand that ended by `domino` or `block`.

    Args:
        kind: `domino` or `block`.
        remaining: the tiles left in the hands.
        sides: the pairs with their players.
        rules: the house options.
        context: number of the hand and what was won before it; the first hand of a match by default.
        last: the last tile, needed after a domino.

    Raises:
        SetupError: `inconsistent_state` if a tile is held twice, the empty hands do not match the kind, or the last
            tile cannot have been laid.
    """
    left = remaining if isinstance(remaining, Remaining) else Remaining({p: tuple(t) for p, t in remaining.items()})
    context = HandContext() if context is None else context
    _check(kind, left, sides, last)
    return rated(kind, left.held(sides), sides, rules, context, last)


def rated(
    kind: str, held: Held, sides: Sides, rules: RuleSet, context: HandContext, last: LastTile | None
) -> HandScore:
    """Return what `score_hand` returns, for tiles that are known to be consistent."""
    pips = dict.fromkeys(sides, 0)
    for holder, addend in held:
        if holder is not None:
            pips[holder] += addend.value
    if kind == "domino" and last is not None:
        side = next(side for side, members in sides.items() if last.player in members)
        return HandScore(kind, side, won_by_domino(side, held, rules, context, last), pips)
    fewest = min(pips.values())
    lowest = [side for side in sides if pips[side] == fewest]
    if len(lowest) > 1:
        return HandScore("tie", None, (), pips)
    return HandScore(kind, lowest[0], _base(lowest[0], held, rules) + _first_block(lowest[0], rules, context), pips)


def won_by_domino(
    side: str, held: Held, rules: RuleSet, context: HandContext, last: LastTile
) -> tuple[ScoreEvent, ...]:
    """Return the events of a hand that `side` won by domino."""
    return _base(side, held, rules, last.player) + domino_events(side, last, rules, context)


def told_events(kind: str, side: str, base: int, rules: RuleSet, context: HandContext) -> tuple[ScoreEvent, ...]:
    """Return the events of a hand of which only the result is told: the pips left and the premiums that follow."""
    events = (ScoreEvent(side, base, "base", (Addend("told", base),)),) if base else ()
    if kind == "domino":
        return (*events, *_premium(side, None, rules, context))
    return (*events, *_first_block(side, rules, context))


def domino_events(side: str, last: LastTile, rules: RuleSet, context: HandContext) -> tuple[ScoreEvent, ...]:
    """Return what a domino earns besides the pips left: hand premium, chuchazo, capicú. Source: seed 000 l.17-19."""
    events = [*_premium(side, last.player, rules, context)]
    if rules["chuchazo"] and is_chuchazo(last):
        events.append(_bonus("chuchazo", side, last, rules["chuchazo"]))
    if rules["capicu"] and is_capicu(last, rules):
        events.append(_bonus("capicu", side, last, rules["capicu"]))
    return tuple(events)


def is_chuchazo(last: LastTile) -> bool:
    """Return whether the hand was won with 0-0, and 0-0 fitted exactly one end. Source: seed 000 l.18."""
    return last.tile is _DOUBLE_BLANK and last.fitted == 1


def is_capicu(last: LastTile, rules: RuleSet = DEFAULTS) -> bool:
    """Return whether the hand was won with a non-double that fitted both ends. Source: seed 000 l.19, RULES A5."""
    if last.tile.is_double or last.fitted < 2:
        return False
    return bool(rules["capicu_equal_ends"]) or len(set(last.ends)) > 1


def premium(side: str, rules: RuleSet, context: HandContext) -> tuple[int, int]:
    """Return the premium of a hand won by domino and its step of the ladder, from 1. Source: seed 000 l.17, A2."""
    won: Mapping[str, int] = context.facts.get("dominoes", {})
    step = int(context.facts.get("premium_step", context.index))
    if rules["premium_by"] == "domino_count":
        step = sum(won.values()) + 1
    elif rules["premium_by"] == "domino_count_per_pair":
        step = won.get(side, 0) + 1
    ladder: tuple[int, ...] = rules["premiums"]
    return (ladder[step - 1] if step <= len(ladder) else 0), step


def first_block_open(side: str, rules: RuleSet, context: HandContext) -> bool:
    """Return whether a win on points would earn the premium for the first one. Source: seed 000 l.20, A4."""
    used: tuple[str, ...] = context.facts.get("first_block_used", ())
    return side not in used if rules["first_block_per"] == "pair" else not used


def _premium(side: str, player: str | None, rules: RuleSet, context: HandContext) -> tuple[ScoreEvent, ...]:
    points, step = premium(side, rules, context) if rules["premiums"] else (0, 0)
    if not points:
        return ()
    return (ScoreEvent(side, points, "premium", (Addend("premium", points, number=step),), player),)


def _bonus(reason: str, side: str, last: LastTile, points: int) -> ScoreEvent:
    ends = zip((Arm.LEFT, Arm.RIGHT), last.ends, strict=False)
    fitted = [Addend("fitted_end", 0, last.tile, arm, last.player) for arm, pips in ends if pips in last.tile]
    return ScoreEvent(side, points, reason, (Addend(reason, points, last.tile), *fitted), last.player)


def _first_block(side: str, rules: RuleSet, context: HandContext) -> tuple[ScoreEvent, ...]:
    points: int = rules["first_block"]
    if not points or not first_block_open(side, rules, context):
        return ()
    return (ScoreEvent(side, points, "first_block", (Addend("first_block", points),)),)


def _base(side: str, held: Held, rules: RuleSet, player: str | None = None) -> tuple[ScoreEvent, ...]:
    every = rules["count_remaining"] == "all"
    counted = [addend for holder, addend in held if every or holder != side]
    points = sum([addend.value for addend in counted])
    return (ScoreEvent(side, points, "base", tuple(counted), player),) if points else ()


def _check(kind: str, left: Remaining, sides: Sides, last: LastTile | None) -> None:
    held = [tile for tiles in left.hands.values() for tile in tiles] + list(left.pool)
    if len(set(held)) < len(held) or not all(tile in DOUBLE_SIX for tile in held):
        twice = [str(tile) for tile in DOUBLE_SIX.surplus(held)]
        raise SetupError("inconsistent_state", f"in two hands, or not in the set: {', '.join(twice)}", tiles=twice)
    large = [player for player, tiles in left.hands.items() if len(tiles) > HAND_SIZE]
    if large:
        message = f"a hand has {HAND_SIZE} tiles at most: {', '.join(large)}"
        raise SetupError("inconsistent_state", message, players=large)
    players = [player for members in sides.values() for player in members]
    if kind not in {"domino", "block"} or not set(left.hands) <= set(players):
        message = f"a hand ends by domino or block, not {kind}, among {', '.join(players)}"
        raise SetupError("inconsistent_state", message, kind=kind, players=players)
    if kind == "domino":
        _check_last(last, held, players)
    empty = [player for player, tiles in left.hands.items() if not tiles]
    wanted = [last.player] if kind == "domino" and last is not None else []
    if empty != wanted and not left.pool:
        message = f"after a {kind} the empty hands are {wanted or 'none'}, not {empty or 'none'}"
        raise SetupError("inconsistent_state", message, kind=kind, empty=empty)


def _check_last(last: LastTile | None, held: list[Tile], players: list[str]) -> None:
    if last is None:
        raise SetupError("inconsistent_state", "after a domino the last tile must be known", tile=None)
    if not last.fitted or last.tile in held or last.player not in players:
        message = f"{last.tile} of {last.player} cannot be the last tile at ends {last.ends}"
        raise SetupError("inconsistent_state", message, tile=str(last.tile), ends=last.ends)
