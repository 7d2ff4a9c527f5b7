"""What request handlers depend on."""

from typing import Annotated

from fastapi import Depends, Request

from domino_server.app import Services


def services(request: Request) -> Services:
    """Return the services of the app that serves this request."""
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(services)]
