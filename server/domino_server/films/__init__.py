"""Rendered videos of whole games, played by the rules engine, with the truth about every move."""
