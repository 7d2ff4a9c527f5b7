"""`dominotable datasets`: labelled pictures made from a seed."""

from pathlib import Path
from typing import Annotated, Any

import typer

from domino_server.console import guard, note

app = typer.Typer(help="Make labelled pictures of domino tables from a seed.", no_args_is_help=True)

OutArgument = Annotated[Path, typer.Argument(help="folder to write to")]
CountOption = Annotated[int, typer.Option(min=1, help="how many pictures")]
SeedOption = Annotated[int, typer.Option(min=0, help="the same seed gives the same pictures")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", help="double-six, double-nine, double-twelve, chinese; may be repeated")
]
SizeOption = Annotated[str | None, typer.Option(help="picture size such as 1280x960")]
KindOption = Annotated[str | None, typer.Option(help="kind of scene: chain, cross, loose, hand, mixed, bingo, ...")]


@app.command()
def render(
    out: OutArgument,
    count: CountOption = 10,
    seed: SeedOption = 1,
    set_names: SetOption = None,
    size: SizeOption = None,
    samples: Annotated[int | None, typer.Option(min=1, help="paths a pixel")] = None,
    kind: KindOption = None,
    config: Annotated[Path | None, typer.Option(help="YAML file of options; the command line comes first")] = None,
) -> None:
    """Path-trace labelled pictures (needs the `render` extra)."""
    with guard():
        from domino_vision.render.dataset import TEST_SEED, render_dataset
        from domino_vision.render.errors import RenderError
        from domino_vision.render.options import options_from

        if seed == TEST_SEED:
            raise RenderError("render_option", f"seed {seed} is that of the test set: use `datasets test-set`")
        given = {"size_wh": _size(size), "samples": samples, "kind": kind, "sets": set_names}
        values = _read_config(config) | {name: value for name, value in given.items() if value is not None}
        _report(out, render_dataset(out, count, seed, options_from(values), _progress))


@app.command("test-set")
def fixed(
    out: OutArgument,
    count: Annotated[int | None, typer.Option(min=1, help="only the first N pictures")] = None,
    variant: Annotated[str | None, typer.Option(help="Mitsuba's; llvm_ad_rgb is faster, with other noise")] = None,
) -> None:
    """Path-trace the fixed test set, which no model is trained on (needs the `render` extra)."""
    with guard():
        from domino_vision.render.dataset import TEST_COUNT, TEST_OPTIONS, render_test_set

        _report(out, render_test_set(out, count or TEST_COUNT, variant or TEST_OPTIONS.variant, _progress))


@app.command()
def compose(
    out: OutArgument,
    count: CountOption = 10,
    seed: SeedOption = 1,
    set_names: SetOption = None,
    size: SizeOption = None,
    kind: KindOption = None,
    harm: Annotated[float, typer.Option(min=0, max=2, help="how bad the pictures get")] = 1.0,
) -> None:
    """Compose labelled pictures in 2.5 dimensions: less real than rendering, and a hundred times as fast."""
    with guard():
        from dataclasses import replace

        from domino_vision.synth.dataset import ANY_SCENE, write_dataset

        options = replace(ANY_SCENE, harm=harm)
        wanted = _size(size)
        if wanted is not None:
            options = replace(options, size_wh=wanted)
        if kind is not None:
            options = replace(options, kind=kind)
        sets: dict[str, Any] = {} if set_names is None else {"sets": set_names}
        write_dataset(out, count, seed, options, **sets)
        note(f"{count} pictures in {out}")


@app.command()
def games(  # noqa: PLR0913, PLR0917 - options of the command line
    out: OutArgument,
    game: Annotated[
        list[str] | None, typer.Option("--game", help="pincset, cincos, bingo, tiu-u; default: all")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="how many films of each game")] = 1,
    seed: SeedOption = 1,
    seats: Annotated[int | None, typer.Option(min=2, max=4, help="how many play")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="house option, name=value")] = None,
    hands: Annotated[int, typer.Option(min=1, help="hands in each film")] = 1,
    illegal: Annotated[int, typer.Option(min=0, max=6, help="plays against the rules in each hand")] = 2,
    size: SizeOption = None,
    fps: Annotated[float, typer.Option(min=1, max=60, help="frames a second")] = 15.0,
) -> None:
    """Film whole games played by the rules engine: a video and its exact truth for each."""
    with guard():
        from domino_server.commands.games import write_games
        from domino_server.films.film import FilmOptions
        from domino_server.house_options import parse_options
        from domino_vision.synth.video import VideoOptions

        options = FilmOptions(
            "", seed, seats, parse_options(option or ()), hands, illegal,
            size_wh=_size(size) or (1280, 960), video=VideoOptions(fps=fps),
        )  # fmt: skip
        write_games(out, game or ["pincset", "cincos", "bingo", "tiu-u"], count, options)


def _size(text: str | None) -> tuple[int, int] | None:
    from domino_vision.render.errors import RenderError

    if text is None:
        return None
    width, cross, height = text.lower().partition("x")
    if not cross or not width.isdecimal() or not height.isdecimal():
        raise RenderError("render_option", f"{text!r} is no picture size such as 1280x960", option="size")
    return int(width), int(height)


def _read_config(path: Path | None) -> dict[str, Any]:
    import yaml

    from domino_vision.render.errors import RenderError

    if path is None:
        return {}
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise RenderError("render_option", f"{path} is not YAML: {error}", option="config") from error
    if raw is not None and not isinstance(raw, dict):
        raise RenderError("render_option", f"{path} holds no options (name: value)", option="config")
    return {str(name): value for name, value in (raw or {}).items()}


def _report(out: Path, written: Any) -> None:
    note(
        f"{written.pictures} pictures in {out}: {written.tiles} tiles face up, {written.down} face down, "
        f"{written.joins} joins, {written.ignored} to ignore"
    )


def _progress(done: int, of: int) -> None:
    note(f"\r{done}/{of}", end="\n" if done == of else "")
