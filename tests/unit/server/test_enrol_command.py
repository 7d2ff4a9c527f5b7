"""`dominotable enrol` and `--tiles`: what is printed, kept and refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from domino_rules.errors import SetupError
from domino_rules.state import find_game
from domino_rules.tile import DOUBLE_NINE, DOUBLE_SIX, Tile, find_tile_set
from domino_server.commands import enrol, evaluate, read
from domino_server.data_folder import data_folder, tiles_folder
from domino_server.enrolled import enrolled_tiles
from domino_server.enrolling import tiles_before
from domino_server.networks import Networks
from domino_server.store import Place, Store
from domino_server.tables.config import TableConfig
from domino_server.tile_checks import set_played
from domino_vision.enrol import TileStore
from domino_vision.enrol.seen import Doubt
from domino_vision.enrol.store import EnrolledTiles
from domino_vision.errors import EnrolError
from domino_vision.pipeline import Pipeline

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, demo: Path) -> Path:
    """A folder of data in which the tiles of the demo picture are enrolled as `abuelo`."""
    folder = tmp_path_factory.mktemp("data")
    enrol.run([demo / "cincos.jpg"], "abuelo", enrol.EnrolOptions("double-six", data=folder))
    return folder


def test_the_tiles_of_a_picture_are_enrolled(kept: Path, demo: Path) -> None:
    """What is kept are the tiles of the label, in any order."""
    label = json.loads((demo / "cincos.json").read_text())
    tiles = enrolled_tiles("abuelo", kept)
    assert tiles is not None
    truth = sorted(str(Tile(*tile["halves"])) for tile in label["tiles"])
    assert sorted(str(Tile(*pair)) for pair in tiles.halves.tolist()) == truth
    assert tiles.set_name == "double-six"


def test_enrolling_tells_what_it_was_worth(tmp_path: Path, demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON holds the tiles, those of the set that were not seen, and the figures before and after."""
    label = json.loads((demo / "hand.json").read_text())
    named = ",".join("-".join(map(str, tile["halves"])) for tile in label["tiles"])
    if len(label["tiles"]) < 5:
        pytest.skip("the demo hand has fewer tiles than can be enrolled")
    options = enrol.EnrolOptions(label["set"], seen=(named,), data=tmp_path, as_json=True)
    enrol.run([demo / "hand.jpg"], "mano", options)
    facts = json.loads(capsys.readouterr().out)
    assert facts["name"] == "mano"
    assert len(facts["tiles"]) == len(label["tiles"])
    known = {str(Tile.parse(tile)) for tile in facts["tiles"]}
    assert known.isdisjoint(facts["missing"])
    assert len(known) + len(facts["missing"]) == len(find_tile_set(label["set"]).kinds)
    assert set(facts["halves"]) == {"before", "after"}


def test_reading_with_enrolled_tiles_reads_the_same_table(
    kept: Path, demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`read --tiles` takes the set of the enrolled tiles, and reads the demo as without."""
    read.run(demo / "cincos.jpg", read.ReadOptions(as_json=True))
    plain = json.loads(capsys.readouterr().out)
    read.run(demo / "cincos.jpg", read.ReadOptions(as_json=True, tiles="abuelo", data=kept))
    known = json.loads(capsys.readouterr().out)
    assert known["layout"] == plain["layout"]
    assert known["count"] == plain["count"]


def test_a_game_is_played_with_its_own_tiles() -> None:
    """Tiu-U takes two Chinese sets, whether the set is named or not; a set that is not the game's is refused."""
    tiu_u, cincos = find_game("tiu-u"), find_game("cincos")
    assert len(set_played(tiu_u, "chinese")) == len(set_played(tiu_u, None)) == 64
    assert len(set_played(None, "chinese")) == 32
    assert set_played(None, None).name == "double-six"
    assert set_played(None, None, DOUBLE_NINE) is DOUBLE_NINE
    assert set_played(cincos, None, DOUBLE_NINE) is DOUBLE_SIX
    for named in ("double-nine", "chinese"):
        with pytest.raises(SetupError, match=f"cincos is played with the double-six set, not with {named}") as caught:
            set_played(cincos, named)
        assert caught.value.code == "set_not_of_game"


def test_tiles_of_a_larger_set_are_no_plays_of_a_game_without_them(
    tmp_path: Path, demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Enrolled as double-nine, tiles are those of the game where one is named, and of their set where none is."""
    enrol.run([demo / "cincos.jpg"], "large", enrol.EnrolOptions("double-nine", data=tmp_path, as_json=True))
    capsys.readouterr()

    def offered(game: str | None) -> set[str]:
        read.run(demo / "cincos.jpg", read.ReadOptions(game=game, as_json=True, tiles="large", data=tmp_path))
        return {play["tile"] for play in json.loads(capsys.readouterr().out)["legal_plays"]}

    assert any(Tile.parse(tile).high > 6 for tile in offered(None))
    with_game = offered("cincos")
    assert with_game
    assert all(Tile.parse(tile) in DOUBLE_SIX for tile in with_game)
    with pytest.raises(SetupError, match="not with double-nine"):
        read.run(demo / "cincos.jpg", read.ReadOptions(game="cincos", set_name="double-nine"))


def test_a_table_of_tiu_u_takes_enrolled_tiles(kept: Path) -> None:
    """A game that is played with two sets is looked at with tiles that somebody enrolled, too."""
    config = TableConfig(game="tiu-u", seats=["A", "B"], tiles="abuelo")
    reader = Networks(data=kept).reader(config)
    assert isinstance(reader, Pipeline)
    assert len(reader.tile_set) == 64


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (([0.9, 0.95], True, False), ["90.0% right before, 95.0% after"]),
        (([1.0, 1.0], True, True), ["100.0% right before, 100.0% after", "less surely"]),
        (([0.9, 0.8], True, True), ["90.0% right before, 80.0% after", "fewer are right"]),
        (([0.9, 0.9], False, False), ["90.0% right; what was learned made that no surer", "reads as without"]),
    ],
)
def test_what_is_told_of_the_learning_does_not_contradict_itself(facts, told: list[str]) -> None:
    """As many halves right but less surely, fewer right, and learning that is left out are each told as such."""
    (before, after), changed, worse = facts
    halves = {"before": before, "after": after}
    plain = {"name": "m", "set": "double-six", "tiles": ["6-6"], "missing": [], "against": []}
    text = enrol._text({**plain, "halves": halves, "changed": changed, "worse": worse})
    hows = ("less surely", "fewer are right", "left out")
    assert all(each in text for each in told)
    assert ("compare" in text) is worse
    assert sum(how in text for how in hows) == (worse or not changed)


def test_names_are_listed_and_forgotten(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--list` shows names, also those whose file is damaged; `--remove` forgets one."""
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "abuelo.npz").write_bytes((kept / "tiles" / "abuelo.npz").read_bytes())
    (tmp_path / "tiles" / "old.npz").write_bytes(b"damaged")
    enrol.show(tmp_path, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("abuelo: double-six")
    assert "enrol them again" in lines[1]
    enrol.remove("old", tmp_path)
    enrol.show(tmp_path, as_json=True)
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == ["abuelo"]
    with pytest.raises(EnrolError, match="known: abuelo"):
        enrol.remove("old", tmp_path)


def test_tiles_do_not_go_while_a_table_plays_with_them(kept: Path, tmp_path: Path) -> None:
    """They are forgotten once no table is set up for them; tables that were put away do not count."""
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "abuelo.npz").write_bytes((kept / "tiles" / "abuelo.npz").read_bytes())
    tables = Store.open(Place.of(tmp_path).url)
    row = tables.create_table("T", {"game": "cincos", "seats": ["A", "B"], "tiles": "abuelo"})
    with pytest.raises(EnrolError) as caught:
        enrol.remove("abuelo", tmp_path)
    assert caught.value.code == "tiles_in_use"
    assert TileStore(tmp_path / "tiles").names() == ("abuelo",)
    tables.archive(row.id)
    enrol.remove("abuelo", tmp_path)
    assert TileStore(tmp_path / "tiles").names() == ()
    tables.close()


def test_tiles_are_forgotten_where_there_are_no_tables(kept: Path, tmp_path: Path) -> None:
    """No database is made to look for tables in it."""
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "abuelo.npz").write_bytes((kept / "tiles" / "abuelo.npz").read_bytes())
    enrol.remove("abuelo", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["tiles"]


def test_a_folder_is_no_tiles(tmp_path: Path) -> None:
    """A folder that is called like tiles is neither listed nor removed, and says so where tiles are to be kept."""
    (tmp_path / "x.npz").mkdir()
    store = TileStore(tmp_path)
    assert store.names() == ()
    with pytest.raises(EnrolError) as unknown:
        store.remove("x")
    assert unknown.value.code == "tiles_unknown"
    assert tiles_before(store, "x", add=False) is None
    tiles = EnrolledTiles("x", "double-six", np.zeros((0, 96, 192, 3), np.uint8), np.zeros((0, 2), np.int64), None, "")
    with pytest.raises(EnrolError) as unwritable:
        store.save(tiles)
    assert unwritable.value.code == "tiles_unwritable"
    assert [path.name for path in tmp_path.iterdir()] == ["x.npz"]


def test_what_is_wrong_is_told_before_the_work(kept: Path, demo: Path) -> None:
    """A name that is taken, no name, no picture and an unknown name are refused at once."""
    picture = demo / "cincos.jpg"
    for pictures, name, code in (
        ([picture], "abuelo", "tiles_known"),
        ([picture], None, "bad_option"),
        ([], "x", "bad_option"),
    ):
        with pytest.raises(EnrolError) as caught:
            enrol.run(pictures, name, enrol.EnrolOptions("double-six", data=kept))
        assert caught.value.code == code
    with pytest.raises(EnrolError) as caught:
        evaluate.Networks(tiles="nobody", data=kept).load()
    assert caught.value.code == "tiles_unknown"
    assert enrolled_tiles(None, kept) is None


def test_a_person_is_asked_until_the_answer_is_a_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that is no tile is asked for again; the likeliest is offered."""
    answers = iter(["six four", "6-4"])
    offered = []

    def prompt(_text: str, *, default: str, err: bool) -> str:
        offered.append(default)
        assert err
        return next(answers)

    monkeypatch.setattr("domino_server.commands.enrol.typer.prompt", prompt)
    doubt = Doubt("set.jpg", 0, (1, 2), (Tile(6, 5), Tile(6, 4)))
    assert enrol._ask(doubt, None) == Tile(6, 4)  # type: ignore[arg-type]
    assert offered == ["6-5", "6-5"]


def test_the_folder_of_data_is_the_option_the_variable_or_the_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An option comes before the environment, that before the user's own folder."""
    monkeypatch.setenv("DOMINOTABLE_DATA", str(tmp_path / "env"))
    assert data_folder(tmp_path / "given") == tmp_path / "given"
    assert tiles_folder() == tmp_path / "env" / "tiles"
    monkeypatch.delenv("DOMINOTABLE_DATA")
    assert data_folder().name == "dominotable"


def test_a_tile_in_two_pictures_is_one_tile(tmp_path: Path, demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tiles are listed high half first and counted once however they lay in which picture."""
    pictures = [demo / "hand.jpg", demo / "pincset.jpg"]
    labels = [json.loads(picture.with_suffix(".json").read_text()) for picture in pictures]
    truth = sorted(Tile(*tile["halves"]) for label in labels for tile in label["tiles"] if tile.get("halves"))
    enrol.run(pictures, "m", enrol.EnrolOptions("double-six", data=tmp_path, as_json=True))
    facts = json.loads(capsys.readouterr().out)
    assert sorted(facts["tiles"]) == sorted(map(str, truth))
    text = enrol._text(facts)
    assert f"({len(set(truth))} different)" in text
    assert len(set(truth)) + len(facts["missing"]) == 28
    assert ("compare with and without --tiles" in text) is facts["worse"]
    assert facts["worse"] or facts["halves"]["after"] >= facts["halves"]["before"] or not facts["changed"]
