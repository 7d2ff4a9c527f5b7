"""Whether a table still lies as it did before its last steps were undone: such a look tells nothing new.

A table that is watched knows what it saw when a step was undone. One that is taken up again, by the next server or
after a mistake, has seen nothing yet: for its first look the steps that could be done again say what was seen.
"""

from __future__ import annotations

from domino_rules.tile import Tile
from domino_server.referee import Referee
from domino_server.referee.journal import Journal
from domino_server.referee.sight import Sight
from domino_server.store import StoreJournal
from domino_server.tables.open_tiles import open_tiles


def shows_undone(journal: StoreJournal, sight: Sight) -> bool:
    """Return whether a table is the one that some of the undone steps had led to, with nothing laid since."""
    lines = journal.text.splitlines()
    lying = set(open_tiles(_taken_up(lines).state))
    for group in reversed(journal.undone):
        lines += group
        if _leads_to(_taken_up(lines), sight, lying):
            return True
    return False


def _taken_up(lines: list[str]) -> Referee:
    journal = Journal()
    journal.add(lines)
    return Referee(journal)


def _leads_to(referee: Referee, sight: Sight, lying: set[Tile]) -> bool:
    """Return whether nothing was done since; tiles that lay there before the undone steps may be hidden."""
    state = referee.state
    if state is None:
        return False
    explained = referee.look_from(state, sight)
    unmoved = any(not path.moves for path in explained.paths)
    return explained.is_clean and unmoved and set(explained.missing) <= lying
