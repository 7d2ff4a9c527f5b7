"""Measuring on sequences: photographs after every move, and which tile came with each."""

from domino_vision.sequences.evaluate import Observe, SequenceEvaluation, evaluate_sequences, observe_with
from domino_vision.sequences.files import MoveSequence, read_sequences
from domino_vision.sequences.follow import Follower, FollowerOptions, Step
from domino_vision.sequences.score import Failure, FrameMoves, SequenceMetrics, score_moves

__all__ = [
    "Failure",
    "Follower",
    "FollowerOptions",
    "FrameMoves",
    "MoveSequence",
    "Observe",
    "SequenceEvaluation",
    "SequenceMetrics",
    "Step",
    "evaluate_sequences",
    "observe_with",
    "read_sequences",
    "score_moves",
]
