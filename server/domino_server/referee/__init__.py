"""The referee: turns what the camera sees and what people say into the moves, scores and record of a match."""

from domino_server.referee.core import Referee
from domino_server.referee.events import (
    Asked,
    Choice,
    Corrected,
    Event,
    Found,
    HandEnded,
    HandShown,
    HandStarted,
    IllegalPlay,
    MatchEnded,
    MoveCommitted,
    Pause,
    Paused,
    Question,
    Resumed,
    Settled,
    event_json,
)
from domino_server.referee.journal import Journal
from domino_server.referee.sight import Kind, Place, Reading, SeenTile, Sight, sight_of
from domino_server.referee.told import (
    Adjust,
    Answer,
    Correct,
    Declared,
    LetStand,
    Moved,
    Opener,
    Redeal,
    Shown,
    TakeBack,
    Told,
)

__all__ = [
    "Adjust", "Answer", "Asked", "Choice", "Correct", "Corrected", "Declared", "Event", "Found", "HandEnded",
    "HandShown", "HandStarted", "IllegalPlay", "Journal", "Kind", "LetStand", "MatchEnded", "MoveCommitted", "Moved",
    "Opener", "Pause", "Paused", "Place", "Question", "Reading", "Redeal", "Referee", "Resumed", "SeenTile",
    "Settled", "Shown", "Sight", "TakeBack", "Told", "event_json", "sight_of",
]  # fmt: skip
