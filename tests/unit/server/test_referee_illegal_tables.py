"""Illegal play at Bingo's and Tiu-U's tables: reported, let stand or put right; answers change what is asked about."""

from __future__ import annotations

from random import Random
from typing import Any

from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.match import Match
from domino_rules.moves import Capture, Lead, Move, Reply, Stood, Turn
from domino_rules.record_replay import Replay, replay
from domino_rules.state import find_game
from domino_rules.tile import Tile, parse_tiles
from domino_server.films.plays import Plants, play_hand
from domino_server.referee import Answer, IllegalPlay, Opener, Referee, Resumed, Sight
from tests.referee_games import Camera, Seen, Table, backs, faces, follow, random_game, referee_for

TALON = "1-1 1-1 1-1 1-1 6-6 6-6 6-6 6-6 6-5 6-5 6-5 6-5 6-4 6-4 5-5 5-5"
SEATS = ("A", "B")


def bingo(trick: str = "", *actors: str, stock: int = 13, piles: tuple[int, int] = (0, 0)) -> Sight:
    """Return a table of Bingo with 5-2 turned up: the trick, the stock, how many tiles lie in each pile."""
    table = Table()
    backs(table, stock, 1, 0)
    faces(table, parse_tiles("5-2"), 1, 1)
    faces(table, parse_tiles(trick) if trick else (), 1, 2)
    for column, count in enumerate(piles):
        backs(table, count, 3, column)
    camera = Camera(SEATS, Seen(), 1)
    camera.waiting = list(actors)
    return camera.sight(table)


def fishing(talon: str, first: str = "", second: str = "", stock: int = 24) -> Sight:
    """Return a table of Tiu-U with what lies before both players."""
    table = Table()
    faces(table, parse_tiles(talon), 1, 3)
    backs(table, stock, 1, 0)
    for column, pile in enumerate((first, second)):
        faces(table, parse_tiles(pile) if pile else (), 3, column)
    return Camera(SEATS, Seen(actors=False), 1).sight(table)


def at(game: str, *sights: Sight) -> Referee:
    referee = Referee.start(game, SEATS)
    referee.tell(Opener("A"))
    for sight in sights:
        referee.see(sight)
    return referee


def done(referee: Referee) -> list[Move]:
    return [record.move for record in referee.ledger.moves]


def now(referee: Referee | Replay) -> Any:
    """Return the hand in progress, of whichever game."""
    return referee.match.state


def codes(events: tuple[object, ...]) -> list[tuple[str, str | None]]:
    return [(event.code, event.player) for event in events if isinstance(event, IllegalPlay)]


def without(talon: str, *tiles: str) -> str:
    left = talon.split()
    for tile in tiles:
        left.remove(tile)
    return " ".join(left)


TRICK = (bingo(), bingo("6-3", "A"), bingo("6-3 4-0", "B"))


def test_wrong_player_carries_the_trick_off_and_leads() -> None:
    """It is reported before the next lead; when he leads, the trick and its points are his."""
    referee = at("bingo", *TRICK)
    assert codes(referee.see(bingo(piles=(0, 2)))) == [("wrong_taker", "B")]
    referee.see(bingo("6-4", "B", stock=11, piles=(0, 2)))
    assert Stood(Reply("B", Tile(4, 0)), taker="B") in done(referee)
    assert done(referee)[-1] == Lead("B", Tile(6, 4))
    assert now(referee).points["B"] > 0
    assert referee.settled
    assert replay(referee.record).match.state == referee.ledger.state


def test_a_pile_that_is_counted_wrong_still_tells_by_its_growth() -> None:
    """One tile of an earlier trick lies where it is not counted: whose pile grows by two has taken the next trick."""
    begun = (*TRICK, bingo(piles=(1, 0)), bingo("6-4", "A", stock=11, piles=(1, 0)))
    lying = bingo("6-4 3-1", "B", stock=11, piles=(1, 0))
    wrong = at("bingo", *begun, lying)
    assert codes(wrong.see(bingo(stock=11, piles=(1, 2)))) == [("wrong_taker", "B")]
    right = at("bingo", *begun, lying)
    assert codes(right.see(bingo(stock=11, piles=(3, 0)))) == []
    assert right.settled


def test_trick_that_is_given_back() -> None:
    """Once the tiles lie in the right pile the game goes on as if nothing had been."""
    referee = at("bingo", *TRICK, bingo(piles=(0, 2)))
    events = referee.see(bingo(piles=(2, 0)))
    assert any(isinstance(event, Resumed) for event in events)
    assert referee.settled
    assert done(referee)[-1] == Reply("B", Tile(4, 0))


def test_answers_to_whose_trick_it_is() -> None:
    """`table` gives the trick to the one who has it; `rules` leaves it, and it is not asked again."""
    kept = at("bingo", *TRICK, bingo(piles=(0, 2)))
    kept.tell(Answer("taker_differs", "table"))
    assert now(kept).taker == "B"
    assert kept.settled
    left = at("bingo", *TRICK, bingo(piles=(0, 2)))
    left.tell(Answer("taker_differs", "rules"))
    assert now(left).taker == "A"
    left.see(bingo(piles=(0, 2)))
    assert left.settled


def test_wrong_player_leads() -> None:
    """Who leads though the other one took the trick is reported, and it stands once the reply is laid."""
    referee = at("bingo", *TRICK, bingo(piles=(2, 0)))
    assert codes(referee.see(bingo("6-4", "A", "B", "B", stock=11, piles=(2, 0)))) == [("not_your_turn", "B")]
    referee.see(bingo("6-4 3-1", "A", stock=11, piles=(2, 0)))
    assert done(referee)[-2:] == [Stood(Lead("B", Tile(6, 4))), Reply("A", Tile(3, 1))]


def test_reply_against_the_rules_stands_when_the_next_tile_is_led() -> None:
    """A reply that cannot be is reported; the trick counts as it lies once the game goes on."""
    referee = at("bingo", *TRICK, bingo(stock=11), bingo("6-4", "A", stock=11))
    assert codes(referee.see(bingo("6-4 5-2", "B", stock=11))) == [("not_in_hand", "B")]
    taker = now(replay(referee.record)).let_stand(Stood(Reply("B", Tile(5, 2)))).taker
    referee.see(bingo("3-1", taker, stock=9))
    assert Stood(Reply("B", Tile(5, 2))) in done(referee)
    assert done(referee)[-1] == Lead(taker, Tile(3, 1))


def test_pair_that_is_none_stands_when_the_next_tile_is_turned() -> None:
    """Two tiles of unequal weight before a player are reported; they are his when he turns the next tile."""
    referee = at("tiu-u", fishing(TALON))
    taken = without(TALON, "5-5")
    assert codes(referee.see(fishing(taken, "5-5 6-3"))) == [("no_pair", "A")]
    assert done(referee) == []
    referee.see(fishing(taken + " 4-2", "5-5 6-3", stock=23))
    assert done(referee) == [Stood(Capture("A", Tile(6, 3), Tile(5, 5))), Turn("A", Tile(4, 2))]
    assert referee.settled


def test_pair_that_is_put_back() -> None:
    """Once the tiles are back the player captures another pair."""
    referee = at("tiu-u", fishing(TALON), fishing(without(TALON, "5-5"), "5-5 6-3"))
    referee.see(fishing(without(TALON, "5-5"), "5-5 6-4"))
    assert done(referee) == [Capture("A", Tile(6, 4), Tile(5, 5))]
    assert referee.settled


def test_mate_that_was_left() -> None:
    """A turned tile that pairs must take its mate; left lying it is reported, and stands when the game goes on."""
    referee = at("tiu-u", fishing(TALON))
    assert codes(referee.see(fishing(TALON + " 6-4", stock=23))) == [("must_capture", "A")]
    referee.see(fishing(without(TALON, "1-1") + " 6-4", "", "1-1 6-4", stock=23))
    assert Stood(Turn("A", Tile(6, 4))) in done(referee)
    assert referee.pause is not None
    referee.see(fishing(without(TALON, "5-5") + " 6-4", "", "5-5 6-4", stock=23))
    assert done(referee)[-1] == Capture("B", Tile(6, 4), Tile(5, 5))
    assert referee.settled


def test_stock_that_lies_as_before_is_as_long_as_after_the_play_that_stands() -> None:
    """A back is overlooked while a play against the rules lies there: a stock that nothing changed is no shorter."""
    referee = at("tiu-u", fishing(TALON))
    assert codes(referee.see(fishing(TALON + " 6-4", stock=22))) == [("must_capture", "A")]
    after = fishing(without(TALON, "5-5") + " 6-4", "", "5-5 6-4", stock=22)
    referee.see(after.noted((True,) * len(after.tiles)))
    assert done(referee)[1:] == [Stood(Turn("A", Tile(6, 4))), Capture("B", Tile(6, 4), Tile(5, 5))]


def test_capture_out_of_turn() -> None:
    """A capture by a player whose turn it is not is reported with his name."""
    referee = at("tiu-u", fishing(TALON))
    assert codes(referee.see(fishing(without(TALON, "5-5"), "", "5-5 6-4"))) == [("not_your_turn", "B")]


def recounted(answer: str) -> tuple[Referee, dict[str, int], dict[str, int]]:
    """Return a referee after a hand of Tiu-U whose piles show other tiles than were played, and the totals."""
    record = random_game("tiu-u", "AB", 4, 1)
    referee = referee_for(record)
    follow(referee, record, Camera(SEATS, Seen(), 4))
    state = replay(record).match.state
    assert isinstance(state, TiuUState)
    first, second = state.captured["A"], state.captured["B"]
    table = Table()
    faces(table, state.talon, 1, 3)
    faces(table, first[2:], 3, 0)
    faces(table, (*second, *first[:2]), 3, 1)
    referee.see(Camera(SEATS, Seen(), 1).sight(table))
    before = dict(referee.ledger.match.totals)
    assert "piles_differ" in referee.questions
    referee.tell(Answer("piles_differ", answer))
    return referee, before, dict(referee.ledger.match.totals)


def test_recount_of_the_piles_changes_what_is_paid() -> None:
    """`piles` settles by what lies before the players, zero-sum; `game` leaves the score; neither is asked again."""
    referee, before, after = recounted("piles")
    assert after != before
    assert sum(after.values()) == sum(before.values()) == 0
    assert "piles_differ" not in referee.questions
    referee, before, after = recounted("game")
    assert after == before
    assert "piles_differ" not in referee.questions


def test_a_capture_after_a_turn_that_nobody_saw_is_not_called_out_of_turn() -> None:
    """The stock is a tile shorter than the moves make it: the table is waited for, no player is blamed."""
    captured = (without(TALON, "5-5"), "", "6-4 5-5")
    assert codes(at("tiu-u", fishing(TALON)).see(fishing(*captured))) == [("not_your_turn", "B")]
    waiting = at("tiu-u", fishing(TALON))
    assert codes(waiting.see(fishing(*captured, stock=23))) == []
    assert waiting.pause is not None
    waiting.see(fishing(captured[0] + " 4-2", "", "6-4 5-5", stock=23))
    assert done(waiting)[1:] == [Turn("A", Tile(4, 2)), Capture("B", Tile(6, 4), Tile(5, 5))]
    assert waiting.pause is None


def test_nobody_is_blamed_for_what_many_unseen_moves_may_explain() -> None:
    """A mate left lying is reported when the turn is seen; after five moves that nobody saw the table is waited for."""
    game, chance = find_game("tiu-u"), Random(5)
    match = Match(game, SEATS, game.rules())
    match = match.start_hand(game.shuffled_deal(SEATS, match.rules, chance))
    _, steps = play_hand(match, chance, Plants([5]), stands=True)
    wrong = next(number for number, step in enumerate(steps) if step.code == "must_capture")
    camera = Camera(SEATS, Seen(actors=False), 5)
    first, last = camera.look(steps[0].before), camera.look(steps[wrong].after)
    watching, away = (Referee.start("tiu-u", SEATS) for _ in range(2))
    for referee in (watching, away):
        referee.tell(Opener(steps[0].move.player))
        referee.see(first)
    for step in steps[:wrong]:
        assert codes(watching.see(camera.look(step.after))) == []
    assert codes(watching.see(last)) == [("must_capture", steps[wrong].move.player)]
    assert codes(away.see(last)) == []
    assert away.pause is not None
