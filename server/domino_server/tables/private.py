"""What those who keep a table see beside its public state: questions, what vision makes of it, zones, hands shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from domino_rules.explain import explain
from domino_server.judge.words import alert_text
from domino_server.referee.events import Choice, Question
from domino_server.referee.session import TableSession
from domino_server.referee.unsure import AGAIN, RIGHT, TILE_QUESTION
from domino_server.rules_view import plain
from domino_server.tables.calibration import calibration_of
from domino_server.tables.desk import Desk
from domino_server.tables.end_marks import seen_ends
from domino_server.tables.public import text_of
from domino_server.tables.states import (
    ChoiceState,
    DoubtState,
    KeptState,
    ObservationState,
    Point,
    PrivateState,
    ProblemState,
    QuestionState,
    SeenTileState,
    ZoneState,
)
from domino_vision.settle import Ask, SettleState
from domino_vision.settle.judge import Doubt
from domino_vision.types import TableObservation, TableProblem

LOOK_QUESTION: Final = "look_unsure"
"""Question about a look that vision does not believe, with nothing that the referee could ask."""
Crops = dict[str, tuple[tuple[Point, ...], ...]]
"""By question the corners of the tiles that it shows, in pixels."""
_ANSWERS: Final = ((RIGHT, "it is right"), (AGAIN, "look again"))


def private_of(
    desk: Desk, hands: Mapping[str, list[str]], alerts: Iterable[Mapping[str, Any]] = (), kept: KeptState | None = None
) -> PrivateState:
    """Return the private side of a table.

    Args:
        desk: of the table.
        hands: those that were shown at the end of the hand.
        alerts: what may be against the rules, as data of events `alert`.
        kept: how much evidence there is.
    """
    session, config = desk.session, desk.config
    shown = session.shown
    return PrivateState(
        questions=_questions(session, config.language),
        observation=None if shown is None else _observation(session, shown, config.language),
        zones=_zones(session, shown),
        zones_mm=None if session.zones is None else session.zones.to_json(),
        shown=dict(hands),
        suspicions=[_suspicion(alert, config.language) for alert in alerts],
        ghost=desk.ghost.over(session),
        calibration=calibration_of(session, config),
        kept=kept,
        can_undo=desk.can_undo,
        can_redo=desk.can_redo,
        config=config.model_dump(mode="json", exclude={"zones"}),
    )


def _suspicion(alert: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """Return an alert in words, with what it is about."""
    about = {name: alert[name] for name in ("key", "kind", "code", "hand", "move", "player", "tiles")}
    return {**about, **plain(alert_text(alert, lang))}


def questions_of(session: TableSession) -> tuple[Question, ...]:
    """Return the open questions, with the one about a look that is in doubt if nothing else asks about it."""
    questions = tuple(session.referee.questions.values())
    ask = session.ask
    if ask is None or session.settler.state is not SettleState.ASK or TILE_QUESTION in session.referee.questions:
        return questions
    return (*questions, _about_look(ask))


def _about_look(ask: Ask) -> Question:
    seen = [ask.observation.tiles[i] for i in tiles_in_doubt(ask.observation, ask.doubts)]
    return Question(
        LOOK_QUESTION,
        tuple(Choice(key, text) for key, text in _ANSWERS),
        tuple(tile.tile for tile in seen if tile.tile is not None),
        tuple(tuple((float(x), float(y)) for x, y in tile.quad_px) for tile in seen),
        {"code": ask.reason.code, "doubts": [doubt.code for doubt in ask.doubts]},
    )


def crops_of(session: TableSession) -> Crops:
    """Return what the pictures of the open questions show."""
    return {question.code: question.crops for question in questions_of(session) if question.crops}


def _question(question: Question, lang: str) -> QuestionState:
    choices = [
        ChoiceState(key=choice.key, text=choice.text, odds=choice.odds, changes=plain(choice.changes))
        for choice in question.choices
    ]
    return QuestionState(
        code=question.code,
        text=text_of("question", question.code, lang),
        choices=choices,
        tiles=[str(tile) for tile in question.tiles],
        crops=len(question.crops),
        params=plain(question.params),
    )


def _questions(session: TableSession, lang: str) -> list[QuestionState]:
    """Return the open questions; one about a look says which tiles are in doubt, and why."""
    shown = [_question(each, lang) for each in questions_of(session)]
    ask = session.ask
    if ask is None:
        return shown
    doubts = doubts_of(ask.observation, ask.doubts, lang)
    return [each.model_copy(update={"doubts": doubts}) if each.code == LOOK_QUESTION else each for each in shown]


def tiles_in_doubt(observation: TableObservation, doubts: Iterable[Doubt]) -> list[int]:
    """Return the tiles that the doubts in a look are about, those of vision and of the settler."""
    about = [*(each.tiles for each in doubts), *(each.tiles for each in observation.questions)]
    return sorted({i for tiles in about for i in tiles if i < len(observation.tiles)})


def doubts_of(observation: TableObservation, doubts: Iterable[Doubt], lang: str) -> list[DoubtState]:
    """Return what is in doubt in a look: why vision would have it looked at, and what else the settler waits for."""
    asked = observation.questions
    codes, named = {each.code for each in asked}, {each.tiles for each in asked if each.tiles}
    more = [each for each in doubts if each.code not in codes and each.tiles not in named]
    said: list[tuple[str, Doubt | TableProblem]] = [("doubt", each) for each in more]
    said += [("table", each) for each in asked]
    found = list[DoubtState]()
    for section, doubt in said:
        tiles = [_name_of(observation, index) for index in doubt.tiles if index < len(observation.tiles)]
        params = {"tile": next(iter(tiles), "?"), **doubt.params}
        state = DoubtState(tiles=tiles, text=text_of(section, doubt.code, lang, **params))
        found += [] if state in found else [state]
    return found


def _name_of(observation: TableObservation, index: int) -> str:
    tile = observation.tiles[index].tile
    return "?" if tile is None else str(tile)


def _observation(session: TableSession, shown: TableObservation, lang: str) -> ObservationState:
    return ObservationState(
        size=shown.size_wh,
        tiles=[
            SeenTileState(
                index=index,
                quad=[(round(float(x), 1), round(float(y), 1)) for x, y in tile.quad_px],
                tile=None if tile.tile is None else str(tile.tile),
                halves=tile.halves,
                role=tile.role.value,
                confidence=round(tile.confidence, 3),
            )
            for index, tile in enumerate(shown.tiles)
        ],
        joins=[(join.a, join.a_part, join.b, join.b_part) for join in shown.joins],
        ends=seen_ends(shown),
        problems=list(_problems(session, shown, lang)),
        believed=session.ask is None,
    )


def _problems(session: TableSession, shown: TableObservation, lang: str) -> Iterable[ProblemState]:
    for problem in shown.problems:
        text = explain(f"table.{problem.code}", problem.params, lang)
        yield ProblemState(code=problem.code, tiles=list(problem.tiles), text=text)
    if session.ask is not None:
        for doubt in session.ask.doubts:
            yield ProblemState(
                code=doubt.code, tiles=list(doubt.tiles), text=text_of("doubt", doubt.code, lang, **doubt.params)
            )


def _zones(session: TableSession, shown: TableObservation | None) -> list[ZoneState]:
    if session.zones is None or shown is None:
        return []
    drawn = session.zones.in_px(shown.px_to_mm)
    return [
        ZoneState(name=name, polygon=[(round(float(x), 1), round(float(y), 1)) for x, y in polygon])
        for name, polygon in drawn.items()
    ]
