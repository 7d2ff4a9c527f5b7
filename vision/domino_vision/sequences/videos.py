"""Follow a video whose truth is known, and say which moves were committed, when, and what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from domino_rules.tile import Tile
from domino_vision.sequences.score import FrameMoves, SequenceMetrics, score_moves
from domino_vision.settle import Ask, Commit, Event, Settler, SettleState
from domino_vision.synth.video import VideoFrame
from domino_vision.synth.video_script import Placing, Script
from domino_vision.types import Frame


def evaluate_video(
    frames: Iterable[VideoFrame],
    script: Script,
    settler: Settler,
    *,
    watch: Callable[[VideoFrame], Frame] | None = None,
    on_event: Callable[[VideoFrame, Event], None] | None = None,
) -> SequenceMetrics:
    """Push a rendered video through a settler and score the tiles that its commits call new.

    Args:
        frames: the video.
        script: what happens in it.
        settler: fresh; it is used up.
        watch: called with every frame before it is pushed (`TruthReader.watch`); default: take the picture.
        on_event: called with every event.
    """
    done_at: dict[int, float] = {}
    reported: dict[int, list[Tile]] = {}
    asked: dict[int, list[str]] = {}
    delays: dict[int, float] = {}
    for shot in frames:
        frame = watch(shot) if watch is not None else shot.frame
        done_at.setdefault(shot.done - 1, shot.frame.at)
        for event in settler.push(frame):
            if on_event is not None:
                on_event(shot, event)
            act = shot.done - 1
            if isinstance(event, Ask):
                asked.setdefault(act, []).append(event.reason.code)
            if isinstance(event, Commit):
                came = [event.observation.tiles[i].tile for i in event.change.new]
                reported.setdefault(act, []).extend(tile for tile in came if tile is not None)
                delays.setdefault(act, shot.frame.at - done_at.get(act, shot.frame.at))
        if settler.state is SettleState.ASK:
            asked.setdefault(shot.done - 1, [])
    moves = [FrameMoves("start", None, tuple(reported.get(-1, ())))]
    for number, played in enumerate(script.acts):
        comes = isinstance(played, Placing) and played.piece.kind == "up"
        labelled = (Tile(*played.piece.halves),) if isinstance(played, Placing) and comes else ()
        reasons = tuple(asked.get(number, ()))
        delay = delays.get(number) if labelled else None
        told = tuple(reported.get(number, ()))
        moves.append(FrameMoves(f"act-{number}", labelled, told, number in asked, delay, reasons))
    return score_moves(moves)
