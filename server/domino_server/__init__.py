"""Composition of vision and rules: command line, HTTP server, referee, overlay."""
