"""Draw what was understood onto a picture, so that a person at the table can check it at a glance."""

from domino_vision.annotate.drawing import annotate
from domino_vision.annotate.words import Words

__all__ = ["Words", "annotate"]
