"""What people tell a table over HTTP: moves, answers, undo over hands, corrections of the picture, names, options."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domino_rules.moves import Play
from domino_rules.notation import format_move, parse_move
from domino_rules.record import Record
from domino_rules.record_replay import replay
from tests.referee_games import Table, random_game
from tests.table_frames import Film, pincset_tables, quads_px
from tests.table_server import House, TableOfTest, house

SEED = 3


@pytest.fixture(scope="module")
def server() -> Iterator[House]:
    with house(Film()) as running:
        yield running


@pytest.fixture(autouse=True)
def _tables_stop(server: House) -> Iterator[None]:
    """Stop the tables of a test behind it: a server watches only so many at once."""
    yield
    for row in server.store.tables():
        server.manager.stop(row.id)


@pytest.fixture(scope="module")
def game() -> tuple[Record, list[Table]]:
    return pincset_tables(SEED, 4)


def begun(server: House, game: tuple[Record, list[Table]], most: int = 1) -> TableOfTest:
    """Return a table at which the first tiles of the game were laid."""
    record, tables = game
    table = server.make(opener=record.hands[0].moves[0].move.player)
    for shown in tables[:most]:
        table.photograph(shown)
    assert len(table.texts()) == most, table.state()
    return table


def text_of(record: Record, number: int) -> str:
    return format_move(record.hands[0].moves[number].move)


def tile_in(text: str) -> str:
    move = parse_move(text)
    assert isinstance(move, Play)
    return str(move.tile)


def test_photographs_become_moves(server: House, game: tuple[Record, list[Table]]) -> None:
    """Three photographs of a growing line are three moves, with how they are known and when."""
    table = begun(server, game, 3)
    moves = table.state(None)["moves"]
    assert [move["text"] for move in moves] == [text_of(game[0], n) for n in range(3)]
    assert all(move["known"] == "seen" and move["at"] for move in moves)


def test_moves_are_told_and_undone_and_done_again(server: House, game: tuple[Record, list[Table]]) -> None:
    """A told move is in the state; undo takes it back and redo makes it again; every step is kept."""
    table = begun(server, game)
    state = table.told("move", text=text_of(game[0], 1))
    assert [move["known"] for move in state["moves"]] == ["seen", "told"]
    assert len(table.told("undo")["moves"]) == 1
    assert table.state()["can_redo"]
    assert len(table.told("redo")["moves"]) == 2
    kinds = [event.kind for event in server.store.events(table.id)]
    assert kinds.count("told") == 3
    told = server.store.events(table.id, kinds={"told"})[0]
    assert told.data["role"] == "keeper"
    assert told.data["token"]
    assert told.data["command"] == {"op": "move", "text": text_of(game[0], 1)}


def test_look_at_the_same_table_makes_nothing_again(server: House, game: tuple[Record, list[Table]]) -> None:
    """What was undone stays so, and can be done again, until the table changes or something is told."""
    table = begun(server, game)
    table.photograph(game[1][1])
    assert len(table.told("undo")["moves"]) == 1
    table.photograph(game[1][1])
    state = table.state()
    assert len(state["moves"]) == 1
    assert state["can_redo"]
    assert len(table.told("redo")["moves"]) == 2
    table.told("undo")
    table.photograph(game[1][0])
    table.photograph(game[1][1])
    assert [move["known"] for move in table.state()["moves"]] == ["seen"] * 2


def test_at_signs_are_understood(server: House, game: tuple[Record, list[Table]]) -> None:
    """`Ana 6-4@L` is what many people type."""
    table = begun(server, game)
    text = text_of(game[0], 1)
    head, _, arm = text.rpartition(" ")
    assert len(table.told("move", text=f"{head}@{arm}")["moves"]) == 2


def test_illegal_and_unreadable_moves_are_refused(server: House, game: tuple[Record, list[Table]]) -> None:
    """What the rules refuse is a conflict with its reason, what nobody can read is named; both are kept as refused."""
    table = begun(server, game)
    again = table.tell("move", text=text_of(game[0], 0))
    assert (again.status_code, again.headers["content-type"]) == (409, "application/problem+json")
    assert table.tell("move", text="what?").json()["code"] == "notation_move"
    assert table.tell("nonsense").json()["code"] == "invalid_request"
    assert len(table.texts()) == 1
    said = [event.data for event in server.store.events(table.id, kinds={"said"})]
    assert [line["code"] for line in said if line["event"] == "refused"] == [again.json()["code"], "notation_move"]


def test_whole_game_is_told_and_undone_over_the_end_of_hands(server: House) -> None:
    """Two hands told move by move; undo goes back over both ends to the first move, redo to the last."""
    record = random_game("pincset", "ABCD", 5, 2, force_66=False)
    table = server.make()
    worker = server.manager.worker(table.id)
    assert worker is not None
    whole = replay(record).match

    def start(desk: object, number: int = 0) -> None:
        hand = whole.hands[number]
        desk.session.referee.ledger.start_hand(hand.deal, hand.opener, was_told=True)  # type: ignore[attr-defined]
        desk.session.referee.reset_branches()  # type: ignore[attr-defined]

    for number, hand in enumerate(whole.hands):
        worker.ask(lambda desk, number=number: start(desk, number)).result(10)
        for move in hand.moves:
            assert table.tell("move", text=format_move(move)).status_code == 200
    full = table.state()
    assert [row["number"] for row in full["hands"]] == [1, 2]
    steps = 0
    while table.state()["can_undo"]:
        assert table.tell("undo").status_code == 200
        steps += 1
    empty = table.state()
    assert (empty["hand"], empty["hands"], empty["can_undo"]) == (0, [], False)
    assert steps == len(whole.hands[0].moves) + len(whole.hands[1].moves)
    assert table.tell("undo").json()["code"] == "nothing_to_undo"
    for _ in range(steps):
        assert table.tell("redo").status_code == 200
    again = table.state()
    assert (again["hands"], again["totals"]) == (full["hands"], full["totals"])
    assert table.tell("redo").json()["code"] == "nothing_to_redo"


def test_half_of_a_tile_is_corrected(server: House, game: tuple[Record, list[Table]]) -> None:
    """A tile that was misread gets its pips by one tap: the move is another one, and vision agrees from then on."""
    _, tables = game
    table = begun(server, game)
    seen = table.state()["observation"]["tiles"][0]
    free = next(n for n in range(7) if n not in seen["halves"])
    state = table.told("half", tile=0, half=1, pips=free)
    named = "-".join(map(str, sorted((seen["halves"][0], free), reverse=True)))
    assert state["observation"]["tiles"][0]["tile"] == named
    assert tile_in(state["moves"][0]["text"]) == named
    table.photograph(tables[0])
    assert tile_in(table.texts()[0]) == named, "the next look takes the told value"
    assert table.tell("half", tile=7, half=0, pips=1).json()["code"] == "no_such_tile"
    assert table.tell("half", tile=0, half=0, pips=12).json()["code"] == "not_in_set"


def test_phantom_is_taken_off(server: House, game: tuple[Record, list[Table]]) -> None:
    """What was no tile is taken off with the move that it was taken for, and stays off."""
    _, tables = game
    table = begun(server, game, 2)
    last = {tile["tile"] for tile in table.state()["observation"]["tiles"]}
    laid = tile_in(table.texts()[-1])
    new = next(tile for tile in table.state()["observation"]["tiles"] if tile["tile"] == laid)
    assert len(table.told("phantom", tile=new["index"])["moves"]) == 1
    table.photograph(tables[1])
    state = table.state()
    assert {tile["tile"] for tile in state["observation"]["tiles"]} == last - {new["tile"]}
    assert len(state["moves"]) == 1


def test_missed_tile_is_added_where_it_lies(server: House, game: tuple[Record, list[Table]]) -> None:
    """A tile that the network does not find becomes a move once somebody points at it."""
    record, tables = game
    table = begun(server, game)
    film = server.film
    picture = film.show(tables[1])
    number = len(film.tables) - 1
    blind = Table(list(tables[0].tiles), list(tables[0].joins))
    film.tables[number] = blind
    table.look(picture)
    assert len(table.texts()) == 1
    missed = tables[1].tiles[-1]
    at = [round(float(v), 1) for v in quads_px(tables[1])[-1].mean(0)]
    assert missed[2] is not None
    table.told("missed", tile="{}-{}".format(*missed[2]), at=at)
    table.look(picture)
    assert table.until(lambda state: len(state["moves"]) == 2)["moves"][1]["text"] == text_of(record, 1)
    assert table.tell("missed", tile="9-9", at=[100, 100]).json()["code"] == "not_in_set"


def test_join_is_told(server: House, game: tuple[Record, list[Table]]) -> None:
    """Tiles are parted and joined by their numbers; a tile that is not there is named."""
    table = begun(server, game, 2)
    assert table.tell("join", tiles=[0, 1]).status_code == 200
    assert table.tell("join", tiles=[1, None]).status_code == 200
    assert table.tell("join", tiles=[0, 9]).json()["code"] == "no_such_tile"
    assert table.tell("join", tiles=[1, 1]).json()["code"] == "no_such_tile"
    assert len(table.texts()) == 2


def test_zones_are_drawn_and_kept(server: House, game: tuple[Record, list[Table]]) -> None:
    """Zones drawn in pixels come back in pixels, are kept with the table, and go when they are reset."""
    table = begun(server, game)
    assert table.state()["calibration"]["zones"] == "off"
    square = [[100, 100], [1100, 100], [1100, 600], [100, 600]]
    state = table.told("zones", zones=[{"name": "layout", "polygon": square}])
    assert [zone["name"] for zone in state["zones"]] == ["layout"]
    assert state["zones"][0]["polygon"][0] == pytest.approx([100, 100], abs=1)
    assert state["calibration"]["zones"] == "drawn"
    kept = server.store.table(table.id).config["zones"]
    assert kept["zones"][0]["name"] == "layout"
    assert len(kept["px_to_mm"]) == 3
    assert table.tell("zones", zones=[{"name": "nowhere", "polygon": square}]).json()["code"] == "zone_name"
    assert table.told("zones", reset=True)["zones"] == []
    assert server.store.table(table.id).config["zones"] is None


def test_calibration_follows_from_what_was_seen(server: House, game: tuple[Record, list[Table]]) -> None:
    """Nothing is known before a tile lies there; then how many lie, how large a pixel is, and the preset's parts."""
    fresh = server.make(use_zones=True)
    assert fresh.state()["calibration"] == {"tiles": 0, "mm_per_px": None, "zones": "none"}
    assert "calibration" not in fresh.state(None)
    known = begun(server, game, 2).state()["calibration"]
    assert known["tiles"] == 2
    assert known["mm_per_px"] == pytest.approx(1 / 0.9, rel=0.05)


def test_players_are_renamed_in_what_was_played(server: House, game: tuple[Record, list[Table]]) -> None:
    """New names stand in the moves already made; sides, record and further moves follow."""
    table = begun(server, game, 2)
    names = ["Ana", "Doña Bea", "Čedo", "Deal"]
    state = table.told("seats", names=names)
    players = [record.move.player for record in game[0].hands[0].moves[:2]]
    assert [move["player"] for move in state["moves"]] == [names["ABCD".index(each)] for each in players]
    assert state["sides"] == {"Ana+Čedo": ["Ana", "Čedo"], "Doña Bea+Deal": ["Doña Bea", "Deal"]}
    assert table.tell("seats", names=["X", "Y"]).status_code == 422
    assert table.tell("seats", names=["X", "X", "Y", "Z"]).json()["code"] == "players"


def test_options_count_before_the_first_hand_or_from_the_next_match(
    server: House, game: tuple[Record, list[Table]]
) -> None:
    """The target is changed at once before the first hand; during a match it waits for the next one."""
    fresh = server.make()
    assert fresh.told("options", options={"target": "200"})["target"] == 200
    assert fresh.tell("options", options={"target": "many"}).json()["code"] == "bad_option"
    assert fresh.tell("options", options={"nothing": "1"}).json()["code"] == "unknown_option"
    assert fresh.tell("shown", player="A", tiles=[]).json()["code"] == "no_hand"
    table = begun(server, game)
    assert table.told("options", options={"target": "150"})["target"] == 500
    state = table.told("new_match")
    assert (state["target"], state["hand"], state["moves"]) == (150, 0, [])


def test_another_game_needs_a_new_match(server: House, game: tuple[Record, list[Table]]) -> None:
    """What is being played is read by its own rules and tiles; once a new match begins the game may be another one."""
    table = begun(server, game)
    wish = {"config": {"game": "tiu-u", "seats": ["A", "B"], "options": {}, "opener": None}}
    refused = table.patch(wish)
    assert (refused.status_code, refused.json()["code"]) == (409, "match_begun")
    assert (table.state()["game"], table.state()["set"]) == ("pincset", "double-six")
    table.told("new_match")
    assert table.patch(wish).status_code == 200
    assert (table.state()["game"], table.state()["set"]) == ("tiu-u", "two-chinese")
    table.post("stop")  # no more than sixteen tables are watched at once


def test_redeal_and_next_hand(server: House, game: tuple[Record, list[Table]]) -> None:
    """A redeal takes the moves back; the next hand cannot begin while one goes on."""
    table = begun(server, game, 2)
    refused = table.tell("next_hand")
    assert (refused.status_code, refused.json()["code"]) == (409, "hand_in_progress")
    assert table.told("redeal")["moves"] == []


def test_only_judges_rule_and_only_keepers_keep(server: House, game: tuple[Record, list[Table]]) -> None:
    """A keeper cannot rule, a judge can and does nothing else, a camera tells nothing, nobody nothing."""
    table = begun(server, game)
    penalty = {"kind": "penalty", "reason": "late", "by": "J", "side": "AC", "points": 10}
    assert table.tell("ruling", **penalty).json()["code"] == "not_allowed"
    assert table.tell("undo", "judge").json()["code"] == "not_allowed"
    assert table.tell("undo", "camera").json()["code"] == "not_allowed"
    assert table.post("commands", None, json={"op": "undo"}).json()["code"] == "token_missing"
    ruled = table.tell("ruling", "judge", **penalty)
    assert ruled.status_code == 200, ruled.text
    assert table.state()["totals"]["AC"] == -10
    assert server.store.events(table.id, kinds={"ruling"})[0].data["kind"] == "penalty"
    assert table.tell("ruling", "judge", **{**penalty, "points": 0}).json()["code"] == "ruling_needs_points"


def test_note_of_an_adjustment_is_one_line(server: House, game: tuple[Record, list[Table]]) -> None:
    """A note cannot write lines of its own into the record: what stands there is one remark."""
    table = begun(server, game, 2)
    side = next(iter(table.state()["totals"]))
    table.tell("adjust", side=side, points=5, note="late arrival\nagreed with all")
    assert table.state()["totals"][side] == 5
    table.tell("undo")
    assert len(table.texts()) == 2
    table.post("stop")
