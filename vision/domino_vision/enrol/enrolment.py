"""From pictures of known tiles to enrolled tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from domino_rules.tile import Tile, TileSet
from domino_vision.enrol.adapt import LEAST_TILES, Fit, fit_tiles, quick_head
from domino_vision.enrol.seen import Doubt, Named, TilesInPicture, identify
from domino_vision.enrol.store import EnrolledTiles
from domino_vision.enrol.vary import CUT_MARGIN, CUT_SIZE_WH
from domino_vision.errors import EnrolError
from domino_vision.reader import TileReader
from domino_vision.rectify import rectify_tiles, target_corners
from domino_vision.types import BACK_CLASS, Face, Frame, IntArray, TileReadings, U8Array
from domino_vision.weights import sha256_of

Ask = Callable[[Doubt, U8Array], Tile | None]
"""Asks a person which tile a doubt, shown as a crop (96, 192, 3), is; None if nobody knows."""


class Readings(Protocol):
    """A pipeline, as far as enrolling needs it."""

    def readings(self, frame: Frame) -> TileReadings:
        """Return the tiles of a frame with a distribution over each half."""
        ...


@dataclass(frozen=True, slots=True)
class EnrolReport:
    """What came of enrolling.

    Attributes:
        tiles: with the correction.
        fit: what the correction is worth.
        missing: tiles of the set that were not seen.
        against: tiles that were given and read clearly as others.
    """

    tiles: EnrolledTiles
    fit: Fit
    missing: tuple[Tile, ...]
    against: tuple[Doubt, ...] = ()


def tiles_in(name: str, frame: Frame, readings: TileReadings) -> TilesInPicture:
    """Return the face-up tiles of a picture, cut out to be kept."""
    back = np.exp(readings.half_logp[..., BACK_CLASS].astype(np.float64)).mean(1) > 0.5
    up = np.flatnonzero((readings.face == Face.UP) & ~back)
    quads = readings.corners_px[up]
    crops = rectify_tiles(frame.bgr, quads, CUT_SIZE_WH, CUT_MARGIN)
    return TilesInPicture(name, crops, quads.mean(axis=1), readings.half_logp[up])


def enrol(
    name: str,
    pictures: Sequence[TilesInPicture],
    tile_set: TileSet,
    reader: TileReader,
    *,
    given: Sequence[Sequence[Tile]] | None = None,
    told: Sequence[Mapping[int, Tile]] | None = None,
    ask: Ask | None = None,
    before: EnrolledTiles | None = None,
) -> EnrolReport:
    """Enrol the tiles of pictures under a name; they are not saved yet.

    Args:
        name: of the tiles.
        pictures: the tiles of each picture.
        tile_set: the set that they belong to.
        reader: the network to adapt.
        given: the tiles that lie in each picture, in any order, if that is known.
        told: what a person said of single tiles: for each picture tiles by their index in it.
        ask: asks a person about tiles in doubt; without, they are an error.
        before: tiles enrolled earlier, to which these are added; they stay whose they are.

    Raises:
        EnrolError: `tiles_doubtful` (params `doubts`: picture, from 0, index, name, at, choices), `too_few_tiles`,
            `other_set`, and those of `identify`.
    """
    if given is not None and len(given) != len(pictures):
        msg = f"tiles are named for {len(given)} of {len(pictures)} pictures: name those of each picture, in order"
        raise EnrolError("tiles_given", msg, given=len(given), pictures=len(pictures))
    if before is not None and before.set_name != tile_set.name:
        msg = f"{name} is a {before.set_name} set, not {tile_set.name}"
        raise EnrolError("other_set", msg, name=name, set=before.set_name)
    said = [dict(each) for each in told or [{}] * len(pictures)]
    named = _name_all(pictures, tile_set, given, said)
    _check_enough(sum(map(len, pictures)) + (0 if before is None else len(before.crops)), name)
    if any(each.doubts for each in named):
        pictures = _look_again(pictures, named, reader)
        named = _name_all(pictures, tile_set, given, said)
    if ask is not None:
        named = _asked(pictures, named, tile_set, given, said, ask)
    doubts = [(at, doubt) for at, each in enumerate(named) for doubt in each.doubts]
    if doubts:
        words = "; ".join(str(doubt) for _, doubt in doubts)
        msg = f"{len(doubts)} tiles are in doubt; say which tiles lie there: {words}"
        raise EnrolError("tiles_doubtful", msg, doubts=[_plain(at, doubt) for at, doubt in doubts])
    crops = np.concatenate([*(each.crops for each in pictures), *([] if before is None else [before.crops])])
    halves = np.concatenate([*(each.halves for each in named), *([] if before is None else [before.halves])])
    fit = fit_tiles(reader, crops, halves)
    owner = None if before is None else before.owner
    tiles = EnrolledTiles(name, tile_set.name, crops, halves, fit.head, sha256_of(reader.path), owner)
    known = set(tiles.tiles)
    missing = tuple(kind for kind in tile_set.kinds if kind not in known)
    return EnrolReport(tiles, fit, missing, tuple(doubt for each in named for doubt in each.against))


def _plain(at: int, doubt: Doubt) -> dict[str, Any]:
    choices = [str(tile) for tile in doubt.choices]
    return {"picture": at, "index": doubt.index, "name": doubt.picture, "at": list(doubt.centre_px), "choices": choices}


def _check_enough(count: int, name: str) -> None:
    if count < LEAST_TILES:
        msg = f"{count} face-up tiles are seen, at least {LEAST_TILES} are needed to know {name}"
        raise EnrolError("too_few_tiles", msg, seen=count, least=LEAST_TILES)


def _name_all(
    pictures: Sequence[TilesInPicture],
    tile_set: TileSet,
    given: Sequence[Sequence[Tile]] | None,
    told: Sequence[Mapping[int, Tile]],
) -> list[Named]:
    return [
        identify(each, tile_set, None if given is None else given[at], told[at]) for at, each in enumerate(pictures)
    ]


def _look_again(
    pictures: Sequence[TilesInPicture], named: Sequence[Named], reader: TileReader
) -> Sequence[TilesInPicture]:
    """Read the pictures again with what the tiles that are not in doubt teach; as they are if those are too few."""
    sure = [_sure(each, found) for each, found in zip(pictures, named, strict=True)]
    halves: IntArray = np.concatenate([found.halves[mask] for found, mask in zip(named, sure, strict=True)])
    if len(halves) < LEAST_TILES:
        return pictures
    crops = np.concatenate([each.crops[mask] for each, mask in zip(pictures, sure, strict=True)])
    taught = reader.with_head(quick_head(reader, crops, halves))
    return [replace(each, half_logp=taught.read_crops(_as_read(each.crops, reader))) for each in pictures]


def _sure(picture: TilesInPicture, named: Named) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    mask = np.ones(len(picture), dtype=bool)
    mask[[doubt.index for doubt in named.doubts]] = False
    return mask


def _as_read(crops: U8Array, reader: TileReader) -> U8Array:
    """Cut what the reader sees out of tiles as they are kept."""
    quad = (target_corners(CUT_SIZE_WH, CUT_MARGIN) + 0.5)[None]
    seen = [rectify_tiles(crop, quad, reader.size_wh, reader.margin) for crop in crops]
    return np.concatenate(seen) if seen else np.zeros((0, *reader.size_wh[::-1], 3), np.uint8)


def _asked(
    pictures: Sequence[TilesInPicture],
    named: list[Named],
    tile_set: TileSet,
    given: Sequence[Sequence[Tile]] | None,
    told: Sequence[dict[int, Tile]],
    ask: Ask,
) -> list[Named]:
    """Ask about one doubt after another; what was said may settle others."""
    for at, picture in enumerate(pictures):
        while named[at].doubts:
            doubt = named[at].doubts[0]
            tile = ask(doubt, picture.crops[doubt.index])
            if tile is None:
                break
            told[at][doubt.index] = tile
            named[at] = identify(picture, tile_set, None if given is None else given[at], told[at])
    return named
