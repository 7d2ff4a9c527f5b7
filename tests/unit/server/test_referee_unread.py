"""Tiu-U where a captured pair lies before a player and is not read: what left the talon tells it, or a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Capture, Turn
from domino_rules.record import Source
from domino_rules.state import find_game
from domino_rules.tile import Tile
from domino_server.films.plays import Plants, Step, play_hand
from domino_server.referee import Answer, Asked, IllegalPlay, Kind, Opener, Place, Referee, Resumed, Sight
from domino_server.referee.reader import PAIR_UNREAD
from tests.referee_games import Camera, Seen
from tests.unit.server.test_referee_tables import at, done, fishing, now, without

TALON = "1-1 1-1 3-3 5-1 6-6 6-6 6-6 6-6 6-5 6-5 6-5 6-5 6-3 5-4 5-5 4-1"


def overlooked(sight: Sight, *players: str) -> Sight:
    """Return a sight at which something was laid before players in which no tile was found."""
    return replace(sight, overlooked=tuple(Place(Kind.PILE, player) for player in players))


def captured(*tiles: str, player: str = "A") -> tuple[Referee, Sight]:
    """Return a referee at a table that tiles have left, for a pair that nobody read before a player, and that table."""
    sight = overlooked(fishing(without(TALON, *tiles)), player)
    return at("tiu-u", fishing(TALON), sight), sight


def test_a_pair_with_one_explanation_is_inferred_and_marked() -> None:
    """Nothing pairs with 1-1 but another one; the game goes on without a word, and its scores are right."""
    referee, _ = captured("1-1")
    assert done(referee) == [Capture("A", Tile(1, 1), Tile(1, 1))]
    made = referee.ledger.moves[0]
    assert (made.source, made.rule) == (Source.INFERRED, PAIR_UNREAD)
    referee.see(fishing(without(TALON, "1-1") + " 2-1", stock=23))
    referee.see(fishing(without(TALON, "1-1", "5-5") + " 2-1", ("", "6-4 5-5"), 23))
    assert done(referee)[1:] == [Turn("A", Tile(2, 1)), Capture("B", Tile(6, 4), Tile(5, 5))]
    assert referee.pause is None


def test_a_tile_that_is_gone_without_a_trace_is_no_capture() -> None:
    """Where nothing came to lie before the player whose turn it is, the tile may only be hidden: the game waits."""
    referee, _ = captured("1-1", player="B")
    assert done(referee) == []
    assert referee.pause is not None
    assert referee.pause.expects == (Tile(1, 1),)


def test_a_pair_that_is_read_at_last_leaves_no_room_for_another_one() -> None:
    """What was overlooked tells of one pair: when that is read, a tile that is only hidden later was not captured."""
    left, pile = without(TALON, "5-5"), ("6-4 5-5", "")
    turned = left + " 2-1"
    later = (turned, pile, 23), (turned + " 2-2", pile, 22), (without(turned, "1-1") + " 2-2", pile, 22)
    tables = [fishing(TALON), overlooked(fishing(left), "A"), fishing(left, pile), *(fishing(*each) for each in later)]
    referee = at("tiu-u", *(replace(sight, at=float(n)) for n, sight in enumerate(tables, 1)))
    assert done(referee)[0] == Capture("A", Tile(6, 4), Tile(5, 5))
    assert not any(made.rule == PAIR_UNREAD for made in referee.ledger.moves[1:])
    assert Capture("A", Tile(1, 1), Tile(1, 1)) not in done(referee)
    assert referee.pause is not None
    assert referee.pause.expects == (Tile(1, 1),)


def test_several_explanations_are_asked_about_once() -> None:
    """4-1 may have gone with 3-2 or with the other 4-1, which count otherwise."""
    referee, sight = captured("4-1")
    asked = referee.questions["which_tile"]
    assert {choice.key for choice in asked.choices} == {"3-2", "4-1"}
    assert not any(isinstance(event, Asked) for event in referee.see(replace(sight, overlooked=())))
    referee.tell(Answer("which_tile", "3-2"))
    assert done(referee) == [Capture("A", Tile(3, 2), Tile(4, 1))]


def test_a_question_is_withdrawn_once_the_pair_is_read() -> None:
    """A later look that finds the pair answers by itself."""
    referee, _ = captured("4-1")
    referee.see(fishing(without(TALON, "4-1"), ("3-2 4-1", "")))
    assert done(referee) == [Capture("A", Tile(3, 2), Tile(4, 1))]
    assert not referee.questions


def test_a_pair_half_of_which_is_read_is_known() -> None:
    """The tile that left the talon and the one that is read tell all."""
    sight = overlooked(fishing(without(TALON, "4-1"), ("3-2", "")), "A")
    referee = at("tiu-u", fishing(TALON), sight)
    assert done(referee) == [Capture("A", Tile(3, 2), Tile(4, 1))]


@pytest.mark.parametrize(("turned", "goes_on"), [("2-1", True), ("5-5", False)])
def test_what_was_captured_lies_there_though_it_is_not_found(turned: str, *, goes_on: bool) -> None:
    """A pile that is not found stays captured, unless a tile of the last pair is back on the talon."""
    left = without(TALON, "5-5")
    referee = at("tiu-u", fishing(TALON), fishing(left, ("6-4 5-5", "")))
    referee.see(fishing(f"{left} {turned}", stock=23 if goes_on else 24))
    assert (referee.pause is None) is goes_on
    assert done(referee)[1:] == ([Turn("A", Tile(2, 1))] if goes_on else [])


def test_a_pair_that_was_taken_out_of_turn_and_put_back_is_captured_no_more() -> None:
    """One alike that lies in the pile from before does not stand for it, nor is the tile from the hand only hidden."""
    talon = TALON.replace("5-4", "5-1")
    left = without(talon, "5-1") + " 4-3"
    referee = at("tiu-u", fishing(talon), fishing(left, ("3-3 5-1", ""), 23))
    assert len(done(referee)) == len(("capture", "turn"))
    said = referee.see(fishing(without(left, "5-1"), ("3-3 5-1 5-1 5-1", ""), 23))
    assert [event.code for event in said if isinstance(event, IllegalPlay)] == ["not_your_turn"]
    said = referee.see(fishing(left, ("3-3 5-1", ""), 23))
    assert any(isinstance(event, Resumed) for event in said)
    referee.see(fishing(without(left, "5-1"), ("3-3 5-1", "5-1 5-1"), 23))
    assert done(referee)[2:] == [Capture("B", Tile(5, 1), Tile(5, 1))]


def test_what_looks_like_a_back_in_a_pile_is_an_unread_tile() -> None:
    """A captured tile read as a back is still there, even if another one like it is turned."""
    left = without(TALON, "5-5")
    back = [replace(t, halves=None) if t.tile is Tile(6, 4) else t for t in fishing(left, ("6-4 5-5", "")).tiles]
    referee = at("tiu-u", fishing(TALON), fishing(left, ("6-4 5-5", "")))
    referee.see(replace(fishing(left), tiles=tuple(back)))
    assert referee.pause is None
    turned = [t for t in fishing(left + " 2-1", stock=23).tiles if t.place.kind is not Kind.PILE]
    referee.see(replace(fishing(left), tiles=(*turned, *(t for t in back if t.place.kind is Kind.PILE))))
    assert now(referee).captured["A"] == (Tile(6, 4), Tile(5, 5))
    assert done(referee)[1:] == [Turn("A", Tile(2, 1))]


def test_a_mate_that_was_left_and_a_pair_that_was_not_read_are_no_misreading() -> None:
    """A tile turned against the rules is not the one that has left the talon since, read otherwise."""
    first = at("tiu-u", fishing(TALON), fishing(without(TALON, "5-5"), ("6-4 5-5", "")))
    said = first.see(fishing(without(TALON, "5-5") + " 6-3", ("6-4 5-5", ""), 23))
    assert [event.code for event in said if isinstance(event, IllegalPlay)] == ["must_capture"]
    gone = fishing(without(TALON, "5-5", "1-1") + " 6-3", ("6-4 5-5", ""), 23)
    assert not any(isinstance(event, Resumed) for event in first.see(gone))
    assert first.pause is not None
    said = first.see(overlooked(fishing(without(TALON, "5-5", "1-1") + " 6-3", ("6-4 5-5", ""), 23), "B"))
    assert any(isinstance(event, Resumed) for event in said)
    assert done(first)[2:] == [Capture("B", Tile(1, 1), Tile(1, 1))]


def dealt(seed: int) -> tuple[Referee, Camera, Sequence[Step]]:
    """Return a referee who was told who opens a random hand, a camera without arms, and the moves of that hand."""
    game, chance = find_game("tiu-u"), Random(seed)
    match = Match(game, ("A", "B"), game.rules())
    match = match.start_hand(game.shuffled_deal(("A", "B"), match.rules, chance))
    _, steps = play_hand(match, chance, Plants([]))
    camera = Camera(("A", "B"), Seen(actors=False), seed)
    referee = Referee.start("tiu-u", ("A", "B"))
    referee.tell(Opener(steps[0].move.player))
    return referee, camera, steps


@pytest.mark.parametrize("seed", range(4))
def test_a_game_that_nobody_saw_for_a_while_is_caught_up_with(seed: int) -> None:
    """Ten captures and turned tiles later the game is where it is, though their order may be a guess."""
    referee, camera, steps = dealt(seed)
    referee.see(camera.look(steps[0].before))
    referee.see(camera.look(steps[9].after))
    assert referee.pause is None
    later, state = steps[9].after, now(referee)
    assert isinstance(later, TiuUState)
    assert (state.finals, Counter(state.talon), len(state.stock)) == (
        later.finals,
        Counter(later.talon),
        len(later.stock),
    )
