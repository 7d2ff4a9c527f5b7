"""Evidence as thumbnails that a report carries within itself."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from domino_server.judge.pictures import encode, shrunk
from domino_server.judge.reports.source import Source
from domino_server.store import StoredEvent
from domino_vision.types import U8Array

_WIDTH: Final = 480
_CROP_WIDTH: Final = 64
_MOST_CROPS: Final = 4
_QUALITY: Final = 72


@dataclass(frozen=True, slots=True)
class Picture:
    """A thumbnail.

    Attributes:
        uri: the frame as `data:image/jpeg;base64,…`.
        crops: the tiles in question, likewise.
        moves: numbers of the moves that it shows.
        codes: what was in question.
        seq: number of the event.
        name: file name of the full picture in the export.
    """

    uri: str
    crops: tuple[str, ...]
    moves: tuple[int, ...]
    codes: tuple[str, ...]
    seq: int
    name: str


def pictures_of(source: Source, events: Sequence[StoredEvent], most: int) -> tuple[tuple[Picture, ...], int]:
    """Return the pictures of a hand that matter most, disputes and the last one first, and how many are gone."""
    framed = [event for event in events if "frame" in event.data]
    ranked = sorted(framed, key=lambda event: (not event.data.get("codes"), -event.seq))
    pictures: list[Picture] = []
    for event in ranked:
        if len(pictures) >= most:
            break
        picture = _picture(source, event)
        if picture is not None:
            pictures.append(picture)
    purged = {name for each in source.events if each.kind == "purge" for name in each.data.get("files", ())}
    gone = sum(event.data["frame"] in purged for event in framed)
    return tuple(sorted(pictures, key=lambda picture: picture.seq)), gone


def _picture(source: Source, event: StoredEvent) -> Picture | None:
    uri = _thumbnail(source.evidence(str(event.data["frame"])), _WIDTH)
    if uri is None:
        return None
    crops = (_thumbnail(source.evidence(str(name)), _CROP_WIDTH) for name in event.data.get("crops", ())[:_MOST_CROPS])
    moves = tuple(int(number) for number in event.data.get("moves", ()))
    codes = tuple(str(code) for code in event.data.get("codes", ()))
    kept = tuple(crop for crop in crops if crop is not None)
    return Picture(uri, kept, moves, codes, event.seq, str(event.data["frame"]))


def _thumbnail(data: bytes | None, width: int) -> str | None:
    if data is None:
        return None
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        return None
    small: U8Array = shrunk(np.asarray(picture, np.uint8), width)
    return "data:image/jpeg;base64," + base64.b64encode(encode(small, _QUALITY)).decode()
