"""`dominotable read`: one photograph in, its report out."""

import sys
from dataclasses import dataclass
from pathlib import Path

from domino_rules.games import LINE_GAMES
from domino_rules.state import Game, find_game
from domino_rules.tile import DOUBLE_SIX, TILE_SETS, Tile, find_tile_set, parse_tiles, single_set
from domino_server.console import printable, written
from domino_server.enrolled import enrolled_tiles
from domino_server.picture import save_annotated
from domino_server.report import Question, build_report
from domino_server.schemas import PlayReport, ProblemReport, Report
from domino_server.tile_checks import set_played
from domino_vision.errors import VisionError
from domino_vision.pipeline import load_pipeline
from domino_vision.sinks import check_picture_path
from domino_vision.sources import read_picture
from domino_vision.types import Frame, TableObservation

SHOWN_PLAYS = 12


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read.

    Attributes:
        game: the game played; None for the plain count.
        hand: the tiles of a hand, such as `6-4,5-5`.
        set_name: the tile set; None for the game's, else that of the enrolled tiles, else double-six.
        save: write the annotated picture here.
        tiles: name of enrolled tiles.
        data: folder of all that is kept.
        as_json: print JSON instead of text.
        weights: another detector.
        threads: threads of the networks.
    """

    game: str | None = None
    hand: str | None = None
    set_name: str | None = None
    save: Path | None = None
    tiles: str | None = None
    data: Path | None = None
    as_json: bool = False
    weights: Path | None = None
    threads: int = 2


def run(picture: Path, options: ReadOptions) -> None:
    """Read `picture` and print the report; all that can be wrong with the options is told before the work begins."""
    known = enrolled_tiles(options.tiles, options.data)
    game = None if options.game is None else find_game(options.game)
    tile_set = set_played(game, options.set_name, DOUBLE_SIX if known is None else find_tile_set(known.set_name))
    hand = None if options.hand is None else parse_tiles(options.hand)
    question = Question.of(tile_set, options.game, hand)
    if options.save is not None:
        check_picture_path(options.save)
    frame = Frame(read_picture(picture))
    detector = None if options.weights is None else str(options.weights)
    pipeline = load_pipeline(detector=detector, threads=options.threads, tiles=known).with_set(tile_set)
    observation = (pipeline if question.has_line else pipeline.without_line()).observe(frame)
    _check_tiles(observation, picture.name, question)
    report = build_report(observation, question, picture.name, frame)
    if options.save is not None:
        save_annotated(options.save, frame, observation, report)
        written(options.save)
    sys.stdout.write((report.model_dump_json(indent=2) if options.as_json else text_of(report)) + "\n")


def _check_tiles(observation: TableObservation, name: str, question: Question) -> None:
    """Raise if the picture shows no tile, or tiles of another set than is played with."""
    if not observation.tiles:
        raise VisionError("no_tile", f"{name}: no tile in view", picture=name)
    foreign = [problem for problem in observation.problems if problem.code == "not_in_set"]
    if foreign:
        halves = observation.tiles[foreign[0].tiles[0]].halves
        shown = str(Tile(*halves)) if halves else ""
        set_name = single_set(question.tile_set).name
        message = f"{name}: {shown} is no tile of the {set_name} set; {_what_then(shown, question.game)}"
        raise VisionError("not_in_set", message, picture=name, tile=shown, set=set_name)


def _what_then(shown: str, game: Game | None) -> str:
    """Return what to do about a tile that the set does not hold."""
    if game is not None:
        return f"{game.name} is played with that set alone"
    named = [f"--set {each.name}" for each in TILE_SETS if shown and Tile.parse(shown) in each]
    return f"it is one with {' or '.join(named)}" if named else "name the set with --set"


def text_of(report: Report) -> str:
    """Return the report as lines for a terminal."""
    roles = [tile.role for tile in report.tiles]
    names = {"chain": "on the chain", "loose": "loose", "down": "face down", "standing": "standing"}
    found = ", ".join(f"{roles.count(role)} {name}" for role, name in names.items() if roles.count(role))
    lines = [f"{printable(report.source)}: {found or 'no tile in view'}"]
    if report.layout is not None:
        lines.append(f"layout     {report.layout}")
        beside = roles.count("chain") - len(report.layout.split())
        if beside > 0:
            lines.append(f"           and {beside} more of the chain that no layout holds: not in ends and count below")
    if report.open_ends:
        ends = "  ".join(
            f"{end.arm}:{end.pips}{_counts(end.count, end.pips)}" for end in report.open_ends if not end.if_spinner
        )
        lines.append(f"open ends  {ends}")
        lines += _spinner_ends(report)
    if report.count is not None:
        lines.append(f"count      {report.count}  ({report.count_confidence:.1%} sure)")
    if report.points is not None:
        lines.append(f"points     {report.points}  for the play that made this count")
    if report.spinner_candidates:
        lines.append(f"spinner    {' or '.join(report.spinner_candidates)}: whichever was laid first")
    loose = [tile.tile for tile in report.tiles if tile.role == "loose" and tile.tile]
    if loose:
        lines.append(f"loose      {', '.join(loose)}")
    lines += _play_lines(report)
    asked = {(question.code, *question.tiles) for question in report.questions}
    notes = [problem for problem in report.problems if (problem.code, *problem.tiles) not in asked]
    lines += [f"note       {_note(report, problem)}" for problem in notes]
    lines += [f"look       {_note(report, question)}" for question in report.questions]
    lines += [f"picture    {advice}" for advice in report.advice]
    return "\n".join(lines)


def _spinner_ends(report: Report) -> list[str]:
    """Return the arms that are open for each double that may be the spinner, a line each."""
    lines = []
    for spinner in dict.fromkeys(end.if_spinner for end in report.open_ends if end.if_spinner):
        ends = [end for end in report.open_ends if end.if_spinner == spinner]
        arms = "  ".join(f"{end.arm}:{end.pips}{_counts(end.count, end.pips)}" for end in ends)
        lines.append(f"           {arms}  if {spinner} is the spinner")
    return lines


def _note(report: Report, problem: ProblemReport) -> str:
    """Return a problem in words, with its tiles and where in the picture the first of them lies."""
    tiles = [report.tiles[index].tile or report.tiles[index].role for index in problem.tiles]
    if not tiles:
        return problem.text
    place = _place(report, problem.tiles[0])
    return f"{tiles[0]} ({place}){''.join(f', {tile}' for tile in tiles[1:])}: {problem.text}"


def _place(report: Report, index: int) -> str:
    """Return in which ninth of the picture a tile lies, in words."""
    ninths = []
    for axis, words in ((1, ("top", "", "bottom")), (0, ("left", "", "right"))):
        at = sum(corner[axis] for corner in report.tiles[index].quad) / 4 / report.size[axis]
        ninths.append(words[min(max(int(at * 3), 0), 2)])
    return " ".join(filter(None, ninths)) or "middle"


def _counts(count: int, pips: int) -> str:
    return "" if count == pips else f" (counts {count})"


def _play_lines(report: Report) -> list[str]:
    if report.must_draw:
        return ["plays      no tile of the hand fits: draw, or pass where nothing may be drawn"]
    if report.hand is not None and not report.legal_plays:
        return [f"plays      {_why_none(report)}"]
    lines: list[str] = []
    for play in report.legal_plays[:SHOWN_PLAYS]:
        lines.append(f"{'plays' if not lines else '':10} {_play_text(play)}")
    more = len(report.legal_plays) - SHOWN_PLAYS
    if more > 0:
        lines.append(f"{'':10} and {more} more")
    return lines


def _why_none(report: Report) -> str:
    """Return why a hand has no plays to be told."""
    if not report.hand:
        return "the hand holds no tile"
    if report.game is not None and report.game not in LINE_GAMES:
        return f"{report.game} has no line of play that tiles could fit"
    return "no line of play is seen that the hand could be laid to"


def _play_text(play: PlayReport) -> str:
    text = f"{play.tile} at {play.arm}"
    if play.if_spinner:
        text += f" if {play.if_spinner} is the spinner"
    if play.count is not None:
        text += f": count {play.count}" + (f", scores {play.points}" if play.points else "")
    return text if play.source == "hand" else f"{text} ({play.source})"
