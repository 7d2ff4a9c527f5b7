"""Errors of the compositor."""

from domino_vision.errors import VisionError


class SynthError(VisionError):
    """A scene, set or half that cannot be drawn (`unknown_set`, `unknown_kind`, `pip_count`, `scene_range`)."""
