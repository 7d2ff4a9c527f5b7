"""The audit of a hand as the server answers it."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from domino_rules.explain import explain
from domino_server.judge.after_hand import PassVerdict


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PassRow(_Value):
    """A pass as it looks once hands are known."""

    move: int
    player: str
    verdict: str = Field(description="proved, possible, clear or unknown")
    words: str = Field(description="the verdict in the language asked for; empty if it has no words of the rules")
    tiles: list[str] = Field(description="what he held that fitted")
    rule: str
    frame: str | None = Field(description="name of the evidence file")

    @classmethod
    def of(cls, found: PassVerdict, lang: str) -> Self:
        """Return the verdict in a language."""
        proved = found.verdict in {"proved", "possible"}
        return cls(
            move=found.move,
            player=found.player,
            verdict=found.verdict,
            words=explain(f"certainty.{found.verdict}", {}, lang) if proved else "",
            tiles=list(map(str, found.tiles)),
            rule=found.rule,
            frame=found.evidence,
        )


class AuditReport(_Value):
    """A hand, looked at again."""

    hand: int
    passes: list[PassRow]
    findings: list[dict[str, Any]] = Field(description="move, player, code, text, certainty, rule")
    otherwise: list[dict[str, Any]] = Field(description="move, instead, probability, text")
