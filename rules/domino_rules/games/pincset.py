"""Pińćset, the Puerto Rican 500: four players in two pairs, a plain line of play. Source: RULES 1 (seed 000)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from domino_rules.errors import SetupError
from domino_rules.games import pincset_match, pincset_options
from domino_rules.games.chain_table import Dealt, Lead, Seating, Table
from domino_rules.games.pairs import pair_sides
from domino_rules.games.pincset_options import HAND_SIZE
from domino_rules.games.pincset_score import told_events
from domino_rules.games.pincset_state import PincsetState
from domino_rules.layout import Layout
from domino_rules.ruleset import Option, RuleSet
from domino_rules.state import Deal, Hand, HandContext, HandResult
from domino_rules.tile import DOUBLE_SIX, Tile, TileSet

_TILES: Final = tuple(DOUBLE_SIX)
FIRST_TILE: Final = Tile(6, 6)


class Pincset:
    """The game Pińćset; `PINCSET` is the one instance."""

    name: str = pincset_options.NAME
    aliases: tuple[str, ...] = ("500",)
    options: tuple[Option, ...] = pincset_options.OPTIONS
    tile_set: TileSet = DOUBLE_SIX
    player_counts: tuple[int, ...] = (4,)
    unit: str = "points"

    def rules(self, **options: Any) -> RuleSet:
        """Return a rule set with the given options; raises SetupError `unknown_option` or `bad_option`."""
        return pincset_options.rules(**options)

    def sides(self, seats: Sequence[str], rules: RuleSet) -> Mapping[str, tuple[str, ...]]:
        """Return the two pairs: partners sit opposite each other; raises SetupError `players`. Source: seed 000 l.1."""
        return pair_sides(rules.game, seats)

    def shuffled_deal(self, seats: Sequence[str], rules: RuleSet, random: Random) -> Deal:
        """Return a random deal of seven tiles each; dealt again while `redeal_doubles` asks for it."""
        names = _seating(tuple(seats)).players
        while True:
            tiles = tuple(sorted(_TILES, key=lambda _: random.random()))  # faster than shuffle, as fair
            held = [tiles[at : at + HAND_SIZE] for at in range(0, len(tiles), HAND_SIZE)]
            deal = Deal({name: Hand(hand, HAND_SIZE) for name, hand in zip(names, held, strict=True)})
            if rules["redeal_doubles"] is None or self.redeal(deal, rules) is None:
                return deal

    def redeal(self, deal: Deal, rules: RuleSet) -> str | None:
        """Return the player whose hand holds so many doubles that the house deals again. Source: RULES A12."""
        limit = rules["redeal_doubles"]
        for player, hand in deal.hands.items():
            if limit is not None and sum(tile.is_double for tile in hand.known) >= limit:
                return player
        return None

    def start(self, deal: Deal, rules: RuleSet, context: HandContext) -> PincsetState:
        """Return the first state of a hand.

        Raises:
            SetupError: `inconsistent_state`, `players`, `opener` (the told opener cannot lead) or `redeal`.
        """
        dealt = Dealt(deal)
        seating = _seating(dealt.names)
        dealt.check_sizes(HAND_SIZE)
        holder = None if rules["redeal_doubles"] is None else self.redeal(deal, rules)
        if holder is not None:
            limit = rules["redeal_doubles"]
            raise SetupError(
                "redeal", f"{holder} holds {limit} doubles or more: deal again", player=holder, limit=limit
            )
        return PincsetState.begin(Table(seating, rules, context, _lead(dealt, rules, context)), dealt)

    def resume(
        self, layout: Layout, hands: Mapping[str, Hand], to_move: str, rules: RuleSet, context: HandContext
    ) -> PincsetState:
        """Return a state that goes on from a told layout with the hands as they are now.

        Raises:
            SetupError: `inconsistent_state` or `players`.
        """
        dealt = Dealt(Deal(hands))
        table = Table(_seating(dealt.names), rules, context, dealt.lead_of(to_move))
        return PincsetState.resume(table, dealt, layout, to_move)

    def openers(self, deal: Deal, rules: RuleSet, context: HandContext) -> tuple[str, ...]:
        """Return who may lead in the hand, the usual one first. Source: seed 000 l.6, RULES A10 and A11."""
        lead = _lead(Dealt(deal), rules, context)
        names = tuple(deal.hands)
        usual = () if lead.seat is None else (names[lead.seat],)
        return (*usual, *(name for name, mask in zip(names, lead.masks, strict=True) if mask and name not in usual))

    def next_context(
        self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult], opener: str | None = None
    ) -> HandContext:
        """Return what the next hand must know after `results`; `opener` is a told choice among those who may lead.

        Raises:
            SetupError: `match_over` if the match is decided, `opener` if the told opener may not lead.
        """
        now = self.standing(seats, rules, results)
        if now.winner is not None:
            raise SetupError("match_over", f"{now.winner} has won the match", winner=now.winner)
        if opener is not None and opener not in (now.openers or seats):
            allowed = now.openers or tuple(seats)
            message = f"{opener} does not open this hand; {' or '.join(allowed)} does"
            raise SetupError("opener", message, opener=opener, expected=allowed)
        return now.context(opener)

    def standing(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> pincset_match.Standing:
        """Return where the match stands after `results`."""
        return pincset_match.standing(self.sides(seats, rules), rules, results)

    def winner(self, seats: Sequence[str], rules: RuleSet, results: Sequence[HandResult]) -> str | None:
        """Return the pair that has won the match (the series) after `results`, None while it goes on."""
        return self.standing(seats, rules, results).winner

    def told_result(self, kind: str, side: str | None, base: int, rules: RuleSet, context: HandContext) -> HandResult:
        """Return the result of a hand of which only this is told: how it ended, for whom, with how many pips left."""
        if side is None or kind == "tie":
            return HandResult("tie", None, None, ())
        return HandResult(kind, side, None, told_events(kind, side, base, rules, context))


@lru_cache(maxsize=64)
def _seating(names: tuple[str, ...]) -> Seating:
    return Seating.of(names, pair_sides(pincset_options.NAME, names))


def _lead(dealt: Dealt, rules: RuleSet, context: HandContext) -> Lead:
    """Return who may lead what. Source: seed 000 l.6, RULES A10 and A11."""
    names = dealt.names
    if not context.facts.get("lead_66", context.index == 1):
        allowed = _allowed(names, context)
        masks = tuple(mask if name in allowed else 0 for name, mask in zip(names, dealt.possible, strict=True))
        told = len(allowed) < len(names)
        return Lead(masks, names.index(allowed[0]) if told else None, forced=False)
    holders = [at for at, mask in enumerate(dealt.possible) if mask & FIRST_TILE.bit]
    if context.opener is not None:
        holders = [at for at in holders if names[at] == context.opener]
        if not holders:
            message = f"{context.opener} does not hold {FIRST_TILE} and cannot open this hand"
            raise SetupError("opener", message, opener=context.opener, tile=str(FIRST_TILE))
    if not holders:
        raise SetupError("inconsistent_state", f"nobody can hold {FIRST_TILE}", tile=str(FIRST_TILE))
    forced: bool = rules["force_66"]
    leads = [0] * len(names)
    for at in holders:
        leads[at] = FIRST_TILE.bit if forced else dealt.possible[at]
    return Lead(tuple(leads), holders[0] if len(holders) == 1 else None, forced)


def _allowed(names: tuple[str, ...], context: HandContext) -> tuple[str, ...]:
    if context.opener is None:
        return tuple(context.facts.get("openers") or names)
    if context.opener not in names:
        raise SetupError("opener", f"{context.opener} is not at the table", opener=context.opener)
    return (context.opener,)


PINCSET: Final = Pincset()
