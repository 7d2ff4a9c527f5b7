"""What the WebSockets of tables have in common."""

from __future__ import annotations

from typing import Any

from fastapi import WebSocket

from domino_rules.errors import DominoError
from domino_server.problems import problem_of, status_of

REFUSED = 4409
"""Code with which a line is closed that the table does not want."""


def problem(error: DominoError) -> dict[str, Any]:
    """Return an error as it goes over a WebSocket."""
    return problem_of(status_of(error), error.code, error.message, dict(error.params)).model_dump(mode="json")


async def refuse(websocket: WebSocket, error: DominoError) -> None:
    """Say why, and close the line."""
    await websocket.send_json({"problem": problem(error)})
    await websocket.close(REFUSED, error.code)
