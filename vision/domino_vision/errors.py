"""Errors of the vision side, a branch of the tree in `domino_rules.errors`.

DominoError
└── VisionError
    ├── SourceError     a picture, folder, video or camera that cannot be read
    ├── ModelError      a model file that is missing, broken or of another kind
    ├── LabelError      a label file that does not follow the format
    ├── TrainingError   a training run that cannot start: extra missing, bad config, no data
    ├── EnrolError      tiles that cannot be enrolled, or a name that no tiles have
    └── ZoneError       a zone of the table, or a place of it, that cannot be
"""

from domino_rules.errors import DominoError


class VisionError(DominoError):
    """Base of what can go wrong between the light and the layout."""


class SourceError(VisionError):
    """A picture, folder, video or camera that cannot be read."""


class ModelError(VisionError):
    """A model file that is missing, broken or of another kind."""


class LabelError(VisionError):
    """A label file that does not follow the format."""


class TrainingError(VisionError):
    """A training run that cannot start."""


class EnrolError(VisionError):
    """Tiles that cannot be enrolled, or a name that no enrolled tiles have."""


class ZoneError(VisionError):
    """A zone of the table, or a place of it, that cannot be."""
