"""Audits of records that contradict themselves: what is certain stays certain, and nothing is accused without cause."""

from domino_rules.audit import audit
from domino_rules.record import parse_record

_DEALT = """\
Game: pincset
Seats: A B C D

Hand 1
Deal A: 6-6 6-5 5-4 4-3 3-2 2-1 1-0
Deal B: 5-5 4-4 3-3 2-2 1-1 0-0 5-3
Deal C: 6-0 6-1 6-2 5-0 5-1 4-0 4-1
Deal D: 6-3 6-4 5-2 4-2 3-0 3-1 2-0
A 6-6 start
B passes
C 6-0 L
D 6-3 R
A 1-0 L
B 6-4 R
"""


def test_a_tile_that_was_never_in_a_known_hand_proves_no_earlier_pass_wrong() -> None:
    """B was dealt no six: laying one later is the only offence, the pass before was right."""
    found = [(finding.move, finding.code) for finding in audit(parse_record(_DEALT)) if finding.move is not None]
    assert (6, "not_in_hand") in found
    assert not [code for move, code in found if move == 2]


def test_a_move_of_another_game_is_a_finding_not_a_failure() -> None:
    """Tripling and quadrupling belong to Tiu-U; elsewhere they are wrong moves and take nothing from the boneyard."""
    text = "Game: cincos\nSeats: A B\n\nHand 1\nA 6-5 start\nB draws ?\nB quadruples 6-5\nB triples 6-5\n"
    found = [(finding.move, finding.code) for finding in audit(parse_record(text))]
    assert (3, "wrong_move") in found
    assert (4, "wrong_move") in found
