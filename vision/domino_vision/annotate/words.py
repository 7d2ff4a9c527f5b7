"""The words that drawings show; another language brings its own."""

from collections.abc import Callable
from dataclasses import dataclass

from domino_vision.types import ReadTile, TableProblem, TileRole


def _code(problem: TableProblem) -> str:
    return problem.code.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Words:
    """English by default; any script that the drawing's font has will do."""

    open_ends: str = "Open ends"
    no_chain: str = "no chain"
    chain: str = "Chain"
    loose: str = "Loose"
    down: str = "face down"
    standing: str = "standing"
    check: str = "please check"
    more: str = "more"
    problem: Callable[[TableProblem], str] = _code
    """Puts a problem in words, without its tiles; those of a report where there is one."""

    def tile(self, tile: ReadTile) -> str:
        """Return a tile's value, higher half first; how it lies where its face is not seen."""
        if tile.tile is not None:
            return str(tile.tile)
        return {TileRole.DOWN: self.down, TileRole.STANDING: self.standing}.get(tile.role, "")
