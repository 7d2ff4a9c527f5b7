"""From what lies on the table to what a player wants to know: ends, count, points and legal plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from domino_rules.errors import SetupError
from domino_rules.games import LINE_GAMES
from domino_rules.layout import MAIN_LINE, SPINNER_ARMS, Layout, OpenEnd
from domino_rules.state import Game, find_game
from domino_rules.tile import Tile, TileSet
from domino_server.schemas import OpenEndReport, PlayReport, ProblemReport, Report, TileReport
from domino_server.tile_checks import check_hand
from domino_vision.gauges import Gauge, Verdict, measure
from domino_vision.types import Detections, Frame, TableObservation, TableProblem, TileRole

SCORING_GAME = "cincos"
_LEFT_OUT = 0.5
"""How sure a count still is that leaves out tiles of the chain: they may belong to the line of play or not."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a picture: which game, which set, which hand.

    Raises:
        SetupError: `unknown_game`, `not_in_set` or `hand_duplicate`.
    """

    tile_set: TileSet
    game: Game | None = None
    hand: tuple[Tile, ...] | None = None

    @classmethod
    def of(cls, tile_set: TileSet, game: str | None = None, hand: Sequence[Tile] | None = None) -> Question:
        """Return the question, checked as far as that goes without a picture."""
        found = find_game(game) if game else None
        check_hand(hand or (), tile_set)
        return cls(tile_set, found, None if hand is None else tuple(hand))

    @property
    def has_line(self) -> bool:
        """Whether what is played has a line of play."""
        return self.game is None or self.game.name in LINE_GAMES


def build_report(observation: TableObservation, question: Question, source: str, frame: Frame | None = None) -> Report:
    """Return the report of one picture.

    Args:
        observation: what lies there.
        question: what is asked of it.
        source: name of the picture.
        frame: the picture, to say why tiles are hard to read; None if that is not wanted.

    Raises:
        SetupError: `hand_on_table` if a tile of the hand already lies in the line of play.
    """
    layouts = _alike(_as_played(observation.layouts, question.game))
    layout = layouts[0] if layouts else None
    _check_hand(question, observation)
    scoring = question.game is not None and question.game.name == SCORING_GAME
    plays = _legal_plays(layouts, question, observation, scoring=scoring)
    count = observation.open_end_count if layout is None else layout.count
    left_out = left_out_of(layout, observation)
    sure = observation.count_confidence * (_LEFT_OUT if left_out else 1)
    spinner_known = layout is not None and len(layouts) == 1 and layout.spinner is not None
    return Report(
        source=source,
        size=observation.size_wh,
        set=question.tile_set.name,
        game=question.game.name if question.game else None,
        tiles=[
            TileReport(
                quad=[(round(float(x), 1), round(float(y), 1)) for x, y in tile.quad_px],
                role=tile.role.value,
                tile=None if tile.tile is None else str(tile.tile),
                halves=tile.halves,
                confidence=round(tile.confidence, 4),
            )
            for tile in observation.tiles
        ],
        joins=[(join.a, join.a_part, join.b, join.b_part) for join in observation.joins],
        layout=None if layout is None else str(layout),
        spinner=str(layout.spinner.tile) if spinner_known and layout and layout.spinner else None,
        spinner_candidates=[str(each.spinner.tile) for each in layouts if each.spinner] if len(layouts) > 1 else [],
        open_ends=_open_ends(layouts),
        count=count,
        count_confidence=round(sure, 4),
        points=(count if count % 5 == 0 else 0) if scoring and count is not None else None,
        hand=None if question.hand is None else [str(tile) for tile in question.hand],
        legal_plays=plays,
        must_draw=bool(question.hand) and layout is not None and not any(play.source == "hand" for play in plays),
        ask=observation.ask or bool(left_out),
        questions=_problems((*observation.questions, *left_out)),
        advice=[] if frame is None else _advice(observation, frame),
        problems=_problems(observation.problems),
        tile_px=round(observation.tile_px, 1),
        timings_ms={name: round(value, 1) for name, value in observation.timings_ms.items()},
    )


def _as_played(layouts: tuple[Layout, ...], game: Game | None) -> tuple[Layout, ...]:
    """Return the layouts as the game sees them: without a spinner where it has none, none at all without a line."""
    if game is None or game.name == SCORING_GAME:
        return layouts
    if game.name not in LINE_GAMES or not layouts:
        return ()
    plain = Layout(with_spinner=False)
    for placement in layouts[0]:
        plain = plain.put(placement.tile, placement.arm, placement.inner)
    return (plain,)


def left_out_of(layout: Layout | None, observation: TableObservation) -> tuple[TableProblem, ...]:
    """Return the branches, not yet asked about, that keep a layout from holding all that lies open in the chain."""
    if layout is None or layout.count == observation.open_end_count:
        return ()
    branches = (problem for problem in observation.problems if problem.code == "branch")
    return tuple(problem for problem in branches if problem not in observation.questions)


def _alike(layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
    """Return layouts that differ in their spinner alone, so that one count and one main line are true of all.

    Where the chain branches as no layout does, each leaves out other tiles: then the one that holds most is taken.
    """
    lines = {(layout.count, frozenset(end.pips for end in _main_ends(layout)), len(layout)) for layout in layouts}
    return layouts if len(lines) < 2 else (max(layouts, key=len),)


def _main_ends(layout: Layout) -> tuple[OpenEnd, ...]:
    return tuple(end for end in layout.open_ends if end.arm in MAIN_LINE)


def _check_hand(question: Question, observation: TableObservation) -> None:
    on_table = {tile.tile for tile in observation.with_role(TileRole.CHAIN)}
    for tile in question.hand or ():
        if tile in on_table and question.tile_set.copies(tile) == 1:
            message = f"{tile} cannot be in the hand: it lies on the table"
            raise SetupError("hand_on_table", message, tile=str(tile))


def _open_ends(layouts: tuple[Layout, ...]) -> list[OpenEndReport]:
    """Return the ends of the main line, and the arms of the spinner or of every double that may be it."""
    ends = []
    for index, layout in enumerate(layouts):
        spinner = str(layout.spinner.tile) if len(layouts) > 1 and layout.spinner else None
        for end in layout.open_ends:
            if end.arm in SPINNER_ARMS:
                ends.append(OpenEndReport(arm=end.arm.value, pips=end.pips, count=end.count, if_spinner=spinner))
            elif index == 0:
                ends.append(OpenEndReport(arm=end.arm.value, pips=end.pips, count=end.count))
    return ends


def _legal_plays(
    layouts: tuple[Layout, ...], question: Question, observation: TableObservation, *, scoring: bool
) -> list[PlayReport]:
    found: dict[tuple[str, str, str | None], PlayReport] = {}
    for layout in layouts:
        for source, tiles in _candidates(question, observation):
            for play in _plays(layout, tiles, question, source, scoring=scoring, certain=len(layouts) == 1):
                found.setdefault((play.tile, play.arm, play.if_spinner), play)
    return sorted(found.values(), key=lambda play: (_SOURCES.index(play.source), -(play.points or 0)))


_SOURCES = ("hand", "loose", "unseen")


def _candidates(question: Question, observation: TableObservation) -> list[tuple[str, tuple[Tile, ...]]]:
    """Return the tiles that might be played next: the hand if given, else what lies loose, else what is unseen."""
    if question.hand is not None:
        return [("hand", question.hand)]
    loose = tuple(sorted({tile.tile for tile in observation.with_role(TileRole.LOOSE) if tile.tile}))
    seen = [tile.tile for tile in observation.tiles if tile.tile is not None]
    return [("loose", loose), ("unseen", question.tile_set.without(seen))]


def _plays(
    layout: Layout, tiles: Iterable[Tile], question: Question, source: str, *, scoring: bool, certain: bool
) -> list[PlayReport]:
    from domino_rules.games.cincos import CINCOS, scored_plays

    spinner = None if certain or layout.spinner is None else str(layout.spinner.tile)
    if scoring and question.game is not None:
        return [
            PlayReport(
                tile=str(play.tile),
                arm=play.arm.value,
                count=play.count,
                points=play.points,
                source=source,
                if_spinner=None if play.arm in MAIN_LINE else spinner,
            )
            for play in scored_plays(layout, tiles, CINCOS.rules())
        ]
    return [
        PlayReport(
            tile=str(tile),
            arm=arm.value,
            count=None,
            points=None,
            source=source,
            if_spinner=None if arm in MAIN_LINE else spinner,
        )
        for tile in tiles
        if tile not in layout
        for arm in layout.fits(tile)
    ]


def _problems(problems: Iterable[TableProblem]) -> list[ProblemReport]:
    return [ProblemReport(code=each.code, tiles=list(each.tiles), text=problem_text(each)) for each in problems]


def problem_text(problem: TableProblem) -> str:
    """Return a problem in words, without its tiles."""
    from domino_rules.explain import explain

    return explain(f"table.{problem.code}", problem.params, "en")


def _advice(observation: TableObservation, frame: Frame) -> list[str]:
    """Return what is wrong with the picture of the tiles in question, such as a lamp mirrored in them.

    Where nobody is asked it is told all the same that the tiles are too far away: what is read there may be wrong
    however sure it seems.
    """
    asked = sorted({tile for question in observation.questions for tile in question.tiles})
    tiles = asked or [i for i, tile in enumerate(observation.tiles) if tile.halves is not None]
    if not tiles:
        return []
    quads = np.stack([observation.tiles[i].quad_px for i in tiles])
    found = Detections(quads, np.zeros(len(tiles), np.uint8), np.ones(len(tiles), np.float32))
    gauges = [gauge for gauge in measure(frame.bgr, found) if gauge.name != "tilt_deg"]
    told = [g for g in gauges if (g.verdict is not Verdict.GOOD if asked else _too_far(g))]
    return [f"{gauge.code.replace('_', ' ')}: {gauge.words}" for gauge in told]


def _too_far(gauge: Gauge) -> bool:
    return gauge.name == "pip_px" and gauge.verdict is Verdict.POOR
