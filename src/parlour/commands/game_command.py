"""Commands for a game: its options are options of the command, as in `play octa --size 2`."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from parlour.commands.group import GAME
from parlour.commands.parameters import (
    OPTIONS,
    SEED,
    Setting,
    WordList,
    chosen_game,
    option_values,
)
from parlour.core.errors import GameLoadError
from parlour.core.options import Option
from parlour.core.registry import game_class, game_names

SETTINGS = "parlour.settings"
PARAMETERS = "parlour.parameters"

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class GameOption(click.Option):
    """A game's option on the command line. Its values are added to those of `--set`."""

    def __init__(self, option: Option) -> None:
        """Create the option with the game's declaration."""
        super().__init__(
            [flag_of(option), f"option_{option.name}"],
            type=WordList("value", *option_values(option)),
            multiple=True,
            expose_value=False,
            callback=self.keep,
            help=f"{option.help}: {option.expectation()}",
            show_default=option.to_text(option.default),
        )
        self.option_name = option.name

    def keep(self, ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> None:
        """Store the values in the form of `--set`."""
        ctx.meta[SETTINGS] += [f"{self.option_name}={value}" for value in values]


class GameCommand(click.Command):
    """A command whose parameter `settings` receives the game's options as NAME=VALUE.

    A game's option with the same name as one of the command can only be given with `--set`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game in the line first, because its options are needed to parse the others."""
        name = self._game_in(args)
        declared = self._options_of(ctx, name)
        own = {"--help", *(flag for param in self.params for flag in param.opts)}
        free = [option for option in declared if flag_of(option) not in own]
        ctx.meta.update({GAME: name, OPTIONS: declared, SETTINGS: []})
        ctx.meta[PARAMETERS] = [GameOption(option) for option in free]
        try:
            rest = super().parse_args(ctx, with_values(args, free))
        except click.NoSuchOption as error:
            if name is None:
                self._check_game(args, error.option_name)
            raise
        ctx.params["settings"] = (*(ctx.params.get("settings") or ()), *ctx.meta[SETTINGS])
        return rest

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command, then the options of the game."""
        return [*super().get_params(ctx), *ctx.meta.get(PARAMETERS, ())]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the game in a separate section."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if row is not None:
                whose = f" of {chosen_game(ctx)}" if isinstance(param, GameOption) else ""
                sections.setdefault(f"Options{whose}", []).append(row)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows)

    def _game_in(self, args: Sequence[str]) -> str | None:
        """Return the name of the first game in the line."""
        known = game_names()
        names = (word.partition(":")[0].replace("-", "_") for word in self._arguments(args))
        return next((name for name in names if name in known), None)

    def _options_of(self, ctx: click.Context, name: str | None) -> tuple[Option, ...]:
        """Return the options of a game; for completion, none if the game does not load."""
        try:
            return () if name is None else game_class(name).OPTIONS
        except GameLoadError:
            if ctx.resilient_parsing:
                return ()
            raise

    def _arguments(self, args: Sequence[str]) -> list[str]:
        """Return the words that are neither options of the command nor their values."""
        with_value = {
            flag
            for param in self.params
            if isinstance(param, click.Option) and not param.is_flag
            for flag in param.opts
        }
        words = iter(args)
        found = []
        for word in words:
            if word in with_value:
                next(words, None)
            elif word[:1] != "-":
                found.append(word)
        return found

    def _check_game(self, args: Sequence[str], unknown: str) -> None:
        """Raise `UnknownGame` if a word before an unknown option should be a game."""
        flags = [word.partition("=")[0] for word in args]
        words = self._arguments(args[: flags.index(unknown) if unknown in flags else None])
        names = [param.name for param in self.params if isinstance(param, click.Argument)]
        if "game" in names and len(words) > names.index("game"):
            game_class(words[names.index("game")])


def flag_of(option: Option) -> str:
    """Return `--stop-on-enemy` for the option `stop_on_enemy`."""
    return f"--{option.name.replace('_', '-')}"


def with_values(args: Sequence[str], options: Sequence[Option]) -> list[str]:
    """Give each option of a game a value: `--FLAG` is `--FLAG=true`, `--no-FLAG` is `--FLAG=false`.

    `--turn_limit` is the same as `--turn-limit`.
    """
    known = {flag_of(option): option for option in options}
    words: list[str] = []
    for number, word in enumerate(args):
        if word == "--":
            return [*words, *args[number:]]
        flag, equals, value = word.partition("=")
        flag = flag.replace("_", "-")
        option, negated = known.get(flag), known.get(flag.replace("--no-", "--", 1))
        if option is not None:
            has_value = equals or args[number + 1 : number + 2] in (["true"], ["false"])
            if option.kind == "flag" and not has_value:
                equals, value = "=", "true"
            words.append(f"{flag}{equals}{value}")
        elif negated is not None and negated.kind == "flag" and not equals:
            words.append(f"{flag_of(negated)}=false")
        else:
            words.append(word)
    return words


def settings_option(help: str = "An option of the game, the same as --NAME VALUE.") -> Decorator:
    """Add `--set`."""
    return click.option(
        "--set", "settings", type=Setting(), multiple=True, metavar="NAME=VALUE", help=help
    )


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--seed` and `--set`, for a game to be played."""
    seed = click.option(
        "--seed", type=SEED, metavar="N", help="Seed of the start position.", show_default="random"
    )
    return seed(settings_option()(function))
