"""What an audit finds, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from domino_rules.tile import Tile


class Certainty(StrEnum):
    """Whether what was seen and told leaves no other reading, or only allows this one."""

    PROVED = "proved"
    POSSIBLE = "possible"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was not as the rules want it.

    Attributes:
        code: what it is, a code of the explain catalogues such as `illegal_pass`.
        hand: number of the hand in the record.
        move: number of the move in the hand, from 1, counted after corrections; None for the hand as a whole.
        player: who did it; None if no player did.
        rule: where the rule stands.
        tiles: the tiles that prove it.
        params: further facts for an explanation.
        inferred: whether it is only possible because it rests on moves that nobody saw or told.
    """

    code: str
    hand: int
    move: int | None = None
    player: str | None = None
    rule: str = ""
    tiles: tuple[Tile, ...] = ()
    certainty: Certainty = Certainty.PROVED
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    inferred: bool = False

    @property
    def tells(self) -> bool:
        """Whether it is worth saying while nobody asked: it is proved, or would be if what was inferred is right.

        Of what is only possible this is a pass: almost every draw that nobody saw is possibly one too many.
        """
        return self.certainty is Certainty.PROVED or self.inferred or self.code == "illegal_pass"


RULES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "pincset": MappingProxyType({
        "": "RULES 1.1",
        "illegal_pass": "RULES 1.1, A13; seed 000 l.11",
        "no_boneyard": "RULES 1.1; seed 000 l.7",
        "no_match": "RULES 1.1; seed 000 l.9-10",
        "wrong_end": "RULES 1.1; seed 000 l.9-10",
        "must_lead": "RULES 1.1, A10; seed 000 l.6",
        "not_your_turn": "RULES 1.1; seed 000 l.1",
        "tile_twice": "RULES 1.1; seed 000 l.4",
        "score_differs": "RULES 1.1; seed 000 l.17-27",
    }),
    "cincos": MappingProxyType({
        "": "RULES 4.1",
        "illegal_pass": "RULES 4.1; seed 003 l.28-31",
        "illegal_draw": "RULES 4.1; seed 003 l.27-31",
        "must_draw": "RULES 4.1, C14; seed 003 l.28-30",
        "no_boneyard": "RULES 4.1; seed 003 l.28",
        "arm_closed": "RULES 4.1, C4; seed 003 l.19-22",
        "points_missed": "RULES 4.1, C13; seed 003 l.11-15",
        "points_wrong": "RULES 4.1; seed 003 l.11-15",
        "must_lead": "RULES 4.1, C5",
        "score_differs": "RULES 4.1; seed 003 l.33-38",
    }),
    "bingo": MappingProxyType({
        "": "RULES 3.1",
        "wrong_taker": "RULES 3.1; seed 002 l.17-19",
        "must_match": "RULES 3.1, B10; seed 002 l.30-31",
        "must_trump": "RULES 3.1, B12; seed 002 l.32-33",
        "only_trick_winner": "RULES 3.1; seed 002 l.34-37",
        "already_drawn": "RULES 3.1, B14; seed 002 l.34-37",
        "false_declaration": "RULES 3.1, B18; seed 002 l.48-60",
        "declare_needs_double": "RULES 3.1; seed 002 l.48-60",
        "declare_lead_only": "RULES 3.1, B17",
        "points_missed": "RULES 3.1; seed 002 l.66-71",
        "points_wrong": "RULES 3.1; seed 002 l.66-71",
        "score_differs": "RULES 3.1; seed 002 l.41-47",
    }),
    "tiu-u": MappingProxyType({
        "": "RULES 2.1",
        "no_pair": "RULES 2.1, T1; seed 001 l.12-15",
        "must_capture": "RULES 2.1, T4; seed 001 l.21",
        "mate_left": "RULES 2.1, T5; seed 001 l.17-19",
        "not_on_talon": "RULES 2.1; seed 001 l.11",
        "not_next_tile": "RULES 2.1; seed 001 l.6-7",
        "need_two_on_talon": "RULES 2.1; seed 001 l.23-27",
        "no_tripled_stack": "RULES 2.1; seed 001 l.28-29",
        "stock_too_small": "RULES 2.1, T11",
        "score_differs": "RULES 2.1; seed 001 l.33-39",
    }),
})  # fmt: skip
"""Where the rule behind a finding stands, by game and code; the entry without a code is the game as a whole."""


def rule_of(game: str, code: str) -> str:
    """Return where the rule behind a finding stands."""
    sources = RULES.get(game, {})
    return sources.get(code, sources.get("", "RULES"))
