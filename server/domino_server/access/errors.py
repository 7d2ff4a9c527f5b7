"""The errors of access, each with its HTTP status."""

import math

from domino_rules.errors import DominoError
from domino_server.problems import RequestError


class AccessError(DominoError):
    """A token or an option of access that cannot be: `bad_role`, `bad_label`, `bad_host`."""


def token_missing() -> RequestError:
    """Return the error of a request that needs a token and has none."""
    error = RequestError(401, "token_missing", "this needs a token: Authorization: Bearer dt_…")
    return error.with_headers({"WWW-Authenticate": "Bearer"})


def token_unknown() -> RequestError:
    """Return the error of a token that does not hold; whether it ever did is not told."""
    error = RequestError(401, "token_unknown", "the token is unknown or was revoked")
    return error.with_headers({"WWW-Authenticate": 'Bearer error="invalid_token"'})


def not_allowed(role: str) -> RequestError:
    """Return the error of a token that holds, but not for this."""
    return RequestError(403, "not_allowed", f"the token of a {role} does not allow this", role=role)


def too_many(wait_s: float) -> RequestError:
    """Return the error of somebody who asks too often; `wait_s` is when to come again."""
    seconds = max(1, math.ceil(wait_s))
    error = RequestError(429, "too_many_requests", f"too many requests: wait {seconds} s", retry_after_s=seconds)
    return error.with_headers({"Retry-After": str(seconds)})


def origin_refused() -> RequestError:
    """Return the error of a request that another site's page sent."""
    return RequestError(403, "origin_refused", "a page of another site may not send this")


def host_refused(host: str) -> RequestError:
    """Return the error of a request for a name that is not the server's."""
    shown = host[:100]
    message = f"{shown!r} is no name of this server; if it should be, start it with --allow-host"
    return RequestError(403, "host_refused", message, host=shown)


def token_in_url() -> RequestError:
    """Return the error of a token where logs and histories would keep it."""
    return RequestError(400, "token_in_url", "a token has no place in an address: revoke it, and send it in a header")
