"""Single keys from the terminal, without waiting for them."""

from __future__ import annotations

import select
import sys
from types import TracebackType
from typing import Any, Self


class Keys:
    """Reads keys while it is entered; does nothing where stdin is no terminal, or on systems without termios."""

    def __init__(self) -> None:
        """Prepare; the terminal is changed only between `with` and its end."""
        self._before: list[Any] | None = None

    def __enter__(self) -> Self:
        if sys.stdin is not None and sys.stdin.isatty():
            try:
                import termios
                import tty
            except ImportError:
                return self
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin.fileno())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
            self._before = None

    def pressed(self) -> str | None:
        """Return the key that was pressed; None if none was."""
        if self._before is None or not select.select([sys.stdin], [], [], 0)[0]:
            return None
        return sys.stdin.read(1)
