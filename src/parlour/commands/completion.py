"""What a shell offers at the Tab key: games with their options, agents, levels and records."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
)

from parlour.agents import agent_names
from parlour.agents.registry import BUILT_IN, short_texts
from parlour.core.errors import ParlourError
from parlour.core.options import AUTO, Option
from parlour.core.registry import game, game_class, game_names
from parlour.engines.protocols import PROTOCOLS
from parlour.engines.settings import engine_names
from parlour.table.locations import record_files, records_folder
from parlour.table.notes import PERSON

VARIABLE = "_PARLOUR_COMPLETE"
MOST_NUMBERS = 25
"""How many numbers are offered one by one; of a wider range the default alone is."""
CHOICES = {"--format": ("round-robin", "gauntlet", "swiss"), "--on": ("local", "ray", "dask")}
"""What follows a flag of `match` or `tournament`."""
BREAKS = ("=", ":")
"""Where Bash cuts a word; it completes what follows the last cut."""


def script(cli: click.Command, shell: str) -> str:
    """What a shell of that name runs so that it completes `parlour`."""
    found = get_completion_class(shell)
    assert found is not None
    return found(cli, {}, "parlour", VARIABLE).source()


# What there is to offer.


def option_values(option: Option) -> list[str]:
    """The values that an option takes, as far as they can be listed; otherwise its default."""
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
    """The agents; after a name and a colon its levels, or its settings one after another."""
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
    """`NAME=` for each option, and `NAME=VALUE` for the one that was begun."""
    name, equals, _ = incomplete.partition("=")
    if not equals:
        return [f"{option.name}=" for option in declared]
    return [
        f"{name}={value}"
        for option in declared
        if option.name == name
        for value in option_values(option)
    ]


def chosen_game(ctx: click.Context) -> str | None:
    """The name of the game that stands in the line so far."""
    # A line that stops after an option is parsed only so far: the name may be left over.
    words = [ctx.params.get("game"), ctx.params.get("source"), *ctx.args]
    names = (str(word).replace("-", "_") for word in words if word is not None)
    return next((name for name in names if name in game_names()), None)


def chosen_options(ctx: click.Context) -> tuple[Option, ...]:
    """The options of that game; none if it does not load: a shell has no room for the reason."""
    name = chosen_game(ctx)
    try:
        return () if name is None else game_class(name).OPTIONS
    except ParlourError:
        return ()


def _items(offers: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(offer) for offer in offers if offer.startswith(incomplete)]


def _records(incomplete: str) -> list[CompletionItem]:
    """The kept records, and whatever files the shell finds."""
    names = [path.name for path in record_files(records_folder())]
    return [*_items(names, incomplete), CompletionItem(incomplete, type="file")]


# The parameters that offer it.


class GameName(click.types.StringParamType):
    """A game's name."""

    name = "game"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The registered names."""
        return _items(game_names(), incomplete)


class ProtocolName(click.types.StringParamType):
    """An engine protocol."""

    name = "protocol"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Their names."""
        return _items(PROTOCOLS, incomplete)


class RecordName(click.types.StringParamType):
    """A record's file, or the name of a kept one, for `find_record`."""

    name = "record"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The kept records, the latest first, and files."""
        return _records(incomplete)


class SourceName(click.types.StringParamType):
    """A game's name or a record."""

    name = "source"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The games, the kept records, and files."""
        return [*_items(game_names(), incomplete), *_records(incomplete)]


class Setting(click.types.StringParamType):
    """NAME=VALUE for an option of the game that was named before."""

    name = "name=value"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The game's options, and the values of one."""
        return _items(setting_texts(chosen_options(ctx), incomplete), incomplete)


class AgentText(click.types.StringParamType):
    """An agent's text."""

    name = "agent"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The agents, the levels, and an agent's settings."""
        return _items(agent_texts(incomplete), incomplete)


class SeatText(click.types.StringParamType):
    """N=AGENT for a seat of the game that was named before."""

    name = "n=agent"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The seats of the game with its default options, and who may take one."""
        number, equals, text = incomplete.partition("=")
        if equals:
            return _items((f"{number}={who}" for who in (PERSON, *agent_texts(text))), incomplete)
        name = chosen_game(ctx)
        try:
            seats = 0 if name is None else game(name).seats
        except ParlourError:
            seats = 0
        return _items((f"{seat}=" for seat in range(1, seats + 1)), incomplete)


class GameCommand(click.Command):
    """A command with a game, whose options are flags of the command: `play octa --size 2`."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The flags of the command and of the game; after one that takes a value, its values."""
        declared = {_flag(option): option for option in chosen_options(ctx)}
        last = declared.get(ctx.args[-1].replace("_", "-")) if ctx.args else None
        if last is not None and last.kind != "flag":
            return _items(option_values(last), incomplete)
        offers = super().shell_complete(ctx, incomplete)
        for flag, option in declared.items():
            if incomplete and flag.startswith(incomplete):
                offers.append(CompletionItem(flag, help=option.help))
        return offers


def _flag(option: Option) -> str:
    return f"--{option.name.replace('_', '-')}"


class MatchWord(click.types.UnprocessedParamType):
    """A word of `match` or `tournament`, which have parsers of their own: a game, then agents."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """A game first; after --set its options, after --format those; otherwise agents."""
        words: Sequence[str] = ctx.params.get("arguments") or ()
        if words and words[-1] in CHOICES:
            return _items(CHOICES[words[-1]], incomplete)
        known = game_names()
        name = next((word for word in words if word in known), None)
        if words and words[-1] == "--set":
            declared = () if name is None else game_class(name).OPTIONS
            return _items(setting_texts(declared, incomplete), incomplete)
        return _items(known if name is None else agent_texts(incomplete), incomplete)


class MatchCommand(click.Command):
    """`match`, `tournament` and others, whose flags are those of their own parsers."""

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The flags."""
        from parlour.commands.check import check_parser
        from parlour.commands.match import match_parser
        from parlour.commands.new import new_parser
        from parlour.commands.rate import rate_parser
        from parlour.commands.tournament import tournament_parser
        from parlour.commands.tune import tune_parser

        parsers = {
            "match": match_parser,
            "tournament": tournament_parser,
            "rate": rate_parser,
            "tune": tune_parser,
            "new": new_parser,
            "check": check_parser,
        }
        flags = parsers[self.name or "match"]().flags()
        return _items(flags, incomplete) if incomplete else []


# The shell that cuts words in pieces.


class Bash(BashComplete):
    """Bash, which takes `level:3` and `size=2` for three words each, and replaces the last."""

    source_template: ClassVar[str] = """\
%(complete_func)s() {
    local line IFS=$'\\n'
    COMPREPLY=()
    for line in $(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null); do
        case $line in
            plain,*) COMPREPLY+=("${line#*,}") ;;
            *) compopt -o default ;;
        esac
    done
    # What ends like this goes on: no space after it.
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    kept = ""
    """What of the last word stands in the line already, and is not replaced."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words as the user wrote them; the value of `--name=value` is a word of its own."""
        args, last = super().get_completion_args()
        words: list[str] = []
        goes_on = False
        for word in [*args, last]:
            is_break = word in BREAKS
            if is_break and words and words[-1].startswith("--"):
                words.append("")
                goes_on = True
            elif words and (is_break or (goes_on and word)):
                words[-1] += word
                goes_on = is_break
            else:
                words.append(word)
                goes_on = False
        if words[-1] != last:
            self.kept = re.sub(r"[^=:]*$", "", words[-1])
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """A line for the script, with what is to be inserted."""
        return f"{item.type},{item.value.removeprefix(self.kept)}"


add_completion_class(Bash)
