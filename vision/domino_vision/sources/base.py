"""What every source is: an iterator over named frames that is closed when done."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from domino_vision.errors import SourceError
from domino_vision.types import Frame


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame and its name: the path of a picture, `video.mp4#12` or `camera 0#12`."""

    name: str
    frame: Frame


class Source(ABC):
    """An iterator over shots and a context manager.

    A frame that cannot be read raises `SourceError` from `next`; after that `next` goes on with the frame after it
    where there is one, so that one broken picture does not end a folder.

    Attributes:
        name: what was opened, for people.
        live: whether frames come in real time, so that only the newest one matters.
    """

    name: str
    live: bool = False

    def __iter__(self) -> Iterator[Shot]:
        return self

    @abstractmethod
    def __next__(self) -> Shot:
        """Return the next frame.

        Raises:
            StopIteration: after the last one.
            SourceError: if a frame cannot be read.
        """

    def close(self) -> None:  # noqa: B027 - pictures have nothing to close
        """Let go of the device or file; further calls do nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Failures:
    """What went wrong with the frames of a source until the first one could be read."""

    def __init__(self) -> None:
        """Begin with none."""
        self._first: SourceError | None = None
        self._count = 0

    def add(self, error: SourceError) -> None:
        """Note what a frame raised."""
        self._first = self._first or error
        self._count += 1

    def nothing_read(self, name: str) -> SourceError:
        """Return the error of a source that ended without one frame: its only failure, or `source_empty`.

        Args:
            name: of the source, for people.
        """
        if self._first is None:
            return SourceError("source_empty", f"{name} holds no picture", name=name)
        if self._count == 1:
            return self._first
        msg = f"none of the {self._count} pictures of {name} can be read; the first: {self._first.message}"
        return SourceError("source_empty", msg, name=name, count=self._count)


def readable(source: Source, tell: Callable[[SourceError], None] = lambda _: None) -> Iterator[Shot]:
    """Yield the frames of a source that can be read, passing over the others.

    Args:
        source: the source; what a live one raises is raised.
        tell: hears of each frame that is passed over.

    Raises:
        SourceError: as a live source does; else why not one frame could be read.
    """
    failures, none_yet = Failures(), True
    while True:
        try:
            shot = next(source)
        except StopIteration:
            break
        except SourceError as error:
            if source.live:
                raise
            failures.add(error)
            tell(error)
            continue
        none_yet = False
        yield shot
    if none_yet:
        raise failures.nothing_read(source.name)
