"""The four games as frozen options and small hooks over shared mechanisms."""

from typing import Final

from domino_rules.games.bingo import BINGO
from domino_rules.games.cincos import CINCOS
from domino_rules.games.pincset import PINCSET
from domino_rules.games.tiu_u import TIU_U
from domino_rules.state import Game

GAMES: Final[tuple[Game, ...]] = (PINCSET, CINCOS, BINGO, TIU_U)
LINE_GAMES: Final = frozenset({PINCSET.name, CINCOS.name})
"""Names of the games with a line of play; Bingo has tricks, Tiu-U a talon."""
