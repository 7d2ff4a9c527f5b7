"""The command `dominotable`: sub-commands, options and exit codes.

Exit codes: 0 done; 1 done, and the answer is no (a check failed, a finding is proved); 2 the input or an option is
wrong. Nothing heavy is imported before a command runs, so that `--help` answers at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from domino_server.console import guard, run
from domino_server.datasets_cli import app as datasets
from domino_server.enrol_cli import enrol
from domino_server.judge_cli import register as register_judge
from domino_server.rules_cli import app as rules
from domino_server.tables_cli import app as tables

app = typer.Typer(
    name="dominotable",
    help="A vision assistant for real domino tables: open ends, count, scores and legal plays from a camera.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
train = typer.Typer(help="Train the detector or the reader (needs the `train` extra).", no_args_is_help=True)
app.add_typer(rules, name="rules")
app.add_typer(datasets, name="datasets")
app.add_typer(tables, name="tables")
token = typer.Typer(help="Make, list and revoke the tokens that open a served table.", no_args_is_help=True)
app.add_typer(train, name="train")
app.add_typer(token, name="token")
app.command()(enrol)

GameOption = Annotated[str | None, typer.Option(help="pincset (500), cincos, bingo or tiu-u (pecanje)")]
SetOption = Annotated[str, typer.Option("--set", help="double-six, double-nine, double-twelve or chinese")]
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON instead of text")]
DataOption = Annotated[Path | None, typer.Option(help="folder of all that is kept (DOMINOTABLE_DATA)")]
DatabaseOption = Annotated[str | None, typer.Option(help="address of the database (DOMINOTABLE_DATABASE)")]
WeightsOption = Annotated[Path | None, typer.Option(help="another detector (.onnx, or .pt with the `train` extra)")]
TilesOption = Annotated[str | None, typer.Option(help="the tiles in view, by the name that `enrol` gave them")]
ThreadsOption = Annotated[int, typer.Option(min=1, max=64, help="threads for the models")]


@app.command()
def read(
    picture: Annotated[Path, typer.Argument(help="a photograph of the table")],
    game: GameOption = None,
    hand: Annotated[str | None, typer.Option(help="the tiles of a hand, such as 6-4,5-5")] = None,
    set_name: Annotated[
        str | None,
        typer.Option("--set", help="double-six (if nothing else is said), double-nine, double-twelve, chinese"),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="write the annotated picture here (.jpg or .png)")] = None,
    as_json: JsonOption = False,
    tiles: TilesOption = None,
    data: DataOption = None,
    weights: WeightsOption = None,
    threads: ThreadsOption = 2,
) -> None:
    """Read one photograph: open ends, count, score and legal plays."""
    from domino_server.commands import read as command

    with guard():
        options = command.ReadOptions(game, hand, set_name, save, tiles, data, as_json, weights, threads)
        command.run(picture, options)


@app.command()
def evaluate(
    folder: Annotated[Path, typer.Argument(help="a folder of pictures with labels, <stem>.jpg and <stem>.json")],
    as_json: JsonOption = False,
    worst: Annotated[int, typer.Option(min=0, help="draw the N worst pictures, truth beside reading")] = 0,
    save: Annotated[Path | None, typer.Option(help="folder for the worst pictures")] = None,
    card: Annotated[list[Path] | None, typer.Option(help="write the figures into this model folder's card")] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="also with every half decoded by itself")] = False,
    sequences: Annotated[bool, typer.Option("--sequences", help="follow games, a photograph after every move")] = False,
    games: Annotated[bool, typer.Option("--games", help="follow films of whole games (`datasets games`)")] = False,
    tiles: TilesOption = None,
    data: DataOption = None,
    weights: WeightsOption = None,
    threads: ThreadsOption = 2,
) -> None:
    """Measure detection, reading, joins and counts on labelled photographs."""
    from domino_server.commands import evaluate as command

    with guard():
        networks = command.Networks(weights, threads, tiles, data)
        wanted = command.Wanted(worst, save, tuple(card or ()), ablate, as_json)
        wanted.check(sequences=sequences, games=games)
        if sequences:
            command.run_sequences(folder, networks, as_json=as_json)
        elif games:
            command.run_games(folder, networks, as_json=as_json)
        else:
            command.run(folder, wanted, networks)


@train.command("detector")
def train_detector(
    photos: Annotated[Path, typer.Option(help="the folder of labelled photographs")],
    config: Annotated[Path, typer.Option(help="training configuration")] = Path("models/tiles-n/train.yaml"),
    out: Annotated[Path, typer.Option(help="folder of the run; a run that is there is resumed")] = Path("runs/tiles-n"),
    fresh: Annotated[bool, typer.Option("--fresh", help="start anew instead of resuming")] = False,
) -> None:
    """Train the tile detector; started again, it goes on from its last checkpoint."""
    from domino_server.commands import train as command

    with guard():
        command.detector(config, photos, out, resume=not fresh)


@train.command("reader")
def train_reader(
    photos: Annotated[Path, typer.Option(help="the folder of labelled photographs")],
    config: Annotated[Path, typer.Option(help="training configuration")] = Path("models/reader/train.yaml"),
    out: Annotated[Path, typer.Option(help="folder of the run; a run that is there is resumed")] = Path("runs/reader"),
    fresh: Annotated[bool, typer.Option("--fresh", help="start anew instead of resuming")] = False,
) -> None:
    """Train the half reader; started again, it goes on from its last checkpoint."""
    from domino_server.commands import train as command

    with guard():
        command.reader(config, photos, out, resume=not fresh)


@app.command()
def export(
    checkpoint: Annotated[Path, typer.Argument(help="a checkpoint of a training run (.pt)")],
    out: Annotated[Path, typer.Argument(help="the ONNX file to write")],
    reader: Annotated[Path | None, typer.Option(help="the training configuration, if it is a reader")] = None,
) -> None:
    """Export a trained detector, or with --reader a reader, to ONNX."""
    from domino_server.commands import train as command

    with guard():
        command.export(checkpoint, out, reader)


@app.command()
def doctor(
    source: Annotated[str | None, typer.Argument(help="a picture, folder, film or camera index to judge")] = None,
    as_json: JsonOption = False,
) -> None:
    """Check versions, models and cameras; for a picture or camera, judge sharpness, light, distance and tilt."""
    from domino_server.commands import doctor as command

    with guard():
        command.run(source, as_json=as_json)


@app.command()
def watch(
    source: Annotated[str, typer.Argument(help="camera index, video, folder of stills, or a URL")],
    game: Annotated[str, typer.Option(help="pincset (500), cincos, bingo or tiu-u (pecanje)")],
    seats: Annotated[str, typer.Option(help="the players in the order of play, the first at the near side: A,B,C,D")],
    option: Annotated[list[str] | None, typer.Option(help="a house option, name=value; may be repeated")] = None,
    opener: Annotated[str | None, typer.Option(help="who leads the first hand")] = None,
    record: Annotated[Path | None, typer.Option(help="keep the game in this file; one that is there goes on")] = None,
    save_video: Annotated[Path | None, typer.Option(help="write the annotated video here (.mp4)")] = None,
    zones: Annotated[Path | None, typer.Option(help="zones drawn for this table (JSON)")] = None,
    no_zones: Annotated[bool, typer.Option("--no-zones", help="the table has no parts but the layout")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print events as JSON lines, not the live view")] = False,
    tiles: TilesOption = None,
    data: DataOption = None,
    weights: WeightsOption = None,
    threads: ThreadsOption = 2,
) -> None:
    """Follow a whole game: moves, scores and questions, as the table shows them."""
    from domino_server.commands import watch as command

    with guard():
        options = command.WatchOptions(
            house=tuple(option or ()),
            opener=opener,
            record=record,
            save_video=save_video,
            zones=zones,
            as_json=as_json,
            no_zones=no_zones,
            tiles=tiles,
            data=data,
            weights=weights,
            threads=threads,
        )
        command.run(source, game, seats, options)


@app.command()
def serve(
    source: Annotated[str | None, typer.Option(help="camera index, folder, video or URL of the live table")] = None,
    game: GameOption = None,
    seats: Annotated[str | None, typer.Option(help="the players in the order of play: A,B,C,D")] = None,
    option: Annotated[list[str] | None, typer.Option(help="a house option, name=value; may be repeated")] = None,
    opener: Annotated[str | None, typer.Option(help="who leads the first hand")] = None,
    every: Annotated[
        float | None, typer.Option(min=0.05, max=3600, help="seconds between pictures of a folder")
    ] = None,
    host: Annotated[str, typer.Option(help="address to listen on; 0.0.0.0 for the whole network")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8420,
    https: Annotated[bool, typer.Option("--https", help="serve HTTPS, so that phones open their camera")] = False,
    trust_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="port of plain HTTP beside --https; 0 for none")
    ] = None,
    allow_host: Annotated[list[str] | None, typer.Option(help="a further name of this server; repeatable")] = None,
    tiles: TilesOption = None,
    data: DataOption = None,
    database: DatabaseOption = None,
    evidence_gib: Annotated[
        str,
        typer.Option(
            metavar="GIB",
            help="so much evidence a table keeps, the oldest goes first; 0 for none, or unlimited",
        ),
    ] = "2",
    evidence_days: Annotated[
        str, typer.Option(metavar="DAYS", help="so long it keeps evidence; 0 for none, or unlimited")
    ] = "90",
    qr: Annotated[bool | None, typer.Option("--qr/--no-qr", help="print QR codes (by default on a terminal)")] = None,
    no_link: Annotated[
        bool,
        typer.Option("--no-link", help="print no link that holds a token of house or keeper, for output that is kept"),
    ] = False,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="do not limit requests, for load tests")] = False,
    log_level: Annotated[str, typer.Option(help="critical, error, warning, info or debug")] = "warning",
    log_format: Annotated[str | None, typer.Option(help="json or text; by default text on a terminal")] = None,
) -> None:
    """Serve the table's pages, the overlay and the API; on this machine alone unless told otherwise."""
    from domino_server.commands import serve as command
    from domino_server.commands.serve_arguments import ServeArguments, asked_table, log_options, seat_names
    from domino_server.commands.serve_live import LiveTable
    from domino_server.judge.retention import Retention

    with guard():
        live = LiveTable(source, game, seat_names(seats), tuple(option or ()), opener, every, tiles)
        arguments = ServeArguments(
            host=host,
            port=port,
            data=data,
            database=database,
            retention=Retention.asked(evidence_gib, evidence_days),
            https=https,
            trust_port=trust_port,
            allow_hosts=tuple(allow_host or ()),
            live=asked_table(live, phone=https),
            limits=not no_limits,
            link=not no_link,
            qr=qr,
            logs=log_options(log_level, log_format),
        )
        command.run(arguments)


@token.command("new")
def token_new(
    role: Annotated[str, typer.Argument(help="admin, keeper, judge, viewer, player or camera")],
    table: Annotated[str | None, typer.Option(help="id of the table; none for an admin")] = None,
    label: Annotated[str, typer.Option(help="whom it is for")] = "",
    seat: Annotated[str | None, typer.Option(help="the seat of a player")] = None,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Make a token and print it, once."""
    from domino_server.commands import token as command

    with guard():
        command.new(role, table, label, seat, data, database)


@token.command("list")
def token_list(
    table: Annotated[str | None, typer.Option(help="of one table; all by default")] = None,
    data: DataOption = None,
    database: DatabaseOption = None,
    as_json: JsonOption = False,
) -> None:
    """List tokens by their ids, never the secrets."""
    from domino_server.commands import token as command

    with guard():
        command.show(table, data, database, as_json=as_json)


@token.command("revoke")
def token_revoke(
    id: Annotated[str, typer.Argument(help="the token's id, as `token list` shows it")],  # noqa: A002
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Let a token hold no longer, also in a server that runs."""
    from domino_server.commands import token as command

    with guard():
        command.revoke(id, data, database)


register_judge(app)


def main() -> None:
    """Run the command line; a wrong option is one line and exit code 2, as all bad input is."""
    run(app)
