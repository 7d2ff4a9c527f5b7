"""The words of the live view in a terminal: those of the pages and of the rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from domino_rules.explain import explain


@cache
def _page_words() -> Mapping[str, str]:
    text = (files("domino_server") / "static" / "locales" / "en.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def in_words(family: str, code: str) -> str:
    """Return the text that the pages have for a code of a family; a code without one as plain words.

    Args:
        family: `pause`, `question`, `settle` or `result`.
        code: a code of that family.
    """
    return _page_words().get(f"{family}.{code}", code.replace("_", " "))


def why_illegal(code: str, params: Mapping[str, Any]) -> str:
    """Return what the rules say of a play that they do not allow; the code as plain words if its text lacks a value.

    Args:
        code: a reason of the rules, such as `no_match`.
        params: values for its text.
    """
    text = explain(f"reason.{code}", params)
    return code.replace("_", " ") if text == f"reason.{code}" or "?" in text else text
