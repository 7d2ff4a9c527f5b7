"""Planted offences of every kind are reported as what they are; legal games raise no alarm."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judge_offences import KINDS, Offence, Watched, alerts_of_legal_game, legal_game, offences
from tests.referee_games import Seen

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


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), seats=st.sampled_from(["AB", "ABC", "ABCD"]), drop=st.sampled_from([0.0, 0.05]))
def test_nothing_is_proved_against_players_whose_arms_nobody_saw(seed: int, seats: str, drop: float) -> None:
    """In a legal game of Cincos only the turn tells who plays, and passes go unseen: no alert is more than possible."""
    table = Watched("cincos", seed, tuple(seats), Seen(actors=False, drop=drop))
    _, alerts = alerts_of_legal_game(table)
    assert [alert for alert in alerts if alert["certainty"] == "proved"] == []


@pytest.mark.parametrize(
    ("seats", "seed"), [("AB", 6), ("AB", 106), ("ABCD", 270), ("ABCD", 188), ("ABCD", 160), ("ABCD", 173)]
)
def test_legal_games_without_arms_in_which_a_draw_was_proved_illegal_once(seats: str, seed: int) -> None:
    """A pass that nobody saw made the next player's tile the drawer's; an answer was taken for more than it said."""
    for drop in (0.0, 0.05):
        _, alerts = alerts_of_legal_game(Watched("cincos", seed, tuple(seats), Seen(actors=False, drop=drop)))
        assert [alert for alert in alerts if alert["certainty"] == "proved"] == []
