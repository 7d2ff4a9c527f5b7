"""Who may do what: tokens and roles, rate limits, origins, headers, and logs without secrets."""

from domino_server.access.deps import access_of, anywhere, maybe, reader, require
from domino_server.access.errors import AccessError
from domino_server.access.install import AccessOptions, install
from domino_server.access.rates import Limits, Rate
from domino_server.access.redact import redact
from domino_server.access.roles import ROLES, TABLE_ROLES, Principal
from domino_server.access.service import Access
from domino_server.access.sockets import authenticate, watched
from domino_server.access.streams import while_valid
from domino_server.access.tokens import NewToken, Tokens
from domino_server.access.trust import Trust

__all__ = [
    "ROLES",
    "TABLE_ROLES",
    "Access",
    "AccessError",
    "AccessOptions",
    "Limits",
    "NewToken",
    "Principal",
    "Rate",
    "Tokens",
    "Trust",
    "access_of",
    "anywhere",
    "authenticate",
    "install",
    "maybe",
    "reader",
    "redact",
    "require",
    "watched",
    "while_valid",
]
