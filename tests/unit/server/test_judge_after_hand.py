"""After the hand: planted illegal passes are all found once hands are shown, none is invented; what-ifs."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from domino_rules.layout import Arm, Layout
from domino_rules.record import Record, parse_record
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.judge.after_hand import alternatives_of, audit_hand

PLAYERS = ("Ana", "Bo", "Cleo", "Dan")
SIZES = {"pincset": 7, "cincos": 5}


@dataclass
class Planted:
    """A hand as a careless table played it: the record, with hidden hands shown at the end, and the wrong passes."""

    lines: list[str] = field(default_factory=list)
    wrong: set[int] = field(default_factory=set)
    moves: int = 0

    def add(self, text: str) -> None:
        self.lines.append(text)
        self.moves += 1


def planted_hand(game: str, chance: Random, wrong: int) -> tuple[Record, set[int]]:
    """Return the record of a random hand in which up to `wrong` passes were illegal, and the numbers of those moves."""
    tiles = list(DOUBLE_SIX)
    chance.shuffle(tiles)
    size = SIZES[game]
    hands = {player: tiles[at * size : (at + 1) * size] for at, player in enumerate(PLAYERS)}
    stock = tiles[len(PLAYERS) * size :]
    doubles = [tile for hand in hands.values() for tile in hand if tile.is_double]
    if not doubles:
        return planted_hand(game, chance, wrong)
    lead = max(doubles, key=lambda tile: tile.high)
    turn = next(at for at, player in enumerate(PLAYERS) if lead in hands[player])
    played, layout = Planted(), Layout(with_spinner=game == "cincos").put(lead, Arm.START, lead.high)
    hands[PLAYERS[turn]].remove(lead)
    played.add(f"{PLAYERS[turn]} {lead} start")
    passes = 0
    while all(hands.values()) and passes < len(PLAYERS):
        turn = (turn + 1) % len(PLAYERS)
        layout, passes = turn_of(PLAYERS[turn], hands, stock, layout, (played, chance, wrong, passes))
    shown = [f"Shown {player}: {' '.join(map(str, hand)) or 'none'}" for player, hand in hands.items()]
    head = [f"Game: {game}", f"Seats: {' '.join(PLAYERS)}", "", "Hand 1"]
    return parse_record("\n".join([*head, *played.lines, *shown])), played.wrong


def turn_of(
    player: str, hands: dict[str, list[Tile]], stock: list[Tile], layout: Layout,
    so_far: tuple[Planted, Random, int, int],
) -> tuple[Layout, int]:  # fmt: skip
    """Play one turn: draw while nothing fits, play, pass, or pass wrongly."""
    played, chance, wrong, passes = so_far
    hand = hands[player]
    while not any(layout.fits(tile) for tile in hand) and stock:
        hand.append(stock.pop())
        played.add(f"{player} draws ?")
    fitting = [tile for tile in hand if layout.fits(tile)]
    often = 0.8 if layout.with_spinner else 0.25
    wrongly = fitting and not stock and len(played.wrong) < wrong and chance.random() < often
    if not fitting or wrongly:
        played.add(f"{player} passes")
        played.wrong |= {played.moves} if wrongly else set()
        return layout, passes + 1
    tile = chance.choice(fitting)
    arm = chance.choice(list(layout.fits(tile)))
    inner = next(end.pips for end in layout.open_ends if end.arm is arm)
    hand.remove(tile)
    played.add(f"{player} {tile} {arm.value}")
    return layout.put(tile, arm, inner), 0


@pytest.mark.parametrize(("game", "least"), [("pincset", 100), ("cincos", 10)])
def test_planted_illegal_passes_are_all_found_and_none_invented(game: str, least: int) -> None:
    """100 random hands with 0 to 3 illegal passes: with the hands shown each is proved, and no other pass is."""
    chance, planted, found = Random(26), 0, 0
    for number in range(100):
        record, wrong = planted_hand(game, chance, number % 4)
        audited = audit_hand(record, 1)
        proved = {verdict.move for verdict in audited.passes if verdict.verdict == "proved"}
        assert proved == wrong, (number, str(record))
        assert all(verdict.verdict in {"proved", "clear"} for verdict in audited.passes)
        assert all(verdict.tiles for verdict in audited.passes if verdict.move in wrong)
        planted, found = planted + len(wrong), found + len(proved)
    assert planted == found >= least


def test_a_pass_without_a_shown_hand_stays_unknown() -> None:
    """As long as a hand is hidden, nothing clears its passes; the frame by which a pass was seen is named."""
    text = "Game: pincset\nSeats: Ana Bo Cleo Dan\n\nHand 1\nAna 6-6 start\nBo passes\nCleo 6-1 L\n"
    (verdict,) = audit_hand(parse_record(text), 1, frames={2: "frame.jpg"}).passes
    assert (verdict.verdict, verdict.evidence) == ("unknown", "frame.jpg")
    shown = audit_hand(parse_record(text), 1, final_hands={"Bo": [Tile(5, n) for n in range(6)] + [Tile(4, 4)]})
    assert shown.passes[0].verdict == "clear"
    held = audit_hand(parse_record(text), 1, final_hands={"Bo": [Tile(6, 2), *(Tile(5, n) for n in range(6))]})
    assert (held.passes[0].verdict, held.passes[0].tiles) == ("proved", (Tile(6, 2),))


def test_what_would_change_the_result_comes_by_probability() -> None:
    """A last tile that may be another one changes the points; a reading that changes nothing is left out."""
    text = """Game: cincos
Seats: Ana Bo
Option.target: 30

Hand 1
Deal Ana: 3-3 4-0 6-4 6-2 4-2 3-1 5-5
Deal Bo: 1-1 6-0 6-1 5-0 4-1 2-0 5-1
Ana 5-5 start
Bo 5-0 R
Ana 4-0 R
Bo 4-1 R
Ana 3-1 R
Bo 5-1 L
"""
    record = parse_record(text)
    audited = audit_hand(record, 1, alternatives={2: [(Tile(5, 2), 0.02)], 5: [(Tile(1, 1), 0.2), (Tile(2, 1), 0.1)]})
    assert audited.result is None
    again = audit_hand(parse_record(text.replace("30", "10")), 1, alternatives={1: [(Tile(4, 4), 0.3)]})
    assert again.result is not None
    (other,) = again.counterfactuals
    assert (other.move, other.said, other.instead, other.probability) == (1, "Ana 5-5 start", "Ana 4-4 start", 0.3)
    assert "not_in_hand" in other.findings


def test_alternatives_come_from_the_kept_distributions() -> None:
    """What a half may be besides becomes other tiles with their probabilities."""
    text = "Game: pincset\nSeats: Ana Bo Cleo Dan\n\nHand 1\nAna 6-6 start\nBo 6-4 R\n"
    facts = {"tiles": [{"tile": "6-4", "halves_p": [{"6": 0.9, "5": 0.1}, {"4": 1.0, "back": 0.0}]}]}
    found = alternatives_of([({}, facts)], parse_record(text).hands[0])
    assert found == {2: [(Tile(5, 4), 0.1)]}
