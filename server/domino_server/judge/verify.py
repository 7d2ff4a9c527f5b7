"""Is an exported file genuine? Needs the file, and to be sure of its origin the public key of the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from domino_rules.errors import DominoError
from domino_server.judge.exported import EXPORT, Exported, ExportError
from domino_server.judge.seal import is_sealed
from domino_server.judge.signing import SigningError, check_public, is_signed
from domino_server.judge.verify_chain import Problem, check_heads, follow
from domino_server.judge.verify_scores import Derived, derive
from domino_server.store import StoredEvent
from domino_server.store.members import FORMAT, MANIFEST, RECORD, SIGNATURE, TABLE

_CONTENT_NAME: Final = re.compile(r"([0-9a-f]{64})\.[a-z0-9]{1,5}")
"""A file that is named by the SHA-256 of what it holds."""
_HEAD: Final = re.compile(r"([0-9]{1,12}):([0-9a-f]{8,64})")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a file is worth.

    Attributes:
        problems: what is wrong, the first broken event first; none if the file is genuine.
        table: id of the table under which the chain began.
        name: how people call it.
        events: so many events the chain vouches for.
        hash: the hash of the last of them.
        public_key: the key that signed the file; None if no signature is genuine.
        trusted: whether that is the key that was asked for.
        matches: by match the totals that follow from its moves, its winner, and how many hands were played.
        evidence: how many evidence files are there, and how many were removed on purpose.
    """

    problems: tuple[Problem, ...]
    table: str
    name: str
    events: int
    hash: str
    public_key: str | None
    trusted: bool
    matches: tuple[Mapping[str, Any], ...]
    evidence: tuple[int, int]

    @property
    def genuine(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(path: Path, public: str | None = None, head: str | None = None) -> Verdict:
    """Look whether an exported file is as its table wrote it.

    Args:
        path: the file.
        public: the table's public key, known from elsewhere; None takes the one that the file names.
        head: `SEQ:HASH` of an event that the chain must hold, as printed on a report.

    Raises:
        ExportError: `unreadable` or `bad_head`.
        SigningError: `bad_public_key`.
        OSError: if the file cannot be read.
    """
    if public is not None:
        check_public(public)
    if head is not None and not _HEAD.fullmatch(head):
        raise ExportError("bad_head", f"a head is written NUMBER:HASH, not {head!r}", head=head)
    with Exported(path) as file:
        return _Check(file, public, head).verdict()


class _Check:
    """Collects what is wrong with one file."""

    def __init__(self, file: Exported, public: str | None, head: str | None) -> None:
        self.file = file
        self.public = public
        self.head = head
        self.problems: list[Problem] = []
        self.signer: str | None = None
        self.digests: dict[str, str] = {}

    def verdict(self) -> Verdict:
        """Look at everything."""
        table = self._json(TABLE)
        origin = str(table.get("id"))
        events, broken = self._events(origin)
        if broken is not None:
            self.problems.append(broken)
        manifest = self._manifest()
        if broken is None:
            self.problems += check_heads(origin, events, self.signer)
        self._ends(events, manifest, broken)
        derived = derive(events)
        self.problems += derived.problems
        self._record(derived, broken)
        evidence = self._evidence(events)
        if not self.problems and not is_sealed(self.file.path):
            self._found("seal_broken", "the file was changed outside the events and files that it holds")
        trusted = self.signer is not None and self.signer == self.public
        last = events[-1].hash if events else ""
        name = str(table.get("name", ""))
        matches = tuple(_standing(derived))
        return Verdict(
            tuple(self.problems), origin, name, len(events), last, self.signer, trusted, matches, evidence
        )  # fmt: skip

    def _found(self, code: str, text: str, seq: int | None = None, **params: Any) -> None:
        self.problems.append(Problem(code, text, seq, params))

    def _json(self, name: str) -> dict[str, Any]:
        try:
            return self.file.json_of(name)
        except ExportError as error:
            self._found("member_altered", error.message, name=name)
            return {}

    def _events(self, origin: str) -> tuple[list[StoredEvent], Problem | None]:
        try:
            return follow(origin, list(self.file.lines()))
        except ExportError as error:
            return [], Problem("events_damaged", error.message)

    def _manifest(self) -> dict[str, Any]:
        """Return the manifest once its signature and the hashes of all members are checked."""
        manifest, signature = self._json(MANIFEST), self._json(SIGNATURE)
        signer = str(signature.get("public_key"))
        try:
            genuine = is_signed(signer, EXPORT, manifest, str(signature.get("signature")))
        except SigningError:
            genuine = False
        if not genuine:
            self._found("manifest_forged", "the file's list of contents has no genuine signature")
        else:
            self.signer = signer
            if self.public is not None and signer != self.public:
                self._found("other_key", f"the file was signed with another key: {signer}", key=signer)
        files = manifest.get("files")
        listed: dict[str, Any] = files if isinstance(files, dict) else {}
        for name, digest in listed.items():
            self._member(name, digest)
        for name in sorted(set(self.file.names) - set(listed) - {MANIFEST, SIGNATURE}):
            self._found("member_unknown", f"{name} was not there when the file was signed", name=name)
        if manifest.get("format") != FORMAT:
            self._found("member_altered", f"{MANIFEST} is not that of an exported table", name=MANIFEST)
        return manifest

    def _member(self, name: str, digest: object) -> None:
        try:
            if name not in self.file.names:
                self._found("member_missing", f"{name} is missing", name=name)
            elif self._digest(name) != digest:
                self._found("member_altered", f"{name} is altered", name=name)
        except ExportError as error:
            self._found("member_altered", error.message, name=name)

    def _digest(self, name: str) -> str:
        if name not in self.digests:
            self.digests[name] = self.file.digest(name)
        return self.digests[name]

    def _ends(self, events: Sequence[StoredEvent], manifest: Mapping[str, Any], broken: Problem | None) -> None:
        """Check that the chain ends where the manifest says, and holds the head that a report names."""
        last = events[-1].hash if events else None
        if broken is None and self.signer is not None and (manifest.get("events"), manifest.get("hash")) != (
            len(events), last,
        ):  # fmt: skip
            text = f"{manifest.get('events')} events were signed, {len(events)} are there"
            self._found("events_cut", text, len(events) + 1)
        found = None if self.head is None else _HEAD.fullmatch(self.head)
        if found is not None:
            seq = int(found[1])
            if not 0 < seq <= len(events) or not events[seq - 1].hash.startswith(found[2]):
                self._found("head_differs", f"event {seq} is not the one that the report was made from", seq)

    def _record(self, derived: Derived, broken: Problem | None) -> None:
        try:
            text = self.file.bytes_of(RECORD).decode("utf-8", "replace")
        except ExportError as error:
            self._found("member_altered", error.message, name=RECORD)
            return
        if broken is None and _written(text.splitlines()) != _written(derived.lines):
            self._found("record_differs", f"{RECORD} is not the record that the events hold", name=RECORD)

    def _evidence(self, events: Sequence[StoredEvent]) -> tuple[int, int]:
        """Check that each evidence file holds what its name says, and is there unless it was removed on purpose.

        A file that was exported without any evidence is whole too: what the signed manifest lists is checked elsewhere.
        """
        there = self.file.evidence()
        for name, member in there.items():
            content = _CONTENT_NAME.fullmatch(name)
            try:
                right = content is not None and self._digest(member) == content[1]
            except ExportError:
                right = False
            if not right:
                self._found("evidence_altered", f"evidence {name} is altered", name=name)
        purged = {str(name) for event in events if event.kind == "purge" for name in event.data.get("files", ())}
        for event in events if there else ():
            for name in sorted(set(named_files(event.data)) if event.kind == "evidence" else ()):
                if name not in there and name not in purged:
                    self._found("evidence_missing", f"evidence {name} of event {event.seq} is missing", event.seq)
        return len(there), len(purged)


def _written(lines: Iterable[str]) -> list[str]:
    return [line.rstrip() for line in lines if line.strip()]


def named_files(data: Any) -> Iterator[str]:
    """Yield the evidence files that the data of an event names, wherever they stand in it."""
    if isinstance(data, str):
        if _CONTENT_NAME.fullmatch(data):
            yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from named_files(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from named_files(value)


def _standing(derived: Derived) -> Iterator[Mapping[str, Any]]:
    for played in derived.matches:
        try:
            winner = played.winner
        except DominoError:
            winner = None
        yield {
            "game": played.match.game.name, "hands": len(played.hands), "totals": dict(played.match.totals),
            "winner": winner,
        }  # fmt: skip
