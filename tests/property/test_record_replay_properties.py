"""Random matches of every game as records: they round-trip, replay, and pass their own audit; tampering is found."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domino_rules.audit import audit, audit_results
from domino_rules.games.tiu_u import opening_pairs
from domino_rules.moves import Draw, Pass, Play
from domino_rules.record import Correction, MoveRecord, Record, parse_record
from domino_rules.record_replay import random_record, replay
from domino_rules.score import Ledger
from domino_rules.state import Deal, Hand, find_game

HOUSES = [
    ("pincset", "ABCD", {}),
    ("pincset", "ABCD", {"series_games": 2, "target": 150, "premium_by": "domino_count", "force_66": False}),
    ("cincos", "AB", {"target": 60}),
    ("cincos", "ABC", {"target": 60, "block_tie": "split", "round_scope": "each"}),
    ("cincos", "ABCD", {"target": 60, "sides": "pairs"}),
    ("cincos", "AB", {"target": 60, "boneyard_keeps": 2, "finish": "end_of_hand", "lone_spinner_counts": "each_end"}),
    ("bingo", "AB", {"sets_to_win": 3}),
    ("bingo", "AB", {"preset": "classic", "sets_to_win": 3, "unable": "lose_hand", "close_timing": "until_lead"}),
    ("bingo", "AB", {"sets_to_win": 3, "hand_ends_at_70": False, "follow": "high_then_low", "last_trump_to": "loser"}),
    ("tiu-u", "AB", {}),
    ("tiu-u", "ABC", {"hand_capture": "optional", "draw_chain": False, "quad_source": "drawn_too", "quad_buys": 4}),
]
house = pytest.mark.parametrize(("game", "seats", "options"), HOUSES)
seeds = given(st.integers(0, 2**32 - 1))
few = settings(deadline=None, max_examples=6)


def played(game: str, seats: str, options: dict[str, object], seed: int) -> Record:
    found = find_game(game)
    return random_record(found, found.rules(**options), list(seats), Random(seed))


@house
@few
@seeds
def test_a_match_round_trips_and_replays(game: str, seats: str, options: dict[str, object], seed: int) -> None:
    """The text of a record replays to the same match, whose totals are those that were told."""
    record = played(game, seats, options, seed)
    again = parse_record(str(record))
    assert again == record
    assert replay(again) == replay(record)


@house
@few
@seeds
def test_a_legal_match_has_no_finding(game: str, seats: str, options: dict[str, object], seed: int) -> None:
    """The audit finds nothing in a match of legal moves, and derives the engine's own results."""
    record = played(game, seats, options, seed)
    match = replay(record).match
    hands = audit_results(record)
    assert [finding for hand in hands for finding in hand.findings] == []
    for audited, result in zip(hands, match.results, strict=True):
        assert audited.result is not None
        assert (audited.result.kind, audited.result.side) == (result.kind, result.side)
        ours, theirs = (Ledger(r.events).totals(match.sides, match.game.unit) for r in (audited.result, result))
        assert ours == theirs


@house
@few
@seeds
def test_hidden_hands_raise_no_false_alarm(game: str, seats: str, options: dict[str, object], seed: int) -> None:
    """With hidden hands and an unseen stock a legal match still has no finding but its missing ends."""
    record = played(game, seats, options, seed)
    hidden = []
    for hand in record.hands:
        hands = {
            player: Hand.hidden(held.size, opening_pairs(held)[0] if game == "tiu-u" else ())
            for player, held in hand.deal.hands.items()
        }
        hidden.append(replace(hand, deal=Deal(hands, (), hand.deal.table)))
    findings = audit(replace(record, hands=tuple(hidden)))
    assert {finding.code for finding in findings} <= {"hand_unfinished"}


@house
@few
@seeds
def test_hands_shown_at_the_end_prove_no_legal_move_wrong(
    game: str, seats: str, options: dict[str, object], seed: int
) -> None:
    """Reckoned backwards from the tiles shown at the end, a legal match has no finding, and its scores are right."""
    record = played(game, seats, options, seed)
    hands = []
    for hand, ended in zip(record.hands, replay(record).hands, strict=True):
        state = ended.played.state
        assert state is not None
        hidden = {
            player: Hand.hidden(held.size, opening_pairs(held)[0] if game == "tiu-u" else ())
            for player, held in hand.deal.hands.items()
        }
        shown = {player: held.tiles or () for player, held in state.hands.items()}
        hands.append(replace(hand, deal=Deal(hidden, (), hand.deal.table), shown=shown))
    assert audit(replace(record, hands=tuple(hands))) == ()


@house
@few
@given(st.integers(0, 2**32 - 1), st.randoms(use_true_random=False))
def test_a_correction_leaves_no_trace(
    game: str, seats: str, options: dict[str, object], seed: int, chance: Random
) -> None:
    """A move noted wrongly anywhere and corrected equals one noted right from the start."""
    record = played(game, seats, options, seed)
    at = chance.randrange(len(record.hands))
    hand = record.hands[at]
    place = chance.randrange(len(hand.moves))
    right = hand.moves[place]
    wrong = (*hand.moves[:place], MoveRecord(Pass(chance.choice(seats))), *hand.moves[place + 1 :])
    fixed = replace(hand, moves=wrong, corrections=(Correction(place + 1, "replace", right),))
    assert replay(replace(record, hands=(*record.hands[:at], fixed, *record.hands[at + 1 :]))) == replay(record)


@pytest.mark.parametrize(("game", "seats"), [("pincset", "ABCD"), ("cincos", "AB")])
@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.randoms(use_true_random=False))
def test_a_play_replaced_by_a_pass_or_draw_is_proved(game: str, seats: str, seed: int, chance: Random) -> None:
    """Whoever held the tile that he really played is caught when the record has him pass (or draw) instead."""
    found = find_game(game)
    record = random_record(found, found.rules(), list(seats), Random(seed), hands=1)
    hand = record.hands[0]
    plays = [at for at, moved in enumerate(hand.moves) if at and isinstance(moved.move, Play)]
    at = chance.choice(plays)
    player = hand.moves[at].move.player
    cheat = Pass(player) if game == "pincset" else Draw(player, hand.deal.stock[-1])
    cheated = replace(hand, moves=(*hand.moves[:at], MoveRecord(cheat)), scores=())
    codes = {(finding.code, finding.move) for finding in audit(replace(record, hands=(cheated,)))}
    assert (("illegal_pass" if game == "pincset" else "illegal_draw"), at + 1) in codes


@few
@given(st.lists(st.integers(0, 27), min_size=1, max_size=30), st.integers(0, 2**32 - 1), st.randoms())
def test_the_audit_survives_any_moves(shuffled: list[int], seed: int, chance: Random) -> None:
    """Moves in any order, of any game, are audited without an error."""
    for game, seats in (("pincset", "ABCD"), ("cincos", "ABC"), ("bingo", "AB"), ("tiu-u", "AB")):
        found = find_game(game)
        record = random_record(found, found.rules(), list(seats), Random(seed), hands=1)
        foreign = random_record(find_game("tiu-u"), find_game("tiu-u").rules(), ["A", "B"], Random(seed), hands=1)
        moves = [*record.hands[0].moves, *foreign.hands[0].moves[:4]]
        mixed = [moves[at % len(moves)] for at in shuffled] + moves
        chance.shuffle(mixed)
        text = str(replace(record, hands=(replace(record.hands[0], moves=tuple(mixed)),)))
        assert audit(parse_record(text))
