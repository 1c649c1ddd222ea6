"""The command `parlour games`, and the games for other commands."""

import json
import sys

import click

from parlour.commands.shared_options import json_option
from parlour.core.checks import printable
from parlour.core.errors import ParlourError
from parlour.core.game import Game
from parlour.core.packages import unreadable_packages
from parlour.core.registry import game, game_names


@click.command()
@json_option
def games(as_json: bool) -> int:
    """List the games and their options."""
    for name, made in loaded_games().items():
        declared = type(made).OPTIONS
        if as_json:
            options = {
                option.name: {"default": option.default, "takes": option.expectation()}
                for option in declared
            }
            about = {"name": name, "title": made.title, "seats": made.seats, "options": options}
            print(json.dumps(about, ensure_ascii=False))
            continue
        print(printable(f"{name}: {made.title}"))
        for option in declared:
            default = option.to_text(option.default)
            words = f"  {option.name} ({option.expectation()}; {default}): {option.help}"
            print(printable(words))
    return 0


def loaded_titles() -> dict[str, str]:
    """Return the name and title of every game; report those that do not load on stderr."""
    return {name: printable(made.title) for name, made in loaded_games().items()}


def loaded_games() -> dict[str, Game]:
    """Return every game with default options; report those that do not load on stderr."""
    found, problems = games_and_problems()
    for problem in problems:
        print(f"parlour: {problem}", file=sys.stderr)
    return found


def games_and_problems() -> tuple[dict[str, Game], list[str]]:
    """Return every game with default options, and a message for each that does not load."""
    found = {}
    problems = unreadable_packages()
    for name in game_names():
        try:
            found[name] = game(name)
        except ParlourError as error:
            problems.append(str(error))
    return found, problems
