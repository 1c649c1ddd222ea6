"""The commands of `parlour`, with click."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from parlour._build import build_info
from parlour.commands.analyse import print_analysis, print_review
from parlour.commands.bench import print_bench
from parlour.commands.completion import (
    AgentText,
    GameCommand,
    GameName,
    MatchCommand,
    MatchWord,
    ProtocolName,
    RecordName,
    SeatText,
    SourceName,
    script,
)
from parlour.commands.games import list_games
from parlour.commands.parameters import (
    LOOSE,
    Commands,
    game_options,
    given_settings,
    one_line,
    position_options,
)
from parlour.commands.perft import print_perft
from parlour.commands.play import Wish
from parlour.commands.play import play as play_game
from parlour.commands.play import watch as watch_game
from parlour.commands.position import is_game, position
from parlour.commands.records import list_records
from parlour.commands.replay import check as check_record
from parlour.commands.replay import replay as replay_record
from parlour.commands.serve import serve
from parlour.commands.solve import print_solution
from parlour.core.errors import OptionError, ParlourError
from parlour.core.registry import game_class
from parlour.engines.protocols import check_protocol
from parlour.table.locations import find_record
from parlour.table.opening import game_with

EXAMPLES = """
\b
Examples:
  parlour play octa                      full screen, against level 3
  parlour play octa --size 2 --people    two people at one keyboard
  parlour play --resume                  resume the game that was left
  parlour play cat_mouse --plain         line by line
  parlour watch octa --delay 0.2         agents against agents
  parlour join URL                       a table of a server, by its link
  parlour replay game.parlour --check    is this record right?
"""


@click.group(
    cls=Commands, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(message=str(build_info()), version="")
def cli() -> None:
    """Turn-based grid games for people and for programs."""


cli.add_command(serve)


def run(arguments: Sequence[str]) -> int:
    """Run the command; the exit status. A wrong command is a `ParlourError`."""
    try:
        status = cli.main(list(arguments) or ["--help"], prog_name="parlour", standalone_mode=False)
    except click.exceptions.NoSuchOption as error:
        raise ParlourError(one_line(error)) from None
    except click.ClickException as error:
        raise ParlourError(one_line(error)) from None
    except click.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else 0


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def games(as_json: bool) -> int:
    """List the games and their options."""
    return list_games(as_json)


@cli.command(
    cls=GameCommand,
    context_settings=LOOSE,
    epilog="""
\b
Examples:
  parlour play octa --against level:7 --as 2
  parlour play octa --seat 2=mcts:sims=5000 --clock 5m+3
  parlour play cat_mouse --density 0.1 --seed 7
  echo '{"action": "up"}' | parlour play cat_mouse --seed 7 --json
""",
)
@click.argument("game", required=False, type=GameName())
@game_options
@click.option("--against", type=AgentText(), help="Who plays the other seats. [level:3]")
@click.option("--people", is_flag=True, help="People play every seat.")
@click.option("--as", "mine", type=int, default=1, metavar="SEAT", help="Your seat. [1]")
@click.option(
    "--seat", "seats", type=SeatText(), multiple=True, metavar="N=AGENT", help="Who plays seat N."
)
@click.option("--clock", metavar="TIME", help="Time for each seat: 5m, 5m+3.")
@click.option("--nonce", metavar="TEXT", help="What you add to chance, so that nobody chose it.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value="",
    type=RecordName(),
    metavar="[RECORD]",
    help="Resume a game: the last one of this name, or this record.",
)
@click.option("--no-keep", is_flag=True, help="Keep no record.")
@click.option("--plain", "display", flag_value="plain", help="Line by line.")
@click.option("--words", "display", flag_value="words", help="Line by line, boards in words.")
@click.option("--json", "display", flag_value="json", help="One JSON object a line.")
@click.option("--theme", type=click.Choice(["dark", "light"]), help="The full screen's colours.")
@click.pass_context
def play(ctx: click.Context, /, game: str | None, **wish: Any) -> int:
    """Play a game in the full screen, or line by line where there is none."""
    return play_game(_wish(ctx, game, wish))


@cli.command(
    cls=GameCommand,
    context_settings=LOOSE,
    epilog="""
\b
Examples:
  parlour watch octa --seat 1=level:2 --seat 2=level:8
  parlour watch octa --size 2 --delay 0 --plain
""",
)
@click.argument("game", required=False, type=GameName())
@game_options
@click.option("--against", type=AgentText(), help="Who plays. [level:5]")
@click.option(
    "--seat", "seats", type=SeatText(), multiple=True, metavar="N=AGENT", help="Who plays seat N."
)
@click.option(
    "--delay", type=click.FloatRange(0, 3600), default=0.5, help="Seconds between actions. [0.5]"
)
@click.option("--no-keep", is_flag=True, help="Keep no record.")
@click.option("--plain", "display", flag_value="plain", help="Line by line.")
@click.option("--theme", type=click.Choice(["dark", "light"]), help="The full screen's colours.")
@click.pass_context
def watch(ctx: click.Context, /, game: str | None, **wish: Any) -> int:
    """Watch agents play each other; space pauses, → steps, + and - change the speed."""
    return watch_game(_wish(ctx, game, wish))


def _wish(ctx: click.Context, game: str | None, given: dict[str, Any]) -> Wish:
    if game is not None and game.startswith("-"):
        raise ParlourError(f"name the game before its options, not {game!r}")
    name = None if game is None else game.partition(":")[0]
    if name is not None:
        game_class(name)
    if given.get("mine", 1) < 1:
        raise OptionError(
            f"--as takes your seat, from 1 on, not {given['mine']}; 'parlour watch' needs nobody"
        )
    given["settings"] = [*given["settings"], *given_settings(name, ctx)]
    given["keep"] = not given.pop("no_keep")
    given["display"] = given["display"] or "auto"
    return Wish(game, **given)


RECORD_HELP = "RECORD is a file, or a name that 'parlour records' lists, or its beginning."


@cli.command(
    epilog="""
\b
Examples:
  parlour join 'https://games.example.org/t/TABLE#seat=1&claim=SECRET' --name Ann
  parlour join https://games.example.org/t/TABLE      look on
"""
)
@click.argument("url")
@click.option("--name", default="", help="What the others call you.")
@click.option("--nonce", default="", help="What you add to chance, so that nobody chose it.")
@click.option("--plain", "display", flag_value="plain", help="Line by line.")
@click.option("--words", "display", flag_value="words", help="Line by line, boards in words.")
@click.option("--json", "display", flag_value="json", help="One JSON object a line.")
@click.option("--theme", type=click.Choice(["dark", "light"]), help="The full screen's colours.")
def join(url: str, name: str, nonce: str, display: str | None, theme: str | None) -> int:
    """Play at a table of a server: an invitation sits down, any other link watches.

    The same command comes back to the same seat.
    """
    import parlour.client  # noqa: F401  (says which extra is missing)
    from parlour.commands.join import join as join_table

    return join_table(url, name, nonce, display or "auto", theme)


@cli.command(
    epilog="""
\b
Examples:
  parlour bot 'https://games.example.org/t/TABLE#seat=1&claim=SECRET' --agent level:7
  parlour bot https://games.example.org --create octa --set size=3 --rematch
"""
)
@click.argument("url")
@click.option("--agent", type=AgentText(), default="best", help="Who plays. [best]")
@click.option("--name", default="", help="What the others call it; the agent if missing.")
@click.option("--create", type=GameName(), help="Make a table of that game, and print its links.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="With --create.")
@click.option("--rematch", is_flag=True, help="Play on when the game is over.")
def bot(
    url: str,
    agent: str,
    name: str,
    create: str | None,
    settings: tuple[str, ...],
    rematch: bool,
) -> int:
    """Let an agent play a seat at a table of a server until the game is over."""
    import parlour.client  # noqa: F401  (says which extra is missing)
    from parlour.commands.bot import run_bot

    return run_bot(url, agent, name, create, settings, rematch)


@cli.command(
    epilog=f"""{RECORD_HELP}

\b
Examples:
  parlour replay game.parlour               full screen, with an evaluation graph
  parlour replay game.parlour --delay 0.5   as a film
  parlour replay game.parlour --plain       one action for each Enter
  parlour replay game.parlour --check       exit status 1 if a line is wrong
"""
)
@click.argument("record", type=RecordName())
@click.option("--check", is_flag=True, help="Only play it again, and name the first wrong line.")
@click.option("--commitment", metavar="HEX", help="With --check: what you noted before the game.")
@click.option("--delay", type=click.FloatRange(0, 3600), help="Seconds between actions.")
@click.option("--at", type=int, metavar="N", help="Only the position after action N.")
@click.option("--agent", type=AgentText(), help="Who analyses the game. [best:time=0.2]")
@click.option("--plain", is_flag=True, help="Line by line.")
@click.option("--theme", type=click.Choice(["dark", "light"]), help="The full screen's colours.")
def replay(
    record: str,
    check: bool,
    commitment: str | None,
    delay: float | None,
    at: int | None,
    agent: str | None,
    plain: bool,
    theme: str | None,
) -> int:
    """Look back on a record in the full screen, show it step by step, or check it."""
    if check and (delay is not None or at is not None):
        raise ParlourError("--check goes without --delay and --at: it looks at every line")
    if check:
        return check_record(find_record(record), commitment)
    if commitment is not None:
        raise ParlourError("--commitment goes with --check")
    if (plain or at is not None) and (agent or theme):
        flag = "--agent" if agent else "--theme"
        raise ParlourError(f"{flag} is for the full screen, without --plain and --at")
    return replay_record(find_record(record), delay, at, plain, theme, agent)


@cli.command(
    epilog=f"""{RECORD_HELP}

\b
Examples:
  parlour export game.parlour --svg last.svg
  parlour export game.parlour --png move-20.png --at 20
  parlour export game.parlour --gif game.gif --delay 0.4
"""
)
@click.argument("record", type=RecordName())
@click.option("--svg", type=click.Path(path_type=Path), help="Draw a position as SVG.")
@click.option("--png", type=click.Path(path_type=Path), help="Draw a position as PNG.")
@click.option("--gif", type=click.Path(path_type=Path), help="The whole game as a GIF.")
@click.option("--at", type=int, metavar="N", help="The position after action N; the last one.")
@click.option("--delay", type=click.FloatRange(0.02, 60), default=0.6, help="Seconds a picture.")
def export(
    record: str, svg: Path | None, png: Path | None, gif: Path | None, at: int | None, delay: float
) -> int:
    """Draw a record: a position as SVG or PNG, the whole game as GIF."""
    from parlour.commands.export import export_record

    if svg is None and png is None and gif is None:
        raise ParlourError("say what to draw: --svg FILE, --png FILE or --gif FILE")
    return export_record(find_record(record), svg, png, gif, at, delay)


@cli.command()
def records() -> int:
    """List the games that are kept, the latest first."""
    return list_records()


SOURCE_HELP = f"SOURCE is a game's name, which means its start, or a RECORD. {RECORD_HELP}"


@cli.command(cls=GameCommand, context_settings=LOOSE, epilog=SOURCE_HELP)
@click.argument("source", type=SourceName())
@position_options
@click.option("--agent", type=AgentText(), help="Who analyses. [best:time=0.5; of whole games 0.2]")
@click.option("--most", type=click.IntRange(1), default=8, help="How many choices. [8]")
@click.option("--whole", is_flag=True, help="Every decision of a record, and what each one lost.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.pass_context
def analyse(
    ctx: click.Context, /, agent: str | None, most: int, whole: bool, as_json: bool, **where: Any
) -> int:
    """What a strong agent thinks of a position, or of a whole game."""
    if whole:
        others = {"at": "--at", "seed": "--seed", "settings": "--set", "most": "--most"}
        _refuse_given(ctx, "--whole is every decision of a record", others)
        return print_review(Path(where["source"]), agent, as_json)
    return print_analysis(_position(ctx, **where), agent, as_json, most)


@cli.command(cls=GameCommand, context_settings=LOOSE, epilog=SOURCE_HELP)
@click.argument("source", type=SourceName())
@position_options
@click.pass_context
def solve(ctx: click.Context, /, **where: Any) -> int:
    """A shortest way to win, in games that are solved; exit status 1 if there is none."""
    return print_solution(_position(ctx, **where))


@cli.command(cls=GameCommand, context_settings=LOOSE, epilog=SOURCE_HELP)
@click.argument("source", type=SourceName())
@position_options
@click.option("--depth", type=click.IntRange(1), default=3, help="Decisions. [3]")
@click.option("--divide", is_flag=True, help="The count below each action.")
@click.pass_context
def perft(ctx: click.Context, /, depth: int, divide: bool, **where: Any) -> int:
    """Count the lines of play from a position."""
    return print_perft(_position(ctx, **where), depth, divide)


def _refuse_given(ctx: click.Context, why: str, others: dict[str, str]) -> None:
    """`ParlourError` if one of these parameters was given, which would mean nothing."""
    for name, flag in others.items():
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise ParlourError(f"{why}, without {flag}")
    if ctx.args:
        raise ParlourError(f"{why}, without {ctx.args[0]}")


def _position(
    ctx: click.Context, source: str, settings: Sequence[str], seed: int | None, at: int | None
) -> Any:
    name = source.partition(":")[0] if is_game(source) else None
    given = [*settings, *given_settings(name, ctx)]
    return position(source, given, seed, at)


def reads_itself(words: "click.ParamType[Any]") -> Callable[[Callable[..., int]], click.Command]:
    """Declare a command with a parser of its own, which needs no extra; a shell offers `words`."""
    command = cli.command(
        cls=MatchCommand,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True},
    )
    return lambda function: command(click.argument("arguments", nargs=-1, type=words)(function))


@reads_itself(MatchWord())
def match(arguments: tuple[str, ...]) -> int:
    """Many games between agents, and who is better."""
    from parlour.commands.match import main

    return main(list(arguments))


@reads_itself(MatchWord())
def tournament(arguments: tuple[str, ...]) -> int:
    """Many agents: round robin, gauntlet or Swiss, with ratings and a report."""
    from parlour.commands.tournament import main

    return main(list(arguments))


@reads_itself(click.Path())
def rate(arguments: tuple[str, ...]) -> int:
    """Ratings with intervals, from the folders of matches and tournaments."""
    from parlour.commands.rate import main

    return main(list(arguments))


@reads_itself(MatchWord())
def tune(arguments: tuple[str, ...]) -> int:
    """Better weights for a game's evaluation, from games against itself."""
    from parlour.commands.tune import main

    return main(list(arguments))


@cli.command(
    cls=GameCommand,
    context_settings=LOOSE,
    epilog="""
PROTOCOL is gtp, cdc, uci or ugi. The host speaks on the standard streams.

\b
Examples:
  parlour engine gtp blokus --variant duo --agent level:7
  parlour engine cdc banqi --rules taiwan
  parlour engine uci banqi
  parlour engine ugi octa --agent search:nodes=20000
  parlour match octa best 'ugi:my-engine --hash 64'     the other way round: docs/engines.md
""",
)
@click.argument("protocol", type=ProtocolName())
@click.argument("game", type=GameName())
@game_options
@click.option("--agent", type=AgentText(), default="best", help="Who plays. [best]")
@click.pass_context
def engine(
    ctx: click.Context,
    /,
    protocol: str,
    game: str,
    settings: tuple[str, ...],
    seed: int | None,
    agent: str,
) -> int:
    """Offer an agent as an engine: GTP, CDC, UCI or UGI on the standard streams."""
    from parlour.commands.engine import run_engine  # nobody else needs it

    check_protocol(protocol)
    name = game.partition(":")[0]
    game_class(name)
    given = [*settings, *given_settings(name, ctx)]
    return run_engine(protocol, game_with(game, given), agent, seed or 0)


@cli.command(
    epilog=f"""{RECORD_HELP} Other files are known by how their names end: .blksgf (Pentobi),
.cdc and .uci (Banqi), and those of installed games.

\b
Examples:
  parlour convert game.parlour game.blksgf
  parlour convert game.blksgf game.parlour
  parlour convert match.cdc game.parlour --set rules=taiwan
"""
)
@click.argument("source", type=RecordName())
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--to", metavar="FORM", help="The form, where TARGET's name does not end with it.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, where the file does not say it.",
)
def convert(source: str, target: Path, to: str | None, settings: tuple[str, ...]) -> int:
    """Write a record in the form of another program, or read one."""
    from parlour.commands.convert import convert as convert_file

    return convert_file(source, target, to, list(settings))


@reads_itself(click.Path())
def new(arguments: tuple[str, ...]) -> int:
    """Make a package of your own, with a small game that can be played at once."""
    from parlour.commands.new import main

    return main(list(arguments))


@reads_itself(MatchWord())
def check(arguments: tuple[str, ...]) -> int:
    """Check every promise of a game, say what was checked, and measure its speed."""
    from parlour.commands.check import main

    return main(list(arguments))


@cli.command()
@click.argument("game", nargs=-1, type=GameName())
@click.option("--seconds", type=click.FloatRange(0.01, 60), default=1.0, help="For each figure.")
def bench(game: tuple[str, ...], seconds: float) -> int:
    """How fast this installation is: random plies and simulations a second."""
    for name in game:
        game_class(name)
    return print_bench(game, seconds)


@cli.command(
    epilog="""
\b
Examples:
  eval "$(parlour completion bash)"    in ~/.bashrc
  eval "$(parlour completion zsh)"     in ~/.zshrc
  parlour completion fish > ~/.config/fish/completions/parlour.fish
"""
)
@click.argument("shell", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the script for SHELL: bash, zsh or fish then complete games, agents, records."""
    click.echo(script(cli, shell))
    return 0
