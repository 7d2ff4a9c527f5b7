"""What every source is: an iterator over named frames that is closed when done."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

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
