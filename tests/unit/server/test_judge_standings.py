"""Standings, round robin and Swiss: known tables by hand, and properties of every pairing."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from domino_server.cli import app
from domino_server.judge.export import export_signed
from domino_server.judge.pairing import next_swiss, round_robin
from domino_server.judge.results import players_of
from domino_server.judge.standings import Game, StandingsError, read_pairings, standings, write_pairings
from domino_server.store import Store
from tests.judge_tables import a_record, play

LIST = """round,table,a,b,points_a,points_b,winner
1,1,Ana,Bo,500,320,
1,2,Cleo,Dan,410,410,
1,,Eva,,,,
2,1,Ana,Eva,200,505,
2,2,Bo,Cleo,500,130,
2,,Dan,,,,
"""


def test_standings_by_hand() -> None:
    """Scores, Buchholz, Sonneborn-Berger and points of a small table as worked out by hand."""
    rows = {row.name: row for row in standings(read_pairings(LIST))}
    assert [row.name for row in standings(read_pairings(LIST))] == ["Eva", "Dan", "Ana", "Bo", "Cleo"]
    eva, ana, bo, cleo, dan = (rows[name] for name in ("Eva", "Ana", "Bo", "Cleo", "Dan"))
    assert (eva.score, eva.byes, eva.played, eva.won, eva.buchholz, eva.berger) == (2, 1, 1, 1, 1, 1)
    assert (ana.score, ana.buchholz, ana.berger, ana.difference, ana.points) == (1, 3, 1, -125, 700)
    assert (bo.score, bo.buchholz, bo.berger, bo.difference) == (1, Fraction(3, 2), Fraction(1, 2), 190)
    assert (dan.score, dan.buchholz, dan.berger, dan.drawn) == (Fraction(3, 2), Fraction(1, 2), Fraction(1, 4), 1)
    assert (cleo.score, cleo.lost, cleo.rank) == (Fraction(1, 2), 1, 5)


def test_equal_sides_share_a_rank() -> None:
    """Nothing parts two sides that have not played."""
    assert [row.rank for row in standings([], ["Ana", "Bo"])] == [1, 1]


def test_pairing_lists_are_read_in_any_shape() -> None:
    """Semicolons, another order, a byte order mark and names with commas; writing and reading agree."""
    text = '\ufeffB;A;Round\nBo;"Ana, Cleo";1\n;Dan;1\n\n'
    games = read_pairings(text)
    assert games == (Game(1, "", "Ana, Cleo", "Bo"), Game(1, "", "Dan", None))
    assert read_pairings(write_pairings(read_pairings(LIST))) == read_pairings(LIST)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x,y\n1,2\n", "pairing_columns"),
        ("", "pairing_columns"),
        ("round,a,b\n0,Ana,Bo\n", "pairing_round"),
        ("round,a,b\none,Ana,Bo\n", "pairing_round"),
        ("round,a,b\n1,,Bo\n", "pairing_round"),
        ("round,a,b\n1,Ana,Ana\n", "pairing_itself"),
        ("round,a,b\n1,Ana,Bo\n1,Cleo,Ana\n", "pairing_twice"),
        ("round,a,b,points_a\n1,Ana,Bo,many\n", "pairing_points"),
        ("round,a,b,winner\n1,Ana,Bo,Cleo\n", "pairing_winner"),
    ],
)
def test_broken_lists_are_refused(text: str, code: str) -> None:
    """Each mistake has its code, and its line where there is one."""
    with pytest.raises(StandingsError) as caught:
        read_pairings(text)
    assert caught.value.code == code


@given(st.integers(2, 15))
def test_a_round_robin_pairs_everybody_once(count: int) -> None:
    """Everybody meets everybody once and nobody plays twice in a round; an odd one rests once."""
    names = [f"S{number}" for number in range(count)]
    games = round_robin(names)
    met = [frozenset((game.a, game.b)) for game in games if game.b is not None]
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    assert read_pairings(write_pairings(games)) == games
    byes = [game.a for game in games if game.b is None]
    assert sorted(byes) == (sorted(names) if count % 2 else [])


@settings(max_examples=25)
@given(st.integers(4, 17), st.integers(0, 10**6))
def test_swiss_rounds_never_repeat_a_game(count: int, seed: int) -> None:
    """Over several rounds nobody meets twice or rests twice, and opponents are as near in score as can be."""
    names, chance, games = [f"S{number}" for number in range(count)], Random(seed), list[Game]()
    for _ in range(min(4, (count - 1) // 2)):
        fresh = next_swiss(games, names)
        games += [
            Game(g.round, g.table, g.a, g.b, None if g.b is None else chance.randrange(500), chance.randrange(500))
            for g in fresh
        ]
    met = [frozenset((game.a, game.b)) for game in games if game.b is not None]
    byes = [game.a for game in games if game.b is None]
    assert len(met) == len(set(met))
    assert len(byes) == len(set(byes))
    assert read_pairings(write_pairings(games))


def test_swiss_pairs_winners_with_winners() -> None:
    """After one round winners meet winners; the top half meets the lower half in the first."""
    names = ["A", "B", "C", "D"]
    first = next_swiss([], names)
    assert [(game.a, game.b) for game in first] == [("A", "C"), ("B", "D")]
    played = [Game(1, "1", "A", "C", 100, 50), Game(1, "2", "B", "D", 100, 60)]
    assert {frozenset((game.a, game.b)) for game in next_swiss(played, names)} == {frozenset("AB"), frozenset("CD")}


def test_swiss_ends_when_all_have_met() -> None:
    """With nobody left to meet the error says so."""
    with pytest.raises(StandingsError) as caught:
        next_swiss([Game(1, "1", "A", "B", 1, 0)])
    assert caught.value.code == "no_pairing"
    with pytest.raises(StandingsError, match="two sides"):
        round_robin(["A"])
    with pytest.raises(StandingsError, match="twice"):
        round_robin(["A", "A"])


def test_sides_are_known_by_their_players() -> None:
    """However a side is written, its players tell which it is."""
    assert players_of("Ana+Cleo") == players_of("Cleo / ana") == players_of("Ana & Cleo") != players_of("Ana")


def test_the_command_takes_results_from_exports(tmp_path: Path) -> None:
    """An exported match becomes the result of its game; the next round is written; open games stop it."""
    store = Store.open("sqlite://")
    table = store.create_table("One", {}).id
    from domino_server.judge.signing import TableKey

    key = TableKey.open(tmp_path, table)
    ledger = play(store, table, a_record("cincos", 4, 30), key)
    assert ledger.match.over
    export_signed(store, table, None, tmp_path / "one.zip", key)
    pairings, out, fresh = tmp_path / "list.csv", tmp_path / "out.csv", tmp_path / "next.csv"
    pairings.write_text("round,a,b,points_a,points_b\n1,bo,ANA,,\n1,Cleo,Dan,150,20\n", encoding="utf-8")
    arguments = ["standings", str(pairings), "--results", str(tmp_path / "one.zip"), "--out", str(out)]
    done = CliRunner().invoke(app, [*arguments, "--next", str(fresh), "--lang", "pl"])
    assert done.exit_code == 0, done.output
    assert "Tabela po rundzie 1" in done.stdout
    assert done.stderr == f"written: {out}\nwritten: {fresh}\n"
    game = read_pairings(out.read_text(encoding="utf-8"))[0]
    assert {"Ana": game.points_b, "Bo": game.points_a} == dict(ledger.match.totals)
    assert (game.winner == "bo") == (ledger.match.winner == "Bo")
    assert [game.round for game in read_pairings(fresh.read_text(encoding="utf-8"))] == [1, 1, 2, 2]
    open_games = CliRunner().invoke(app, ["standings", str(pairings), "--next", str(fresh)])
    assert (open_games.exit_code, "no result yet" in open_games.stderr) == (2, True)


def test_a_tournament_begins_with_its_entrants(tmp_path: Path) -> None:
    """A list of names gives the rounds of a round robin."""
    entrants, out = tmp_path / "names.txt", tmp_path / "list.csv"
    entrants.write_text("Ana+Cleo\nBo+Dan\nEva+Fay\n", encoding="utf-8")
    wanted = ["--entrants", str(entrants), "--system", "round-robin", "--next", str(out)]
    done = CliRunner().invoke(app, ["standings", *wanted])
    assert done.exit_code == 0, done.output
    assert len(read_pairings(out.read_text(encoding="utf-8"))) == 6
    assert CliRunner().invoke(app, ["standings"]).exit_code == 2
    assert CliRunner().invoke(app, ["standings", *wanted, "--system", "knockout"]).exit_code == 2
