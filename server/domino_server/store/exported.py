"""An exported table, read and believed only once everything in it agrees."""

from __future__ import annotations

import errno
import hashlib
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from domino_rules.errors import DominoError
from domino_server.judge.chain import genesis, next_hash, timestamp
from domino_server.store import members
from domino_server.store.errors import StoreError, is_id
from domino_server.store.journal import RecordLines
from domino_server.store.rows import StoredEvent, checked_text, load

_MOST_MEMBERS: Final = 100_000
_MOST_SMALL: Final = 64 << 20
"""Bytes that a member may have that is read at once, and that a line may have."""
_MOST_TEXT: Final = 4 << 30
"""Bytes that events.jsonl may have."""
_MOST_GROWTH: Final = 200
"""How many times as large as the file everything in it may be; our own text grows 5 to 30 times."""
_BLOCK: Final = 1 << 20
_FIXED: Final = frozenset({members.TABLE, members.EVENTS, members.RECORD, members.MANIFEST})
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_BROKEN: Final = (*members.DAMAGED, TypeError, KeyError, OverflowError)
"""What reading a damaged or forged file raises; a ValueError is also every DominoError of the chain, and bad JSON."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an export holds, beside its events.

    Attributes:
        origin: the id under which the chain began.
        name: how people called the table.
        config: its configuration, JSON.
        evidence: names of the evidence files.
    """

    origin: str
    name: str
    config: dict[str, Any]
    evidence: tuple[str, ...]


@contextmanager
def refused(file: Path) -> Iterator[None]:
    """Turn whatever a damaged or foreign file leads to into a StoreError `bad_export`."""
    try:
        yield
    except StoreError as error:
        if error.code in {"store_unreachable", "store_full"}:
            raise
        raise _bad(file, error.message) from error
    except DominoError as error:
        raise _bad(file, error.message) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the beginning of the file
            raise
        raise _bad(file, "its list of members leads nowhere") from error
    except _BROKEN as error:
        raise _bad(file, str(error) or type(error).__name__) from error


def _bad(file: Path, reason: str) -> StoreError:
    return StoreError("bad_export", f"{file.name} is no exported table: {reason}", reason=reason)


class Exported:
    """An exported file. All of its methods raise one of many errors on bad input: use them within `refused`."""

    def __init__(self, file: Path) -> None:
        """Open a file and look at its list of members."""
        size = file.stat().st_size
        self._zip = zipfile.ZipFile(file)
        try:
            self._sizes = _checked_members(self._zip.infolist(), size)
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def verify(self) -> Contents:
        """Check every hash, the chain and the record, and return what the file holds."""
        manifest = load(self._small(members.MANIFEST))
        if manifest["format"] != members.FORMAT or not _is_number(manifest["version"]):
            raise ValueError("another format")
        if manifest["version"] > members.VERSION:
            raise ValueError(f"version {manifest['version']}, written by a newer dominotable")
        self._check_hashes(manifest["files"])
        table = load(self._small(members.TABLE))
        if table.keys() != members.TABLE_KEYS or table["id"] != manifest["table"] or not is_id(table["id"]):
            raise ValueError("the table is not that of the manifest")
        if not isinstance(table["config"], dict):
            raise TypeError("the configuration is no object")
        for at in (table["created_at"], table["archived_at"] or table["created_at"]):
            _moment(at)
        self._check_events(manifest)
        evidence = tuple(name for name in self._sizes if name.startswith(members.EVIDENCE))
        names = tuple(name.removeprefix(members.EVIDENCE) for name in evidence)
        return Contents(table["id"], checked_text(table["name"], "name"), table["config"], names)

    def events(self, origin: str, table: str) -> Iterator[StoredEvent]:
        """Yield the events as those of another table, as long as the chain holds."""
        head, seq = genesis(origin), 0
        with self._zip.open(members.EVENTS) as lines:
            while line := lines.readline(_MOST_SMALL):
                seq += 1
                event = _event(line, table, seq)
                head = next_hash(head, origin, seq, event.at, event.kind, event.data)
                if head != event.hash:
                    raise ValueError(f"event {seq} does not follow from those before it")
                yield event

    def copy_evidence(self, name: str, out: Path) -> None:
        """Write an evidence file."""
        with self._zip.open(members.EVIDENCE + name) as source, out.open("xb") as file:
            while block := source.read(_BLOCK):
                file.write(block)

    def _check_hashes(self, files: Any) -> None:
        named = set(self._sizes) - {members.MANIFEST, members.SIGNATURE}
        if not isinstance(files, dict) or files.keys() != named:
            raise ValueError("its members are not those of the manifest")
        for name in sorted(named):
            found = self._digest(name)
            if found != files[name]:
                raise ValueError(f"{name} is altered")
            if name.startswith(members.EVIDENCE) and not name.startswith(found, len(members.EVIDENCE)):
                raise ValueError(f"{name} is not called by its content")

    def _check_events(self, manifest: dict[str, Any]) -> None:
        record, events, head = RecordLines(), 0, genesis(manifest["table"])
        for event in self.events(manifest["table"], manifest["table"]):
            record.take(event)
            events, head = event.seq, event.hash
        if (events, head) != (manifest["events"], manifest["hash"]):
            raise ValueError("events are missing at the end")
        if members.joined(record.texts) != self._small(members.RECORD):
            raise ValueError("the record is not that of the events")

    def _small(self, name: str) -> bytes:
        if self._sizes[name] > _MOST_SMALL:
            raise ValueError(f"{name} is too large")
        return self._zip.read(name)

    def _digest(self, name: str) -> str:
        hashed = hashlib.sha256()
        with self._zip.open(name) as member:
            while block := member.read(_BLOCK):
                hashed.update(block)
        return hashed.hexdigest()


def _event(line: bytes, table: str, seq: int) -> StoredEvent:
    plain = load(line)
    if plain.keys() != members.EVENT_KEYS or not line.endswith(b"\n"):
        raise ValueError(f"event {seq} is cut short")
    if not _is_number(plain["seq"]) or plain["seq"] != seq:
        raise ValueError(f"event {seq} is missing")
    if not isinstance(plain["data"], dict):
        raise TypeError(f"event {seq} is written otherwise than we do")
    kind = checked_text(plain["kind"], "kind")
    return StoredEvent(table, seq, _moment(plain["at"]), kind, plain["data"], plain["hash"])


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _moment(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if timestamp(at) != text:
        raise ValueError(f"a moment is written otherwise than we do: {text[:40]}")
    return at.astimezone(UTC)


def _checked_members(infos: list[zipfile.ZipInfo], size: int) -> dict[str, int]:
    """Return the sizes of the members; nothing of them was unpacked yet."""
    if len(infos) > _MOST_MEMBERS:
        raise ValueError("it has too many members")
    sizes = {info.filename: info.file_size for info in infos}
    if len(sizes) < len(infos) or not sizes.keys() >= _FIXED:
        raise ValueError("members are missing or twice there")
    for info in infos:
        _check_member(info)
    if sum(info.compress_size for info in infos) > size or sum(sizes.values()) > size * _MOST_GROWTH:
        raise ValueError("it would unpack to far more than it is")
    if sizes[members.EVENTS] > _MOST_TEXT:
        raise ValueError("it has too many events")
    return sizes


def _check_member(info: zipfile.ZipInfo) -> None:
    name = info.filename
    evidence = name.removeprefix(members.EVIDENCE)
    if name not in {*_FIXED, members.SIGNATURE}:
        if evidence == name or not members.EVIDENCE_FILE.fullmatch(evidence):
            raise ValueError(f"it has a member of another kind: {name[:80]!r}")
        if info.compress_size != info.file_size:
            raise ValueError(f"{name} is compressed")
    if info.flag_bits & 0x1 or info.compress_type not in _METHODS or stat.S_ISLNK(info.external_attr >> 16):
        raise ValueError(f"{name} is encrypted, a link or packed in another way")
