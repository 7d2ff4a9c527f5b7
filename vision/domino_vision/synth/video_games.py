"""Scripts of whole games: a chain that grows, tricks of two, and captures from a talon.

What is played is either given, so that a game engine may decide, or drawn at random among what fits. Every act that is
a move is told in `Script.moves`. Illegal plays and bumps can be planted.
"""

from domino_vision.synth.video_catches import Catch, catch_script, catch_zones
from domino_vision.synth.video_chain import TIDY, chain_script
from domino_vision.synth.video_tricks import Trick, trick_script, trick_zones
from domino_vision.synth.video_writer import NONE, SOME, Mishaps, ScriptWriter

__all__ = [
    "NONE",
    "SOME",
    "TIDY",
    "Catch",
    "Mishaps",
    "ScriptWriter",
    "Trick",
    "catch_script",
    "catch_zones",
    "chain_script",
    "trick_script",
    "trick_zones",
]
