"""Parameter types: their shell completion and validation."""

import math
from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from parlour.commands.group import GAME
from parlour.core.options import AUTO, Option
from parlour.core.registry import game, game_names
from parlour.core.rng import SEED_MAX, SEED_MIN

OPTIONS = "parlour.options"
"""The key of the game's options in a context, for `chosen_options`."""
MOST_NUMBERS = 25
"""Larger ranges are not listed; completion then offers only the default."""


def chosen_game(ctx: click.Context) -> str | None:
    """Return the name of the game in the line so far."""
    name = ctx.meta.get(GAME)
    return name if isinstance(name, str) else None


def chosen_options(ctx: click.Context) -> tuple[Option, ...]:
    """Return the options of that game."""
    return tuple(ctx.meta.get(OPTIONS, ()))


# Completion.


def option_values(option: Option) -> list[str]:
    """Return the values of an option if they can be listed; otherwise its default."""
    if option.kind == "flag":
        values = ["true", "false"]
    elif option.kind == "choice":
        values = list(option.choices)
    elif option.kind == "integer" and option.high - option.low < MOST_NUMBERS:
        values = [str(number) for number in range(int(option.low), int(option.high) + 1)]
    else:
        values = [] if option.default is None else [option.to_text(option.default)]
    return [AUTO, *values] if option.default is None else values


def agent_texts(incomplete: str) -> list[str]:
    """Return the agents; after a name and a colon, its levels or settings."""
    # Imported here because only completion needs them.
    from parlour.agents import agent_names
    from parlour.agents.registry import BUILT_IN, short_texts
    from parlour.engines.settings import engine_names

    name, colon, rest = incomplete.partition(":")
    if colon and name == "engine":
        return [f"{name}:{each}" for each in engine_names()]
    found = BUILT_IN.get(name)
    if not colon or found is None:
        return [*agent_names(), *short_texts()]
    if found.BARE and "," not in rest:
        return [text for text in short_texts() if text.startswith(f"{name}:")]
    head, _, last = rest.rpartition(",")
    before = f"{name}:{head}," if head else f"{name}:"
    return [f"{before}{setting}" for setting in setting_texts(found.SETTINGS, last)]


def setting_texts(declared: Iterable[Option], incomplete: str) -> list[str]:
    """Return `NAME=` for each option; once a name is complete, `NAME=VALUE` for its values."""
    name, equals, _ = incomplete.partition("=")
    if not equals:
        return [f"{option.name}=" for option in declared]
    return [
        f"{name}={value}"
        for option in declared
        if option.name == name
        for value in option_values(option)
    ]


def record_names() -> list[str]:
    """Return the names of the saved games, newest first."""
    from parlour.table.locations import record_files, records_folder

    return [path.name for path in record_files(records_folder())]


# Types.


class Word(click.types.StringParamType):
    """A text for which completion offers `offers`."""

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return whole words; those that do not start with `incomplete` are filtered out."""
        raise NotImplementedError

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer the words that begin with `incomplete`."""
        words = self.offers(ctx, incomplete)
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]


class GameName(Word):
    """A game's name."""

    name = "game"

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the registered names."""
        return game_names()


class RecordName(Word):
    """A record: a file, or the name of a saved game, for `find_record`."""

    name = "record"

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the saved games."""
        return record_names()

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Offer files, too."""
        offers = super().shell_complete(ctx, param, incomplete)
        return [*offers, CompletionItem(incomplete, type="file")]


class SourceName(RecordName):
    """A game's name or a record."""

    name = "source"

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the games, then the saved games."""
        return [*game_names(), *record_names()]


class Setting(Word):
    """NAME=VALUE for an option of the game in the line."""

    name = "name=value"

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the game's options, or the values of one."""
        return setting_texts(chosen_options(ctx), incomplete)


class AgentText(Word):
    """An agent's text."""

    name = "agent"

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the agents, the levels, or an agent's settings."""
        return agent_texts(incomplete)


class SeatText(Word):
    """N=AGENT for a seat of the game in the line."""

    name = "n=agent"

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the seats of the game with default options, or the possible holders of one."""
        from parlour.core.errors import ParlourError
        from parlour.table.notes import PERSON

        number, equals, text = incomplete.partition("=")
        if equals:
            return [f"{number}={who}" for who in (PERSON, *agent_texts(text))]
        name = chosen_game(ctx)
        try:
            seats = 0 if name is None else game(name).seats
        except ParlourError:
            seats = 0
        return [f"{seat}=" for seat in range(1, seats + 1)]


class WordList(Word):
    """Any text, with some suggestions."""

    def __init__(self, name: str, *offered: str) -> None:
        """Set the suggestions."""
        self.name = name
        self.offered = offered

    def offers(self, ctx: click.Context, incomplete: str) -> Iterable[str]:
        """Return the suggestions."""
        return self.offered


SEED = click.IntRange(SEED_MIN, SEED_MAX)
"""A seed of a game. The library folds larger numbers; here they are probably a mistake."""


class Number(click.FloatRange):
    """A number in a range; NaN is refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Convert the number and refuse NaN."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number
