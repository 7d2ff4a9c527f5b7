"""`dominotable datasets games` and `evaluate --games`: films of whole games, and how well they are followed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from domino_rules.state import find_game
from domino_server.console import note, printable
from domino_server.films.files import film_folders, read_frames, read_truth, write_film
from domino_server.films.film import FilmOptions, make_film
from domino_server.films.follow import follow
from domino_server.films.score import GameScore, score_film, total
from domino_vision.settle.settler import ReadsFrames


def write_games(out: Path, games: Sequence[str], count: int, options: FilmOptions) -> None:
    """Film games from consecutive seeds.

    Raises:
        SetupError: a game or an option that is not known, or a number of seats that it is not for.
        DominoError: `film_room`, `film_unwritable`.
    """
    for game in games:
        for number in range(count):
            film = make_film(replace(options, game=game, seed=options.seed + number))
            name = f"{film.match.game.name}-{film.options.seed}"
            truth = write_film(film, out / name)
            moves = sum(act.move is not None for act in truth.acts)
            note(f"{name}: {moves} moves, {sum(act.code is not None for act in truth.acts)} against the rules")


def evaluate_games(folder: Path, load: Callable[[str], ReadsFrames], *, as_json: bool) -> None:
    """Follow films as `watch` would and print how well that went.

    Args:
        folder: a film, or a folder of films.
        load: returns what reads frames of a tile set.
        as_json: print JSON instead of a table.

    Raises:
        DominoError: `film_missing`, `film_unreadable`, `film_format`; SourceError, ModelError.
    """
    parts: dict[str, list[GameScore]] = {}
    folders = film_folders(folder)
    for number, path in enumerate(folders):
        truth = read_truth(path)
        name = find_game(truth.record.game).name
        pipeline = load("chinese" if name == "tiu-u" else "double-six")
        followed = follow(read_frames(path), truth.record, truth.opener, pipeline, calls=truth.calls)
        parts.setdefault(name, []).append(score_film(path.name, truth, followed))
        if sys.stderr.isatty():
            note(f"\r{number + 1}/{len(folders)}", end="\n" if number + 1 == len(folders) else "")
    result = {"games": {name: total(scores).to_json() for name, scores in parts.items()}}
    every = total(score for scores in parts.values() for score in scores).to_json()
    lines = (
        json.dumps({**result, "all": every}, indent=2)
        if as_json
        else "\n".join(_lines({**result["games"], "all": every}))
    )
    sys.stdout.write("\n".join(map(printable, lines.splitlines())) + "\n")


def _lines(figures: dict[str, dict[str, object]]) -> list[str]:
    """Return the figures as a table, and below it what failed."""
    names = [name for name in next(iter(figures.values())) if name not in {"failures", "unreported"}]
    lines = ["".join(f"{head:>18}" for head in ("", *figures))]
    lines += [f"{name:>18}" + "".join(f"{_plain(row[name]):>18}" for row in figures.values()) for name in names]
    every = figures["all"]
    for failed in every["failures"]:  # type: ignore[attr-defined]
        true, found = ", ".join(failed["true"]) or "nothing", ", ".join(failed["found"]) or "nothing"
        why = f" ({', '.join(failed['reasons'])})" if failed["reasons"] else ""
        lines.append(f"{failed['film']} hand {failed['hand']} move {failed['move']}: {true} became {found}{why}")
    lines += [f"{text}: not reported before the next move" for text in every["unreported"]]  # type: ignore[attr-defined]
    return lines


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return f"{value['p50']}/{value['p95']}"
    return "-" if value is None else str(value)
