"""Named house options of a game, as frozen data. Knows no move and no state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from domino_rules.errors import SetupError


@dataclass(frozen=True, slots=True)
class Option:
    """A house option: its name, default, the values it may take and where it comes from.

    `choices` lists the values; empty means any value of the default's type (an int must then be >= `minimum`).
    """

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    minimum: int = 0
    source: str = ""

    def accepts(self, value: object) -> bool:
        """Return whether `value` may be given to this option."""
        if self.choices:
            return any(value == choice and type(value) is type(choice) for choice in self.choices)
        if type(value) is not type(self.default):
            return False
        return not (type(value) is int and value < self.minimum)

    def parse(self, text: str) -> Any:
        """Return the value written as `text` (`true`, `150`, `100,75,50,25`, a name).

        Raises:
            SetupError: `bad_option` if the text is no value of this option.
        """
        for value in (*self.choices, *_readings(text)):
            if str(value).lower() == text.strip().lower() or (not self.choices and self.accepts(value)):
                return value
        raise self.error(text)

    def error(self, value: object) -> SetupError:
        """Return the error that says what the option accepts."""
        expected = ", ".join(map(str, self.choices)) or f"a value like {self.default}"
        message = f"option {self.name} is {expected}; not {value!r}"
        return SetupError("bad_option", message, option=self.name, value=repr(value), expected=expected)


def _readings(text: str) -> Iterator[Any]:
    plain = text.strip()
    if plain.lower() in {"true", "false"}:
        yield plain.lower() == "true"
    if plain.lower() == "none":
        yield None
    if plain.lstrip("-").isdecimal():
        yield int(plain)
    parts = [part.strip() for part in plain.split(",") if part.strip()]
    if parts and all(part.isdecimal() for part in parts):
        yield tuple(int(part) for part in parts)
    yield plain


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one game at one table: every option has a value. Read values as `rules["target"]`.

    Raises:
        SetupError: `unknown_option` or `bad_option`, from `with_options`.
    """

    game: str
    options: tuple[Option, ...] = field(repr=False)
    values: Mapping[str, Any]

    @classmethod
    def defaults(cls, game: str, options: tuple[Option, ...]) -> RuleSet:
        """Return the rule set in which every option has its default."""
        return cls(game, options, MappingProxyType({option.name: option.default for option in options}))

    def with_options(self, **changes: Any) -> RuleSet:
        """Return the rule set with some options changed; texts are parsed, other values taken as they are."""
        values = dict(self.values)
        for name, value in changes.items():
            option = self.option(name)
            values[name] = option.parse(value) if isinstance(value, str) else value
            if not option.accepts(values[name]):
                raise option.error(value)
        return RuleSet(self.game, self.options, MappingProxyType(values))

    def option(self, name: str) -> Option:
        """Return the option called `name`; raises SetupError `unknown_option` with the known names."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        message = f"{self.game} has no option {name!r}; known: {known}"
        raise SetupError("unknown_option", message, option=name, known=known)

    def changed(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        return {option.name: self[option.name] for option in self.options if self[option.name] != option.default}

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __hash__(self) -> int:
        return hash((self.game, tuple(self.values.items())))
