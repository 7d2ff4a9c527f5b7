"""Errors of training and export."""

from domino_rules.errors import DominoError


class TrainingError(DominoError):
    """Training or export cannot go on.

    Codes: `missing_extra`, `missing_folder`, `missing_weights`, `bad_label`, `bad_config`, `no_pictures`.
    """
