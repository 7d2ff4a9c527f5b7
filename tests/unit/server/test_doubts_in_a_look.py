"""What a question about a look names: each tile in doubt, and what of it."""

import numpy as np
import pytest

from domino_rules.explain import LANGUAGES
from domino_server.tables.private import doubts_of, tiles_in_doubt
from domino_vision.settle.judge import Doubt
from domino_vision.settle.machine import COVERED
from domino_vision.types import ReadTile, TableObservation, TableProblem, TileRole


def look(*questions: TableProblem) -> TableObservation:
    """A look at a 6-4, a 4-1 and a tile that shows its back."""
    quad = np.array([[0, 0], [40, 0], [40, 20], [0, 20]], np.float32)
    tiles = tuple(
        ReadTile(quad, quad, halves, 0.4, TileRole.DOWN if halves is None else TileRole.CHAIN)
        for halves in ((6, 4), (4, 1), None)
    )
    return TableObservation((640, 480), tiles, (), (), 7, 0.5, questions, (), np.eye(3), 40.0, {})


def test_every_doubt_names_its_tiles() -> None:
    """What vision asks comes with the tiles as they are read; what the settler says of them too is said once."""
    seen = look(
        TableProblem("count_unsure", (0,), {"count": 7, "others": [8, 9], "confidence": 0.5}),
        TableProblem("join_unsure", (0, 1), {"joined_p": 0.6}),
    )
    doubts = (Doubt("new_tile_unsure", (1,), {"confidence": 0.4}), Doubt("count_unsure", (), {"count": 7}))
    assert [(doubt.tiles, doubt.text) for doubt in doubts_of(seen, doubts, "en")] == [
        (["4-1"], "A new tile is hard to read."),
        (["6-4"], "The count may be another: 8, 9."),
        (["6-4", "4-1"], "Are these two tiles joined, or do they only lie close together?"),
    ]
    assert tiles_in_doubt(seen, doubts) == [0, 1]
    once = doubts_of(look(TableProblem("tile_unsure", (1,), {"confidence": 0.4})), doubts[:1], "en")
    assert [(doubt.tiles, doubt.text) for doubt in once] == [(["4-1"], "This tile is hard to read.")]


def test_a_tile_without_a_face_is_named_as_unread() -> None:
    """A tile that shows no pips stands there as one that is not read."""
    (doubt,) = doubts_of(look(), (Doubt("face_down_at_chain", (2,)),), "en")
    assert (doubt.tiles, doubt.text) == (["?"], "A tile that shows no face lies at the chain.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_doubt_of_the_settler_has_words(lang: str) -> None:
    """In every language; the code in plain words is none."""
    codes = (COVERED, "table_not_recognised", "new_tile_unsure", "count_unsure", "duplicate_tile")
    doubts = [Doubt(code, (), {"count": 7, "tile": "6-4"}) for code in codes]
    words = [doubt.text for doubt in doubts_of(look(), doubts, lang)]
    assert len(set(words)) == len(codes)
    assert not {code.replace("_", " ") for code in codes} & set(words)
