"""The local authority and the server's certificate: verified by a real TLS client, renewed in time, keys private."""

import ipaddress
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from domino_rules.errors import DominoError
from domino_server.machine import Address, Machine, lan_address, this_machine
from domino_server.tls import ServerTls, TlsKeeper, prepare
from domino_server.tls.certificates import RENEW_DAYS, SERVER_DAYS, make_server, names_of, permits
from domino_server.tls.keyfiles import new_key, read_certificate, read_key, write_pair

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOME = Machine(
    ("localhost", "box", "box.local"),
    tuple(ipaddress.ip_address(each) for each in ("127.0.0.1", "::1", "192.168.1.5", "fd00::5", "fe80::5")),
)


def moved(*addresses: str, names: tuple[str, ...] = HOME.names) -> Machine:
    """Return the machine at home with other addresses."""
    return Machine(names, (*HOME.addresses[:2], *(ipaddress.ip_address(each) for each in addresses)))


def shake_hands(tls: ServerTls, name: str, authority: Path) -> str:
    """Connect to a server with this certificate as `name`; returns the version of TLS, raises ssl.SSLError."""
    server, client = socket.socketpair()
    server.settimeout(10)
    client.settimeout(10)
    context = tls.context()

    def serve() -> None:
        try:
            with context.wrap_socket(server, server_side=True) as wrapped:
                wrapped.sendall(b"hello")
        except OSError:
            server.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        trusting = ssl.create_default_context(cafile=str(authority))
        trusting.verify_flags |= ssl.VERIFY_X509_STRICT
        with trusting.wrap_socket(client, server_hostname=name) as wrapped:
            assert wrapped.recv(5) == b"hello"
            return wrapped.version() or ""
    finally:
        client.close()
        thread.join()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> ServerTls:
    """The certificate of the machine that runs the tests."""
    return prepare(tmp_path_factory.mktemp("tls") / "tls")


def test_client_that_trusts_the_authority_trusts_every_address(here: ServerTls) -> None:
    """A real TLS client, as strict as there is, verifies the certificate for each name and address of this machine."""
    machine = this_machine()
    names = [*machine.names, *map(str, machine.addresses)]
    assert len(names) >= 3
    assert here.left_out == ()
    for name in names:
        assert shake_hands(here, name, here.certificate.with_name("authority.crt")) == "TLSv1.3"


def test_nobody_else_is_trusted(here: ServerTls, tmp_path: Path) -> None:
    """The certificate holds for no other name, and another authority does not vouch for it."""
    authority = here.certificate.with_name("authority.crt")
    for name in ("example.org", "192.168.250.250", "other.local"):
        with pytest.raises(ssl.SSLCertVerificationError):
            shake_hands(here, name, authority)
    prepare(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(here, "localhost", tmp_path / "authority.crt")


def test_authority_signs_for_private_places_only(tmp_path: Path) -> None:
    """Should the authority's key be stolen, what it signs for a site of the internet is not believed."""
    tls = prepare(tmp_path, HOME)
    key = new_key()
    public: tuple[str | Address, ...] = ("bank.example.org", ipaddress.ip_address("198.51.100.7"))
    forged = make_server(
        key.public_key(), public, tls.authority, read_key(tmp_path / "authority.key"), datetime.now(UTC)
    )
    write_pair(tmp_path / "server.key", key, tmp_path / "server.crt", (forged, tls.authority))
    for name in public:
        assert not permits(tls.authority, name)
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
            shake_hands(tls, str(name), tmp_path / "authority.crt")


def test_certificate_is_as_phones_want_it(tmp_path: Path) -> None:
    """Not too long a life, for servers, with alternative names; the authority can sign servers and nothing below."""
    tls = prepare(tmp_path, HOME, NOW)
    server = read_certificate(tls.certificate)
    assert names_of(server) == {*HOME.names, *HOME.addresses}
    assert server.not_valid_after_utc - server.not_valid_before_utc <= timedelta(days=398)
    usage = server.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    constraints = tls.authority.extensions.get_extension_for_class(x509.BasicConstraints)
    assert constraints.critical
    assert (constraints.value.ca, constraints.value.path_length) == (True, 0)
    assert tls.fingerprint.count(":") == 31


def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Keys and their folder cannot be read by others, also where a file with wider rights was before."""
    folder = tmp_path / "deep" / "tls"
    prepare(folder, HOME, NOW)
    (folder / "server.key").chmod(0o644)
    tls = prepare(folder, moved("192.168.1.6"), NOW)
    assert tls.renewed
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert sorted(path.name for path in folder.iterdir()) == [
        "authority.crt", "authority.key", "server.crt", "server.key",
    ]  # fmt: skip


def test_nothing_is_made_anew_without_need(tmp_path: Path) -> None:
    """The next start with the same addresses serves the same certificate."""
    first = prepare(tmp_path, HOME, NOW)
    before = first.certificate.read_bytes()
    second = prepare(tmp_path, HOME, NOW + timedelta(days=SERVER_DAYS - RENEW_DAYS - 1))
    assert (first.founded, first.renewed, second.founded, second.renewed) == (True, True, False, False)
    assert second.certificate.read_bytes() == before


@pytest.mark.parametrize(
    "machine",
    [moved("192.168.1.6"), moved("10.0.0.9", "fd00::9"), moved(names=("localhost", "box", "box.local", "box.lan"))],
)
def test_other_addresses_renew_the_certificate_not_the_authority(tmp_path: Path, machine: Machine) -> None:
    """When addresses or names change, phones that trust the authority need not be told."""
    first = prepare(tmp_path, HOME)
    second = prepare(tmp_path, machine)
    assert (second.founded, second.renewed) == (False, True)
    assert second.fingerprint == first.fingerprint
    assert set(second.names) == {*machine.names, *machine.addresses}
    for name in second.names:
        assert shake_hands(second, str(name), tmp_path / "authority.crt")


def test_certificate_is_renewed_before_its_end(tmp_path: Path) -> None:
    """A month before its end the certificate is renewed, and so is one of the future, made under a wrong clock."""
    first = prepare(tmp_path, HOME, NOW)
    later = prepare(tmp_path, HOME, NOW + timedelta(days=SERVER_DAYS - RENEW_DAYS + 1))
    assert (later.founded, later.renewed) == (False, True)
    assert later.fingerprint == first.fingerprint
    assert prepare(tmp_path, HOME, NOW + timedelta(days=SERVER_DAYS - RENEW_DAYS - 2)).renewed


def test_clock_that_is_not_set_yet_costs_nothing(tmp_path: Path) -> None:
    """A board that starts in 1970, before the network tells it the time, keeps authority and certificate."""
    first = prepare(tmp_path, HOME, NOW)
    early = prepare(tmp_path, HOME, datetime(1970, 1, 1, tzinfo=UTC))
    assert (early.founded, early.renewed) == (False, False)
    assert prepare(tmp_path, HOME, NOW).fingerprint == first.fingerprint


def test_authority_is_made_anew_only_near_its_end(tmp_path: Path) -> None:
    """After ten years there is a new authority, and no server certificate outlives its own."""
    first = prepare(tmp_path, HOME, NOW)
    end = first.authority.not_valid_after_utc
    late = prepare(tmp_path, HOME, end - timedelta(days=100))
    assert not late.founded
    assert read_certificate(late.certificate).not_valid_after_utc <= end
    assert prepare(tmp_path, HOME, end - timedelta(days=10)).founded


def test_address_outside_what_the_authority_may_sign_is_left_out(tmp_path: Path) -> None:
    """A public address that came later is left out and named; one that was there at the beginning is signed for."""
    prepare(tmp_path / "a", HOME, NOW)
    public = ipaddress.ip_address("198.51.100.7")
    later = prepare(tmp_path / "a", moved(str(public)), NOW)
    assert later.left_out == (public,)
    assert public not in later.names
    assert prepare(tmp_path / "b", moved(str(public))).left_out == ()
    second = prepare(tmp_path / "b", moved(str(public)))
    assert shake_hands(second, str(public), tmp_path / "b" / "authority.crt")


@pytest.mark.parametrize("name", ["server.crt", "server.key"])
@pytest.mark.parametrize(
    "damage", [b"", b"nonsense", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", None]
)
def test_damaged_server_files_are_replaced(tmp_path: Path, name: str, damage: bytes | None) -> None:
    """A certificate or key that is gone, torn or of something else is made anew; the authority is kept."""
    first = prepare(tmp_path, HOME)
    if damage is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_bytes(damage)
    second = prepare(tmp_path, HOME)
    assert (second.founded, second.renewed) == (False, True)
    assert second.fingerprint == first.fingerprint
    assert shake_hands(second, "localhost", tmp_path / "authority.crt")


def test_pair_of_others_is_replaced(tmp_path: Path) -> None:
    """A certificate that another authority signed, or whose key is another's, is not served."""
    prepare(tmp_path / "a", HOME)
    prepare(tmp_path / "b", HOME)
    for name in ("server.crt", "server.key"):
        (tmp_path / "a" / name).write_bytes((tmp_path / "b" / name).read_bytes())
    assert prepare(tmp_path / "a", HOME).renewed
    (tmp_path / "a" / "server.key").write_bytes((tmp_path / "b" / "server.key").read_bytes())
    assert prepare(tmp_path / "a", HOME).renewed


@pytest.mark.parametrize("name", ["authority.crt", "authority.key"])
def test_damaged_authority_is_told_not_replaced(tmp_path: Path, name: str) -> None:
    """An authority that phones trust is not thrown away by itself: the error says which file to remove."""
    prepare(tmp_path, HOME)
    (tmp_path / name).write_bytes(b"nonsense")
    with pytest.raises(DominoError, match=name) as caught:
        prepare(tmp_path, HOME)
    assert caught.value.code == "tls_broken"


def test_authority_whose_parts_do_not_fit_is_told(tmp_path: Path) -> None:
    """A certificate beside the key of another authority is no authority."""
    prepare(tmp_path / "a", HOME)
    prepare(tmp_path / "b", HOME)
    (tmp_path / "a" / "authority.key").write_bytes((tmp_path / "b" / "authority.key").read_bytes())
    with pytest.raises(DominoError, match="belong together"):
        prepare(tmp_path / "a", HOME)


def test_running_server_takes_the_new_certificate(tmp_path: Path) -> None:
    """When the address changes under a running server, its next connections have a certificate that holds for it."""
    first = prepare(tmp_path, HOME)
    context = first.context()
    machines = [HOME, moved("10.9.8.7")]
    keeper = TlsKeeper(tmp_path, context, lambda folder: prepare(folder, machines.pop(0)))
    assert not keeper.look()
    assert keeper.look()

    class Running(ServerTls):
        def context(self) -> ssl.SSLContext:
            return context

    running = Running(first.certificate, first.key, first.authority, (), (), renewed=False, founded=False)
    assert shake_hands(running, "10.9.8.7", tmp_path / "authority.crt")
    with pytest.raises(ssl.SSLCertVerificationError):
        shake_hands(running, "192.168.1.5", tmp_path / "authority.crt")


def test_old_versions_of_tls_are_refused(here: ServerTls) -> None:
    """Nothing below TLS 1.2 is spoken."""
    assert here.context().minimum_version == ssl.TLSVersion.TLSv1_2


@pytest.mark.parametrize(
    ("addresses", "best"),
    [
        (("192.168.1.5", "fd00::5"), "192.168.1.5"),
        (("2001:db8::5", "10.0.0.5", "198.51.100.5"), "10.0.0.5"),
        (("fe80::5", "169.254.3.3"), None),
        (("fd00::5",), "fd00::5"),
        ((), None),
    ],
)
def test_phones_are_sent_to_the_address_of_the_local_network(addresses: tuple[str, ...], best: str | None) -> None:
    """A private IPv4 address comes first; without a network there is none."""
    found = lan_address(moved(*addresses))
    assert (None if found is None else str(found)) == best


def test_names_of_this_machine_are_fit_for_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host name that is no name of a host, such as one with blanks, is left out."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Ana’s Laptop")
    assert this_machine().names == ("localhost",)
    monkeypatch.setattr(socket, "gethostname", lambda: "Box.Example.org")
    assert this_machine().names == ("localhost", "box.example.org", "box", "box.local")
