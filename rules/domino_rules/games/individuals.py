"""What games have in common in which every player plays for himself: sides, rule sets, deals, refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from domino_rules.errors import IllegalMoveError, SetupError
from domino_rules.moves import Move
from domino_rules.state import Deal
from domino_rules.tile import Tile, TileSet


def individual_sides(game: str, seats: Sequence[str], counts: tuple[int, ...]) -> Mapping[str, tuple[str, ...]]:
    """Return each player as his own side.

    Raises:
        SetupError: `players` if the game is not for so many, or a name occurs twice.
    """
    if len(seats) not in counts or len(set(seats)) < len(seats):
        wanted = " or ".join(map(str, counts))
        message = f"{game} is for {wanted} players with different names, not {len(seats)}: {', '.join(seats)}"
        raise SetupError("players", message, game=game, expected=wanted, players=len(seats))
    return {seat: (seat,) for seat in seats}


def check_deal(deal: Deal, tile_set: TileSet, sizes: Mapping[str, int]) -> None:
    """Check the number of tiles in each place (`hand`, `stock`, `table`) and that no tile is there too often.

    Raises:
        SetupError: `inconsistent_state`, with the place or the tiles.
    """
    places = [(f"the hand of {player}", hand.size, sizes["hand"]) for player, hand in deal.hands.items()]
    places += [("the stock", len(deal.stock), sizes["stock"]), ("the table", len(deal.table), sizes["table"])]
    for place, size, wanted in places:
        if size != wanted:
            message = f"{place} has {size} tiles, not {wanted}"
            raise SetupError("inconsistent_state", message, place=place, size=size, expected=wanted)
    seen: list[Tile] = [tile for hand in deal.hands.values() for tile in hand.known]
    seen += [tile for tile in (*deal.stock, *deal.table) if tile is not None]
    surplus = tile_set.surplus(seen)
    if surplus:
        tiles = " ".join(map(str, surplus))
        raise SetupError("inconsistent_state", f"more of {tiles} than the set has", tiles=[str(t) for t in surplus])


def check_opener(opener: str | None, seats: Sequence[str], due: str | None = None) -> None:
    """Check that a told opener sits at the table and, where the rules name one, is the one that is due.

    Raises:
        SetupError: `opener`.
    """
    if opener is not None and (opener not in seats or due not in {None, opener}):
        wanted = due or " or ".join(seats)
        raise SetupError("opener", f"{opener} does not open this hand; {wanted} does", opener=opener, expected=wanted)


def seat_of(player: str, players: Sequence[str]) -> int:
    """Return the number of the player's seat.

    Raises:
        SetupError: `inconsistent_state` if nobody of this name plays.
    """
    if player not in players:
        raise SetupError("inconsistent_state", f"nobody is called {player!r}", player=player)
    return players.index(player)


def refuse(code: str, message: str, move: Move, **params: Any) -> IllegalMoveError:
    """Return the error that refuses `move`, with its player among the parameters."""
    return IllegalMoveError(code, message, player=move.player, **params)


def not_due(game: str, moves: tuple[type, ...], move: Move, due: str) -> IllegalMoveError:
    """Return the error for a kind of move that is not due now: `move_not_due`, or `wrong_move` of another game."""
    kind = type(move).__name__
    if not isinstance(move, moves):
        return refuse("wrong_move", f"{game} knows no {kind}", move, kind=kind, game=game)
    return refuse("move_not_due", f"{kind} is not due; {move.player} must {due}", move, kind=kind, expected=due)


def check_next(move: Move, tile: Tile, awaited: Tile | None, rest: Callable[[], Counter[Tile]]) -> None:
    """Check that `tile` can be the next one of the stock, which is `awaited` if it is known.

    Raises:
        IllegalMoveError: `inconsistent_state`.
    """
    if awaited not in {None, tile}:
        message = f"the next tile is {awaited}, not {tile}"
        raise refuse("inconsistent_state", message, move, tile=str(tile), expected=str(awaited))
    if awaited is None and not rest()[tile]:
        raise refuse("inconsistent_state", f"{tile} has been seen elsewhere", move, tile=str(tile))
