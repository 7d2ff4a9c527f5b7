"""The page that helps a phone to trust this computer's own authority, and the redirection to HTTPS beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from domino_server.access.guard import Guard
from domino_server.access.headers import SecurityHeaders
from domino_server.access.hosts import OwnHosts, parse_host
from domino_server.access.rates import Limits

CERTIFICATE_PATH: Final = "/trust/authority.crt"
_FIRST: Final = "en"
_STYLE: Final = """:root{color-scheme:light dark}
body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1rem}
a.main{display:block;padding:1rem;margin:1rem 0;text-align:center;border-radius:.5rem;background:#0b5;color:#000;
font-weight:bold}
code{display:block;overflow-wrap:anywhere;font-size:1rem}
li{margin:.5rem 0}
nav a{margin-right:1rem}
"""


@dataclass(frozen=True, slots=True)
class Trust:
    """What a phone is asked to trust.

    Attributes:
        certificate: the authority's certificate, DER.
        fingerprint: its SHA-256, as phones show it.
    """

    certificate: bytes
    fingerprint: str


def trust_routes(trust: Trust) -> list[Route]:
    """Return the routes of the page, its style and the certificate; all of them are public."""

    async def page(request: Request) -> Response:
        return HTMLResponse(trust_page(trust, language_of(request)), headers={"Vary": "Accept-Language"})

    async def certificate(_: Request) -> Response:
        headers = {"Content-Disposition": 'attachment; filename="dominotable.crt"', "Cache-Control": "no-store"}
        return Response(trust.certificate, media_type="application/x-x509-ca-cert", headers=headers)

    async def style(_: Request) -> Response:
        return Response(_STYLE, media_type="text/css")

    return [
        Route("/trust", page),
        Route(CERTIFICATE_PATH, certificate),
        Route("/trust/style.css", style),
    ]


def plain_app(trust: Trust, https_port: int, allow_hosts: tuple[str, ...] = ()) -> Starlette:
    """Return what answers over plain HTTP beside an HTTPS server: the page, and a redirection for all else.

    A phone that does not trust the certificate yet would show a warning in place of the page.
    """

    async def to_https(request: Request) -> Response:
        host = parse_host(request.headers.get("host", ""))
        name = host.name if host else "localhost"
        place = f"[{name}]" if ":" in name else name
        return RedirectResponse(str(request.url.replace(scheme="https", netloc=f"{place}:{https_port}")))

    return Starlette(
        routes=[*trust_routes(trust), Route("/{path:path}", to_https, methods=["GET", "HEAD"])],
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(Guard, hosts=OwnHosts(allow_hosts), limits=Limits()),
        ],
    )


def language_of(request: Request) -> str:
    """Return the language that a page is asked for: `?lang=`, else what the browser prefers, else English."""
    accepted = [each.partition(";")[0].strip() for each in request.headers.get("accept-language", "").split(",")]
    for asked in (request.query_params.get("lang", ""), *accepted[:20]):
        found = _served(asked)
        if found is not None:
            return found
    return _FIRST


def trust_page(trust: Trust, language: str) -> str:
    """Return the page in one of the languages of `trust_texts`."""
    text = {key: value for key, value in _texts()[language].items() if isinstance(value, str)}
    said = {key: escape(value) for key, value in text.items()}
    others = " ".join(
        f'<a href="/trust?lang={code}" lang="{code}">{escape(str(each["language"]))}</a>'
        for code, each in _texts().items()
        if code != language
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{said["title"]} – dominotable</title><link rel="stylesheet" href="/trust/style.css"></head><body>'
        f"<main><h1>{said['title']}</h1><p>{said['why']}</p>"
        f"<p>{said['check']}</p><code>{escape(trust.fingerprint)}</code>"
        f'<a class="main" href="{CERTIFICATE_PATH}">{said["download"]}</a>'
        f"<h2>{said['iphone']}</h2>{_steps(language, 'iphone_steps')}"
        f"<h2>{said['android']}</h2>{_steps(language, 'android_steps')}"
        f"<p>{said['then']}</p><p>{said['remove']}</p></main><nav>{others}</nav></body></html>"
    )


def _steps(language: str, key: str) -> str:
    return "<ol>" + "".join(f"<li>{escape(step)}</li>" for step in _texts()[language][key]) + "</ol>"


def _served(asked: str) -> str | None:
    tag = asked.lower()
    if tag.startswith("sr"):
        return "sr-Latn" if "latn" in tag else "sr-Cyrl"
    return next((code for code in _texts() if code == tag.partition("-")[0]), None)


@cache
def _texts() -> dict[str, dict[str, str | list[str]]]:
    found: dict[str, dict[str, str | list[str]]] = json.loads(
        Path(__file__).with_name("trust.json").read_text(encoding="utf-8")
    )
    return found
