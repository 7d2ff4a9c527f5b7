"""Names of hosts, as anybody may write them into a header."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domino_server.access.guard import same_origin
from domino_server.access.hosts import Host, allowed_name, parse_host
from domino_server.machine import Address

LABEL = st.text("ab0z-", min_size=1, max_size=8).map(lambda text: text.strip("-") or "a")
NAME = st.lists(LABEL, min_size=1, max_size=4).map(".".join).filter(lambda name: not name.rpartition(".")[2].isdigit())
ADDRESS = st.ip_addresses(v=4) | st.ip_addresses(v=6).filter(lambda each: "%" not in str(each))
PORT = st.none() | st.integers(1, 65535)


@given(st.text(max_size=60) | st.text("[]:.@/%-_aA0x #\t\r\n", max_size=20))
@example("a:b@c")
@example("[fe80::1%25eth0]")
@example("127.1")
@example("١٢٧.0.0.1")
@example("a" * 254)
@example("a..b")
@example("[::ffff:127.0.0.1]:80")
def test_any_header_is_a_host_or_none(text: str) -> None:
    """Whatever is sent is refused, or is a plain name or address that reads the same when it is written again."""
    host = parse_host(text)
    if host is None:
        return
    assert not set(host.name) & set("@/[]# \t\r\n%?\\")
    assert host.name == host.name.lower()
    assert parse_host(str(host)) == host


@given(NAME, PORT)
def test_names_are_read_without_regard_to_case(name: str, port: int | None) -> None:
    """A name is compared in lower case and without the dot of its root."""
    ending = "" if port is None else f":{port}"
    assert parse_host(f"{name.upper()}{ending}") == Host(name, port)
    assert parse_host(f"{name}.{ending}") == Host(name, port)
    assert allowed_name(name.title()) == name


@given(ADDRESS, PORT)
def test_addresses_are_read_in_their_short_form(address: Address, port: int | None) -> None:
    """However an address is written, it is compared in its shortest form."""
    ending = "" if port is None else f":{port}"
    written = f"[{address.exploded}]" if address.version == 6 else str(address)
    assert parse_host(f"{written}{ending}") == Host(str(address), port)
    assert allowed_name(address.exploded) == str(address)


@given(NAME, NAME, PORT, PORT, st.sampled_from(["http", "https"]))
def test_origin_is_own_only_if_name_and_port_are(
    one: str, other: str, port: int | None, other_port: int | None, scheme: str
) -> None:
    """An origin is the server's own exactly if name and port are those that the request was sent to."""
    default = {"http": 80, "https": 443}[scheme]
    same = one == other and (port or default) == (other_port or default)
    ending = "" if port is None else f":{port}"
    assert same_origin(f"{scheme}://{one}{ending}", Host(other, other_port)) == same


@given(st.text(max_size=40), NAME)
def test_no_text_is_taken_for_an_origin(text: str, name: str) -> None:
    """What is no origin in its plain form is never the own one."""
    if text.lower() not in {f"http://{name}", f"https://{name}"}:
        assert not same_origin(text, Host(name, None))


@pytest.mark.parametrize(
    "origin", ["http://t/", "http://t?", "http://t#", "ws://t", "http:t", "http://t:", "//t", "http://t:80:80"]
)
def test_near_origins_are_not_own(origin: str) -> None:
    """Forms that some parsers forgive are refused."""
    assert not same_origin(origin, Host("t", 80))
