"""Hands of which a filmmaker knows the tiles and the rules engine does not: it cannot refuse what only they forbid."""

from __future__ import annotations

from domino_rules.games.chain import ChainState
from domino_rules.match import Match
from domino_rules.moves import Draw, Move, plain
from domino_rules.state import Deal, GameState, Hand


class Unseen:
    """The tiles of the players of one hand, as it goes on."""

    def __init__(self, match: Match, deal: Deal) -> None:
        """Take the tiles as they are dealt, all of them known, for the next hand of a match."""
        self._match, self._begun = match, match.start_hand(deal).state
        self._held = {player: list(hand.known) for player, hand in deal.hands.items()}
        self._stock = list(deal.stock)

    def dealt(self) -> Match:
        """Return the match with the hand dealt as the rules engine gets it."""
        hidden = {player: Hand.hidden(len(tiles)) for player, tiles in self._held.items()}
        return self._match.start_hand(Deal(hidden, (None,) * len(self._stock)))

    def opened(self, state: GameState) -> GameState:
        """Return a state of the hand with all players' tiles known."""
        if not isinstance(state, ChainState):
            return state
        if not state.moves and self._begun is not None:
            return self._begun
        for player, tiles in self._held.items():
            state = state.reveal(player, tiles)
        return state

    def made(self, move: Move) -> Move:
        """Note a move; return it as the rules engine is told of it."""
        if isinstance(move, Draw):
            tile = self._stock.pop(0)
            assert tile is not None  # noqa: S101 - the deal is known
            self._held[move.player].append(tile)
            return Draw(move.player)
        laid = getattr(plain(move), "tile", None)
        if laid is not None:
            self._held[move.player].remove(laid)
        return move

    def shown(self, match: Match) -> Match:
        """Return the match whose hand is over, with what the players have left."""
        for player, tiles in self._held.items():
            match = match.reveal(player, tiles)
        return match
