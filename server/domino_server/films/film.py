"""A film: a game played by the engine, its record, and the scripts of its hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

import numpy as np

from domino_rules.games import LINE_GAMES
from domino_rules.match import Match
from domino_rules.record import Record
from domino_rules.record_replay import match_record
from domino_rules.state import find_game
from domino_rules.tile import Tile
from domino_server.films.plays import Plants, Step, play_hand
from domino_server.films.scripts import FilmError, Filming
from domino_server.films.unseen import unseen_hands
from domino_server.referee.places import seat_names
from domino_vision.synth.stage import SceneOptions, Stage, set_stage
from domino_vision.synth.video import GameVideo, VideoFrame, VideoOptions
from domino_vision.synth.video_script import Script
from domino_vision.synth.video_writer import SOME, Mishaps

SEATS: Final = {"pincset": 4, "cincos": 2, "bingo": 2, "tiu-u": 2}
NAMES: Final = ("Ana", "Bo", "Cleo", "Dan")
Calls = Mapping[tuple[int, Tile], int]
"""By hand, from 0, and tile, what was called with it: in Bingo how many doubles, in Cincos how many points."""
_ATTEMPTS: Final = 140
_FRACTION: Final = {"pincset": 0.041, "cincos": 0.043, "bingo": 0.06, "tiu-u": 0.036}
"""Length of a tile over the picture's long side."""


@dataclass(frozen=True, slots=True)
class FilmOptions:
    """What is filmed, and how.

    Attributes:
        game: name of the game.
        seed: of the deal, the moves, the table and the hands; the same seed gives the same film.
        seats: how many play; None for the usual number.
        house: house options.
        hands: how many hands at most.
        illegal: plays against the rules in each hand.
        also: kinds of them that are planted only if they are named (see `Plants.also`).
        mishaps: chances, a move, of bumps, light changes, people who lean over, hands that rest.
        size_wh: picture size in pixels.
        video: frames a second, speeds.
    """

    game: str
    seed: int
    seats: int | None = None
    house: Mapping[str, str] = field(default_factory=dict)
    hands: int = 1
    illegal: int = 2
    also: frozenset[str] = frozenset()
    mishaps: Mishaps = SOME
    size_wh: tuple[int, int] = (1280, 960)
    video: VideoOptions = field(default_factory=VideoOptions)


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """A game that can be filmed.

    Attributes:
        options: what was asked for.
        record: the game as it was played, what stood included.
        match: the match behind it.
        scripts: what is seen of each hand.
        stage: camera and look of the tiles.
    """

    options: FilmOptions
    record: Record
    match: Match
    scripts: tuple[Script, ...]
    stage: Stage

    @property
    def opener(self) -> str | None:
        """Who leads the first hand, where people must tell."""
        first = self.match.hands[0].context.opener
        return None if self.match.game.name in LINE_GAMES else first

    @property
    def calls(self) -> Calls:
        """What was called."""
        told = ((hand, move) for hand, script in enumerate(self.scripts) for move in script.moves.values())
        return {(hand, Tile(*move["tile"])): move["called"] for hand, move in told if move.get("called") is not None}

    def frames(self) -> Iterator[tuple[int, VideoFrame]]:
        """Yield the frames with the number of their hand, from 0; their times go on from hand to hand."""
        shift = 0.0
        for number, script in enumerate(self.scripts):
            at = 0.0
            for shot in GameVideo(self.options.seed + number, self.stage, script, self.options.video):
                at = shot.frame.at
                yield number, replace(shot, frame=replace(shot.frame, at=at + shift)) if shift else shot
            shift += at + 1 / self.options.video.fps


def make_film(options: FilmOptions) -> Film:
    """Play a game and write its scripts.

    Raises:
        SetupError: `unknown_game`, `unknown_option`, `bad_option`, `players`.
        FilmError: `film_room` if the table proves too small, again and again.
    """
    game = find_game(options.game)
    seats = NAMES[: options.seats or SEATS.get(game.name, 2)]
    rules = game.rules(**options.house)
    random = Random(options.seed)
    match = Match(game, seats, rules)
    played: list[tuple[Any, tuple[Step, ...]]] = []
    while len(played) < options.hands and not match.over:
        deal = game.shuffled_deal(seats, rules, random)
        unseen = unseen_hands(match, deal, options.also)
        match = match.start_hand(deal) if unseen is None else unseen.dealt()
        start = match.state
        match, steps = play_hand(match, random, Plants.drawn(options.illegal, random, options.also), unseen=unseen)
        played.append((start, steps))
    table = seat_names(seats, rules)
    places = {player: table.index(player) for player in seats}
    record = match_record(match)
    for attempt in range(_ATTEMPTS):
        rng = np.random.default_rng([options.seed, attempt])
        stage = set_stage(rng, _scene(options, game.name, attempt))
        filming = Filming(rng, stage, options.mishaps, places)
        try:
            count = len(played)
            scripts = [filming.script(start, steps, last=n == count - 1) for n, (start, steps) in enumerate(played)]
        except FilmError:
            continue
        return Film(options, record, match, tuple(scripts), stage)
    raise FilmError(
        "film_room", f"no room for this game of {game.name} on the table", game=game.name, seed=options.seed
    )


def _scene(options: FilmOptions, game: str, attempt: int) -> SceneOptions:
    fraction = _FRACTION.get(game, 0.045) * (1 - 0.0014 * attempt)
    set_name = "chinese" if game == "tiu-u" else "double-six"
    return SceneOptions(set_name, options.size_wh, (fraction, fraction), (74.0, 88.0), harm=0.2)
