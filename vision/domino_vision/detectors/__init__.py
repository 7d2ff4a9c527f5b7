"""Tile detectors: oriented boxes out of a picture."""
