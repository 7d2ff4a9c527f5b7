"""House options as they are written in commands: `target=200`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domino_rules.errors import SetupError


def parse_options(options: Iterable[str]) -> Mapping[str, str]:
    """Return house options written `name=value`; raises SetupError `bad_option`, for one given twice too."""
    found: dict[str, str] = {}
    for text in options:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            message = f"an option is name=value, not {text!r} (write it like target=100)"
            raise SetupError("bad_option", message, option=text)
        if name in found:
            raise SetupError("bad_option", f"the option {name} is given twice", option=text)
        found[name] = value
    return found
