"""Pictures of layouts that no game allows, as a misread table gives them: they are shown, whatever is wrong."""

import pytest

from domino_rules.layout import Layout
from domino_rules.svg import layout_svg
from domino_rules.svg_place import place_layout


@pytest.mark.parametrize(
    "text",
    [
        "4-2 U:0-0 R:0-6 D:5-2",
        "5-3 D:5-0 D:5-2 R:4-3",
        "1-1 L:2-5 U:4-1 L:4-0 R:3-3 L:6-2",
        "6-6 L:6-6 R:5-4",
    ],
)
def test_a_misread_layout_is_drawn_with_all_its_tiles(text: str) -> None:
    """Arms without a spinner, doubles side by side and tiles twice neither fail nor keep the picture waiting."""
    layout = Layout.parse(text)
    assert len(place_layout(layout).tiles) == len(layout)
    assert layout_svg(layout).startswith("<svg")
