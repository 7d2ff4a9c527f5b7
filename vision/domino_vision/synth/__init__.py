"""Composited pictures of domino tables with exact labels, for training, demonstration and tests."""
