"""Tokens: how they are made, kept, read from headers, and compared."""

import base64
import hmac
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domino_rules.errors import DominoError
from domino_server.access import Tokens, tokens
from domino_server.access.tokens import digest_of, is_token, new_secret, parse_bearer
from domino_server.store import Store


def test_secrets_are_long_random_and_safe_in_a_fragment() -> None:
    """A token is `dt_` and 32 random bytes in letters that an address may hold."""
    secrets = {new_secret() for _ in range(1000)}
    assert len(secrets) == 1000
    assert all(re.fullmatch(r"dt_[A-Za-z0-9_-]{43}", each) for each in secrets)
    assert all(is_token(each) for each in secrets)


def test_store_holds_hashes_only() -> None:
    """Neither the row nor the database holds the secret; its hash is what finds it."""
    store = Store.open("sqlite://")
    table = store.create_table("t", {}).id
    new = Tokens(store).create("keeper", table=table, label="Ana's phone")
    assert new.secret not in repr(new)
    assert new.row.hash == digest_of(new.secret)
    with store.read() as connection:
        rows = [str(row) for row in connection.exec_driver_sql("SELECT * FROM tokens")]
    assert len(rows) == 1
    assert new.secret not in rows[0]


def test_hashes_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the database found is compared once more, with a comparison that takes as long whatever differs."""
    compared: list[tuple[Any, Any]] = []
    constant_time = hmac.compare_digest

    def compare(first: Any, second: Any) -> bool:
        compared.append((first, second))
        return constant_time(first, second)

    store = Store.open("sqlite://")
    new = Tokens(store).create("admin", table=None)
    monkeypatch.setattr(tokens.hmac, "compare_digest", compare)
    assert Tokens(store).find(new.secret) is not None
    assert compared == [(new.row.hash, digest_of(new.secret))]


def test_row_that_is_not_quite_the_same_is_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that compares loosely, such as without regard to case, opens nothing."""
    store = Store.open("sqlite://")
    new = Tokens(store).create("admin", table=None)
    monkeypatch.setattr(tokens, "digest_of", lambda secret: digest_of(secret).upper())
    monkeypatch.setattr(store, "find_token", lambda _: new.row)
    assert Tokens(store).find(new.secret) is None


@given(st.text(max_size=80))
@example("Bearer dt_" + "a" * 43 + "\n")
@example("Bearer dt_" + "a" * 42)
@example("Bearer dt_" + "a" * 44)
@example("Bearer dt_" + "ä" * 43)
@example("Basic dt_" + "a" * 43)
@example("Bearer")
@example("")
def test_any_header_is_a_token_or_refused(header: str) -> None:
    """Whatever stands in the header, it is a well-formed token or `token_unknown`."""
    words = header.split()
    if len(words) == 2 and words[0].lower() == "bearer" and is_token(words[1]):
        assert parse_bearer(header) == words[1]
        return
    with pytest.raises(DominoError) as caught:
        parse_bearer(header)
    assert caught.value.code == "token_unknown"


@given(st.binary(min_size=32, max_size=32), st.sampled_from(["Bearer", "bearer", "BEARER"]))
def test_tokens_pass_through_their_header(random: bytes, scheme: str) -> None:
    """Each possible token is read as it was sent, whatever the case of the scheme."""
    secret = "dt_" + base64.urlsafe_b64encode(random).rstrip(b"=").decode()
    assert parse_bearer(f"{scheme} {secret}") == secret


@given(st.text())
def test_digests_of_any_text_can_be_had(text: str) -> None:
    """A hash can be had of anything that a client may send, also of half characters."""
    assert re.fullmatch(r"[0-9a-f]{64}", digest_of(text))
    assert len(digest_of("\ud800")) == 64
