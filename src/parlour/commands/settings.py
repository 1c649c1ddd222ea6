"""The options of a game as flags of a command: `--size 2`, `--no-stop-on-enemy`."""

from collections.abc import Collection, Sequence

from parlour.core.errors import OptionError, ParlourError
from parlour.core.options import Option, did_you_mean
from parlour.core.registry import game_class


def settings_from(
    name: str | None, words: Sequence[str], own: Collection[str]
) -> tuple[list[str], list[str]]:
    """The flags of that game's options among the words, as NAME=VALUE, and the words left over.

    `own` are the flags of the command itself; they are left over. `OptionError` for a flag
    that is neither names the nearest of both.
    """
    declared = {} if name is None else {option.name: option for option in game_class(name).OPTIONS}
    left = list(words)
    settings: list[str] = []
    rest: list[str] = []
    while left:
        word = left.pop(0)
        flag, equals, value = word.partition("=")
        key = flag[2:].replace("-", "_")
        if word == "--" or not word.startswith("--") or flag in own:
            rest.append(word)
        elif key in declared:
            option = declared[key]
            if option.kind == "flag" and not equals:
                value = left.pop(0) if left[:1] in (["true"], ["false"]) else "true"
            elif not equals:
                if not left:
                    raise OptionError(f"{flag} takes a value: {option.expectation()}")
                value = left.pop(0)
            settings.append(f"{key}={value}")
        elif _is_negated(key, declared) and not equals:
            settings.append(f"{key.removeprefix('no_')}=false")
        else:
            known = [*own, *(f"--{option.replace('_', '-')}" for option in declared)]
            raise OptionError(
                f"there is no option {flag!r}{did_you_mean(flag, known)}; --help lists them"
                + _of_the_game(name, declared)
            )
    return settings, rest


def _is_negated(key: str, declared: dict[str, Option]) -> bool:
    option = declared.get(key.removeprefix("no_"))
    return key.startswith("no_") and option is not None and option.kind == "flag"


def _of_the_game(name: str | None, declared: Collection[str]) -> str:
    """The game's own options, which --help cannot know."""
    if not declared:
        return ""
    return f", and those of {name} are " + ", ".join(
        f"--{key.replace('_', '-')}" for key in declared
    )


def named_game(words: Sequence[str]) -> str | None:
    """The first of the words that names a game that loads, without its options."""
    for word in words:
        name = word.partition(":")[0]
        try:
            game_class(name)
        except ParlourError:
            continue
        return name
    return None
