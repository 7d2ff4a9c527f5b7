"""The tree of errors raised on bad input.

Every error carries a stable `code` (snake_case) and `params`, so that a screen can explain it in any language; the
message is one plain English line for logs and terminals.

    DominoError
    ├── ParseError          a tile, move or record that cannot be read
    │   └── RecordError     the same, with the line of the record
    ├── SetupError          hands, seats or options that make no game
    ├── IllegalMoveError    a move that the rules refuse; the state is unchanged
    └── (domino_vision.errors, domino_server.errors add their own branches)
"""

from collections.abc import Mapping
from typing import Any


class DominoError(ValueError):
    """Base of all errors of dominotable: a stable `code`, `params` for an explanation, one line of message."""

    def __init__(self, code: str, message: str, **params: Any) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params: Mapping[str, Any] = params

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), self.code, self.message, dict(self.params)))


def _rebuild(kind: type[DominoError], code: str, message: str, params: dict[str, Any]) -> DominoError:
    return kind(code, message, **params)


class ParseError(DominoError):
    """Text that is no tile, move or option."""


class RecordError(ParseError):
    """A record that cannot be read; `params` holds `line` (1-based) and `expected`."""


class SetupError(DominoError):
    """Hands, seats, options or a position that make no game (`inconsistent_state`, `players`, `unknown_game` ...)."""


class IllegalMoveError(DominoError):
    """A move that the rules refuse; `code` is one of the reasons of RULES section 0."""
