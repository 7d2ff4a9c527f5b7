"""Dominó de Cincos: All Fives with a spinner. Source: RULES 4 (seed 003)."""

from __future__ import annotations

from domino_rules.games.cincos_options import OPTIONS
from domino_rules.games.cincos_score import ScoredPlay, count, count_addends, points_of, round5, scored_plays

__all__ = ["OPTIONS", "ScoredPlay", "count", "count_addends", "points_of", "round5", "scored_plays"]
