"""The words that drawings show; another language brings its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from domino_vision.types import TableProblem

_PROBLEMS = {
    "illegal_join": "these halves touch but differ",
    "loop": "the chain closes on itself",
    "not_in_set": "not a tile of this set",
    "duplicate_tile": "the same tile twice",
    "branch": "the chain branches where no game allows it",
    "split_chain": "the chain has come apart here",
    "gap_in_chain": "there is a gap in the chain here",
    "face_down_at_chain": "a face-down tile touches the chain",
    "part_of_tile": "only a part of this tile is in view",
    "tile_unsure": "this tile is hard to read",
    "count_unsure": "the count hangs on this",
    "join_unsure": "joined, or only close together?",
    "legality_unsure": "do these halves match?",
    "overruled": "reads otherwise than it is taken",
}


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
    problems: Mapping[str, str] = field(default_factory=lambda: MappingProxyType(_PROBLEMS))

    def problem(self, problem: TableProblem) -> str:
        """Return a problem in words, without its tiles."""
        return self.problems.get(problem.code, problem.code.replace("_", " "))
