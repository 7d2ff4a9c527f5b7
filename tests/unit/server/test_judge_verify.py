"""Exported files are believed as long as nothing in them was changed, and what was changed is named."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from domino_server.cli import app
from domino_server.judge.chain import canonical, genesis, next_hash
from domino_server.judge.evidence import Evidence
from domino_server.judge.export import export_signed, sign_file
from domino_server.judge.exported import ExportError
from domino_server.judge.heads import Heads
from domino_server.judge.seal import is_sealed, seal
from domino_server.judge.signing import SigningError, TableKey
from domino_server.judge.verify import Verdict, verify
from domino_server.store import NewEvent, Store, StoreJournal
from tests.judge_tables import a_record, a_table, play

QUAD = ((10, 10), (30, 10), (30, 50), (10, 50))
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("judge")


@pytest.fixture(scope="module")
def genuine(place: Path) -> tuple[Path, TableKey]:
    """An export with evidence, one file of which was purged, and the key of its table."""
    import numpy as np

    store = Store.open(f"sqlite:///{place}/store.db")
    table, key = a_table(store, place / "keys", "cincos", seed=4, hands=3)
    evidence = Evidence(place / "evidence" / table, 10**8, 1e9)
    for shade in (40, 90):
        frame = np.full((240, 320, 3), shade, np.uint8)
        store.append(table, [NewEvent("evidence", evidence.keep(frame, [QUAD], {"about": {"hand": 1}, "p": 0.25}))])
    gone = store.events(table, kinds={"evidence"})[0].data["frame"]
    store.append(table, [NewEvent("purge", evidence.purge([gone], "asked for", "Ana"))])
    evidence.remove([gone])
    evidence.close()
    out = place / "table.zip"
    export_signed(store, table, place / "evidence", out, key)
    store.close()
    return out, key


def changed(genuine: Path, out: Path, change: Callable[[Lines], Lines], key: TableKey | None = None) -> Path:
    """Write the file again with other events, its manifest put right as far as anybody can."""
    with zipfile.ZipFile(genuine) as file:
        held = {name: file.read(name) for name in file.namelist()}
    events = change([json.loads(line) for line in held["events.jsonl"].splitlines()])
    held["events.jsonl"] = b"".join(canonical(event) + b"\n" for event in events)
    manifest = json.loads(held["manifest.json"])
    manifest["files"] = {name: hashlib.sha256(held[name]).hexdigest() for name in manifest["files"]}
    manifest |= {"events": len(events), "hash": events[-1]["hash"]}
    held["manifest.json"] = json.dumps(manifest).encode()
    if key is not None:
        del held["signature.json"]
    with zipfile.ZipFile(out, "w") as file:
        for name, data in held.items():
            file.writestr(name, data)
    if key is not None:
        sign_file(out, key)
    else:
        seal(out)
    return out


def codes(verdict: Verdict) -> list[str]:
    return [problem.code for problem in verdict.problems]


def rehashed(lines: Lines, table: str) -> Lines:
    """Work the chain out anew, as a forger would who has no key."""
    previous = genesis(table)
    for line in lines:
        at = datetime.fromisoformat(str(line["at"])).astimezone(UTC)
        previous = next_hash(previous, table, line["seq"], at, line["kind"], line["data"])
        line["hash"] = previous
    return lines


def test_a_genuine_file_is_believed(genuine: tuple[Path, TableKey]) -> None:
    """Nothing is wrong with an export, also by the known key; scores follow from its moves."""
    path, key = genuine
    verdict = verify(path, key.public)
    assert (codes(verdict), verdict.genuine, verdict.trusted) == ([], True, True)
    assert verdict.matches[0]["hands"] == 3
    assert verdict.evidence == (4, 1)


def test_another_key_is_refused(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """A file that another table signed is not genuine; a text that is no key is refused."""
    other = TableKey.open(tmp_path, "other")
    assert codes(verify(genuine[0], other.public)) == ["other_key"]
    with pytest.raises(SigningError, match="no public key"):
        verify(genuine[0], "nonsense")


@pytest.mark.slow
def test_every_changed_byte_is_caught(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """500 random changes of one byte are all caught."""
    data, chance, missed = bytearray(genuine[0].read_bytes()), Random(500), []
    path = tmp_path / "changed.zip"
    for _ in range(500):
        at, flip = chance.randrange(len(data)), chance.randrange(1, 256)
        data[at] ^= flip
        path.write_bytes(data)
        data[at] ^= flip
        with suppress(ExportError):  # no longer a file of ours at all
            if verify(path).genuine:
                missed.append((at, flip))
    assert missed == []


@pytest.mark.parametrize("at", [1, 20, 60])
def test_an_altered_event_is_named(genuine: tuple[Path, TableKey], tmp_path: Path, at: int) -> None:
    """The first event whose hash does not follow is named, also if the file was signed again."""

    def alter(lines: Lines) -> Lines:
        lines[at - 1]["data"] = {"line": "Ana passes"}
        return lines

    verdict = verify(changed(genuine[0], tmp_path / "x.zip", alter, genuine[1]))
    assert (verdict.problems[0].code, verdict.problems[0].seq) == ("event_altered", at)


def test_a_missing_event_is_named(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """An event that was taken out is named."""
    verdict = verify(changed(genuine[0], tmp_path / "x.zip", lambda lines: [*lines[:10], *lines[11:]], genuine[1]))
    assert (verdict.problems[0].code, verdict.problems[0].seq) == ("event_missing", 11)


def test_reordered_events_are_named(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """The first of two events that changed places is named."""
    swap = changed(genuine[0], tmp_path / "x.zip", lambda ls: [*ls[:10], ls[11], ls[10], *ls[12:]], genuine[1])
    verdict = verify(swap)
    assert (verdict.problems[0].code, verdict.problems[0].seq) == ("event_reordered", 11)


def test_a_removed_last_event_is_caught_by_the_signed_head(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """Who cuts the last event off cannot sign the new end."""
    verdict = verify(changed(genuine[0], tmp_path / "x.zip", lambda lines: lines[:-1]))
    assert codes(verdict)[:2] == ["manifest_forged", "head_missing"]


def test_a_whole_forged_chain_breaks_at_a_signed_head(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """A forger who works all hashes out anew is caught by the heads in between."""

    def forge(lines: Lines) -> Lines:
        table = json.loads(zipfile.ZipFile(genuine[0]).read("table.json"))["id"]
        lines[30]["at"] = "2020-01-01T00:00:00.000000Z"
        return rehashed(lines, table)

    verdict = verify(changed(genuine[0], tmp_path / "x.zip", forge))
    assert {"manifest_forged", "altered_before_head"} <= set(codes(verdict))
    first = next(problem for problem in verdict.problems if problem.code == "altered_before_head")
    assert (first.params["since"], first.params["to"] >= 31) == (1, True)


def test_scores_that_do_not_follow_from_the_moves_are_named(place: Path, tmp_path: Path) -> None:
    """A table that lied about a score is caught though everything is signed."""
    store = Store.open("sqlite://")
    table, key = a_table(store, tmp_path, "pincset", seed=2, hands=1)
    end = next(e for e in store.events(table, kinds={"said"}) if e.data["event"] == "hand_end")
    side = next(iter(end.data["totals"]))
    lie = {**end.data, "totals": {**end.data["totals"], side: end.data["totals"][side] + 5}}
    store.append(table, [NewEvent("said", lie)])
    export_signed(store, table, None, tmp_path / "lie.zip", key)
    verdict = verify(tmp_path / "lie.zip", key.public)
    assert codes(verdict) == ["score_differs"]
    assert verdict.problems[0].params == {"side": side, "said": lie["totals"][side], "derived": lie["totals"][side] - 5}


def test_evidence_must_be_there_and_whole(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """Evidence that is missing without a purge, or altered, is named; purged evidence may be missing."""
    with zipfile.ZipFile(genuine[0]) as file:
        name = next(name for name in file.namelist() if name.startswith("evidence/"))
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(genuine[0]) as old, zipfile.ZipFile(path, "w") as new:
        for member in old.namelist():
            new.writestr(member, b"another picture" if member == name else old.read(member))
    seal(path)
    assert codes(verify(path)) == ["member_altered", "evidence_altered"]


def test_a_head_from_a_report_must_be_in_the_file(genuine: tuple[Path, TableKey]) -> None:
    """The number and hash that a report prints must be those of the file."""
    verdict = verify(genuine[0])
    assert verify(genuine[0], head=f"{verdict.events}:{verdict.hash}").genuine
    assert codes(verify(genuine[0], head=f"{verdict.events}:{'0' * 64}")) == ["head_differs"]
    with pytest.raises(ExportError, match="NUMBER:HASH"):
        verify(genuine[0], head="x")


def test_the_command_says_it_by_its_exit_code(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """0 genuine, 1 not, 2 unreadable."""
    path, key = genuine
    good = CliRunner().invoke(app, ["verify", str(path), "--key", key.public])
    assert (good.exit_code, good.stdout.startswith("genuine: table Table 4")) == (0, True)
    bad = CliRunner().invoke(app, ["verify", str(changed(path, tmp_path / "x.zip", lambda ls: ls[:-1])), "--json"])
    assert (bad.exit_code, json.loads(bad.stdout)["genuine"]) == (1, False)
    (tmp_path / "no.zip").write_text("no")
    assert CliRunner().invoke(app, ["verify", str(tmp_path / "no.zip")]).exit_code == 2


def test_a_seal_can_be_renewed(genuine: tuple[Path, TableKey], tmp_path: Path) -> None:
    """Sealing a sealed file changes nothing; a byte behind the seal breaks it."""
    path = tmp_path / "again.zip"
    shutil.copy(genuine[0], path)
    seal(path)
    assert is_sealed(path)
    assert path.read_bytes() == genuine[0].read_bytes()
    path.write_bytes(path.read_bytes() + b"x")
    assert not is_sealed(path)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    """The key is made once, for its owner alone."""
    key = TableKey.open(tmp_path, "abc")
    path = tmp_path / "abc.pem"
    assert (path.stat().st_mode & 0o777, TableKey.open(tmp_path, "abc").public) == (0o600, key.public)
    path.chmod(0o644)
    with pytest.raises(SigningError, match="others may read"):
        TableKey.open(tmp_path, "abc")
    path.chmod(0o600)
    path.write_text("x")
    with pytest.raises(SigningError, match="no private key"):
        TableKey.open(tmp_path, "abc")


def test_undone_moves_and_further_matches_are_followed(tmp_path: Path) -> None:
    """What was undone counts no more, a second match counts for itself, and the export is genuine."""
    store = Store.open("sqlite://")
    table, key = a_table(store, tmp_path, "cincos", seed=4, hands=1)
    journal = StoreJournal(store, table)
    journal.undo(2)
    journal.new_match()
    play(store, table, a_record("bingo", 3, 1), key)
    export_signed(store, table, None, tmp_path / "two.zip", key)
    verdict = verify(tmp_path / "two.zip", key.public)
    assert codes(verdict) == []
    assert [match["game"] for match in verdict.matches] == ["cincos", "bingo"]


def test_heads_are_signed_when_due(tmp_path: Path) -> None:
    """After so many events, after so long, and at the end of a hand."""
    store, now = Store.open("sqlite://"), [0.0]
    table = store.create_table("x", {}).id
    heads = Heads(store, table, TableKey.open(tmp_path, table), every=3, seconds=60, clock=lambda: now[0])
    said = [store.append(table, [NewEvent("said", {"event": "move", "n": n})]) for n in range(3)]
    assert [heads.note(events) is not None for events in said] == [False, False, True]
    assert heads.note(store.append(table, [NewEvent("said", {"event": "hand_end"})])) is not None
    late = store.append(table, [NewEvent("told", {})])
    assert heads.note(late) is None
    now[0] = 61
    assert heads.note(()) is not None
    assert heads.note(()) is None
    signed = store.events(table, kinds={"head"})
    assert all(event.data["seq"] == event.seq - 1 for event in signed)
