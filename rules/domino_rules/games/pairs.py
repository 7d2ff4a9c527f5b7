"""Two pairs of players who sit opposite each other."""

from collections.abc import Mapping, Sequence

from domino_rules.errors import SetupError


def pair_sides(game: str, seats: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return two pairs of players who sit opposite each other, called by their names: AC and BD, or North+South.

    Raises:
        SetupError: `players` if there are not four, or a name occurs twice.
    """
    if len(seats) != 4 or len(set(seats)) < 4:
        message = f"{game} in pairs is for 4 players with different names, not {len(seats)}: {', '.join(seats)}"
        raise SetupError("players", message, game=game, expected="4", players=len(seats))
    glue = "" if all(len(seat) == 1 for seat in seats) else "+"
    return {glue.join(pair): pair for pair in ((seats[0], seats[2]), (seats[1], seats[3]))}
