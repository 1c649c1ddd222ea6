"""What Parlour adds to click: errors in one line, suggestions, game options."""

import re
from collections.abc import Callable
from typing import Any

import click

from parlour.commands.completion import Setting
from parlour.commands.settings import settings_from
from parlour.core.errors import OptionError
from parlour.core.options import did_you_mean


class Commands(click.Group):
    """The group of all commands; a mistyped one suggests the nearest."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which they were written."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but say which command is the nearest."""
        known = self.list_commands(ctx)
        if args and args[0] not in known and args[0][:1] != "-":
            near = did_you_mean(args[0], [*known, "--help", "--version"])
            raise click.UsageError(
                f"there is no command {args[0]!r}{near}; the commands are {', '.join(known)}; "
                "'parlour --help' says more"
            )
        return super().resolve_command(ctx, args)


def given_settings(name: str | None, ctx: click.Context) -> list[str]:
    """The game's options among the flags that click does not know, as NAME=VALUE."""
    own = [flag for param in ctx.command.params for flag in param.opts if flag[:2] == "--"]
    settings, rest = settings_from(name, ctx.args, [*own, "--help"])
    if rest:
        raise OptionError(
            f"what is {rest[0]!r}? '{ctx.command_path}' takes one name, and options that begin "
            "with --"
        )
    return settings


LOOSE: dict[str, Any] = {"ignore_unknown_options": True, "allow_extra_args": True}


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--set` and `--seed`, for a game to be played."""
    seed = click.option("--seed", type=int, help="The seed of the set-up; random if missing.")
    return seed(_settings(function))


def position_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--set`, `--seed` and `--at`, for a position to be looked at."""
    at = click.option(
        "--at", type=int, metavar="N", help="In a record: the position after action N."
    )
    seed = click.option("--seed", type=int, help="The seed of a game's set-up. [0]")
    return seed(_settings(at(function)))


def _settings(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--set",
        "settings",
        type=Setting(),
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the game; --NAME VALUE does the same.",
    )(function)


TONE = {
    "is not a valid integer range": "is not a whole number",
    "is not a valid integer": "is not a whole number",
    "is not a valid float range": "is not a number",
    "Got unexpected extra argument": "there is one word too many",
}
"""Some of click's words, and ours for them."""


def one_line(error: click.ClickException) -> str:
    """A complaint of click's in the tone of the others, and where to read on."""
    text = " ".join(error.format_message().strip().rstrip(".").split())
    for theirs, ours in TONE.items():
        text = text.replace(theirs, ours)
    text = re.sub(r"\. (Did you mean .*\?)$", lambda near: f" (d{near[1][1:]})", text)
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is None or "--help" in text:
        return text
    return f"{text}; '{ctx.command_path} --help' says more"
