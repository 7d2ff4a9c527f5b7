"""Errors of the path-traced generator."""

from domino_vision.errors import VisionError


class RenderError(VisionError):
    """Pictures that cannot be rendered (`extra_missing`, `render_variant`, `unknown_kind`, `render_option`)."""
