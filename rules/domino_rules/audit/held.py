"""What a player held when, reckoned forwards from the deal and backwards from what he showed or played later.

A tile that a player plays later, and that he cannot have drawn in between, was in his hand all the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from domino_rules.audit.finding import Certainty
from domino_rules.moves import Capture, Lead, Move, Play, Quadruple, Reply, Triple
from domino_rules.state import Hand
from domino_rules.tile import Tile


@dataclass(slots=True)
class Held:
    """What is known of a hand at one moment.

    Attributes:
        certain: tiles that were there.
        loose: tiles that he had later, each of which may be one of `drawn_unseen` tiles that he drew in between.
        complete: whether `certain` is the whole hand.
    """

    certain: Counter[Tile] = field(default_factory=Counter)
    loose: Counter[Tile] = field(default_factory=Counter)
    drawn_unseen: int = 0
    complete: bool = False

    def witness(self, wanted: Callable[[Tile], bool]) -> tuple[tuple[Tile, ...], Certainty] | None:
        """Return the tiles of a kind that he held, and whether that is proved; None if nothing tells of one."""
        sure = tuple(sorted(tile for tile in self.certain if wanted(tile)))
        if sure:
            return sure, Certainty.PROVED
        maybe = tuple(sorted(tile for tile in (self.loose - self.certain) if wanted(tile)))
        if not maybe:
            return None
        proved = sum(self.loose[tile] for tile in maybe) > self.drawn_unseen
        return maybe, Certainty.PROVED if proved else Certainty.POSSIBLE


def laid(move: Move) -> Tile | None:
    """Return the tile that leaves the player's hand with the move."""
    return move.tile if isinstance(move, Play | Lead | Reply | Capture | Triple | Quadruple) else None


def holdings(
    dealt: Hand,
    final: Sequence[Tile] | None,
    moves: Sequence[Move],
    gains: Mapping[int, Sequence[Tile | None]],
) -> tuple[Held, ...]:
    """Return what one player held before each of the moves of a hand, and once more at its end.

    Args:
        dealt: his hand at the start.
        final: what he showed at the end; None if he did not.
        moves: his moves; a move of another player stands there as a Pass of that player.
        gains: by index of the move, the tiles that it brought into his hand.
    """
    held = [Held() for _ in range(len(moves) + 1)]
    _forwards(held, dealt, moves, gains)
    _backwards(held, final, moves, gains)
    return tuple(held)


def _forwards(held: list[Held], dealt: Hand, moves: Sequence[Move], gains: Mapping[int, Sequence[Tile | None]]) -> None:
    known, unknown = Counter(dealt.known), dealt.unknown
    for at in range(len(held)):
        held[at].certain |= known
        held[at].complete = unknown == 0
        if at == len(moves):
            break
        tile = laid(moves[at])
        if tile is not None and known[tile]:
            known -= Counter([tile])
        elif tile is not None:
            unknown = max(unknown - 1, 0)
        for gained in gains.get(at, ()):
            unknown += gained is None
            known += Counter([] if gained is None else [gained])


def _backwards(
    held: list[Held], final: Sequence[Tile] | None, moves: Sequence[Move], gains: Mapping[int, Sequence[Tile | None]]
) -> None:
    certain, loose, unseen = Counter(final or ()), Counter[Tile](), 0
    for at in range(len(moves), -1, -1):
        if at < len(moves):
            for gained in gains.get(at, ()):
                if gained is None:
                    loose, certain, unseen = loose + certain, Counter(), unseen + 1
                elif certain[gained]:
                    certain -= Counter([gained])
                else:
                    loose -= Counter([gained])
            tile = laid(moves[at])
            if tile is not None:
                certain += Counter([tile])
        if held[at].complete:  # a tile that he laid or showed besides was never in his hand
            continue
        held[at].certain |= certain
        held[at].loose = +loose
        held[at].drawn_unseen = unseen
