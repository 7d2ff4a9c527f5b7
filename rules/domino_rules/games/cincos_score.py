"""What a play and the end of a hand score in Dominó de Cincos, with the tiles and ends that prove it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from domino_rules.errors import SetupError
from domino_rules.games.cincos_options import DEFAULTS
from domino_rules.layout import Arm, Layout
from domino_rules.ruleset import RuleSet
from domino_rules.score import Addend, ScoreEvent
from domino_rules.tile import Tile

_LONE_FACTOR = {"both_halves_once": 2, "once": 1, "each_end": 4}


@dataclass(frozen=True, slots=True)
class ScoredPlay:
    """A possible play with the count that it would leave and the points that it would score.

    `addends` says what makes up the count, one for each tip.
    """

    tile: Tile
    arm: Arm
    count: int
    points: int
    addends: tuple[Addend, ...] = ()


@dataclass(frozen=True, slots=True)
class HandEnd:
    """What the end of a hand is worth: `raw` pips before rounding, and the score events (none if nobody scores).

    `pips` are the pips left with each side; `side` is None if no side alone has fewest.
    """

    side: str | None
    raw: int
    events: tuple[ScoreEvent, ...]
    pips: Mapping[str, int]

    @property
    def points(self) -> int:
        """The points of all events together."""
        return sum(event.points for event in self.events)


def round5(pips: int) -> int:
    """Return `pips` rounded to the nearest five: 12 → 10, 13 → 15. Source: RULES 4.1 (seed 003 l.34, 37)."""
    return 5 * ((pips + 2) // 5)


def points_of(count: int) -> int:
    """Return what a count scores: all of it if it is a multiple of five. Source: RULES 4.1 (seed 003 l.11-15)."""
    return count if count % 5 == 0 else 0


def count_addends(layout: Layout, rules: RuleSet = DEFAULTS) -> tuple[Addend, ...]:
    """Return what the count of a layout is made of: one addend for each tip that carries a tile.

    The code is `tip_double` for a double (both halves count), else `tip`. A lone double is one addend at START.
    Source: RULES 4.1; a lone double by the option `lone_spinner_counts`.
    """
    first, ends = layout.first, layout.open_ends
    addends = []
    if first is not None and first.tile.is_double and layout.tip(Arm.LEFT) is first is layout.tip(Arm.RIGHT):
        value = first.tile.high * _LONE_FACTOR[rules["lone_spinner_counts"]]
        addends.append(Addend("tip_double", value, first.tile, Arm.START))
        ends = ends[2:]
    for end in ends:
        tip = layout.tip(end.arm)
        if tip is not None:
            addends.append(Addend("tip_double" if tip.tile.is_double else "tip", end.count, tip.tile, end.arm))
    return tuple(addends)


def count(layout: Layout, rules: RuleSet = DEFAULTS) -> int:
    """Return the count of a layout: the sum of its tips."""
    return sum(addend.value for addend in count_addends(layout, rules))


def count_event(layout: Layout, side: str, player: str, rules: RuleSet = DEFAULTS) -> ScoreEvent | None:
    """Return the event of a play that left `layout`; None if its count scores nothing."""
    addends = count_addends(layout, rules)
    points = points_of(sum(addend.value for addend in addends))
    return ScoreEvent(side, points, "count", addends, player) if points else None


def scored_plays(layout: Layout, tiles: Iterable[Tile], rules: RuleSet = DEFAULTS) -> tuple[ScoredPlay, ...]:
    """Return every legal play of `tiles` at `layout` with what it would score; the best first.

    The layout may have been seen in one picture: only its tips and its spinner matter, not the order of play.
    Tiles that already lie there are left out. On an empty layout every tile may be led.
    """
    plays = []
    for tile in dict.fromkeys(tiles):
        if tile in layout:
            continue
        for arm in layout.fits(tile):
            addends = count_addends(layout.place(tile, arm), rules)
            total = sum(addend.value for addend in addends)
            plays.append(ScoredPlay(tile, arm, total, points_of(total), addends))
    return tuple(sorted(plays, key=lambda play: -play.points))


def hand_end(
    kind: str,
    remaining: Mapping[str, Iterable[Tile]],
    sides: Mapping[str, tuple[str, ...]],
    rules: RuleSet = DEFAULTS,
    out: str | None = None,
) -> HandEnd:
    """Return what the tiles left in the hands are worth.

    Args:
        kind: `domino` (the player `out` laid his last tile) or `block`.
        remaining: the tiles left with each player.
        sides: the sides with their players.
        rules: the options `round_scope`, `block_score`, `block_multi`, `block_tie` and `partner_tiles` matter.
        out: who laid the last tile.

    Raises:
        SetupError: `inconsistent_state` if a tile is held twice, or the empty hands do not match the kind.

    Source: RULES 4.1 (seed 003 l.33-38), C7 to C11.
    """
    hands = {player: tuple(remaining.get(player, ())) for members in sides.values() for player in members}
    _check_hands(kind, hands, out)
    pips = {side: sum(tile.pips for player in members for tile in hands[player]) for side, members in sides.items()}
    if kind == "domino":
        side = next(side for side, members in sides.items() if out in members)
        losing = [player for player in hands if player not in sides[side]]
        if rules["partner_tiles"] == "counted":
            losing = [player for player in hands if player != out]
        groups = [_tiles_of([player], hands) for player in losing]
        return _scored(side, "domino", groups, rules, pips, out)
    lowest = min(pips.values())
    best = [side for side, total in pips.items() if total == lowest]
    if len(best) > 1 and not (rules["block_tie"] == "split" and len(sides) > len(best)):
        return HandEnd(None, 0, (), pips)
    if len(best) > 1:
        return _split_block(best, hands, sides, rules, pips)
    return _scored(best[0], "block", _block_groups(best[0], hands, sides, rules, pips), rules, pips)


def _check_hands(kind: str, hands: Mapping[str, tuple[Tile, ...]], out: str | None) -> None:
    held = [tile for tiles in hands.values() for tile in tiles]
    empty = [player for player, tiles in hands.items() if not tiles]
    wanted = [out] if kind == "domino" else []
    if kind not in {"domino", "block"}:
        raise SetupError("inconsistent_state", f"a hand ends by domino or block, not {kind}", kind=kind)
    if len(set(held)) < len(held):
        raise SetupError("inconsistent_state", "a tile is in two hands at once")
    if empty != wanted:
        message = f"after a {kind} the empty hands are {wanted or 'none'}, not {empty or 'none'}"
        raise SetupError("inconsistent_state", message, kind=kind, empty=empty)


def _tiles_of(players: Iterable[str], hands: Mapping[str, tuple[Tile, ...]]) -> list[Addend]:
    return [Addend("tile_left", tile.pips, tile, None, player) for player in players for tile in hands[player]]


def _own(players: Iterable[str], hands: Mapping[str, tuple[Tile, ...]], times: int = 1) -> list[Addend]:
    own = _tiles_of(players, hands)
    return [Addend("own_tile_left", -times * addend.value, addend.tile, None, addend.player) for addend in own]


def _block_groups(
    side: str,
    hands: Mapping[str, tuple[Tile, ...]],
    sides: Mapping[str, tuple[str, ...]],
    rules: RuleSet,
    pips: Mapping[str, int],
) -> list[list[Addend]]:
    """Return the addends of a block in groups; `round_scope=each` rounds each group on its own."""
    others = [other for other in sides if other != side]
    if rules["block_score"] == "opponents_total":
        return [_tiles_of(sides[other], hands) for other in others]
    if rules["block_multi"] == "next_lowest":
        others = [min(others, key=lambda other: pips[other])]
    if rules["block_multi"] == "pairwise_sum":
        return [_tiles_of(sides[other], hands) + _own(sides[side], hands) for other in others]
    return [_tiles_of([player for other in others for player in sides[other]], hands) + _own(sides[side], hands)]


def _scored(
    side: str,
    reason: str,
    groups: list[list[Addend]],
    rules: RuleSet,
    pips: Mapping[str, int],
    player: str | None = None,
) -> HandEnd:
    if rules["round_scope"] == "sum":
        groups = [[addend for group in groups for addend in group]]
    raw = sum(addend.value for group in groups for addend in group)
    evidence: list[Addend] = []
    for group in groups:
        exact = sum(addend.value for addend in group)
        evidence += group
        if round5(exact) != exact:
            evidence.append(Addend("rounding", round5(exact) - exact))
    points = sum(addend.value for addend in evidence)
    events = (ScoreEvent(side, points, reason, tuple(evidence), player),) if points else ()
    return HandEnd(side, raw, events, pips)


def _split_block(
    best: list[str],
    hands: Mapping[str, tuple[Tile, ...]],
    sides: Mapping[str, tuple[str, ...]],
    rules: RuleSet,
    pips: Mapping[str, int],
) -> HandEnd:
    """Share the other sides' tiles among the sides that have fewest, each share rounded. Source: pagat (C10)."""
    others = [player for side, members in sides.items() if side not in best for player in members]
    taken = _tiles_of(others, hands)
    total = sum(addend.value for addend in taken)
    events = []
    for side in best:
        own = _own(sides[side], hands) if rules["block_score"] == "difference" else []
        exact = total + sum(addend.value for addend in own)
        points = round5(exact // len(best))
        if points:
            share = Addend("shared", exact // len(best) - exact)
            rounding = [Addend("rounding", points - exact // len(best))] if points != exact // len(best) else []
            events.append(ScoreEvent(side, points, "block", (*taken, *own, share, *rounding)))
    return HandEnd(None, total, tuple(events), pips)
