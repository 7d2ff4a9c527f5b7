"""`dominotable rules`: options of a game, conformance vectors, records, audits, random matches, pictures."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from domino_rules.errors import DominoError, ParseError, SetupError
from domino_server.console import BAD_INPUT, fail, guard, note, warn, written
from domino_server.house_options import parse_options

app = typer.Typer(help="The rules engine alone: games, records, audits, pictures.", no_args_is_help=True)

RecordArg = Annotated[str, typer.Argument(help="a record, or - for stdin")]
GameArg = Annotated[str, typer.Argument(help="pincset (500), cincos, bingo or tiu-u (pecanje)")]
JsonFlag = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]
LangOption = Annotated[str, typer.Option(help="language: en, es, pl, sr-Latn or sr-Cyrl")]
PRETTY: dict[str, Any] = {"ensure_ascii": False, "indent": 2}


@app.command()
def show(game: GameArg, as_json: JsonFlag = False, lang: LangOption = "en") -> None:
    """Show a game: players, tiles, and every house option with its default, choices, meaning and source."""
    from domino_rules.state import find_game
    from domino_server.rules_view import game_json

    with guard():
        shown = game_json(find_game(game), lang)
        if as_json:
            typer.echo(json.dumps(shown, **PRETTY))
            return
        players = " / ".join(map(str, shown["players"]))
        names = ", ".join([shown["game"], *shown["aliases"]])
        typer.echo(f"{shown['title']} ({names}): {players} players, {shown['tiles']} tiles ({shown['set']})")
        for option in shown["options"]:
            choices = " | ".join(map(_word, option["choices"]))
            typer.echo(f"\n{option['name']} = {_word(option['default'])}" + (f"   [{choices}]" if choices else ""))
            typer.echo(f"    {option['meaning']}\n    {option['source']}")
        for name, values in shown["presets"].items():
            changed = ", ".join(f"{key}={_word(value)}" for key, value in values.items())
            typer.echo(f"\npreset {name}: {changed or 'all defaults'}")


def _word(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


@app.command()
def check(files: Annotated[list[Path], typer.Argument(help="vector files (.json)")]) -> None:
    """Run conformance vectors: a line for each one that fails, and the sums last."""
    from domino_rules.vectors import check_file

    passed = failed = bad = 0
    with guard():
        for path in files:
            try:
                results = check_file(path)
            except DominoError as error:
                warn(error.message)
                bad += 1
                continue
            for result in results:
                passed += result.passed
                failed += not result.passed
                if not result.passed:
                    typer.echo(f"{result.vector.id} ({result.vector.op}): {'; '.join(result.differences)}")
        typer.echo(f"{passed} passed, {failed} failed")
    if bad or failed:
        raise typer.Exit(BAD_INPUT if bad else 1)


@app.command()
def replay(record: RecordArg, as_json: JsonFlag = False, lang: LangOption = "en") -> None:
    """Play a record through the engine: every move, what it scored and why, and the totals."""
    from domino_rules.record import parse_record
    from domino_rules.record_replay import replay as play_through
    from domino_server.rules_view import replay_json, replay_lines

    with guard():
        played = play_through(parse_record(_text(record)))
        if as_json:
            typer.echo(json.dumps(replay_json(played), **PRETTY))
        else:
            typer.echo("\n".join(replay_lines(played, lang)))


@app.command()
def audit(record: RecordArg, as_json: JsonFlag = False, lang: LangOption = "en") -> None:
    """Look at every move after the fact: illegal passes, draws and plays, revokes, scores. Exit 1 if one is proved."""
    from domino_rules.audit import Certainty
    from domino_rules.audit import audit as look
    from domino_rules.record import parse_record
    from domino_server.rules_view import finding_json, finding_line

    with guard():
        findings = look(parse_record(_text(record)))
        if as_json:
            typer.echo(json.dumps([finding_json(finding, lang) for finding in findings], **PRETTY))
        else:
            for finding in findings:
                typer.echo(finding_line(finding, lang))
            proved = sum(finding.certainty is Certainty.PROVED for finding in findings)
            typer.echo(f"{proved} proved, {len(findings) - proved} possible")
    if any(finding.certainty is Certainty.PROVED for finding in findings):
        raise typer.Exit(1)


@app.command()
def play(
    game: GameArg,
    seed: Annotated[int | None, typer.Option(help="the same seed plays the same match")] = None,
    players: Annotated[str | None, typer.Option(help="how many, or their names: Ana,Bo")] = None,
    option: Annotated[list[str] | None, typer.Option(help="a house option, such as target=100")] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="how many hands at most; else the whole match")] = None,
) -> None:
    """Play a match by random legal moves and print its record."""
    from domino_rules.record_replay import random_record
    from domino_rules.state import find_game

    with guard():
        found = find_game(game)
        number = random.SystemRandom().randrange(2**32) if seed is None else seed
        seats = _seats(players, min(found.player_counts))
        rules = found.rules(**parse_options(option or []))
        headers = {"Seed": str(number)}
        typer.echo(random_record(found, rules, seats, random.Random(number), hands=hands, headers=headers), nl=False)


def _seats(players: str | None, usual: int) -> list[str]:
    if players is None or players.strip().isdecimal():
        count = usual if players is None else int(players)
        if not 1 <= count <= len("ABCDEFGH"):
            raise SetupError("players", f"no game is for {count} players", players=count)
        return list("ABCDEFGH"[:count])
    return [name.strip() for name in players.split(",") if name.strip()]


@app.command()
def svg(
    source: Annotated[str, typer.Argument(help="a record, a layout such as '6-6 L:6-4 R:6-5', or - for stdin")],
    out: Annotated[Path | None, typer.Option(help="the file to write instead of stdout")] = None,
    hand: Annotated[int | None, typer.Option(min=1, help="number of the hand; else the last")] = None,
    move: Annotated[int | None, typer.Option(min=0, help="number of the move; else the last")] = None,
    spinner: Annotated[bool, typer.Option(help="whether the first double of a layout opens two more arms")] = True,
    lang: LangOption = "en",
) -> None:
    """Draw a layout, or the position of a record, as people lay it; what no rule allows is drawn, and told."""
    from domino_rules.layout import Layout
    from domino_rules.record import parse_record
    from domino_rules.svg import layout_svg
    from domino_rules.svg_record import record_svg
    from domino_server.rules_view import finding_line, layout_problems, proved_until

    with guard():
        text = _text(source) if source == "-" or Path(source).is_file() else source
        if source != "-" and text is source and not source[:1].isdigit():
            fail(f"{source}: no such file, and no layout such as '6-6 L:6-4 R:6-5'")
        if "Game:" in text:
            record = parse_record(text)
            picture = record_svg(record, hand, move, lang=lang)
            for finding in proved_until(record, hand, move):
                note(finding_line(finding, lang))
        elif hand is not None or move is not None:
            fail("--hand and --move choose a position of a record; a layout is drawn as it is written")
        else:
            layout = Layout.parse(text, with_spinner=spinner)
            picture = layout_svg(layout)
            for problem in layout_problems(layout):
                note(f"against the rules: {problem}")
        if out is None:
            typer.echo(picture, nl=False)
        else:
            out.write_text(picture, encoding="utf-8")
            written(out)


def _text(source: str) -> str:
    """Return the text of a file, or of stdin for `-`."""
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError("not_utf8", f"{source}: not UTF-8 text (byte {error.start})", path=source) from error
