"""One table that is watched: frames go in, what vision and referee say comes out as plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from domino_rules.errors import SetupError
from domino_rules.games import LINE_GAMES
from domino_rules.games.chain import ChainState
from domino_rules.record import HandRecord
from domino_rules.tile import TileSet
from domino_server.referee.arms import Arms
from domino_server.referee.chain_line import line_tiles
from domino_server.referee.core import Referee
from domino_server.referee.events import Asked, Event, HandStarted, Question, event_json
from domino_server.referee.places import TablePlaces, known_logp, seat_names
from domino_server.referee.sight import Kind, Point, Sight
from domino_server.referee.told import Answer, Told
from domino_server.referee.unsure import AGAIN, RIGHT, TILE_QUESTION, UnsureTile
from domino_vision.assemble import AssembleOptions, assemble
from domino_vision.errors import VisionError
from domino_vision.settle import Ask, Commit, Settler, SettleState, Transition
from domino_vision.settle.settler import ReadsFrames
from domino_vision.types import F64Array, Frame, TableObservation
from domino_vision.zones import Zones
from domino_vision.zones_presets import around_boneyard, preset, preset_along_rows, visible_rect

_LEGALITY_SETTLES: Final = frozenset({"count_unsure", "illegal_join"})
"""Doubts of vision that a legal explanation settles."""
_TWICE: Final = "duplicate_tile"
"""A doubt of vision that the referee judges at a line of play: a tile of another set, or a misreading."""
_UNSURE: Final = "new_tile_unsure"
_CAMERA_MOVED: Final = "camera_moved"
_AT_REST: Final = frozenset({SettleState.WAIT, SettleState.ASK})
_LOOKS: Final = 2
"""What contradicts a committed move is believed when it is seen so often."""

Line = dict[str, Any]
"""An event as plain values."""


class TableSession:
    """Vision and referee of one table. Not for several threads at once.

    Attributes:
        referee: the game.
        settler: when the table is read.
        zones: the parts of the table; made when the first table is committed if the game needs them.
        observation: the table as committed last.
        gone_back: whether what this table told was undone: a look that shows it once more tells nothing.
    """

    def __init__(
        self,
        referee: Referee,
        settler: Settler,
        zones: Zones | None = None,
        *,
        make_zones: bool = True,
        seen_as: Callable[[Sight], Sight] | None = None,
        shows_undone: Callable[[Sight], bool] | None = None,
    ) -> None:
        """Join vision and referee.

        Args:
            referee: the game.
            settler: a settler for the game's tile set.
            zones: the parts of the table, if they were drawn before.
            make_zones: whether to begin with the game's preset otherwise.
            seen_as: corrects each sight by what people said of the picture.
            shows_undone: whether the first look at a table is the one that was told before its last steps were undone.
        """
        self.referee = referee
        self.settler = settler
        self.zones = zones
        self.observation: TableObservation | None = None
        self.ask: Ask | None = None
        self._unsure: UnsureTile | None = None
        self._by_rules: list[Point] = []
        self.gone_back = False
        self._make_zones = make_zones and zones is None
        self._made_zones = False
        self._looked_again = False
        self._turned_up = False
        self._seen_as = seen_as or _as_it_is
        self._shows_undone = shows_undone or (lambda _: False)
        seating = referee.ledger.seating
        self._game = seating.game.name
        self._boneyard = len(seating.deal(HandRecord(1)).stock) if self._game in LINE_GAMES else 0
        self._seats = seat_names(seating.seats, seating.rules)
        self._arms = Arms(self._seats)

    def push(self, frame: Frame, now: float | None = None) -> list[Line]:
        """Take in a frame; `now` is given for live sources, whose late frames are dropped."""
        before = self.settler.state
        events = self.settler.push(frame, now)
        if self.settler.state is SettleState.HAND:
            self._arms.over(frame.bgr)
        elif before is SettleState.HAND:
            self._arms.away()
        elif self.settler.state in _AT_REST:
            self._arms.at_rest(frame.bgr, frame.at)
        lines = self._taken(events)
        self.settler.watch_whole(whole=self._tiles_apart)
        return lines

    @property
    def _tiles_apart(self) -> bool:
        """Whether tiles come to lie far from the others: the first of a line, in piles, in hands that are turned up."""
        ledger = self.referee.ledger
        return self._game not in LINE_GAMES or ledger.match.hand_over or self._turned_up

    def tell(self, told: Told) -> list[Line]:
        """Take in what a person says; raises DominoError if it cannot be."""
        if isinstance(told, Answer) and told.code == TILE_QUESTION:
            return self._answered(told.key)
        self.gone_back = False
        known = len(self.referee.told_tiles)
        lines = self._said(self.referee.tell(told))
        return lines + self._named(self.referee.told_tiles[known:])

    @property
    def shown(self) -> TableObservation | None:
        """The table that people are shown: the look that is in doubt, else what was committed last."""
        return self.observation if self.ask is None else self.ask.observation

    def name_tile(self, index: int, halves: tuple[int, int]) -> list[Line]:
        """Take in what a person says of a tile of the table shown: its pips, first half first."""
        shown = self.shown
        if shown is None:
            return []
        self.gone_back = False
        tile = shown.tiles[index]
        x, y = tile.quad_mm.mean(axis=0)
        self.referee.told_tiles.append(((float(x), float(y)), halves))
        if self.settler.state is SettleState.ASK:
            return self._taken(self.settler.answer(index, halves))
        if shown is not self.observation:  # vision remembers no tile of a look that is over
            return []
        if len(self.settler.tracker.memory):
            self.settler.tracker.tell(tile.quad_mm.astype(np.float64), halves)
        named = replace(tile, halves=halves, confidence=1.0, half_confidence=(1.0, 1.0))
        self.observation = replace(shown, tiles=(*shown.tiles[:index], named, *shown.tiles[index + 1 :]))
        lines = [line for _ in range(_LOOKS) for line in self._said(self.referee.again())]
        return lines + self.look_again()

    def _named(self, named: Sequence[tuple[Point, tuple[int, int]]]) -> list[Line]:
        """Let vision know what an answer says of tiles of a look that is in doubt; it is read once more."""
        if not named or self.ask is None or self.settler.state is not SettleState.ASK:
            return []
        middles = np.array([tile.quad_mm.mean(axis=0) for tile in self.ask.observation.tiles], np.float64)
        at, halves = named[-1]
        return self._taken(self.settler.answer(int(np.argmin(np.linalg.norm(middles - at, axis=1))), halves))

    def laid_anew(self) -> list[Line]:
        """Forget the picture of the table: another one is to be seen."""
        return self._taken(self.settler.restart(self.settler.machine.since))

    def look_again(self) -> list[Line]:
        """Read the table again as soon as it is at rest."""
        return self._taken(self.settler.machine.reread(self.settler.machine.since))

    def joined_anew(self) -> list[Line]:
        """Look at the last table again, with what people said of its joins since."""
        self.gone_back = False
        return self.seen_anew()

    def seen_anew(self) -> list[Line]:
        """Look at the last table again, unless what it told was undone."""
        lines: list[Line] = []
        if self.gone_back:
            return lines
        for _ in range(_LOOKS):
            if self.referee.sight is not None:
                lines += self._said(self.referee.see(self._seen_as(self.referee.sight)))
        return lines

    def draw_zones(self, zones: Zones | None) -> None:
        """Take other parts of the table; None for the game's preset, made when a table is seen next."""
        self.zones = zones
        self._make_zones, self._made_zones = zones is None, False

    def _answered(self, key: str) -> list[Line]:
        """Take in an answer about a look in doubt; raises SetupError if it is over, or nothing such was offered."""
        asked = self.referee.questions.get(TILE_QUESTION)
        if self.ask is None or self.settler.state is not SettleState.ASK:
            raise SetupError("no_such_question", f"no question {TILE_QUESTION} is open", question=TILE_QUESTION)
        keys = (RIGHT, AGAIN) if asked is None else tuple(choice.key for choice in asked.choices)
        if key not in keys:
            message = f"answer {TILE_QUESTION} with one of {', '.join(keys)}; not {key}"
            raise SetupError("no_such_choice", message, question=TILE_QUESTION, key=key)
        tile, ask = self._unsure, self.ask
        self._withdrawn()
        settled: list[Line] = [{"event": "settled", "code": TILE_QUESTION, "answer": key}]
        unsure = {index for doubt in ask.doubts if doubt.code == _UNSURE for index in doubt.tiles}
        if key == RIGHT and (tile is None or unsure <= {tile.index}):
            return settled + self._taken(self.settler.accept())
        read = None if tile is None else ask.observation.tiles[tile.index].halves
        halves = read if key == RIGHT else None if tile is None else tile.told(key)
        if tile is not None and halves is not None:
            return settled + self.name_tile(tile.index, halves)
        return settled + self._taken(self.settler.machine.reread(self.settler.machine.since))

    def _withdrawn(self) -> list[Line]:
        """Close the question about a tile: the look that it was about is over."""
        self._unsure = None
        if self.referee.questions.pop(TILE_QUESTION, None) is None:
            return []
        return [{"event": "settled", "code": TILE_QUESTION, "answer": None}]

    def _taken(self, events: Iterable[Transition | Commit | Ask]) -> list[Line]:
        lines: list[Line] = []
        for event in events:
            if isinstance(event, Transition):
                lines.append({
                    "event": "settle", "at": event.at, "state": event.state.value, "reason": event.reason.to_json(),
                })  # fmt: skip
                lines += self._withdrawn() if event.before is SettleState.ASK else []
                if event.state is SettleState.HAND:
                    self._by_rules.clear()
            elif isinstance(event, Commit):
                lines += self._committed(event)
            else:
                lines += self._asked(event)
        return lines

    def _committed(self, commit: Commit) -> list[Line]:
        before, self.observation, self.ask = self.observation, commit.observation, None
        lines: list[Line] = [commit.to_json(), *self._withdrawn()]
        self._by_rules.clear()
        if commit.transform is not None and self.zones is not None:
            self.zones = self.zones.moved(commit.transform)
        places = self._places(commit.observation)
        logp = known_logp(commit.observation, self.settler.tracker.memory)
        seen = places.sight(commit.observation, logp, at=commit.at).noted(commit.undisturbed)
        there = [places.place((float(x), float(y))) for x, y in commit.unfound.mean(axis=1)]
        sight = self._with_hands(places, replace(seen, overlooked=tuple(there)))
        self._turned_up = bool(sight.faces(Kind.HAND))
        if before is None or commit.reason.code == _CAMERA_MOVED:
            self._arms.table(commit.frame.bgr)
        actors, unclear = self._arms.taken()
        sight = self._seen_as(replace(sight, actors=actors, unclear=unclear))
        if self.gone_back and (commit.change.is_empty if before is not None else self._shows_undone(sight)):
            return lines
        self.gone_back = False
        lines += self._said(self.referee.see(sight))
        self._looked_again = self.referee.in_doubt and not self._looked_again
        return lines + self.look_again() if self._looked_again else lines

    def _asked(self, ask: Ask) -> list[Line]:
        """Believe a doubtful table that legal moves explain; let the referee judge an illegal join; else ask."""
        self.ask = ask
        places = self._places(ask.observation)
        sight = self._seen_as(places.sight(ask.observation, ask.half_logp, at=ask.at, believed=False))
        codes = {doubt.code for doubt in ask.doubts}
        if codes <= _LEGALITY_SETTLES and self.referee.explains(sight):
            return [ask.to_json(), *self._taken(self.settler.accept())]
        if self._is_judged(codes, sight):
            return [ask.to_json(), *self._judged(sight)]
        unsure = [i for doubt in ask.doubts if doubt.code == _UNSURE for i in doubt.tiles]
        if not unsure:
            return [ask.to_json()]
        going = not self.referee.ledger.match.hand_over  # between hands any tile may lie there
        if not going and self.referee.cleared:
            self.referee.reader.note(sight)
        explains = self.referee.explains if going else lambda _: True
        self._unsure = tile = UnsureTile.of(unsure[0], sight, explains, beside=unsure[1:])
        once = any(sight.lying_at(at) == tile.index for at in self._by_rules)
        if tile.settled is not None and not once:  # in doubt still, it is asked about
            self._by_rules.append(sight.tiles[tile.index].at)
            return [ask.to_json(), *self._taken(self.settler.answer(tile.index, tile.settled, by_person=False))]
        if tile.question is None:
            return [ask.to_json(), *(self._judged(sight) if tile.illegal else ())]
        self.referee.questions[TILE_QUESTION] = tile.question
        return [ask.to_json(), {"event": "question", "question": _plain_question(tile.question)}]

    def _judged(self, sight: Sight) -> list[Line]:
        actors, unclear = self._arms.taken()
        return self._said(self.referee.see(replace(sight, actors=actors, unclear=unclear)))

    def _is_judged(self, codes: set[str], sight: Sight) -> bool:
        """Return whether the referee judges a look in doubt: what it shows would be against the rules."""
        if _TWICE in codes:
            line = self._game in LINE_GAMES and codes <= _LEGALITY_SETTLES | {_TWICE, _UNSURE}
            return line and not self.referee.explains(sight)
        return codes <= _LEGALITY_SETTLES and bool(sight.match_p)

    def _with_hands(self, places: TablePlaces, sight: Sight) -> Sight:
        """Return the sight with the hands that lie turned up beside a line of play."""
        state = self.referee.state
        if not isinstance(state, ChainState):
            return sight
        return places.with_hands(sight, line_tiles(state), over=state.result is not None)

    def _places(self, observation: TableObservation) -> TablePlaces:
        if self._make_zones and len(observation.tiles):
            self._make_zones = False
            try:
                self.zones, self._made_zones = self._preset(observation), True
            except VisionError:
                self.zones = None
        if self.zones is not None and self._made_zones and self._boneyard and self.referee.ledger.match.hand_over:
            self.zones = around_boneyard(self.zones, observation, self._boneyard)
        return TablePlaces(self.zones, self._seats, self._game in LINE_GAMES)

    def _preset(self, observation: TableObservation) -> Zones:
        seats = len(self._seats)
        if self._game not in LINE_GAMES:
            return preset_along_rows(self._game, seats, observation)
        return preset(self._game, seats, visible_rect(observation.size_wh, observation.px_to_mm))

    def _said(self, events: Iterable[Event]) -> list[Line]:
        lines = []
        for event in events:
            lines.append(event_json(event))
            if isinstance(event, HandStarted):
                self.ask = None
        return lines


def settler_of(reader: ReadsFrames, game: str, tile_set: TileSet, px_to_mm: F64Array | None = None) -> Settler:
    """Return what settles the tables of a game.

    Args:
        reader: reads frames, such as a `Pipeline`.
        game: its name; where it has no line of play, tiles that touch are not joined.
        tile_set: the set in use.
        px_to_mm: shape (3, 3), the table's place if it is known from before.
    """
    decode = assemble if game in LINE_GAMES else partial(assemble, options=AssembleOptions(line=False))
    return Settler(reader, tile_set, px_to_mm=px_to_mm, decode=decode)


def _as_it_is(sight: Sight) -> Sight:
    return sight


def _plain_question(question: Question) -> Line:
    plain: Line = event_json(Asked(question))["question"]
    return plain
