"""The referee's record: nothing committed is lost, whenever the process is killed, and a restart goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from domino_rules.errors import SetupError
from domino_server.referee import Journal, Referee
from tests.referee_games import Camera, Seen, follow, plain, random_game, referee_for, scores, sights

KILLED = """
import os, signal, sys
from pathlib import Path
from domino_server.referee import Journal, Referee
from tests.referee_games import Camera, Seen, random_game, sights
record = random_game("pincset", "ABCD", 3, 1)
referee = Referee.start(record.game, record.seats, record.options, Journal(Path(sys.argv[1])))
for number, sight in enumerate(sights(record, Camera(record.seats, Seen(), 3))):
    referee.see(sight)
    if number == 9:
        print(len(referee.ledger.moves), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_process_loses_nothing_that_was_committed(tmp_path: Path, root: Path) -> None:
    """After SIGKILL the record holds every committed move, and the referee that takes it up ends the same game."""
    file = tmp_path / "game.txt"
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(file)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert run.returncode == -signal.SIGKILL, run.stderr
    record = random_game("pincset", "ABCD", 3, 1)
    referee = Referee.start(record.game, record.seats, record.options, Journal(file))
    assert len(referee.ledger.moves) == int(run.stdout)
    for sight in list(sights(record, Camera(record.seats, Seen(), 3)))[10:]:
        referee.see(sight)
    assert plain(referee.record) == plain(record)
    assert scores(referee.record) == scores(record)


@pytest.mark.parametrize("cut", [1, 7, 20])
def test_line_that_was_cut_short_is_dropped(tmp_path: Path, cut: int) -> None:
    """A file whose last line was not written whole opens without that line, and further lines follow it."""
    file = tmp_path / "game.txt"
    record = random_game("cincos", "AB", 5, 1)
    referee = Referee.start(record.game, record.seats, record.options, Journal(file))
    follow(referee, record, Camera(record.seats, Seen(racks=True), 5))
    text = file.read_text()
    last = text.rstrip("\n").rfind("\n") + 1
    file.write_text(text[: last + min(cut, len(text) - last - 1)])
    assert Journal(file).text == text[:last]
    again = Referee(Journal(file))
    assert plain(again.record)[0] == plain(record)[0][: len(again.ledger.moves)]


@pytest.mark.parametrize(("game", "seats"), [("pincset", "ABCD"), ("cincos", "ABC"), ("bingo", "AB"), ("tiu-u", "AB")])
def test_restart_after_every_table_goes_on(game: str, seats: str) -> None:
    """A referee that is started anew from its record before each table reaches the same record."""
    record = random_game(game, seats, 2, 1)
    camera = Camera(tuple(seats), Seen(racks=True), 2)
    referee = referee_for(record)
    follow(referee, record, camera)
    journal = referee_for(record).ledger.journal
    camera = Camera(tuple(seats), Seen(racks=True), 2)
    opener = record.hands[0].moves[0].move.player
    for sight in sights(record, camera):
        resumed = Referee(journal)
        resumed.opener = None if resumed.ledger.hand else opener
        for call in camera.calls:
            resumed.tell(call)
        camera.calls.clear()
        resumed.see(sight)
    assert plain(journal.record) == plain(record)
    assert scores(journal.record) == scores(referee.record)


def test_record_of_another_match_is_refused(tmp_path: Path) -> None:
    """A record of other players is not overwritten."""
    file = tmp_path / "game.txt"
    Referee.start("pincset", tuple("ABCD"), journal=Journal(file))
    with pytest.raises(SetupError) as error:
        Referee.start("pincset", tuple("WXYZ"), journal=Journal(file))
    assert error.value.code == "other_match"
    assert "Seats: A B C D" in file.read_text()


def test_record_of_other_house_options_is_refused(tmp_path: Path) -> None:
    """A match goes on with the options it began with, told again or not; told otherwise it is another match."""
    file = tmp_path / "game.txt"
    Referee.start("pincset", tuple("ABCD"), {"target": "300"}, Journal(file))
    for options in ({}, {"target": 300}):
        Referee.start("pincset", tuple("ABCD"), options, Journal(file))
    for options in ({"target": "500"}, {"force_66": "false"}):
        with pytest.raises(SetupError, match="target=300") as error:
            Referee.start("pincset", tuple("ABCD"), options, Journal(file))
        assert error.value.code == "other_match"


@pytest.mark.parametrize("held", [b"\x89PNG\r\n\x1a\n\x00\xff\xfe\ncut", b"notes\nlast line", b"\xff\xd8\xff\xe0"])
def test_a_file_that_is_no_record_is_left_as_it_is(tmp_path: Path, held: bytes) -> None:
    """A picture, a film or notes given for a record by mistake lose nothing, not even a last line without an end."""
    path = tmp_path / "1.png"
    path.write_bytes(held)
    with pytest.raises(SetupError) as error:
        Journal(path)
    assert error.value.code == "no_record"
    assert path.read_bytes() == held


def test_what_is_no_file_holds_no_record(tmp_path: Path) -> None:
    """A pipe or a device is never read to its end."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(SetupError, match="pipe"):
        Journal(path)
