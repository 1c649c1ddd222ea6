"""The commands of `parlour`, by topic. Each module is imported on demand."""

import os
from collections.abc import Sequence
from importlib import import_module

import click

from parlour._build import build_info
from parlour.core.errors import ParlourError
from parlour.core.options import did_you_mean

COMPLETION = "_PARLOUR_COMPLETE"
"""The environment variable in which a shell asks for completions."""

GAME = "parlour.game"
"""The key of the game's name, or `None`, in a command's context."""

TOPICS = {
    "Play": ("games", "play", "watch", "join", "puzzles"),
    "Review": ("records", "replay", "analyse", "solve", "export", "convert"),
    "Agents": ("match", "tournament", "rate", "tune", "engine"),
    "Server": ("serve", "bot"),
    "Authoring": ("new", "check", "perft", "bench", "completion"),
}
"""Each command is defined in the module of its name; `watch` is in `play`."""

EXAMPLES = """
\b
Examples:
  parlour play octa                      full screen, against level 3
  parlour play octa --size 2 --people    two people at one keyboard
  parlour play --resume                  resume your last game
  parlour play cat_mouse --plain         line by line
  parlour watch octa --delay 0.2         agents against agents
  parlour join URL                       play at a table on a server
  parlour replay game.parlour --check    check that a record is valid
"""


class Commands(click.Group):
    """All commands. An unknown one suggests the nearest."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the topics."""
        return [name for names in TOPICS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = "play" if cmd_name == "watch" else cmd_name
        command = getattr(import_module(f"parlour.commands.{module}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does; suggest the nearest one if it is unknown."""
        known = self.list_commands(ctx)
        if args[0] not in known and args[0][:1] != "-":
            near = did_you_mean(args[0], [*known, "--help", "--version"])
            raise click.UsageError(
                f"unknown command {args[0]!r}{near}; 'parlour --help' lists the commands"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each topic."""
        width = max(map(len, self.list_commands(ctx)))
        for topic, names in TOPICS.items():
            with formatter.section(topic):
                commands = {name: self.get_command(ctx, name) for name in names}
                formatter.write_dl(
                    [
                        (name.ljust(width), command.get_short_help_str(formatter.width))
                        for name, command in commands.items()
                        if command is not None
                    ]
                )


@click.group(
    cls=Commands,
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(message=str(build_info()), version="")
def cli() -> None:
    """Play and program turn-based grid games."""


def run(arguments: Sequence[str]) -> int:
    """Run a command and return the exit status. Raise `ParlourError` for an invalid command."""
    question = os.environ.get(COMPLETION)
    if question:
        from parlour.commands.completion import complete

        return complete(question)
    try:
        with cli.make_context("parlour", list(arguments) or ["--help"]) as ctx:
            status = cli.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        raise ParlourError(one_line(error)) from None
    return status if isinstance(status, int) else 0


WORDING = {
    "is not a valid integer range": "is not a whole number",
    "is not a valid integer": "is not a whole number",
    "is not a valid float range": "is not a number",
    "Got unexpected extra argument": "unexpected argument",
}
"""Phrases of click and their replacements."""


def one_line(error: click.ClickException) -> str:
    """Format an error of click in one line that ends with a pointer to the help."""
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    text = " ".join(error.format_message().strip().rstrip(".").split())
    for theirs, ours in WORDING.items():
        text = text.replace(theirs, ours)
    if isinstance(error, click.NoSuchOption) and ctx is not None:
        name = error.option_name
        known = [flag for param in ctx.command.get_params(ctx) for flag in param.opts]
        text = f"unknown option {name!r}{did_you_mean(name, known)}"
    if ctx is None or "--help" in text:
        return text
    words = [ctx.command_path, *([ctx.meta[GAME] or "GAME"] if GAME in ctx.meta else []), "--help"]
    return f"{text}; try '{' '.join(words)}'"
