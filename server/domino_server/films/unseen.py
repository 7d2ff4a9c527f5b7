"""Hands of which a filmmaker knows the tiles and the rules engine does not: it cannot refuse what only they forbid."""

from __future__ import annotations

from dataclasses import replace

from domino_rules.games import LINE_GAMES
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Draw, Move, Pass, Stood, plain
from domino_rules.state import Deal, GameState, Hand
from domino_server.films.wrong_lines import HIDDEN
from domino_server.films.wrong_pairs import PASSED_OVER


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


class UnseenCatches:
    """The tiles of the players of one hand of Tiu-U and of its stock, as it goes on."""

    def __init__(self, match: Match, deal: Deal) -> None:
        """Take the tiles as they are dealt, all of them known, for the next hand of a match."""
        begun = match.start_hand(deal).state
        assert isinstance(begun, TiuUState)  # noqa: S101 - the game of these hands
        self._match, self._deal, self._state = match, deal, begun

    def dealt(self) -> Match:
        """Return the match with the hand dealt as the rules engine gets it: what is laid down before play is seen."""
        laid = self._state.captured
        hands = {player: Hand.hidden(hand.size, laid[player]) for player, hand in self._deal.hands.items()}
        return self._match.start_hand(Deal(hands, (None,) * len(self._deal.stock), self._deal.table))

    def opened(self, state: GameState) -> GameState:
        """Return the hand as it stands with all tiles known."""
        del state
        return self._state

    def made(self, move: Move) -> Move:
        """Note a move; return it as the rules engine is told of it."""
        if isinstance(move, Pass):
            self._state = replace(self._state, drawing=True)
        else:
            self._state = self._state.let_stand(move) if isinstance(move, Stood) else self._state.apply(move)
        return move

    def shown(self, match: Match) -> Match:
        """Return the match whose hand is over: what the players have left does not count."""
        return match


AnyUnseen = Unseen | UnseenCatches


def unseen_hands(match: Match, deal: Deal, kinds: frozenset[str]) -> AnyUnseen | None:
    """Return the hands of the next hand of a match if the engine, knowing them, would refuse one of the kinds."""
    if match.game.name in LINE_GAMES:
        return Unseen(match, deal) if kinds & HIDDEN else None
    return UnseenCatches(match, deal) if match.game.name == "tiu-u" and PASSED_OVER in kinds else None
