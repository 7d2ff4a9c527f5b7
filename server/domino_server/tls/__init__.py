"""HTTPS without a public authority: an authority and a certificate of this machine's own."""

from domino_server.tls.prepare import ServerTls, TlsKeeper, prepare

__all__ = ["ServerTls", "TlsKeeper", "prepare"]
