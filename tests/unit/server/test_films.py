"""Films of whole games: played by the engine, with exact truth, planted illegal plays, and scored when followed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

from domino_rules.errors import DominoError
from domino_rules.games.chain import ChainState
from domino_rules.games.tiu_u_rules import mates
from domino_rules.games.tiu_u_state import TiuUState
from domino_rules.layout import Arm
from domino_rules.match import Match
from domino_rules.moves import Capture, Pass, Play, Quadruple, Stood, Triple, Turn, plain
from domino_rules.record import parse_record
from domino_rules.record_replay import match_record, replay
from domino_rules.state import find_game
from domino_rules.tile import DOUBLE_SIX, Tile
from domino_server.cli import app
from domino_server.films.answers import hand_texts
from domino_server.films.files import film_folders, read_frames, read_truth, write_film
from domino_server.films.film import Film, FilmOptions, make_film
from domino_server.films.follow import Followed, Heard, follow
from domino_server.films.plays import Plants, Step, play_hand
from domino_server.films.score import score_film, total
from domino_server.films.truth import ActTruth, Clock, FilmTruth, planted
from domino_server.films.unseen import Unseen, UnseenCatches
from domino_server.films.wrong_lines import points_of, proof
from domino_vision.synth.video import VideoOptions
from domino_vision.synth.video_script import Placing, Taking
from domino_vision.synth.video_truth import TruthReader
from domino_vision.synth.video_writer import NONE
from domino_vision.types import Detections, Frame, TileReadings

GAMES = [("pincset", 4), ("cincos", 2), ("cincos", 4), ("bingo", 2), ("tiu-u", 2), ("tiu-u", 3)]
QUICK = VideoOptions(fps=4, reach_s=0.3, slide_s=0.3, rest_s=0.5)


def film_of(game: str, seats: int, seed: int = 1, **changes: object) -> Film:
    options = FilmOptions(game, seed, seats, size_wh=(640, 480), video=QUICK, mishaps=NONE)
    return make_film(replace(options, **changes))


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_script_tells_every_move_of_the_record(game: str, seats: int) -> None:
    """The acts of a film name the moves of the record in their order, and whose seat they come from."""
    film = film_of(game, seats)
    told = [move["move"] for move in film.scripts[0].moves.values() if "move" in move]
    made = hand_texts(film.record)[0]
    assert [text for text in told if " draws " not in text] == made
    assert len(film.record.seats) == seats
    assert replay(film.record).match.hand_over


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_same_seed_same_film(game: str, seats: int) -> None:
    """A seed gives the same game and the same acts, another seed another game."""
    first, again, other = (film_of(game, seats, seed) for seed in (2, 2, 3))
    assert str(first.record) == str(again.record) != str(other.record)
    assert [type(act) for act in first.scripts[0].acts] == [type(act) for act in again.scripts[0].acts]


@pytest.mark.parametrize(("game", "seats"), GAMES)
@pytest.mark.parametrize("stands", [True, False])
def test_planted_plays_are_against_the_rules(game: str, seats: int, *, stands: bool) -> None:
    """What is planted is refused by the engine for the reason told; undone, it is no move of the match."""
    found = find_game(game)
    names = ("A", "B", "C", "D")[:seats]
    for seed in range(4):
        random = Random(seed)
        match = Match(found, names, found.rules())
        match = match.start_hand(found.shuffled_deal(names, match.rules, random))
        match, steps = play_hand(match, random, Plants([3]), stands=stands)
        wrong = [step for step in steps if step.code is not None]
        stood = [move for move in match.hands[-1].moves if isinstance(move, Stood)]
        assert len(stood) == (len(wrong) if stands else 0)
        for step in wrong:
            assert isinstance(step.move, Stood)
            assert step.undone is not stands
            if step.code != "wrong_taker":
                with pytest.raises(DominoError):
                    step.before.apply(step.move.move)


def test_hands_go_on_from_a_tile_at_an_arm_that_was_closed() -> None:
    """Of four players at Cincos one lays at the lower arm too early, and it stands: the others may build on it."""
    found, random = find_game("cincos"), Random(555021)
    match = Match(found, ("A", "B", "C", "D"), found.rules())
    match = match.start_hand(found.shuffled_deal(match.seats, match.rules, random))
    match, steps = play_hand(match, random, Plants.drawn(1, random), stands=True)
    assert match.hand_over
    stood = [step.move for step in steps if isinstance(step.move, Stood)]
    assert [str(move.move.arm) for move in stood if isinstance(move.move, Play)] == ["D"]


def test_passes_are_not_filmed() -> None:
    """A pass is no act; a draw takes a tile of the boneyard off the table."""
    film = film_of("cincos", 4, 3)
    steps = film.record.hands[0].moves
    acts = film.scripts[0].acts
    placed = [act for act in acts if isinstance(act, Placing)]
    assert len(placed) == sum(not isinstance(m.move, Pass) and "draws" not in hand_texts_of(m.move) for m in steps)
    assert any(isinstance(act, Taking) for act in acts)


def hand_texts_of(move: object) -> str:
    return type(move).__name__.lower() + ("s" if type(move).__name__ == "Draw" else "")


def test_house_options_and_unknown_ones() -> None:
    """House options are the film's; an option that the game does not know is refused."""
    film = film_of("pincset", 4, house={"force_66": "false"})
    assert film.record.options == {"force_66": "false"}
    with pytest.raises(DominoError) as error:
        film_of("pincset", 4, house={"colour": "red"})
    assert error.value.code == "unknown_option"


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of Bingo on disk."""
    folder = tmp_path_factory.mktemp("films")
    write_film(
        film_of("bingo", 2, 1, video=VideoOptions(fps=2, reach_s=0.5, slide_s=0.5, rest_s=0.5)), folder / "bingo-1"
    )
    return folder


def test_film_on_disk_is_read_back(filmed: Path) -> None:
    """The truth of a film is read as it was written, with rising times, and the video has its frames."""
    (folder,) = film_folders(filmed)
    truth = read_truth(folder)
    assert FilmTruth.from_json(json.loads(json.dumps(truth.to_json()))) == truth
    times = [act.over_at for act in truth.acts]
    assert times == sorted(times)
    frames = list(read_frames(folder))
    assert frames[0].size_wh == (640, 480)
    assert frames[-1].at >= times[-1]


@pytest.mark.parametrize(
    ("text", "code"), [("{", "film_format"), ('{"format": 9}', "film_format"), ("[]", "film_format")]
)
def test_broken_truth_is_refused(tmp_path: Path, text: str, code: str) -> None:
    """A file that is no truth of a film is refused with a code; so is a folder without one."""
    with pytest.raises(DominoError) as error:
        film_folders(tmp_path)
    assert error.value.code == "film_missing"
    (tmp_path / "film.json").write_text(text)
    with pytest.raises(DominoError) as error:
        read_truth(tmp_path)
    assert error.value.code == "film_format"


def told_by(film: Film) -> tuple[FilmTruth, Followed]:
    """Return the truth of a film, and what somebody would have said who follows it without fault."""
    clock = Clock(film)
    for number in range(len(film.scripts[0].acts) + 1):
        clock.see(0, number, float(number))
    truth = clock.truth()
    heard = []
    for act in truth.acts:
        if act.code is not None and act.tile is not None:
            tile = f"{max(act.tile)}-{min(act.tile)}"
            heard.append(Heard(act.over_at + 0.4, {"event": "illegal", "code": act.code, "tile": tile}))
        if act.move is not None:
            line = {"event": "move", "hand": 1, "number": len(heard), "record": {"move": act.move}}
            heard.append(Heard(act.over_at + 0.5, line))
    return truth, Followed(tuple(heard), film.record, film.match)


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_faultless_following_scores_full(game: str, seats: int) -> None:
    """Who says every move and reports every planted play in time has all figures at their best."""
    truth, followed = told_by(film_of(game, seats))
    figures = score_film("film", truth, followed).to_json()
    assert (figures["moves_right"], figures["moves_invented"], figures["scores_right"]) == (1.0, 0.0, 1.0)
    assert figures["illegal_reported"] in {1.0, 0.0 if not planted(truth.acts) else 1.0}
    assert (figures["false_reports"], figures["questions"]) == (0.0, 0.0)
    assert figures["commit_delay_s"] == {"p50": 0.5, "p95": 0.5}


def test_faults_are_counted_and_explained() -> None:
    """Silence misses all moves; a report too late, or of a tile that broke no rule, counts against it."""
    truth, followed = told_by(film_of("pincset", 4))
    silent = Followed(
        (),
        replace(truth.record, hands=()),
        Match(find_game("pincset"), truth.record.seats, find_game("pincset").rules()),
    )
    nothing = score_film("film", truth, silent)
    assert (nothing.right, nothing.scores_right, nothing.reported) == (0, 0, 0)
    assert nothing.failed[0].true
    late = tuple(replace(h, at=h.at + 1000) if h.line["event"] == "illegal" else h for h in followed.heard)
    assert score_film("film", truth, replace(followed, heard=late)).reported == 0
    wrong = Heard(1.0, {"event": "illegal", "code": "no_match", "tile": "0-0"})
    figures = score_film("film", truth, replace(followed, heard=(wrong, *followed.heard)))
    assert figures.false_reports == 1
    both = total([nothing, figures])
    assert both.films == 2
    assert both.moves == nothing.moves + figures.moves


def test_what_only_a_later_tile_shows_is_reported_by_an_alert_that_names_it() -> None:
    """A revoke is no report of the referee: the judge is alerted once the tile lies there that was to be played."""
    truth, act, until = next(
        (truth, act, until)
        for truth, _ in (told_by(film_of("bingo", 2, seed, illegal=4)) for seed in range(30))
        for act, until in planted(truth.acts)
        if act.shown_by
    )
    truth = replace(truth, acts=tuple(a for a in truth.acts if a == act or a.code is None))
    silent = Followed((), truth.record, replay(truth.record).match)

    def told(tile: Tile, at: float, *, withdrawn: bool = False) -> tuple[int, int]:
        line = {"event": "alert", "hand": 1, "move": 9, "tiles": [str(tile)], "withdrawn": withdrawn}
        figures = score_film("film", truth, replace(silent, heard=(Heard(at, line),)))
        return figures.reported, figures.false_reports

    shown = act.about[-1]
    other = next(tile for tile in DOUBLE_SIX.kinds if tile not in act.about)
    assert score_film("film", truth, silent).unreported == (f"film: {act.code}",)
    assert told(shown, act.over_at) == (1, 0)
    assert told(shown, until + 1) == (0, 0)
    assert told(other, act.over_at) == (0, 1)
    assert told(shown, act.over_at, withdrawn=True) == (0, 0)


def test_commands_say_what_is_wrong(tmp_path: Path) -> None:
    """An unknown game, and a folder without films, are told in a line; nothing is written."""
    runner = CliRunner()
    made = runner.invoke(app, ["datasets", "games", str(tmp_path / "out"), "--game", "chess"])
    assert made.exit_code
    assert "chess" in made.stderr
    assert not (tmp_path / "out").exists()
    judged = runner.invoke(app, ["evaluate", str(tmp_path), "--games"])
    assert judged.exit_code
    assert "film.json" in judged.stderr


@pytest.mark.parametrize("code", ["taken_back", "tile_twice"])
def test_kinds_that_are_asked_for_are_planted_and_put_right(code: str) -> None:
    """A tile taken back is not laid again by the next play, one of another set lies there already; neither stands."""
    found = find_game("pincset")
    names = ("A", "B", "C", "D")
    planted_ones = 0
    for seed in range(12):
        random = Random(seed)
        match = Match(found, names, found.rules())
        match = match.start_hand(found.shuffled_deal(names, match.rules, random))
        match, steps = play_hand(match, random, Plants([3, 5], frozenset({code})))
        for step, after in pairwise(steps):
            if step.code == code:
                planted_ones += 1
                move, following = plain(step.move), plain(after.move)
                assert isinstance(move, Play)
                assert isinstance(step.before, ChainState)
                laid = {placement.tile for placement in step.before.layout}
                assert step.undone
                assert (move.tile in laid) is (code == "tile_twice")
                assert not (isinstance(following, Play) and following.tile == move.tile)
    assert planted_ones > 3


def unseen_hands(game: str, kinds: set[str], seeds: int, due: tuple[int, ...] = (3, 6, 9)) -> Iterator[list[Step]]:
    """Yield hands that the rules engine knows only from outside, and check that their records say the same."""
    found = find_game(game)
    names = ("A", "B", "C", "D")[: 4 if game == "pincset" else 2]
    for seed in range(seeds):
        random, match = Random(seed), Match(found, names, found.rules())
        deal = found.shuffled_deal(names, match.rules, random)
        unseen = UnseenCatches(match, deal) if game == "tiu-u" else Unseen(match, deal)
        plants = Plants(list(due), frozenset(kinds))
        match, steps = play_hand(unseen.dealt(), random, plants, unseen=unseen)
        again = replay(parse_record(str(match_record(match)))).match
        assert again.totals == match.totals
        result = match.hands[-1].result
        assert result is None or not result.pending
        yield list(steps)


def test_a_pass_against_the_rules_names_the_tile_that_shows_it() -> None:
    """Its player held a tile that fitted, and lays it later or has it left in the end."""
    passes = 0
    for steps in unseen_hands("pincset", {"illegal_pass"}, 12):
        for n, step in enumerate(steps):
            if step.code == "illegal_pass":
                passes += 1
                player, (tile,) = step.move.player, step.shown_by
                assert isinstance(step.before, ChainState)
                assert isinstance(steps[-1].after, ChainState)
                assert step.before.layout.fits(tile)
                assert tile in step.before.hands[player].known
                laid = [plain(s.move) for s in steps[n:] if isinstance(plain(s.move), Play) and not s.undone]
                left = steps[-1].after.hands[player].known
                assert Play(player, tile, Arm.LEFT) in [replace(play, arm=Arm.LEFT) for play in laid] or tile in left
    assert passes > 8


def test_a_draw_against_the_rules_is_shown_by_more_tiles_than_were_drawn() -> None:
    """The tile drawn is not seen: the first that fits and is laid then proves nothing, the second does."""
    draws = 0
    for steps in unseen_hands("cincos", {"illegal_draw"}, 30):
        for n, step in enumerate(steps):
            if step.code != "illegal_draw":
                continue
            draws += 1
            player, (tile,) = step.move.player, step.shown_by
            assert isinstance(step.before, ChainState)
            assert step.before.layout.fits(tile)
            own = [plain(s.move) for s in steps[n:] if s.move.player == player and not s.undone]
            fitted = [move.tile for move in own if isinstance(move, Play) and step.before.layout.fits(move.tile)]
            assert tile != next(iter(fitted), None)
    assert draws > 4


@pytest.mark.parametrize(
    ("later", "shown"),
    [
        (((None, True), ("6-5", False)), None),
        (((None, True), ("6-5", False), ("6-1", False)), "6-1"),
        (((None, True), ("6-5", False), (None, True), ("6-1", False)), None),
        (((None, True), ("4-3", False), ("6-5", False), ("6-1", False)), "6-1"),
        ((("6-1", False),), "6-1"),
        ((("4-3", False),), None),
    ],
)
def test_what_proves_that_a_tile_was_held(later: tuple[tuple[str | None, bool], ...], shown: str | None) -> None:
    """More tiles that fitted than were drawn since: one was held. After a pass the first proves it."""
    fitting = [Tile.parse(text) for text in ("6-5", "6-1", "6-2")]
    done = [(None if text is None else Tile.parse(text), draws) for text, draws in later]
    assert proof(fitting, done) is (None if shown is None else Tile.parse(shown))


def test_out_of_turn_is_planted_while_there_is_something_to_draw() -> None:
    """Somebody else lays a tile that matches, though the player to move could have drawn."""
    found = 0
    for steps in unseen_hands("cincos", {"not_your_turn"}, 8):
        for step in steps:
            if step.code == "not_your_turn":
                found += 1
                assert isinstance(step.before, ChainState)
                assert step.before.boneyard
                assert step.move.player != step.before.to_move
                assert isinstance(step.move, Stood)
                assert step.before.layout.fits(step.move.tile)
    assert found > 4


@pytest.mark.parametrize("game", ["pincset", "cincos"])
def test_a_tile_that_fits_nowhere_is_planted_as_often_as_other_kinds(game: str) -> None:
    """Asked for, illegal joins are a kind of their own beside tiles at the wrong end."""
    joins: Counter[bool] = Counter()
    for steps in unseen_hands(game, {"illegal_join"}, 12):
        for step in steps:
            if step.code == "no_match":
                assert isinstance(step.before, ChainState)
                assert isinstance(step.move, Stood)
                joins[bool(step.before.layout.fits(step.move.tile))] += 1
    assert min(joins[False], joins[True]) > 3


def test_a_pair_passed_over_names_the_tile_that_is_captured_with_later() -> None:
    """Its player held a tile with a mate on the talon, and shows it by a later capture, with no tile bought since."""
    passed = 0
    for steps in unseen_hands("tiu-u", {"passed_over"}, 45):
        for n, step in enumerate(steps):
            if step.code != "passed_over":
                continue
            passed += 1
            player, (tile,) = step.move.player, step.shown_by
            assert isinstance(step.before, TiuUState)
            assert mates(tile, step.before.talon, step.before.rules)
            assert tile in step.before.hands[player].known
            later = [plain(s.move) for s in steps[n:] if s.move.player == player and not s.undone]
            laid = next(move for move in later if getattr(move, "tile", None) is tile and not isinstance(move, Turn))
            assert isinstance(laid, Capture)
            assert not any(isinstance(move, Triple | Quadruple) for move in later[: later.index(laid)])
    assert passed > 8


def test_a_tile_drawn_out_of_place_in_bingo_is_put_back() -> None:
    """Nothing was to be drawn; the stock is then as large as before, and so is the record."""
    film = film_of("bingo", 2, 5, also=frozenset({"move_not_due"}), illegal=6)
    (script,) = film.scripts
    told = [move for _, move in sorted(script.moves.items())]
    drawn = [(move, after) for move, after in pairwise(told) if move.get("code") == "move_not_due"]
    assert len(drawn) > 1
    assert all((move["role"], move["undone"], after["role"]) == ("draw", True, "put_back") for move, after in drawn)
    taken = sum(len(act.keys) for act in script.acts if isinstance(act, Taking))
    back = [script.acts[number] for number, move in script.moves.items() if move["role"] == "put_back"]
    assert all(isinstance(act, Placing) for act in back)
    assert len(back) == len(drawn)
    assert taken - len(back) == sum(" draws " in move.get("move", "") for move in told)


def test_points_are_called_rightly_but_where_a_wrong_call_is_planted() -> None:
    """Every tile that makes points is called, and wrong calls differ from what the tile makes."""
    wrong = right = 0
    for steps in unseen_hands("cincos", {"points_wrong"}, 8):
        for step in steps:
            if step.undone or not isinstance(step.move, Play) or step.after.result is not None:
                continue
            points = points_of(step.before, step.after)
            assert (step.called or 0) == points or step.code == "points_wrong"
            assert not (step.code == "points_wrong" and step.called == points)
            wrong += step.code == "points_wrong"
            right += step.called == points > 0
    assert wrong > 4
    assert right > 8


def act(code: str | None = None, at: float = 0.0, tile: tuple[int, int] = (6, 5), **more: object) -> ActTruth:
    return replace(ActTruth(0, "play", at, "A leads", tile, code, seat=0), **more)


def test_what_only_a_later_tile_shows_is_due_after_that_tile() -> None:
    """A revoke is known once a tile that was to be played is laid by the same player; what never shows is left out."""
    revoke = act("must_match", 1.0, (6, 5), shown_by=((3, 2), (3, 1)))
    other = act(None, 2.0, (3, 1), seat=1)
    shows, after = act(None, 3.0, (2, 3)), act(None, 4.0, (1, 1), seat=1)
    assert planted([revoke, other, shows, after]) == ((revoke, 4.0),)
    assert planted([revoke, other, shows]) == ((revoke, float("inf")),)
    assert planted([revoke, other, after]) == ()
    assert planted([act("no_match", 1.0), other]) == ((act("no_match", 1.0), 2.0),)
    turned_up = replace(act(None, 5.0), tile=None, role="show")
    assert planted([revoke, other, turned_up]) == ((revoke, float("inf")),)


def test_bingo_is_filmed_with_calls_and_revokes() -> None:
    """Calls are told with the tile that lies there, false ones are put right; a revoke names what would show it."""
    kinds, calls = set(), 0
    for seed in range(40):
        film = film_of("bingo", 2, seed)
        acts = [move for script in film.scripts for move in script.moves.values()]
        kinds |= {move["code"] for move in acts if "code" in move}
        calls += len(film.calls)
        assert all(move["undone"] for move in acts if move.get("code") == "false_declaration")
        revokes = [move for move in acts if move.get("code") in {"must_match", "must_trump"}]
        assert all(move["shown_by"] for move in revokes)
        assert all(Tile(*move["tile"]).is_double for move in acts if move.get("called") is not None)
    assert {"must_match", "false_declaration", "wrong_taker", "not_your_turn"} <= kinds
    assert calls > 10


class Doubting(TruthReader):
    """Reads one kind of tile as another one nearly as likely."""

    def __init__(self, kind: Tile, other: int) -> None:
        super().__init__(1, misread=0.0)
        self.kind, self.other = kind, other

    def readings(self, frame: Frame, near: Detections | None = None) -> TileReadings:
        found = super().readings(frame, near)
        logp = found.half_logp.copy()
        for tile, halves in enumerate(logp.argmax(2).tolist()):
            if sorted(halves) == sorted(self.kind.halves):
                half = halves.index(self.kind.high)
                logp[tile, half] = np.log(1e-4)
                logp[tile, half, [self.kind.high, self.other]] = np.log([0.45, 0.54])
        return replace(found, half_logp=logp)


def test_what_lies_on_the_talon_before_the_hand_is_answered() -> None:
    """Whoever answers looks at the table: a tile is what lies there and is read nowhere else."""
    film = film_of("tiu-u", 2, illegal=0, video=VideoOptions(fps=10, reach_s=0.4, slide_s=0.3, rest_s=1.0))
    table = film.record.hands[0].deal.table
    alone = next(tile for tile in table if Counter(table)[tile] == 1 and not tile.is_double and tile.high < 6)
    reader = Doubting(alone, alone.high + 1)
    frames = (reader.watch(shot) for _, shot in islice(film.frames(), 40))
    followed = follow(frames, film.record, film.opener, reader)
    codes = [heard.line["question"]["code"] for heard in followed.heard if heard.line["event"] == "question"]
    assert codes == ["tile_unsure"]
    assert Counter(followed.record.hands[0].deal.table) == Counter(table)


def test_a_listener_hears_what_is_said_when_it_is_said() -> None:
    """Every line reaches the listener in order, with its second of the film, while the film runs."""
    film = film_of("pincset", 4, illegal=0, video=VideoOptions(fps=10, reach_s=0.4, slide_s=0.3, rest_s=1.0))
    reader = TruthReader(1, misread=0.0)
    told: list[Heard] = []
    frames = (reader.watch(shot) for _, shot in islice(film.frames(), 80))
    followed = follow(
        frames,
        film.record,
        film.opener,
        reader,
        listener=lambda at, _, lines: told.extend(Heard(at, line) for line in lines),
    )
    assert told == list(followed.heard)
    assert any(heard.line["event"] == "move" for heard in told)
