"""Domino rules: tiles, layouts, four games, matches and audits. Pure standard library; knows no camera."""
