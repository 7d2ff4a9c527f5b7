"""Audit of the deal: no tile more often than the set has it, no foreign tile, nothing missing."""

from __future__ import annotations

from collections import Counter

from domino_rules.audit.case import Case
from domino_rules.tile import Tile


def audit_deal(case: Case) -> None:
    """File what cannot be about the tiles of a hand: dealt, drawn, played and shown together."""
    case.number = None
    tile_set = case.seating.game.tile_set
    places = _places(case)
    everywhere = sum(places.values(), Counter[Tile]())
    foreign = sorted(tile for tile in everywhere if tile not in tile_set)
    if foreign:
        case.find("not_in_set", None, foreign, set=tile_set.name)
    already = {tile for found in case.findings if found.code == "duplicate_tile" for tile in found.tiles}
    for tile in sorted(everywhere):
        allowed = tile_set.copies(tile)
        if allowed and everywhere[tile] > allowed and tile not in already:
            where = ", ".join(sorted(place for place, tiles in places.items() if tiles[tile]))
            case.find("tile_twice", None, (tile,), places=where, times=everywhere[tile], copies=allowed)
    total = sum(hand.size for hand in case.deal.hands.values()) + len(case.deal.stock) + len(case.deal.table)
    if total != len(tile_set):
        case.find(
            "tiles_missing" if total < len(tile_set) else "tiles_too_many", None, total=total, expected=len(tile_set)
        )
    _audit_shown(case)


def _places(case: Case) -> dict[str, Counter[Tile]]:
    """Return the tiles that each hand certainly held at the start, and those of the stock and the table."""
    places = {seat: Counter(held[0].certain) for seat, held in case.held.items()}
    places["stock"] = Counter(tile for tile in case.deal.stock if tile is not None) + case.told_stock
    places["table"] = Counter(case.deal.table)
    for seat, hand in case.deal.hands.items():
        places[seat] += Counter(hand.known) - Counter(case.hands[seat].known)  # laid down before play
    return places


def _audit_shown(case: Case) -> None:
    """File a hand shown at the end that is not what was dealt and drawn less what was played."""
    for player, shown in case.final.items():
        if player not in case.held:
            case.find("unknown_player", player)
            continue
        case.number = len(case.moves) + 1
        reckoned = case.reckoned(player)
        case.number = None
        if reckoned is None:
            continue
        wrong = sorted((Counter(shown) - reckoned) + (reckoned - Counter(shown)))
        if wrong:
            held = " ".join(map(str, sorted(reckoned.elements())))
            case.find("hand_mismatch", player, wrong, shown=" ".join(map(str, shown)), expected=held)
