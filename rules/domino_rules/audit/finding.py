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
        rule: the rule, in words.
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
        "": "the rules of Pińćset",
        "illegal_pass": "who has a tile that fits must play it",
        "no_boneyard": "all tiles are dealt, there is none to draw",
        "no_match": "halves that touch must be equal",
        "wrong_end": "halves that touch must be equal",
        "must_lead": "the holder of 6-6 leads it in the first hand",
        "not_your_turn": "the next player sits on the right",
        "tile_twice": "a set has each tile once",
        "score_differs": "what a hand is worth: pips left, premiums, capicú and chuchazo",
    }),
    "cincos": MappingProxyType({
        "": "the rules of Dominó de Cincos",
        "illegal_pass": "who has a tile that fits must play it; one passes when the boneyard is empty",
        "illegal_draw": "who has a tile that fits must play it, even if it scores nothing",
        "must_draw": "who cannot play draws until a tile fits or the boneyard is empty",
        "no_boneyard": "the boneyard is empty",
        "arm_closed": "the spinner's ends open once both its sides are covered",
        "points_missed": "a count that is a multiple of five is scored",
        "points_wrong": "a count that is a multiple of five is scored",
        "must_lead": "the highest double is led in the first hand",
        "score_differs": "what a hand is worth: the pips that the others hold, to the nearest five",
    }),
    "bingo": MappingProxyType({
        "": "the rules of Domino bingo",
        "wrong_taker": "who takes a trick: Bingo, trump, the higher tile",
        "must_match": "once the stock is out or closed, a reply shares a half with the lead",
        "must_trump": "a reply that cannot match must be a trump",
        "only_trick_winner": "who has taken the trick may close",
        "already_drawn": "one closes before drawing",
        "false_declaration": "doubles that are declared are held",
        "declare_needs_double": "doubles are declared with a double",
        "declare_lead_only": "doubles are declared by who leads",
        "points_missed": "what tiles count in a trick",
        "points_wrong": "what tiles count in a trick",
        "score_differs": "what a hand is worth: one, two or three sets",
    }),
    "tiu-u": MappingProxyType({
        "": "the rules of Pecanje",
        "no_pair": "two tiles of equal weight pair; 4-2 and 2-1 only with each other",
        "must_capture": "who can pair a tile of his hand must do so",
        "mate_left": "a tile turned up takes its mate",
        "not_on_talon": "a tile is paired with one of the talon",
        "not_next_tile": "the stock is bought from the right, in order",
        "need_two_on_talon": "three are stacked if two of them lie on the talon",
        "no_tripled_stack": "the fourth tile is laid on the three",
        "stock_too_small": "three can only be stacked while the stock can pay for them",
        "score_differs": "what a hand is worth: big fish two a pip, small fish one a red pip",
    }),
})  # fmt: skip
"""The rule behind a finding, in words, by game and code; the entry without a code is the game as a whole."""


def rule_of(game: str, code: str) -> str:
    """Return the rule behind a finding, in words."""
    sources = RULES.get(game, {})
    return sources.get(code, sources.get("", "the rules of the game"))
