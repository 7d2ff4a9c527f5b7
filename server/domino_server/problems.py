"""One error shape for the whole server: RFC 9457 problem+json with a stable code."""

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from domino_rules.errors import DominoError, IllegalMoveError
from domino_server.schemas import Problem

_LOG = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
_STATUS: Mapping[str, HTTPStatus] = MappingProxyType({
    "unknown_table": HTTPStatus.NOT_FOUND,
    "unknown_token": HTTPStatus.NOT_FOUND,
    "store_unreachable": HTTPStatus.SERVICE_UNAVAILABLE,
    "store_full": HTTPStatus.INSUFFICIENT_STORAGE,
    "tiles_unwritable": HTTPStatus.SERVICE_UNAVAILABLE,
    "evidence_unwritable": HTTPStatus.SERVICE_UNAVAILABLE,
    "key_exposed": HTTPStatus.SERVICE_UNAVAILABLE,
    "key_unreadable": HTTPStatus.SERVICE_UNAVAILABLE,
    "hand_in_progress": HTTPStatus.CONFLICT,
    "nothing_to_undo": HTTPStatus.CONFLICT,
    "nothing_to_redo": HTTPStatus.CONFLICT,
    "no_such_question": HTTPStatus.CONFLICT,
    "no_hand": HTTPStatus.CONFLICT,
    "tiles_in_use": HTTPStatus.CONFLICT,
})  # fmt: skip
"""Where an error that is not about what was sent belongs."""


_PLACES = frozenset({"path", "folder"})
"""Parameters of errors that hold a place in the server's file system."""


class RequestError(DominoError):
    """A request that cannot be served; `status` is the HTTP status, `headers` go with the response."""

    def __init__(self, status: int, code: str, message: str, **params: object) -> None:
        super().__init__(code, message, **params)
        self.status = status
        self.headers: Mapping[str, str] = {}

    def with_headers(self, headers: Mapping[str, str]) -> Self:
        """Add headers for the response, such as `Retry-After`; returns the error itself."""
        self.headers = {**self.headers, **headers}
        return self

    def response(self) -> Response:
        """Return the response that describes this error."""
        response = problem_response(self.status, self.code, self.message, dict(self.params))
        response.headers.update(self.headers)
        return response


def problem_of(status: int, code: str, detail: str, params: dict[str, object] | None = None) -> Problem:
    """Return the description of a problem, as it goes over HTTP and over WebSockets."""
    title = HTTPStatus(status).phrase
    return Problem(title=title, status=status, detail=detail, code=code, params=jsonable_encoder(params or {}))


def problem_response(status: int, code: str, detail: str, params: dict[str, object] | None = None) -> Response:
    """Return the response that describes a problem; what a request said may be no text at all, so it goes in ASCII."""
    body = json.dumps(problem_of(status, code, detail, params).model_dump())
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}  # also where no middleware adds them
    return Response(body, status_code=status, headers=headers, media_type=MEDIA_TYPE)


def status_of(error: DominoError) -> int:
    """Return the HTTP status for a typed error: 409 for an illegal move, 422 for anything else that was sent."""
    if isinstance(error, RequestError):
        return error.status
    if isinstance(error, IllegalMoveError):
        return HTTPStatus.CONFLICT
    return _STATUS.get(error.code, HTTPStatus.UNPROCESSABLE_ENTITY)


def without_folders(error: DominoError) -> DominoError:
    """Return an error that names a file of the server by its last part: where it lies is nobody's business outside.

    Of a database not even what it says of itself is told: that names hosts, users and files. The log has it all.
    """
    message, params = error.message, dict(error.params)
    for name in _PLACES & params.keys():
        place = str(params[name])
        params[name] = Path(place).name
        message = message.replace(place, Path(place).name)
    if "database" in params:
        message = message.replace(str(params.pop("database")), "the database")
        if "cause" in params:
            message = message.replace(f": {params.pop('cause')}", "")
    return DominoError(error.code, message, **params)


def refusal_of(error: ValidationError | RequestValidationError) -> DominoError:
    """Return the error of ours that a validation has wrapped, or one that names the fields."""
    for each in error.errors():
        cause = each.get("ctx", {}).get("error")
        if isinstance(cause, DominoError):
            return cause
    fields = [{"where": ".".join(map(str, each["loc"])), "what": each["msg"]} for each in error.errors()]
    detail = "; ".join(f"{field['where']}: {field['what']}" for field in fields)
    return RequestError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_request", detail, fields=fields)


def describe(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI description in which errors have the media type that they are sent with."""
    for path in schema.get("paths", {}).values():
        for operation in path.values():
            for status, response in operation.get("responses", {}).items():
                content = response.get("content", {})
                if status[0] in "45" and content:
                    response["content"] = {MEDIA_TYPE: next(iter(content.values()))}
    return schema


def install(app: FastAPI) -> None:
    """Make every error of the app a problem+json, also in its description."""
    plain = app.openapi
    app.openapi = lambda: describe(plain())  # type: ignore[method-assign]

    @app.exception_handler(DominoError)
    def domino(_: Request, error: DominoError) -> Response:
        if isinstance(error, RequestError):
            return error.response()
        if "database" in error.params:
            _LOG.error("%s", error.message)
        shown = without_folders(error)
        return problem_response(status_of(error), error.code, shown.message, dict(shown.params))

    @app.exception_handler(RequestValidationError)
    def invalid(request: Request, error: RequestValidationError) -> Response:
        return domino(request, refusal_of(error))

    @app.exception_handler(ValidationError)
    def unfit(request: Request, error: ValidationError) -> Response:
        return domino(request, refusal_of(error))

    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        reason = getattr(error, "reason", None)
        if isinstance(reason, DominoError):
            return domino(request, reason)
        code = HTTPStatus(error.status_code).name.lower()
        response = problem_response(error.status_code, code, str(error.detail))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    def crash(_: Request, __: Exception) -> Response:
        return problem_response(500, "internal_error", "the server made a mistake; its log says more")
