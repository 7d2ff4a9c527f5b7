"""Dominó de Cincos: All Fives with a spinner, two to four players. Source: RULES 4 (seed 003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from types import MappingProxyType
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.games import cincos_options
from domino_rules.games.chain_table import ALL, DOUBLES, Dealt, Lead, Seating, Table, mask_of, tiles_of
from domino_rules.games.cincos_options import OPTIONS, deal_sizes
from domino_rules.games.cincos_score import (
    HandEnd,
    ScoredPlay,
    count,
    count_addends,
    hand_end,
    points_of,
    round5,
    scored_plays,
)
from domino_rules.games.cincos_state import CincosState
from domino_rules.games.individuals import individual_sides
from domino_rules.games.pairs import pair_sides
from domino_rules.layout import Layout
from domino_rules.ruleset import Option, RuleSet
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import DOUBLE_SIX, Tile, TileSet

__all__ = [
    "CINCOS",
    "OPTIONS",
    "Cincos",
    "CincosState",
    "HandEnd",
    "Opening",
    "ScoredPlay",
    "count",
    "count_addends",
    "hand_end",
    "points_of",
    "round5",
    "scored_plays",
]


_TILES: Final = tuple(DOUBLE_SIX)


@dataclass(frozen=True, slots=True)
class Opening:
    """Who may lead a hand, and the tile that he must lead; None if any will do."""

    players: tuple[str, ...]
    tile: Tile | None


class Cincos:
    """The game Cincos; `CINCOS` is the one instance."""

    name: str = cincos_options.NAME
    aliases: tuple[str, ...] = ("domino-de-cincos",)
    options: tuple[Option, ...] = OPTIONS
    tile_set: TileSet = DOUBLE_SIX
    player_counts: tuple[int, ...] = (2, 3, 4)
    unit: str = "points"

    def rules(self, **options: Any) -> RuleSet:
        """Return a rule set with the given options; raises SetupError `unknown_option` or `bad_option`."""
        return cincos_options.rules(**options)

    def sides(self, seats: Sequence[str], rules: RuleSet) -> Mapping[str, tuple[str, ...]]:
        """Return the scoring sides: each player, or with `sides=pairs` two pairs; raises SetupError `players`."""
        return _sides(tuple(seats), rules["sides"])

    def shuffled_deal(self, seats: Sequence[str], rules: RuleSet, random: Random) -> Deal:
        """Return a random deal; the rest is the boneyard. Source: seed 003 l.26, RULES C6."""
        self.sides(seats, rules)
        size, _ = deal_sizes(len(seats), rules)
        tiles = list(_TILES)
        random.shuffle(tiles)
        hands = {seat: Hand.of(tiles[size * at : size * (at + 1)]) for at, seat in enumerate(seats)}
        return Deal(hands, tuple(tiles[size * len(seats) :]))

    def start(self, deal: Deal, rules: RuleSet, context: HandContext) -> CincosState:
        """Return the first state of a hand.

        Raises:
            SetupError: `inconsistent_state`, `players` or `opener` (the told opener cannot lead).
        """
        dealt = Dealt(deal)
        seating = _seating(dealt.names, rules["sides"])
        dealt.check_sizes(deal_sizes(len(dealt.names), rules)[0])
        return CincosState.begin(Table(seating, rules, context, _lead(dealt, rules, context)), dealt)

    def resume(
        self, layout: Layout, deal: Deal, to_move: str, rules: RuleSet, context: HandContext | None = None
    ) -> CincosState:
        """Return a state that goes on from a told layout, with hands and boneyard as they are now.

        The order in which the tiles were laid need not be known: only tips and spinner matter.

        Raises:
            SetupError: `inconsistent_state` or `players`.
        """
        context = HandContext(opener=to_move) if context is None else context
        dealt = Dealt(deal)
        table = Table(_seating(dealt.names, rules["sides"]), rules, context, dealt.lead_of(to_move))
        return CincosState.resume(table, dealt, layout, to_move)

    def opening(self, deal: Deal, rules: RuleSet, context: HandContext) -> Opening:
        """Return who may lead the hand, and what. Source: RULES 4.1, C5 and decision 10."""
        lead = _lead(Dealt(deal), rules, context)
        names = tuple(deal.hands)
        tiles = {tile for mask in lead.masks for tile in tiles_of(mask)}
        players = tuple(name for name, mask in zip(names, lead.masks, strict=True) if mask)
        return Opening(players, tiles.pop() if lead.forced and len(tiles) == 1 else None)

    def next_context(
        self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult], opener: str | None = None
    ) -> HandContext:
        """Return what the next hand must know after `results`; `opener` is told where the rules leave it open.

        Raises:
            SetupError: `match_over` if the match is decided, `opener` if the told opener may not lead.
        """
        winner = self.winner(seats, rules, results)
        if winner is not None:
            raise SetupError("match_over", f"{winner} has won the match", winner=winner)
        out = results[-1].player if results and results[-1].kind == "domino" else None
        if opener is not None and (opener not in seats or out not in {None, opener}):
            message = f"{opener} does not open this hand; {out or ' or '.join(seats)} does"
            raise SetupError("opener", message, opener=opener, expected=out or tuple(seats))
        facts = MappingProxyType({"lead_any": out is not None})
        return HandContext(len(results) + 1, out or opener, self.totals(seats, rules, results), facts)

    def totals(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> Mapping[str, int]:
        """Return each side's points after `results`."""
        totals = dict.fromkeys(self.sides(seats, rules), 0)
        for result in results:
            for event in result.events:
                totals[event.side] += event.points
        return totals

    def winner(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> str | None:
        """Return the side that has won the match after `results`, None while it goes on.

        With `finish=immediate` the first side at the target wins; with `end_of_hand` the one with most points after
        the hand, and a tie at the top asks for another hand. Source: RULES C12 and decision 10.
        """
        totals = self.totals(seats, rules, results)
        there = [side for side, total in totals.items() if total >= rules["target"]]
        if rules["finish"] == "end_of_hand":
            best = [side for side in there if totals[side] == max(totals.values())]
            return best[0] if len(best) == 1 else None
        running = dict.fromkeys(totals, 0)
        for event in (event for result in results for event in result.events):
            running[event.side] += event.points
            if event.side in there and running[event.side] >= rules["target"]:
                return event.side
        return None


def _sides(names: tuple[str, ...], grouping: str) -> Mapping[str, tuple[str, ...]]:
    if grouping == "pairs":
        return pair_sides(cincos_options.NAME, names)
    return individual_sides(cincos_options.NAME, names, Cincos.player_counts)


@lru_cache(maxsize=64)
def _seating(names: tuple[str, ...], grouping: str) -> Seating:
    return Seating.of(names, _sides(names, grouping))


def _lead(dealt: Dealt, rules: RuleSet, context: HandContext) -> Lead:
    """Return who may lead what. Source: RULES 4.1, C5 and decision 10."""
    if context.opener is not None and context.opener not in dealt.names:
        raise SetupError("opener", f"{context.opener} is not at the table", opener=context.opener)
    lead_any = context.facts.get("lead_any", context.index > 1) or rules["opening"] == "lot"
    allowed = ALL if lead_any else _highest(dealt)
    openers = dealt.names if context.opener is None else (context.opener,)
    masks = tuple(
        mask & allowed if name in openers else 0 for name, mask in zip(dealt.names, dealt.possible, strict=True)
    )
    seats = [seat for seat, mask in enumerate(masks) if mask]
    if not seats:
        message = f"{context.opener} cannot open this hand: another holds the tile to be led"
        raise SetupError("opener", message, opener=context.opener)
    return Lead(masks, seats[0] if len(seats) == 1 else None, forced=not lead_any)


def _highest(dealt: Dealt) -> int:
    """Return the tiles that may be the highest double dealt; the heaviest where no hand need hold a double.

    Of equal weight the one with the higher half is the heavier. A tile nobody has seen may be in a hidden hand or in
    the boneyard. Source: decision 10.
    """
    known = sum(dealt.hands)
    unseen = dealt.unseen if any(dealt.unknown) else 0
    top = tiles_of(known & DOUBLES)[-1:]
    higher = [tile for tile in tiles_of(unseen & DOUBLES) if not top or tile > top[0]]
    if len(higher) > sum(tile is None for tile in dealt.stock):
        return mask_of(higher)
    if top:
        return mask_of((*higher, *top))
    heaviest = max(tiles_of(known), key=_weight, default=None)
    plain = tiles_of(unseen & ~DOUBLES)
    heavier = [tile for tile in plain if heaviest is None or _weight(tile) > _weight(heaviest)]
    return mask_of((*higher, *heavier, *((heaviest,) if heaviest else ())))


def _weight(tile: Tile) -> tuple[int, int]:
    return tile.pips, tile.high


CINCOS: Final = Cincos()
