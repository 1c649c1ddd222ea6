"""What Parlour adds to click: errors in one line, suggestions, game options."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from parlour.commands.completion import Setting
from parlour.core.errors import OptionError
from parlour.core.options import did_you_mean
from parlour.core.registry import game_class


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
            near = did_you_mean(args[0], known)
            raise click.UsageError(
                f"there is no command {args[0]!r}{near}; the commands are {', '.join(known)}"
            )
        return super().resolve_command(ctx, args)


def settings_from(name: str | None, rest: Sequence[str], ctx: click.Context) -> list[str]:
    """Flags that click does not know, as NAME=VALUE: `--size 2`, `--stop-on-enemy`.

    `OptionError` names the nearest flag, the command's own included.
    """
    words = list(rest)
    settings: list[str] = []
    declared = {} if name is None else {o.name: o for o in game_class(name).OPTIONS}
    own = [flag for param in ctx.command.params for flag in param.opts if flag[:2] == "--"]
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            raise OptionError(f"what is {word!r}? One game's name, and options that begin with --")
        flag, equals, value = word[2:].partition("=")
        key = flag.replace("-", "_")
        negated = key.removeprefix("no_")
        if key in declared and declared[key].kind == "flag" and not equals:
            value = "true"
        elif negated in declared and declared[negated].kind == "flag" and not equals:
            key, value = negated, "false"
        elif key in declared and not equals:
            if not words:
                raise OptionError(f"--{flag} takes a value: {declared[key].expectation()}")
            value = words.pop(0)
        elif key not in declared:
            known = [*own, *(f"--{option.replace('_', '-')}" for option in declared)]
            near = did_you_mean(f"--{flag}", known)
            raise OptionError(f"there is no option '--{flag}'{near}; --help lists them")
        settings.append(f"{key}={value}")
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


def one_line(error: click.ClickException) -> str:
    """A complaint of click's in the tone of the others."""
    text = error.format_message().strip().rstrip(".")
    return " ".join(text.split())
