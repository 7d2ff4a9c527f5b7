"""Rules, replays and findings as plain JSON values and as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from domino_rules.audit import Certainty, Finding, audit
from domino_rules.explain import explain, explain_score
from domino_rules.layout import Layout, LayoutProblem
from domino_rules.notation import format_move
from domino_rules.record import Record
from domino_rules.record_replay import HandReplay, Replay
from domino_rules.score import ScoreEvent
from domino_rules.state import Game
from domino_rules.tile import Tile


def plain(value: Any) -> Any:
    """Return a value as JSON holds it: tiles and codes as text, mappings with text keys, sequences as lists."""
    if isinstance(value, Tile):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def game_json(game: Game, lang: str) -> dict[str, Any]:
    """Return a game with its options, what they mean and where they come from."""
    options = [
        {
            "name": option.name,
            "default": plain(option.default),
            "choices": plain(option.choices),
            "meaning": explain(f"option.{game.name}.{option.name}", {}, lang),
            "source": option.source,
        }
        for option in game.options
    ]
    presets = plain(getattr(game, "presets", {}))
    return {
        "game": game.name,
        "title": explain(f"game.{game.name}", {}, lang),
        "aliases": list(game.aliases),
        "players": list(game.player_counts),
        "set": game.tile_set.name,
        "tiles": len(game.tile_set),
        "unit": game.unit,
        "options": options,
        "presets": presets,
    }


def layout_problems(layout: Layout) -> list[str]:
    """Return what no rule allows in a layout, in words."""
    found = [f"{placement} does not match the half that it touches" for placement in layout.unmatched()]
    problems = layout.problems()
    if LayoutProblem.DUPLICATE_TILE in problems:
        often = [str(tile) for tile, count in Counter(layout.tiles).items() if count > 1]
        found.append(f"{', '.join(often)} lies there more than once")
    if LayoutProblem.ARM_CLOSED in problems:
        covered = "open once both sides of the spinner are covered"
        found.append(f"the arms U and D {covered if layout.spinner else 'belong to a spinner, and there is none'}")
    return found


def proved_until(record: Record, hand: int | None, move: int | None) -> list[Finding]:
    """Return what was proved against the rules in a hand, up to a move.

    Args:
        record: the match.
        hand: number of the hand; the last one if None.
        move: number of the move; the last one if None.
    """
    shown = record.corrected().hands[-1].number if hand is None else hand
    return [
        finding
        for finding in audit(record)
        if finding.hand == shown
        and finding.certainty is Certainty.PROVED
        and (move is None or finding.move is None or finding.move <= move)
    ]


def event_json(event: ScoreEvent) -> dict[str, Any]:
    """Return a score with its evidence."""
    evidence = [
        {
            key: plain(value)
            for key, value in (
                ("code", addend.code),
                ("value", addend.value),
                ("tile", addend.tile),
                ("arm", addend.arm),
                ("player", addend.player),
            )
            if value is not None
        }
        for addend in event.evidence
    ]
    return {
        "side": event.side,
        "points": event.points,
        "unit": event.unit,
        "reason": event.reason,
        "player": event.player,
        "evidence": evidence,
    }


def replay_json(replay: Replay) -> dict[str, Any]:
    """Return a replay: each hand's moves with their scores, results and totals."""
    return {
        "game": replay.match.game.name,
        "options": plain(replay.match.rules.changed()),
        "seats": list(replay.match.seats),
        "sides": plain(replay.match.sides),
        "hands": [_hand_json(hand) for hand in replay.hands],
        "totals": replay.totals(),
        "unit": replay.match.game.unit,
        "winner": replay.winner,
    }


def _hand_json(hand: HandReplay) -> dict[str, Any]:
    moves = [
        {
            "number": number,
            "move": format_move(step.record.move),
            "source": step.record.source.value,
            "events": [event_json(event) for event in step.events],
        }
        for number, step in enumerate(hand.steps, 1)
    ]
    result = None
    if hand.result is not None:
        result = {
            "kind": hand.result.kind,
            "side": hand.result.side,
            "player": hand.result.player,
            "pending": hand.result.pending,
            "events": [event_json(event) for event in hand.result.events],
        }
    return {"number": hand.number, "opener": hand.played.context.opener, "moves": moves, "result": result}


def replay_lines(replay: Replay, lang: str) -> Iterator[str]:
    """Yield the lines that show a replay: every move, what it scored and why, each hand's end, the totals."""
    running = dict.fromkeys(replay.match.sides, 0)
    for hand in replay.hands:
        yield explain("label.hand", {"number": hand.number}, lang)
        width = len(str(len(hand.steps)))
        yield from (f"  {explain_score(event, lang)}" for event in hand.opening)
        for number, step in enumerate(hand.steps, 1):
            yield f"  {number:>{width}}. {format_move(step.record.move)}"
            yield from (f"  {'':>{width}}    {explain_score(event, lang)}" for event in step.events)
        yield from (f"  {explain_score(event, lang)}" for event in hand.closing)
        for event in hand.events:
            if event.unit == replay.match.game.unit:
                running[event.side] = running.get(event.side, 0) + event.points
        if hand.result is None:
            yield "  " + explain("label.unfinished", {}, lang)
        else:
            params = {"side": hand.result.side, "player": hand.result.player}
            yield "  " + explain(f"result.{hand.result.kind}", params, lang)
        yield "  " + _totals(running, lang)
    yield explain("label.total", {}, lang) + " " + _totals(replay.totals(), lang)
    if replay.winner is not None:
        yield explain("label.winner", {"side": replay.winner}, lang)


def _totals(totals: Mapping[str, int], lang: str) -> str:
    del lang
    return ", ".join(f"{side} {points}" for side, points in totals.items())


def finding_json(finding: Finding, lang: str) -> dict[str, Any]:
    """Return a finding with its text."""
    return {
        "code": finding.code,
        "hand": finding.hand,
        "move": finding.move,
        "player": finding.player,
        "rule": finding.rule,
        "tiles": plain(finding.tiles),
        "certainty": finding.certainty.value,
        "params": plain(finding.params),
        "text": finding_text(finding, lang),
    }


def finding_text(finding: Finding, lang: str) -> str:
    """Return what a finding says, in one sentence; the player first, if one did it."""
    params = {"tiles": finding.tiles, **finding.params}
    text = explain(f"finding.{finding.code}", params, lang)
    return text if finding.player is None else f"{finding.player}: {text}"


def finding_line(finding: Finding, lang: str) -> str:
    """Return a finding as one line: where, how certain, what, by which rule."""
    where = str(finding.hand) if finding.move is None else f"{finding.hand}.{finding.move}"
    certainty = explain(f"certainty.{finding.certainty.value}", {}, lang)
    return f"{where}: {certainty}: {finding_text(finding, lang)} [{finding.code}; {finding.rule}]"
