"""A folder as a camera: slow copies, replaced pictures, folders that go away. Time is played by a number."""

import shutil
from pathlib import Path

import pytest

from domino_server.folder_watch import SETTLE_S, FolderWatch
from domino_vision.errors import SourceError


class Clock:
    """Monotonic seconds that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(tmp_path: Path, clock: Clock) -> FolderWatch:
    folder = tmp_path / "table"
    folder.mkdir()
    return FolderWatch(folder, clock)


def name_of_next(watch: FolderWatch) -> str | None:
    shot = watch.next()
    return None if shot is None else shot.name


def test_each_picture_comes_once_in_natural_order(watch: FolderWatch, tmp_path: Path, demo: Path) -> None:
    """`2.jpg` comes before `10.jpg`, and none comes twice."""
    for name in ("10.jpg", "2.jpg"):
        shutil.copy(demo / "hand.jpg", tmp_path / "table" / name)
    assert [name_of_next(watch) for _ in range(3)] == ["2.jpg", "10.jpg", None]


def test_slow_copy_is_never_called_damaged(watch: FolderWatch, tmp_path: Path, demo: Path, clock: Clock) -> None:
    """While a file still grows nothing is said about it; once whole it is shown."""
    whole = (demo / "hand.jpg").read_bytes()
    step = len(whole) // 10
    for size in range(step, len(whole), step):
        (tmp_path / "table" / "1.jpg").write_bytes(whole[:size])
        assert watch.next() is None
        clock.now += SETTLE_S * 0.9
    (tmp_path / "table" / "1.jpg").write_bytes(whole)
    assert name_of_next(watch) == "1.jpg"


def test_damaged_picture_is_told_once_and_tried_again_when_it_changes(
    watch: FolderWatch, tmp_path: Path, demo: Path, clock: Clock
) -> None:
    """A file that stays broken is told once; others are not held up; when it changes it is read."""
    whole = (demo / "hand.jpg").read_bytes()
    (tmp_path / "table" / "1.jpg").write_bytes(whole[:5000])
    shutil.copy(demo / "hand.jpg", tmp_path / "table" / "2.jpg")
    assert name_of_next(watch) == "2.jpg"
    clock.now += SETTLE_S
    with pytest.raises(SourceError) as told:
        watch.next()
    assert told.value.code == "picture_damaged"
    assert watch.next() is None
    (tmp_path / "table" / "1.jpg").write_bytes(whole)
    assert name_of_next(watch) == "1.jpg"


def test_picture_replaced_under_its_name_is_shown_again(watch: FolderWatch, tmp_path: Path, demo: Path) -> None:
    """Another picture of the same name is a new picture."""
    shutil.copy(demo / "hand.jpg", tmp_path / "table" / "1.jpg")
    first = watch.next()
    shutil.copy(demo / "cincos.jpg", tmp_path / "table" / "1.jpg")
    second = watch.next()
    assert first is not None
    assert second is not None
    assert first.frame.size_wh != second.frame.size_wh or (first.frame.bgr != second.frame.bgr).any()


def test_folder_may_go_and_come_back(watch: FolderWatch, tmp_path: Path, demo: Path) -> None:
    """A folder that is gone is an error that names it; when it is back its pictures are shown."""
    shutil.copy(demo / "hand.jpg", tmp_path / "table" / "1.jpg")
    assert name_of_next(watch) == "1.jpg"
    (tmp_path / "table").rename(tmp_path / "away")
    with pytest.raises(SourceError) as told:
        watch.next()
    assert told.value.code == "source_missing"
    assert "table" in told.value.message
    (tmp_path / "away").rename(tmp_path / "table")
    assert name_of_next(watch) == "1.jpg"
    (tmp_path / "table" / "1.jpg").unlink()
    assert watch.next() is None
