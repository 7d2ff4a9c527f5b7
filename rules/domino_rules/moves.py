"""What a player can do, as frozen values. Knows no rule.

Players are named by their seat (any text). A tile that nobody has seen is None.
"""

from dataclasses import dataclass

from domino_rules.layout import Arm
from domino_rules.tile import Tile


@dataclass(frozen=True, slots=True)
class Play:
    """Lay a tile in the line of play, at `arm` (START for the first tile).

    `left` is the half of the first tile that lies towards L; None for the higher half. Elsewhere the layout decides.
    """

    player: str
    tile: Tile
    arm: Arm
    left: int | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Take one tile from the boneyard or stock; None if the tile was not seen."""

    player: str
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing: no tile fits and nothing can be drawn; in Tiu-U no hand tile pairs."""

    player: str


@dataclass(frozen=True, slots=True)
class Lead:
    """Lead a tile to a trick, with the number of doubles declared, if any."""

    player: str
    tile: Tile
    declare: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply to the tile led, with the number of doubles declared, if any."""

    player: str
    tile: Tile
    declare: int | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Turn the trump tile face down: nobody draws any more."""

    player: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Take a tile of the talon with its mate from the hand."""

    player: str
    tile: Tile
    take: Tile


@dataclass(frozen=True, slots=True)
class Triple:
    """Stack the third tile from the hand on two alike from the talon, at the left of the stock."""

    player: str
    tile: Tile


@dataclass(frozen=True, slots=True)
class Quadruple:
    """Lay the fourth tile on a tripled stack."""

    player: str
    tile: Tile


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn the next stock tile onto the talon and, if it pairs, take its mate."""

    player: str
    tile: Tile
    take: Tile | None = None


@dataclass(frozen=True, slots=True)
class Stood:
    """A move against the rules that the table let stand: the hand goes on from the table as it lies.

    The rules never offer it and `apply` refuses it; `let_stand` alone takes it.

    Attributes:
        move: what was done.
        inner: of a tile laid in a line of play, the half that touches; None for one that lies beside all open ends.
        taker: in Bingo, who carried the trick off with this reply; None if that was as the rules want it.
    """

    move: Play | Lead | Reply | Capture | Turn
    inner: int | None = None
    taker: str | None = None

    @property
    def player(self) -> str:
        """Who did it."""
        return self.move.player

    @property
    def tile(self) -> Tile:
        """The tile that was laid."""
        return self.move.tile


Move = Play | Draw | Pass | Lead | Reply | Close | Capture | Triple | Quadruple | Turn | Stood


def plain(move: Move) -> Move:
    """Return what was done, without the mark that it was let stand."""
    return move.move if isinstance(move, Stood) else move
