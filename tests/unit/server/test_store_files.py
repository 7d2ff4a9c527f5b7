"""A table as one file and back: what agrees is taken in whole, everything else is refused and leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from domino_server.judge.chain import canonical
from domino_server.store import NewEvent, Store, StoreError, StoreJournal, export_table, import_table
from tests import databases

Members = dict[str, bytes]
NAME = "Stół ♠ „A”"
CONFIG = {"game": "bingo", "odds": 0.25}


@pytest.fixture(params=databases.KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind."""
    with databases.fresh(request.param, tmp_path) as address:
        opened = Store.open(address)
        yield opened
        opened.close()


@pytest.fixture
def memory() -> Iterator[Store]:
    """A store in memory."""
    opened = Store.open("sqlite://")
    yield opened
    opened.close()


def played(store: Store, evidence: Path) -> str:
    """Return a table with a record of two matches, other events and three pictures."""
    row = store.create_table(NAME, CONFIG)
    journal = StoreJournal(store, row.id)
    journal.add(["Game: bingo", "Seats: Đorđe, Zoë", "# Ręka 1"])
    journal.undo(1)
    journal.new_match()
    journal.add(["Game: cincos"])
    store.append(row.id, [NewEvent("said", {"n": n, "big": 1e17, "text": "\0 ü"}) for n in range(600)])
    folder = evidence / row.id
    folder.mkdir(parents=True)
    for n in range(3):
        data = random.Random(n).randbytes(5000)
        (folder / f"{hashlib.sha256(data).hexdigest()}.jpg").write_bytes(data)
    (folder / "half-written.part").write_bytes(b"x")
    return row.id


@pytest.fixture
def exported(memory: Store, tmp_path: Path) -> Path:
    """An exported table."""
    out = tmp_path / "table.zip"
    export_table(memory, played(memory, tmp_path / "evidence"), tmp_path / "evidence", out)
    return out


def members_of(file: Path) -> Members:
    """Return the members of a zip file."""
    with zipfile.ZipFile(file) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def write(out: Path, members: Members, *, stored: bool = True) -> Path:
    """Write a zip file."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out


def fitting(members: Members, **changes: object) -> Members:
    """Return members with a manifest whose hashes are theirs, as a forger would write it."""
    manifest = json.loads(members["manifest.json"])
    files = {name: hashlib.sha256(data).hexdigest() for name, data in members.items() if name != "manifest.json"}
    return members | {"manifest.json": json.dumps(manifest | {"files": files} | changes).encode()}


def test_a_table_comes_back_as_it_was_under_a_new_id(store: Store, tmp_path: Path) -> None:
    """Events, moments, hashes, record and pictures are the same, and the table goes on from there."""
    evidence, out = tmp_path / "evidence", tmp_path / "out.zip"
    table = played(store, evidence)
    export_table(store, table, evidence, out)
    other = Store.open("sqlite://")
    for target in (store, other):
        row = import_table(target, out, tmp_path / "elsewhere")
        assert row.id != table
        assert (row.name, row.config, row.origin) == (NAME, CONFIG, table)
        plain = [(e.seq, e.at, e.kind, e.data, e.hash) for e in store.events(table)]
        assert [(e.seq, e.at, e.kind, e.data, e.hash) for e in target.events(row.id)] == plain
        names = {path.name for path in (tmp_path / "elsewhere" / row.id).iterdir()}
        assert names == {path.name for path in (evidence / table).glob("*.jpg")}
        target.append(row.id, [NewEvent("said", {"on": True})])
        again = tmp_path / "again.zip"
        export_table(target, row.id, None, again)
        assert import_table(target, again, None).origin == table
    other.close()


def test_what_is_in_the_file(exported: Path) -> None:
    """The members are those that others read: table, events, record, pictures, hashes; twice the same bytes."""
    members = members_of(exported)
    manifest = json.loads(members["manifest.json"])
    assert members["record.txt"].decode() == "Game: bingo\nSeats: Đorđe, Zoë\n\nGame: cincos\n"
    assert json.loads(members["table.json"])["id"] == manifest["table"]
    assert manifest["events"] == len(members["events.jsonl"].splitlines()) == 606
    assert sorted(manifest["files"]) == sorted(members.keys() - {"manifest.json"})
    assert sum(name.startswith("evidence/") for name in members) == 3
    assert {mode for info in zipfile.ZipFile(exported).infolist() for mode in [info.date_time]} == {
        (1980, 1, 1, 0, 0, 0)
    }


def test_a_signature_and_a_comment_do_not_disturb(memory: Store, exported: Path) -> None:
    """Whoever exports may sign the file; it can be imported all the same."""
    with zipfile.ZipFile(exported, "a") as file:
        file.writestr("signature.json", "{}")
        file.comment = b"sha256:" + b"0" * 64
    assert import_table(memory, exported, None).name == NAME


def test_an_empty_table_comes_back(memory: Store, tmp_path: Path) -> None:
    """A table without events is a table."""
    export_table(memory, memory.create_table("A", {}).id, tmp_path / "none", tmp_path / "a.zip")
    row = import_table(memory, tmp_path / "a.zip", tmp_path / "none")
    assert memory.events(row.id) == ()
    assert not (tmp_path / "none").exists()


def _reorder(members: Members) -> Members:
    lines = members["events.jsonl"].splitlines(keepends=True)
    lines[3], lines[4] = lines[4], lines[3]
    return members | {"events.jsonl": b"".join(lines)}


def _without_last(members: Members) -> Members:
    return members | {"events.jsonl": b"".join(members["events.jsonl"].splitlines(keepends=True)[:-1])}


def _another_name(members: Members) -> Members:
    old = next(name for name in members if name.startswith("evidence/"))
    return {name: data for name, data in members.items() if name != old} | {f"evidence/{'0' * 64}.jpg": members[old]}


def _with_huge_line(members: Members) -> Members:
    line = canonical({"seq": 607, "at": "", "kind": "said", "data": {"x": "y" * (65 << 20)}, "hash": ""})
    return members | {"events.jsonl": members["events.jsonl"] + line + b"\n"}


FORGED: dict[str, Callable[[Members], Members]] = {
    "event altered": lambda m: m | {"events.jsonl": m["events.jsonl"].replace(b'"n":5,', b'"n":6,')},
    "moment altered": lambda m: m | {"events.jsonl": m["events.jsonl"].replace(b"Z", b"+00:00", 1)},
    "events in another order": _reorder,
    "last event gone": _without_last,
    "first event gone": lambda m: m | {"events.jsonl": m["events.jsonl"].split(b"\n", 1)[1]},
    "last line cut": lambda m: m | {"events.jsonl": m["events.jsonl"][:-1]},
    "not our spelling": lambda m: m | {"events.jsonl": b'{"a": NaN}\n'},
    "far too deep": lambda m: m | {"events.jsonl": b'{"a":' + b"[" * 100_000 + b"\n"},
    "far too long a line": _with_huge_line,
    "no text": lambda m: m | {"events.jsonl": b"\xff\xfe\n"},
    "record altered": lambda m: m | {"record.txt": b"Game: bingo\n"},
    "name with NUL": lambda m: m | {"table.json": m["table.json"].replace(b'"name":"', b'"name":"\\u0000')},
    "name is a number": lambda m: m | {"table.json": m["table.json"].replace(f'"{NAME}"'.encode(), b"1")},
    "kind is a number": lambda m: m | {"events.jsonl": m["events.jsonl"].replace(b'"said"', b"1")},
    "configuration is a list": lambda m: m | {"table.json": m["table.json"].replace(canonical(CONFIG), b"[]")},
    "another table": lambda m: m | {"table.json": m["table.json"].replace(b'"id":"', b'"id":"x')},
    "picture under another name": _another_name,
    "member up the tree": lambda m: m | {"../evil.jpg": b"x"},
    "picture up the tree": lambda m: m | {f"evidence/../../{'0' * 64}.jpg": b"x"},
    "member with a root": lambda m: m | {"/etc/cron.d/evil": b"x"},
    "member with a drive": lambda m: m | {"C:\\evil.jpg": b"x"},
    "a program": lambda m: m | {"evidence/run.sh": b"x"},
    "a folder": lambda m: m | {"evidence/": b""},
}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED.keys())
@pytest.mark.parametrize("hashes_fit", [False, True])
def test_a_forged_file_is_refused(
    memory: Store, exported: Path, tmp_path: Path, forge: Callable[[Members], Members], hashes_fit: bool
) -> None:
    """Whether or not the manifest was forged with it."""
    members = forge(members_of(exported))
    bad = write(tmp_path / "bad.zip", fitting(members) if hashes_fit else members)
    _refused(memory, bad, tmp_path)


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"version": "1"}, {"format": "other"}, {"events": 605}, {"hash": "0" * 64}, {"table": "a" * 12}],
    ids=str,
)
def test_a_manifest_that_says_otherwise_is_refused(
    memory: Store, exported: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    """Another format, a newer version, another end."""
    _refused(memory, write(tmp_path / "bad.zip", fitting(members_of(exported), **change)), tmp_path)


@pytest.mark.parametrize("name", ["table.json", "events.jsonl", "record.txt", "manifest.json"])
def test_a_missing_member_is_refused(memory: Store, exported: Path, tmp_path: Path, name: str) -> None:
    """Each of the four is needed."""
    members = members_of(exported)
    del members[name]
    _refused(memory, write(tmp_path / "bad.zip", members), tmp_path)


def test_a_torn_file_is_refused(memory: Store, exported: Path, tmp_path: Path) -> None:
    """Cut anywhere, or with any byte of a member changed."""
    whole = exported.read_bytes()
    draw = random.Random(6)
    bad = tmp_path / "bad.zip"
    for _ in range(12):
        bad.write_bytes(whole[: draw.randrange(len(whole))])
        _refused(memory, bad, tmp_path)
    for info in zipfile.ZipFile(exported).infolist():
        place = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
        torn = bytearray(whole)
        torn[place] ^= 0x10
        bad.write_bytes(torn)
        _refused(memory, bad, tmp_path)


def test_a_list_of_members_that_leads_nowhere_is_refused(memory: Store, exported: Path, tmp_path: Path) -> None:
    """The list at the end says that it is longer, or lies elsewhere, than the file allows."""
    whole = exported.read_bytes()
    end = whole.rindex(b"PK\x05\x06")
    for place, value in ((12, 2**31), (16, 2**31), (12, len(whole) * 2), (16, 1)):
        torn = bytearray(whole)
        torn[end + place : end + place + 4] = value.to_bytes(4, "little")
        (tmp_path / "bad.zip").write_bytes(torn)
        _refused(memory, tmp_path / "bad.zip", tmp_path)


def test_files_of_other_kinds_are_refused(memory: Store, tmp_path: Path) -> None:
    """Text, nothing, a zip of something else."""
    bad = tmp_path / "bad.zip"
    for data in (b"", b"PK", b"shopping list\n" * 100, b"PK\x05\x06" + b"\0" * 18):
        bad.write_bytes(data)
        _refused(memory, bad, tmp_path)
    _refused(memory, write(bad, {"photo.jpg": b"x"}), tmp_path)


def test_a_member_that_grows_beyond_measure_is_refused_unread(memory: Store, exported: Path, tmp_path: Path) -> None:
    """A bomb: 60 MB of zeros in 60 kB, as a picture and as events; its size alone gives it away."""
    zeros = b"\0" * 60_000_000
    name = f"evidence/{hashlib.sha256(zeros).hexdigest()}.jpg"
    for members in ({name: zeros}, {"events.jsonl": zeros}):
        bad = write(tmp_path / "bad.zip", fitting(members_of(exported) | members), stored=False)
        assert bad.stat().st_size < 150_000
        _refused(memory, bad, tmp_path)


def test_members_that_share_their_bytes_are_refused(memory: Store, exported: Path, tmp_path: Path) -> None:
    """Many entries of the list that point to one member are no way around the limit of size."""
    bad = tmp_path / "bad.zip"
    shutil.copy(exported, bad)
    with zipfile.ZipFile(bad, "a") as file:
        picture = next(info for info in file.infolist() if info.filename.startswith("evidence/"))
        for n in range(200):
            twin = zipfile.ZipInfo(f"evidence/{n:064x}.jpg")
            twin.header_offset, twin.CRC = picture.header_offset, picture.CRC
            twin.file_size = twin.compress_size = picture.file_size
            file.filelist.append(twin)
        file._didModify = True  # type: ignore[attr-defined]
    _refused(memory, bad, tmp_path)


def test_links_and_twins_are_refused(memory: Store, exported: Path, tmp_path: Path) -> None:
    """A symbolic link instead of a picture, and a member that is there twice."""
    link = zipfile.ZipInfo(f"evidence/{'0' * 64}.jpg")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    bad = tmp_path / "bad.zip"
    shutil.copy(exported, bad)
    with zipfile.ZipFile(bad, "a") as file:
        file.writestr(link, "/etc/passwd")
    _refused(memory, bad, tmp_path)
    shutil.copy(exported, bad)
    with zipfile.ZipFile(bad, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("record.txt", "x")
    _refused(memory, bad, tmp_path)


def test_an_import_that_fails_at_the_end_leaves_no_pictures(
    memory: Store, exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database fills up while the events go in."""

    def full(*_: object) -> None:
        raise StoreError("store_full", "the disk is full")

    monkeypatch.setattr("domino_server.store.importing.sql.insert_events", full)
    with pytest.raises(StoreError) as error:
        import_table(memory, exported, tmp_path / "new")
    assert error.value.code == "store_full"
    assert len(memory.tables()) == 1
    assert list((tmp_path / "new").iterdir()) == []


def _refused(store: Store, bad: Path, tmp_path: Path) -> None:
    tables = store.tables(archived=True)
    with pytest.raises(StoreError) as error:
        import_table(store, bad, tmp_path / "new")
    assert error.value.code == "bad_export"
    assert "\n" not in error.value.message
    assert store.tables(archived=True) == tables
    assert not (tmp_path / "new").exists()
    assert not list(tmp_path.rglob("evil*"))
