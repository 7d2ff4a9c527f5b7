"""Certificates: an authority that may sign for private networks only, and a server's certificate from it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from domino_server.machine import Address, Machine

AUTHORITY_DAYS: Final = 3650
SERVER_DAYS: Final = 397
"""Apple's devices take no certificate of more days than 398 from public authorities, and of 825 from others."""
RENEW_DAYS: Final = 30
"""A certificate is renewed so long before its end."""
_CLOCK_SLACK: Final = timedelta(days=1)
_CLOCK_IS_SET: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Before this program was written no clock that is right has stood."""
_PRIVATE_NAMES: Final = ("localhost", "local", "lan", "home", "internal", "home.arpa", "fritz.box")
"""Names, with all below them, that are no site of the internet."""
_PRIVATE_NETWORKS: Final = (
    "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "::1/128", "fc00::/7", "fe80::/10",
)  # fmt: skip
_MOST_COMMON_NAME: Final = 64


def make_authority(key: ec.EllipticCurvePrivateKey, machine: Machine, now: datetime) -> x509.Certificate:
    """Return the certificate of a new authority.

    Args:
        key: its key.
        machine: what it may sign for beside private networks: this machine's names and present addresses.
        now: when it begins, UTC.
    """
    name = _named(f"dominotable on {_short(machine)} ({now:%Y-%m-%d})")
    names = [x509.DNSName(each) for each in dict.fromkeys((*_PRIVATE_NAMES, *machine.names))]
    networks = [x509.IPAddress(each) for each in _networks(machine.addresses)]
    return (
        _builder(name, name, key.public_key(), now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints([*names, *networks], None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def make_server(
    key: ec.EllipticCurvePublicKey,
    names: Iterable[str | Address],
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
    now: datetime,
) -> x509.Certificate:
    """Return a server's certificate for `names`, signed by an authority; it never outlives that."""
    names = tuple(names)
    identifier = authority.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    days = min(SERVER_DAYS, (authority.not_valid_after_utc - now).days)
    others: list[x509.GeneralName] = [
        x509.DNSName(each) if isinstance(each, str) else x509.IPAddress(each) for each in names
    ]
    return (
        _builder(_named(_common_name(names)), authority.subject, key, now, days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(others), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def names_of(certificate: x509.Certificate) -> set[str | Address]:
    """Return the names and addresses that a certificate holds for; raises x509.ExtensionNotFound if it has none."""
    found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = found.get_values_for_type(x509.IPAddress)
    single = [each for each in addresses if isinstance(each, ipaddress.IPv4Address | ipaddress.IPv6Address)]
    return {*found.get_values_for_type(x509.DNSName), *single}


def permits(authority: x509.Certificate, name: str | Address) -> bool:
    """Whether an authority may sign for a name or an address."""
    subtrees = authority.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or ()
    for each in subtrees:
        if isinstance(name, str) and isinstance(each, x509.DNSName):
            if name == each.value or name.endswith(f".{each.value}"):
                return True
        elif not isinstance(name, str) and isinstance(each, x509.IPAddress) and _within(name, each.value):
            return True
    return False


def _within(address: Address, network: object) -> bool:
    return isinstance(network, ipaddress.IPv4Network | ipaddress.IPv6Network) and address in network


def renewal_due(certificate: x509.Certificate, now: datetime) -> bool:
    """Whether a certificate is near its end, past it, or of the future, as after a wrong clock.

    Small boards start without the time, until the network tells them; what they have is then kept.
    """
    if now < _CLOCK_IS_SET:
        return False
    return not certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - timedelta(days=RENEW_DAYS)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SLACK)
        .not_valid_after(now + timedelta(days=days))
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _networks(addresses: Iterable[Address]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    private = [ipaddress.ip_network(each) for each in _PRIVATE_NETWORKS]
    own = [ipaddress.ip_network(each) for each in addresses if not any(each in network for network in private)]
    return [*private, *own]


def _named(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name[:_MOST_COMMON_NAME])])


def _short(machine: Machine) -> str:
    return next((each for each in machine.names if each != "localhost" and "." not in each), "localhost")[:32]


def _common_name(names: tuple[str | Address, ...]) -> str:
    return next((each for each in names if isinstance(each, str) and each != "localhost"), "localhost")
