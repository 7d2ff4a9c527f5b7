"""The chain of hashes: one form for the same data, and every change shows."""

from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType

import pytest

from domino_server.judge.chain import ChainError, canonical, genesis, next_hash, timestamp

AT = datetime(2026, 11, 30, 1, 2, 3, 4, tzinfo=UTC)


def test_genesis_is_the_hash_of_the_id() -> None:
    """The hash before the first event is the SHA-256 of the table's id."""
    assert genesis("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_canonical_sorts_keys_and_writes_numbers_in_one_way() -> None:
    """Keys are sorted, nothing is spaced, whole floats are whole numbers, texts keep their normal form."""
    data = MappingProxyType({"z": (1.0, 0.5, -0.0), "a": {"e\u0301": True, "ü": None}})
    assert canonical(data) == '{"a":{"e\u0301":true,"ü":null},"z":[1,0.5,0]}'.encode()


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 2**60, {1: 2}, "\ud800", {"\ud800": 1}, {1, 2}, AT, b"x"])
def test_canonical_refuses_what_has_no_single_form(bad: object) -> None:
    """Values that JSON cannot hold exactly are refused with one code."""
    with pytest.raises(ChainError) as caught:
        canonical({"x": bad} if not isinstance(bad, dict) else bad)
    assert caught.value.code == "not_canonical"


def test_timestamp_is_utc_with_microseconds() -> None:
    """The same moment in another zone is the same text; a time without a zone is refused."""
    assert timestamp(AT) == "2026-11-30T01:02:03.000004Z"
    assert timestamp(AT.astimezone(timezone(timedelta(hours=9)))) == timestamp(AT)
    with pytest.raises(ChainError, match="no time zone"):
        timestamp(AT.replace(tzinfo=None))


def test_next_hash_is_fixed() -> None:
    """The hash of a known event never changes, so that old exports stay checkable."""
    first = next_hash(genesis("t"), "t", 1, AT, "record", {"line": "Ana 6-4 L"})
    assert first == "c03ebd91992921376b0bbb33e848c611d2835e89c662a9cced77bfaad805f1d4"


def test_every_part_of_an_event_is_hashed() -> None:
    """Another previous hash, table, number, time, kind or content gives another hash."""
    event = {"previous": genesis("t"), "table": "t", "seq": 1, "at": AT, "kind": "record", "data": {"line": "x"}}
    others = {"previous": genesis("u"), "table": "u", "seq": 2, "at": AT + timedelta(microseconds=1), "kind": "said",
              "data": {"line": "y"}}  # fmt: skip
    hashes = {next_hash(**event)} | {next_hash(**{**event, name: value}) for name, value in others.items()}
    assert len(hashes) == 1 + len(others)
