"""`games`: the games and their options."""

import json
import sys

from parlour.core.errors import ParlourError
from parlour.core.registry import game, game_class, game_names


def list_games(as_json: bool = False) -> int:
    """The games and their options."""
    for name in loaded_titles():
        made = game(name)
        if as_json:
            options = {
                option.name: {"default": option.default, "takes": option.expectation()}
                for option in game_class(name).OPTIONS
            }
            about = {"name": name, "title": made.title, "seats": made.seats, "options": options}
            print(json.dumps(about, ensure_ascii=False))
            continue
        print(f"{name}: {made.title}")
        for option in game_class(name).OPTIONS:
            default = option.to_text(option.default)
            print(f"  {option.name} ({option.expectation()}; {default}): {option.help}")
    return 0


def loaded_titles() -> dict[str, str]:
    """Name and title of every game; one that does not load is named on stderr instead."""
    titles = {}
    for name in game_names():
        try:
            titles[name] = game(name).title
        except ParlourError as error:
            print(f"parlour: {error}", file=sys.stderr)
    return titles
