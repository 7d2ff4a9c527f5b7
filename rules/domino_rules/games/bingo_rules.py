"""Bingo's rules of one trick: trump, what tiles count, who takes, what may be replied. Knows no state.

A trump number of 7 means the blanks. Source: RULES 3.1, 3.2; seed 002.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from domino_rules.errors import SetupError
from domino_rules.games.trick import Duty
from domino_rules.ruleset import RuleSet
from domino_rules.tile import DOUBLE_SIX, Tile

BINGO_TILE: Final = Tile(0, 0)
"""The tile that takes every trick."""
BLANKS: Final = 7
"""The trump number when the blanks are trump."""
TRUMP_NUMBERS: Final = tuple(range(1, 8))
DECLARATIONS: Final[Mapping[int, int]] = MappingProxyType({2: 20, 3: 40, 4: 50, 5: 60, 6: 70, 7: 210})
"""What declaring so many doubles adds if the trick is taken. Source: seed 002 l.48-58."""
FIXED_TENS: Final = (Tile(6, 4), Tile(3, 0))


def starter(drawer: str, guesser: str, drawn: Tile, guess: str) -> str:
    """Return who starts: the guesser if the parity of the drawn tile's pips is `guess` (`even` or `odd`).

    Raises:
        SetupError: `parity_guess` if the guess is neither.

    Source: seed 002 l.4-7. The starter's opponent turns up the trump tile (l.10).
    """
    if guess not in {"even", "odd"}:
        raise SetupError("parity_guess", f"the guess is even or odd, not {guess!r}", guess=guess)
    return guesser if ("odd" if drawn.pips % 2 else "even") == guess else drawer


@dataclass(frozen=True, slots=True)
class TileValue:
    """What a tile counts in a trick, and by which rule (`trump_double`, `bingo`, `fixed_ten`, `trump` ...)."""

    code: str
    points: int


def half_rank(half: int, rules: RuleSet) -> int:
    """Return how high a half ranks; a blank has the value of the option `blank_value`."""
    return half or int(rules["blank_value"])


def pip_sum(tile: Tile, rules: RuleSet) -> int:
    """Return the pips of both halves, blanks with the value of the option `blank_value`."""
    return half_rank(tile.high, rules) + half_rank(tile.low, rules)


def trump_number(turned_up: Tile, rules: RuleSet) -> int:
    """Return the trump number, 1 to 7: the higher half of the tile turned up, 7 for the blanks. Source: l.10-14."""
    return max(half_rank(half, rules) for half in turned_up.halves) or BLANKS


def is_trump(tile: Tile, trump: int) -> bool:
    """Return whether a half of the tile shows the trump number."""
    return (0 if trump == BLANKS else trump) in tile


def is_trump_double(tile: Tile, trump: int) -> bool:
    """Return whether the tile is the double of the trump number."""
    return tile.is_double and is_trump(tile, trump)


def tile_values(trump: int, rules: RuleSet) -> Mapping[Tile, TileValue]:
    """Return what each of the 28 tiles counts. Source: seed 002 l.66-71; RULES B1, B4, B6, B7."""
    return _tile_values(trump, rules["blank_value"], rules["plain_points"], rules["fixed_ten_first"])


@lru_cache(maxsize=64)
def _tile_values(trump: int, blank: int, plain_points: str, fixed_ten_first: bool) -> Mapping[Tile, TileValue]:
    def value(tile: Tile) -> TileValue:
        pips = (tile.high or blank) + (tile.low or blank)
        if is_trump_double(tile, trump):
            return TileValue("trump_double", 28)
        if tile is BINGO_TILE:
            return TileValue("bingo", 14)
        if tile in FIXED_TENS and (fixed_ten_first or not is_trump(tile, trump)):
            return TileValue("fixed_ten", 10)
        if is_trump(tile, trump):
            return TileValue("trump", pips)
        if tile.is_double:
            return TileValue("double", pips)
        return TileValue("plain", pips if plain_points == "pips" else 0)

    return MappingProxyType({tile: value(tile) for tile in DOUBLE_SIX})


def reply_takes(lead: Tile, reply: Tile, trump: int, phase: int, rules: RuleSet) -> bool:
    """Return whether the reply takes the trick from the lead. Source: RULES 3.1, taker 1 to 4."""
    if BINGO_TILE in (lead, reply):
        return reply is BINGO_TILE
    if is_trump(lead, trump) or is_trump(reply, trump):
        return _trump_strength(reply, trump, rules) > _trump_strength(lead, trump, rules)
    if phase == 2:
        matches = reply.high in lead or reply.low in lead
        return matches and pip_sum(reply, rules) > pip_sum(lead, rules)
    led, replied = _plain_rank(lead, rules), _plain_rank(reply, rules)
    return replied > led or (replied == led and rules["tie"] == "replier")


def _trump_strength(tile: Tile, trump: int, rules: RuleSet) -> int:
    if not is_trump(tile, trump):
        return -1
    if tile.is_double and rules["trump_double_top"]:
        return 100
    return pip_sum(tile, rules)


def _plain_rank(tile: Tile, rules: RuleSet) -> int:
    if rules["rank_phase1"] == "sum":
        return pip_sum(tile, rules)
    return max(half_rank(half, rules) for half in tile.halves)


def scores_for_reply(lead: Tile, reply: Tile, trump: int, *, takes: bool) -> bool:
    """Return whether the replier scores the tiles: the taker does, but for BINGO against the trump double.

    Source: seed 002 l.62-64.
    """
    if BINGO_TILE in (lead, reply):
        other = lead if reply is BINGO_TILE else reply
        if is_trump_double(other, trump):
            return other is reply
    return takes


def reply_duties(lead: Tile, trump: int, phase: int, rules: RuleSet) -> tuple[Duty, ...]:
    """Return what the reply must do, first duty first; nothing in phase 1. Source: seed 002 l.30-34; B10 to B12."""
    if phase == 1:
        return ()
    duty_to_trump = Duty("must_trump", lambda tile: _trumps(tile, trump, rules))
    if rules["follow"] == "any_half":
        return (Duty("must_match", lambda tile: lead.high in tile or lead.low in tile), duty_to_trump)
    low, high = sorted(lead.halves, key=lambda half: half_rank(half, rules))
    return (Duty("must_match", lambda tile: high in tile), Duty("must_match", lambda tile: low in tile), duty_to_trump)


def _trumps(tile: Tile, trump: int, rules: RuleSet) -> bool:
    return is_trump(tile, trump) or (tile is BINGO_TILE and bool(rules["bingo_as_trump"]))


def is_unable(lead: Tile, reply: Tile, trump: int, phase: int, rules: RuleSet) -> bool:
    """Return whether a legal reply neither matches nor trumps where it had to; BINGO takes whatever it answers."""
    if reply is BINGO_TILE:
        return False
    duties = reply_duties(lead, trump, phase, rules)
    return bool(duties) and not any(duty.met_by(reply) for duty in duties)
