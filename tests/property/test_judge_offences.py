"""Planted offences of every kind are reported as what they are; legal games raise no alarm."""

from __future__ import annotations

import pytest

from tests.judge_offences import KINDS, Offence, legal_game, offences

EACH = 4


@pytest.mark.parametrize("plant", KINDS, ids=lambda plant: plant.__name__)
def test_each_kind_of_offence_is_reported(plant: Offence) -> None:
    """A planted offence is alerted under its kind, with the player who did it."""
    kind, player, found, _ = plant(77)
    assert (kind, player) in [(alert["kind"], alert["player"]) for alert in found]


def test_forty_planted_offences() -> None:
    """Of 40 offences of all kinds at least 95 in a hundred are reported, right in kind and player."""
    reported = list(offences(EACH))
    assert len(reported) == 40
    assert sum(kind_right and player_right for _, kind_right, player_right in reported) >= 38


@pytest.mark.parametrize(("game", "games"), [("pincset", 8), ("cincos", 8), ("bingo", 6), ("tiu-u", 2)])
def test_legal_games_raise_no_alarm(game: str, games: int) -> None:
    """Fewer than one in 200 legal moves is alerted for good."""
    moves, alerts = 0, 0
    for seed in range(100, 100 + games):
        count, alarmed = legal_game(game, seed)
        moves, alerts = moves + count, alerts + len(alarmed)
    assert alerts < moves / 200
