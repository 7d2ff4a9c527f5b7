"""Hands that were under way before anybody looked: taken over as they lie, by who plays next."""

from __future__ import annotations

import pytest

from domino_rules.errors import DominoError, SetupError
from domino_rules.games.chain import ChainState
from domino_rules.moves import Draw, Pass, Play
from domino_rules.record import Record, Source
from domino_rules.record_replay import replay
from domino_rules.tile import Tile
from domino_server.films.answers import truthful
from domino_server.referee import Adjust, Answer, Asked, Paused, Redeal, Referee, Resumed, Settled
from tests.referee_games import Camera, Seen, random_game
from tests.unit.server.test_referee_lines import made, sight, started

BEGUN = "6-6 R:6-3 L:6-2 R:3-3 L:2-5 R:3-1 L:5-5 R:1-4 L:5-0 R:4-4"


def lying(referee: Referee) -> set[Tile]:
    assert isinstance(referee.state, ChainState)
    return set(referee.state.layout.tiles)


def choices(referee: Referee) -> list[str]:
    return [choice.key for choice in referee.questions["next_player"].choices]


@pytest.mark.parametrize("following", ["A", "B", "C", "D"])
def test_a_hand_under_way_is_taken_over_once_it_is_told_who_plays_next(following: str) -> None:
    """The game waits and asks; then all moves are inferred, the turn is as told, the next tile is a move as ever."""
    referee = Referee.start("pincset", ("A", "B", "C", "D"))
    events = referee.see(sight(BEGUN))
    assert [event.pause.code for event in events if isinstance(event, Paused)] == ["too_many_orders"]
    assert [event.question.code for event in events if isinstance(event, Asked)] == ["next_player"]
    assert choices(referee) == ["A", "B", "C", "D"]
    told = referee.tell(Answer("next_player", following))
    assert any(isinstance(event, Resumed) for event in told)
    assert referee.settled
    assert len(referee.ledger.moves) == 10
    assert {(record.source, record.rule) for record in referee.ledger.moves} == {(Source.INFERRED, "taken_over")}
    assert referee.state is not None
    assert referee.state.to_move == following
    referee.see(sight(f"{BEGUN} L:0-1"))
    assert made(referee)[-1] == f"{following} 1-0 L"
    assert referee.ledger.moves[-1].source is Source.SEEN


def test_what_lies_there_is_asked_about_until_an_order_is_lawful() -> None:
    """With a join that does not match no order is lawful: nothing is asked, and the game waits."""
    referee = started((BEGUN.replace("R:4-4", "R:3-2"),))
    assert "next_player" not in referee.questions
    assert referee.pause is not None


def test_a_game_goes_on_after_much_was_played_unseen() -> None:
    """What was seen before stays as it is; passes fill up the turn that is told."""
    referee = started(("6-6", "B"), ("6-6 R:6-3",), (f"{BEGUN} L:0-1",))
    assert choices(referee) == ["A", "B", "C", "D"]
    referee.tell(Answer("next_player", "D"))
    assert made(referee)[:2] == ["B 6-6 start", "C 6-3 R"]
    assert [record.source for record in referee.ledger.moves[:2]] == [Source.SEEN, Source.SEEN]
    assert referee.state is not None
    assert referee.state.to_move == "D"
    assert lying(referee) == {*sight(f"{BEGUN} L:0-1").faces(sight(BEGUN).tiles[0].place.kind)}


def test_moves_that_nobody_saw_score_nothing() -> None:
    """In Cincos an order that was made up would score points that nobody made; the hand goes on from nothing."""
    begun = "5-5 R:5-0 L:5-2 U:5-4 D:5-1 R:0-3 L:2-2 U:4-4 R:3-3 D:1-6"
    referee = Referee.start("cincos", ("A", "B", "C", "D"))
    referee.see(sight(begun, spinner=True))
    referee.tell(Answer("next_player", choices(referee)[0]))
    assert referee.settled
    assert set(referee.ledger.match.totals.values()) == {0}
    assert len(lying(referee)) == 10


@pytest.mark.parametrize("seats", [("A", "B"), ("A", "B", "C")])
def test_who_laid_more_than_he_was_dealt_has_drawn(seats: tuple[str, ...]) -> None:
    """With a boneyard the hand is not over when seven tiles of a player lie there."""
    line = "6-6 R:6-3 L:6-2 R:3-3 L:2-5 R:3-1 L:5-5 R:1-4 L:5-0 R:4-4 L:0-1 R:4-2 L:1-1 R:2-2 L:1-5 R:2-0 L:5-3"
    referee = Referee.start("cincos", seats)
    referee.see(sight(line, spinner=True))
    referee.tell(Answer("next_player", "B"))
    assert referee.state is not None
    assert referee.state.to_move == "B"
    assert referee.state.result is None
    assert all(hand.size >= 1 for hand in referee.state.hands.values())


def test_the_question_is_gone_when_the_table_is_another_one() -> None:
    """Covered or cleared, nobody can take over what no longer lies there as it lay."""
    referee = started((BEGUN,))
    events = referee.see(sight("6-6"))
    assert [event.code for event in events if isinstance(event, Settled)] == ["next_player"]
    with pytest.raises(SetupError, match="no question next_player is open"):
        referee.tell(Answer("next_player", "A"))


ARMS = "5-5 R:5-0 L:5-2 U:5-4 D:5-1 R:0-3 L:2-2 U:4-4 R:3-3 D:1-6"


@pytest.mark.parametrize("seats", ["AB", "ABC", "ABCD"])
@pytest.mark.parametrize("target", [5, 10, 25])
def test_an_order_whose_points_end_the_hand_is_none(seats: str, target: int) -> None:
    """What an order that was made up would score must not end the match: the game waits, or another order is found."""
    referee = Referee.start("cincos", tuple(seats), {"target": target})
    referee.see(sight(ARMS, spinner=True))
    referee.see(sight(ARMS, spinner=True))
    assert referee.pause is not None
    for player in choices(referee)[:1] if "next_player" in referee.questions else ():
        referee.tell(Answer("next_player", player))
        assert not referee.ledger.match.hand_over
        assert len(lying(referee)) == 10


def test_an_answer_that_another_answer_has_overtaken_is_asked_again() -> None:
    """Who opened changes who may be next: nothing breaks, and what can be answered then is offered."""
    referee = Referee.start("cincos", ("A", "B", "C"))
    referee.see(sight("6-6 R:6-3", spinner=True))
    referee.see(sight(BEGUN, spinner=True))
    before = choices(referee)
    referee.tell(Answer("opener", "B"))
    referee.tell(Answer("next_player", before[0]))
    assert "next_player" not in referee.questions or choices(referee) != before
    if "next_player" in referee.questions:
        referee.tell(Answer("next_player", choices(referee)[0]))
    assert referee.settled


def test_points_that_would_end_the_match_leave_the_question_open() -> None:
    """Close to the target nothing can be taken over; the answer is refused, and nothing is lost."""
    referee = Referee.start("cincos", ("A", "B"))
    referee.see(sight("5-5", "A", spinner=True))
    for side in "AB":
        referee.tell(Adjust(side, 135, "the first hands"))
    referee.see(sight(ARMS, spinner=True))
    before = len(referee.ledger.moves)
    with pytest.raises(DominoError):
        referee.tell(Answer("next_player", choices(referee)[0]))
    assert "next_player" in referee.questions
    assert len(referee.ledger.moves) == before


def test_a_hand_that_is_dealt_again_takes_what_was_taken_back_with_it() -> None:
    """Nobody has points of a hand that was not played."""
    referee = Referee.start("cincos", ("A", "B"))
    referee.see(sight(ARMS, spinner=True))
    referee.tell(Answer("next_player", choices(referee)[0]))
    referee.tell(Redeal())
    assert set(referee.ledger.match.totals.values()) == {0}
    assert dict(Referee(referee.ledger.journal).ledger.match.totals) == dict(referee.ledger.match.totals)


def test_a_record_that_was_taken_over_can_be_read_again() -> None:
    """What was taken over is in the record as any other move."""
    referee = started((BEGUN,))
    referee.tell(Answer("next_player", "C"))
    again = Referee(referee.ledger.journal)
    assert made(again) == made(referee)
    assert again.state is not None
    assert again.state.to_move == "C"


def played_in_turn(game: str, seats: tuple[str, ...], seed: int) -> tuple[Record, int]:
    """Return a random hand, and the number of a move before which eight or more tiles were laid, all of them in turn.

    How many tiles a player has left nobody can know where passes and draws were not seen.
    """
    for number in range(seed * 1000, (seed + 1) * 1000):
        record = random_game(game, seats, number, hands=1)
        moves = [step.record.move for step in replay(record).hands[0].steps]
        passes = [at for at, move in enumerate(moves) if isinstance(move, Pass | Draw)] or [len(moves)]
        laid = [at for at, move in enumerate(moves[: passes[0]]) if isinstance(move, Play)]
        if len(laid) > 8:
            return record, laid[min(7 + seed % 5, len(laid) - 2)]
    raise AssertionError("no such hand")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("game", "seats"), [("pincset", "ABCD"), ("cincos", "AB"), ("cincos", "ABC"), ("cincos", "ABCD")]
)
def test_what_is_played_after_a_hand_was_taken_over_is_seen_as_ever(game: str, seats: str, seed: int) -> None:
    """Of random hands whose first half nobody saw, each later tile is a move of who laid it, and the line is whole."""
    record, begun = played_in_turn(game, tuple(seats), seed)
    steps = replay(record).hands[0].steps
    camera = Camera(tuple(seats), Seen(), seed)
    referee = Referee.start(game, tuple(seats), record.options)
    referee.see(camera.look(steps[begun].state))
    following = steps[begun].state.to_move
    assert following is not None
    answer = truthful(referee, referee.questions["next_player"], [step.record.move for step in steps])
    assert answer == Answer("next_player", following)
    referee.tell(Answer("next_player", following))
    taken = len(referee.ledger.moves)
    for step in steps[begun + 1 :]:
        if not isinstance(step.record.move, Pass):
            camera.waiting.append(step.record.move.player)
            referee.see(camera.look(step.state))
    last = steps[-1].state
    assert isinstance(last, ChainState)
    assert lying(referee) == set(last.layout.tiles)
    plays = [record.move for record in referee.ledger.moves[taken:] if isinstance(record.move, Play)]
    assert [(move.player, move.tile) for move in plays] == [
        (step.record.move.player, step.record.move.tile)
        for step in steps[begun + 1 :]
        if isinstance(step.record.move, Play)
    ]
