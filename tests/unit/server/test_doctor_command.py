"""`dominotable doctor`: which picture of a source it judges, and sources without one."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from domino_server.commands import doctor
from domino_vision.errors import SourceError

QUICK = cv2.VideoWriter.fourcc(*"MJPG")


def grey(path: Path) -> None:
    """Write a table without a tile."""
    pixels = np.random.default_rng(1).integers(90, 110, (480, 640, 3)).astype(np.uint8)
    assert cv2.imwrite(str(path), pixels)


@pytest.fixture
def judged(capsys: pytest.CaptureFixture[str]):
    """Return what is said of a source on stdout and on stderr."""

    def judge(source: Path, *, as_json: bool = False) -> tuple[str, str]:
        doctor.run(str(source), as_json=as_json)
        printed = capsys.readouterr()
        return printed.out, printed.err

    return judge


def test_of_a_folder_the_first_picture_with_tiles_is_judged_and_named(judged, tmp_path: Path, demo: Path) -> None:
    """An empty table and a file that is no picture do not stand for the folder; the one is passed over aloud."""
    (tmp_path / "1.jpg").write_text("no picture")
    grey(tmp_path / "2.jpg")
    (tmp_path / "3.jpg").write_bytes((demo / "cincos.jpg").read_bytes())
    out, err = judged(tmp_path)
    assert f"picture         {tmp_path / '3.jpg'}  (the first with tiles)\n" in out
    assert "14 tiles: good" in out
    assert "1.jpg is not a picture" in err
    facts = json.loads(judged(tmp_path, as_json=True)[0])
    assert (facts["picture"], facts["looked_at"]) == (str(tmp_path / "3.jpg"), 2)


def test_a_folder_without_tiles_is_judged_by_its_first_picture(judged, tmp_path: Path) -> None:
    """It is said that none of them shows a tile."""
    for name in ("1.jpg", "2.jpg"):
        grey(tmp_path / name)
    out, _ = judged(tmp_path)
    assert f"picture         {tmp_path / '1.jpg'}  (the first of 2, none of which shows a tile)\n" in out
    assert "tiles           0 tiles: poor" in out


def test_a_single_picture_is_named_and_nothing_more(judged, demo: Path) -> None:
    """There is no other that it could be."""
    assert f"picture         {demo / 'cincos.jpg'}\n" in judged(demo / "cincos.jpg")[0]


def test_a_film_that_begins_with_an_empty_table_is_judged_later(judged, tmp_path: Path, demo: Path) -> None:
    """Frames a second apart are looked at until tiles are seen."""
    film = str(tmp_path / "film.avi")
    table = cv2.imread(str(demo / "cincos.jpg"))
    assert table is not None
    writer = cv2.VideoWriter(film, QUICK, 10, (table.shape[1], table.shape[0]))
    for number in range(12):
        writer.write(table if number >= 10 else np.full_like(table, 100))
    writer.release()
    assert f"picture         {film}#11  (the first with tiles)\n" in judged(Path(film))[0]


def test_sources_without_one_picture_are_refused(judged, tmp_path: Path) -> None:
    """A folder of files that are no pictures, and a film without a frame, say why."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1.jpg").write_text("no picture")
    with pytest.raises(SourceError, match=r"1\.jpg is not a picture") as error:
        judged(folder)
    assert error.value.code == "not_a_picture"
    (folder / "2.jpg").write_text("nor this")
    with pytest.raises(SourceError, match=r"none of the 2 pictures of .*1\.jpg is not a picture") as error:
        judged(folder)
    assert error.value.code == "source_empty"
    cv2.VideoWriter(str(tmp_path / "film.avi"), QUICK, 10, (640, 480)).release()
    with pytest.raises(SourceError, match="holds no frame"):
        judged(tmp_path / "film.avi")
