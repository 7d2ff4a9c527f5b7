"""Enrolled tiles: what they teach the reader, how they are kept, and what is refused."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_rules.tile import DOUBLE_NINE, DOUBLE_SIX, Tile
from domino_vision.enrol import EnrolledTiles, Fit, TilesInPicture, TileStore, enrol, fit_tiles
from domino_vision.enrol.adapt import LEAST_TILES
from domino_vision.enrol.seen import Doubt
from domino_vision.enrol.vary import CUT_MARGIN, CUT_SIZE_WH, views
from domino_vision.errors import EnrolError, ModelError
from domino_vision.reader import ReaderHead, TileReader
from domino_vision.rectify import rectify_tiles, target_corners
from domino_vision.synth.pips import pip_positions

MODEL = Path(__file__).parents[3] / "models" / "reader" / "reader.onnx"
Pairs = list[tuple[int, int]]


@pytest.fixture(scope="module")
def reader() -> TileReader:
    return TileReader(MODEL, threads=1)


def faint_tile(a: int, b: int) -> np.ndarray:
    """A tile whose pips are thin rings little darker than its body, as it is kept: (96, 192, 3) uint8."""
    width, height = 560, 280
    face = np.full((height, width, 3), (200, 220, 230), np.uint8)
    cv2.line(face, (width // 2, 20), (width // 2, height - 20), (130, 150, 160), 3, cv2.LINE_AA)
    for half, pips in enumerate((a, b)):
        for u, v in pip_positions(pips) * 0.27 * height:
            x, y = width * (0.25 + 0.5 * half) + (u if half == 0 else -u), height / 2 + (v if half == 0 else -v)
            cv2.circle(face, (round(x), round(y)), 22, (130, 150, 160), 2, cv2.LINE_AA)
    frame = np.full((600, 1000, 3), (70, 110, 60), np.uint8)
    frame[160:440, 220:780] = face
    quad = np.array([[[220, 440], [220, 160], [780, 160], [780, 440]]], np.float32)
    return rectify_tiles(frame, quad, CUT_SIZE_WH, CUT_MARGIN)[0]


def faint(halves: Pairs, reader: TileReader, name: str = "set.jpg") -> TilesInPicture:
    crops = np.stack([faint_tile(a, b) for a, b in halves])
    quad = (target_corners(CUT_SIZE_WH, CUT_MARGIN) + 0.5)[None]
    seen = np.concatenate([rectify_tiles(crop, quad, reader.size_wh, reader.margin) for crop in crops])
    return TilesInPicture(name, crops, np.zeros((len(halves), 2), np.float32), reader.read_crops(seen))


HALVES: Pairs = [tile.halves for tile in DOUBLE_SIX.kinds]


@pytest.mark.slow
def test_faint_tiles_read_better_once_they_are_enrolled(reader: TileReader) -> None:
    """The whole set in one picture: its tiles are named, and views that nobody fitted anything to read far better."""
    report = enrol("faint", [faint(HALVES, reader)], DOUBLE_SIX, reader)
    assert [tuple(row) for row in report.tiles.halves.tolist()] == HALVES
    assert report.missing == ()
    assert report.fit.loss[1] < report.fit.loss[0]
    others = views(report.tiles.crops, 3, reader.size_wh, reader.margin, seed=77)
    truth = np.repeat(report.tiles.halves, 3, axis=0)
    before = (reader.read_crops(others).argmax(2) == truth).mean()
    after = (report.tiles.adapt(reader).read_crops(others).argmax(2) == truth).mean()
    assert after > before + 0.05
    assert reader.head is None


def test_a_correction_that_does_harm_is_not_used(reader: TileReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A correction under which tiles that it was not fitted to read worse is dropped."""
    bad = ReaderHead(np.random.default_rng(0).normal(0, 1, (15, 128)).astype(np.float32), np.zeros(15, np.float32))
    monkeypatch.setattr("domino_vision.enrol.adapt._solve", lambda *_: bad)
    fit = fit_tiles(reader, faint(HALVES[:6], reader).crops, np.array(HALVES[:6], np.int64))
    assert fit.loss[1] > fit.loss[0]
    assert fit.head is None


def test_too_few_tiles_are_refused(reader: TileReader) -> None:
    """Fewer tiles than can teach anything are an error that says how many it takes."""
    with pytest.raises(EnrolError, match=str(LEAST_TILES)) as caught:
        enrol("few", [faint(HALVES[:3], reader)], DOUBLE_SIX, reader)
    assert caught.value.code == "too_few_tiles"


def unclear(picture: TilesInPicture, index: int) -> TilesInPicture:
    """The same picture with a tile that shows nothing to the reader."""
    crops, logp = picture.crops.copy(), picture.half_logp.copy()
    crops[index] = 128
    logp[index] = np.log(1 / logp.shape[2])
    return TilesInPicture(picture.name, crops, picture.centres_px, logp)


def test_doubts_are_asked_or_told(reader: TileReader) -> None:
    """A tile that nobody can tell is an error that names its place; a person who is asked settles it."""
    picture = unclear(faint(HALVES[:8], reader), 2)
    with pytest.raises(EnrolError, match="which tiles lie there") as caught:
        enrol("mine", [picture], DOUBLE_SIX, reader)
    assert caught.value.code == "tiles_doubtful"
    (told_of,) = caught.value.params["doubts"]
    assert (told_of["picture"], told_of["index"], told_of["name"]) == (0, 2, "set.jpg")
    assert str(Tile(*HALVES[2])) in told_of["choices"] or len(told_of["choices"]) == 3
    asked: list[Doubt] = []

    def answer(doubt: Doubt, crop: np.ndarray) -> Tile:
        asked.append(doubt)
        assert crop.shape == (96, 192, 3)
        return Tile(*HALVES[2])

    report = enrol("mine", [picture], DOUBLE_SIX, reader, ask=answer)
    assert [doubt.index for doubt in asked] == [2]
    assert sorted(report.tiles.halves[2].tolist()) == sorted(HALVES[2])
    given = [[Tile(*pair) for pair in HALVES[:8]]]
    for said in ({"given": given}, {"told": [{2: Tile(*HALVES[2])}]}):
        told = enrol("mine", [picture], DOUBLE_SIX, reader, **said)  # type: ignore[arg-type]
        assert sorted(told.tiles.halves[2].tolist()) == sorted(HALVES[2])
        assert told.against == ()


def test_a_tile_named_against_what_is_read_clearly_is_told(reader: TileReader) -> None:
    """Who names a tile by mistake hears which one it is and what it reads as; it is enrolled as it was named."""
    picture = faint(HALVES[:8], reader)
    sure = np.full_like(picture.half_logp, -20.0)
    for index, pair in enumerate(HALVES[:8]):
        sure[index, (0, 1), pair] = 0.0
    given = [Tile(*pair) for pair in HALVES[:7]] + [Tile(6, 6)]
    (doubt,) = enrol("mine", [replace(picture, half_logp=sure)], DOUBLE_SIX, reader, given=[given]).against
    assert (doubt.index, doubt.choices) == (7, (Tile(6, 6), Tile(*HALVES[7])))


def test_pictures_are_added_to_tiles_of_the_same_set(reader: TileReader) -> None:
    """More pictures of enrolled tiles make one larger enrolment; those of another set, or unnamed ones, are refused."""
    first = enrol("mine", [faint(HALVES[:8], reader)], DOUBLE_SIX, reader).tiles
    both = enrol("mine", [faint(HALVES[8:14], reader)], DOUBLE_SIX, reader, before=first).tiles
    assert len(both.crops) == len(both.halves) == 14
    with pytest.raises(EnrolError) as caught:
        enrol("mine", [faint(HALVES[:8], reader)], DOUBLE_NINE, reader, before=first)
    assert caught.value.code == "other_set"
    with pytest.raises(EnrolError) as caught:
        enrol("mine", [faint(HALVES[:8], reader)] * 2, DOUBLE_SIX, reader, given=[[Tile(1, 1)]])
    assert caught.value.code == "tiles_given"


def tiles(name: str = "abuelo", *, head: bool = True, sha: str = "") -> EnrolledTiles:
    crops = np.stack([faint_tile(a, b) for a, b in HALVES[:5]])
    change = ReaderHead(np.full((15, 128), 0.01, np.float32), np.zeros(15, np.float32)) if head else None
    return EnrolledTiles(name, "double-six", crops, np.array(HALVES[:5], np.int64), change, sha)


@pytest.mark.parametrize("head", [True, False])
def test_what_is_kept_comes_back(tmp_path: Path, head: bool) -> None:
    """Tiles, values, correction and checksum survive; names are listed in order and forgotten when removed."""
    store = TileStore(tmp_path / "tiles")
    assert store.names() == ()
    store.save(tiles(head=head, sha="abc"))
    store.save(tiles("La Abuelita 2"))
    back = store.load("abuelo")
    assert (back.set_name, back.reader_sha, back.halves.tolist()) == ("double-six", "abc", tiles().halves.tolist())
    assert np.array_equal(back.crops, tiles().crops)
    assert (back.head is not None) == head
    assert store.names() == ("La Abuelita 2", "abuelo")
    store.remove("abuelo")
    assert store.names() == ("La Abuelita 2",)
    assert not list(tmp_path.rglob("*.part"))


def test_for_another_network_the_correction_is_fitted_anew(reader: TileReader, tmp_path: Path) -> None:
    """A kept correction is used with the network that it was fitted to, and no other."""
    from domino_vision.weights import sha256_of

    same = tiles(sha=sha256_of(MODEL))
    assert same.adapt(reader).head is same.head
    other = tiles(sha="of another network")
    assert other.adapt(reader).head is not other.head


@pytest.mark.parametrize("name", ["", ".", "../up", "a/b", "a\\b", "x" * 41, " a", "a ", "a\n", ".hidden"])
def test_names_are_names(tmp_path: Path, name: str) -> None:
    """What is no plain name cannot lead out of the folder."""
    with pytest.raises(EnrolError) as caught:
        TileStore(tmp_path).load(name)
    assert caught.value.code == "tiles_name"


def test_unknown_and_broken_tiles_are_named(tmp_path: Path) -> None:
    """An unknown name lists those that are known; a damaged file says to enrol again."""
    store = TileStore(tmp_path)
    path = store.save(tiles())
    with pytest.raises(EnrolError, match="known: abuelo") as caught:
        store.load("abuela")
    assert caught.value.code == "tiles_unknown"
    with pytest.raises(EnrolError):
        store.remove("abuela")
    whole = path.read_bytes()
    for damaged in (b"", b"no archive", whole[: len(whole) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(EnrolError) as caught:
            store.load("abuelo")
        assert caught.value.code == "tiles_broken"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Where nothing can be kept, the error names the file."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EnrolError) as caught:
        TileStore(tmp_path / "file").save(tiles())
    assert caught.value.code == "tiles_unwritable"


def test_views_are_the_same_for_the_same_seed() -> None:
    """Views have the reader's size, differ from each other, and are repeatable."""
    crops = np.stack([faint_tile(6, 5)])
    first, again, other = (views(crops, 4, (128, 64), 0.125, seed=seed) for seed in (1, 1, 2))
    assert first.shape == (4, 64, 128, 3)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert views(crops[:0], 4, (128, 64), 0.125).shape == (0, 64, 128, 3)


def test_a_network_without_features_says_so(reader: TileReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader whose network has no features reads, but cannot be taught."""
    monkeypatch.setattr(reader, "_outputs", ["logits"])
    with pytest.raises(ModelError) as caught:
        reader.look(np.zeros((1, 64, 128, 3), np.uint8))
    assert caught.value.code == "no_features"


def test_features_explain_the_logits(reader: TileReader) -> None:
    """The network's logits are a linear function of its features, which is why a linear correction is enough."""
    logits, features = reader.look(views(np.stack([faint_tile(a, b) for a, b in HALVES[::4]]), 12, (128, 64), 0.125))
    inputs = np.concatenate([features.reshape(-1, 128), np.ones((features.size // 128, 1))], axis=1)
    fitted = inputs @ np.linalg.lstsq(inputs, logits.reshape(-1, 15), rcond=None)[0]
    assert np.abs(fitted - logits.reshape(-1, 15)).max() < 1e-3


def test_tiles_are_the_same_whichever_way_they_lay() -> None:
    """A tile seen as 4-0 and as 0-4 is one tile."""
    crops = np.zeros((3, CUT_SIZE_WH[1], CUT_SIZE_WH[0], 3), np.uint8)
    tiles = EnrolledTiles("mine", "double-six", crops, np.array([[4, 0], [0, 4], [3, 6]], np.int64), None, "")
    assert tiles.tiles == (Tile(4, 0), Tile(4, 0), Tile(6, 3))


@pytest.mark.parametrize(
    ("loss", "right", "used", "worse"),
    [
        ((0.1, 0.05), (1.0, 0.9975), True, True),
        ((0.1, 0.11), (0.9, 0.9), True, True),
        ((0.1, 0.05), (0.9, 0.95), True, False),
        ((0.1, 0.5), (1.0, 0.5), False, False),
    ],
)
def test_a_correction_that_is_used_although_it_read_worse_says_so(
    loss: tuple[float, float], right: tuple[float, float], used: bool, worse: bool
) -> None:
    """What is not used makes nothing worse."""
    head = ReaderHead(np.zeros((15, 128), np.float32), np.zeros(15, np.float32)) if used else None
    assert Fit(head, loss, right).worse is worse
