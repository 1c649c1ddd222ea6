"""Descriptions of the available games for clients."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from parlour.agents.levels import levels_of
from parlour.core.checks import shown
from parlour.core.errors import ContractError, NotFound, OptionError, ParlourError
from parlour.core.game import Game, start_of
from parlour.core.options import Option, Value, find_option
from parlour.core.registry import game, game_class, game_names
from parlour.core.rng import Rng
from parlour.core.scene import Scene
from parlour.drawing.puzzles import Puzzle, own_puzzles
from parlour.protocol.json import encode
from parlour.protocol.limits import EXAMPLES_BYTES
from parlour.protocol.requests import (
    GameExamples,
    GameInfo,
    GamePreview,
    GamePuzzles,
    GameTexts,
    OptionInfo,
    PuzzleFound,
    RuleSection,
)
from parlour.protocol.scenes import SceneSender
from parlour.server.http.pages import Served
from parlour.translations import is_language, translations

log = logging.getLogger("parlour.server")

PICTURE_SEED = 1
PICTURE_PLIES = 30
MOST_COUNTS = 16
"""Number of values of an integer option to try for a change in the number of seats."""
FAILURES = (ParlourError, ArithmeticError, LookupError, TypeError, ValueError)
"""What the code of a bad game may raise."""


@cache
def game_info(name: str) -> GameInfo | None:
    """Describe a game with its default options. Return `None` if it does not load."""
    try:
        found = game(name)
        scene, guide = picture(found), found.guide()
        levels = len(levels_of(found))
    except FAILURES:
        return None
    return GameInfo(
        name=found.name,
        title=found.title,
        seats=found.seats,
        options=[option_info(found, option) for option in type(found).OPTIONS],
        rules=[RuleSection(title, text) for title, text in guide.rules()],
        has_chance=found.has_chance,
        has_secrets=found.has_secrets,
        draw_offers=type(found).DRAW_OFFERS,
        has_frames=type(found).frames is not Game.frames,
        levels=levels,
        scene=SceneSender().full(scene),
        summary=guide.summary,
        minutes=guide.minutes,
        puzzles=len(_puzzles(name)),
    )


def wanted_game(name: str, wanted: Mapping[str, object]) -> Game:
    """Return the game of a request. Raise `ParlourError` if it has no start with these options."""
    played = chosen_game(name, wanted)
    start_of(played, 0)
    return played


def chosen_game(name: str, wanted: Mapping[str, object]) -> Game:
    """Return the game of a request. Raise `ParlourError` if it or an option does not exist."""
    if not name:
        raise NotFound("name a game in the field `game`")
    declared = game_class(name.partition(":")[0]).OPTIONS
    options: dict[str, object] = {}
    for key, value in wanted.items():
        option = find_option(name, declared, key)
        if isinstance(value, int) and not isinstance(value, bool) and option.kind == "fraction":
            value = float(value)
        if isinstance(value, dict | list):
            raise OptionError(f"{key} must be {option.expectation()}, not {shown(value)}")
        options[key] = value
    return game(name, **options)


def picture(found: Game) -> Scene:
    """Return a sample position after some play, with the seats named as at the start."""
    start = state = start_of(found, PICTURE_SEED)
    rng = Rng(PICTURE_SEED)
    for _ in range(PICTURE_PLIES):
        after = state.apply(state.sample(rng))
        if after.result() is not None:
            break
        state = after
    first = start.scene(None)
    return state.scene(None)._replace(actions=(), seats=first.seats, names=first.names)


def option_info(found: Game, option: Option) -> OptionInfo:
    """Describe an option."""
    info = OptionInfo(option.name, option.kind, option.default, option.help)
    if option.kind in ("integer", "fraction"):
        info.low, info.high = option.low, option.high
    info.choices = option.choices
    info.label, info.choice_labels = option.words(), option.choice_labels
    values: Iterable[Value] = option.choices
    if option.kind == "integer":
        values = range(int(option.low), min(int(option.high), int(option.low) + MOST_COUNTS) + 1)
    elif option.kind == "flag":
        values = (True, False)
    for value in values:
        names = seat_names(found.name, {option.name: value})
        if len(names) not in (0, found.seats):
            info.seats[option.to_text(value)] = names
    return info


def seat_names(name: str, options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the seats' names with these options, or nothing if the options are invalid."""
    try:
        found = game(name, **options)
        return found.seat_names(start_of(found, PICTURE_SEED))
    except ParlourError:
        return ()


@lru_cache(maxsize=256)
def game_texts(name: str, language: str) -> Served:
    """Return a game's texts in a language; `NotFound` for an unknown game or a bad language tag.

    A game without translations has an empty table, and so has one whose file is bad.
    """
    if not is_language(language):
        raise NotFound("a language is named by its tag, such as de")
    try:
        found = translations(name, language)
    except ContractError as error:
        log.warning("translations cannot be used", extra={"game": name, "reason": str(error)})
        found = {}
    return Served.of(encode(GameTexts(dict(found))), "application/json")


@cache
def game_examples(name: str) -> Served:
    """Return the scenes of the guide, section by section; `NotFound` for an unknown game.

    A game whose scenes are bad, or larger than `EXAMPLES_BYTES`, has none.
    """
    if name not in game_names():
        raise NotFound(f"there is no game {shown(name)}")
    try:
        guide = game(name).guide()
        data = encode(GameExamples([_film(guide.scenes(part)) for part in guide.rules()]))
        if len(data) > EXAMPLES_BYTES:
            raise ContractError(f"the scenes of the rules have {len(data)} bytes")
    except FAILURES as error:
        log.warning("scenes cannot be used", extra={"game": name, "reason": str(error)})
        data = encode(GameExamples([]))
    return Served.of(data, "application/json")


@cache
def game_puzzles(name: str) -> Served:
    """Return the puzzles that come with a game; none if its file is bad. `NotFound` as above."""
    if name not in game_names():
        raise NotFound(f"there is no game {shown(name)}")
    found = [
        PuzzleFound(dict(each.state.game.options), str(each.state), each.best)
        for each in _puzzles(name)
    ]
    return Served.of(encode(GamePuzzles(found)), "application/json")


@cache
def _puzzles(name: str) -> Sequence[Puzzle]:
    try:
        return own_puzzles(name)
    except FAILURES as error:
        log.warning("puzzles cannot be used", extra={"game": name, "reason": str(error)})
        return ()


def _film(scenes: Sequence[Scene]) -> GamePreview:
    """Return the first scene, and the changes from each one to the next."""
    if not scenes:
        return GamePreview([], [], [])
    sender = SceneSender()
    first = sender.full(scenes[0])
    changes: list[list[tuple[int, int]]] = []
    for scene in scenes[1:]:
        diff = sender.diff(scene)
        if diff is None:
            break  # too many kinds of cells for one palette
        if diff.cells:
            changes.append(list(diff.cells))
    return GamePreview(sender.palette(), first.cells, changes, first.board)


def game_infos() -> list[GameInfo]:
    """Describe every registered game that loads."""
    found = [game_info(name) for name in game_names()]
    return [each for each in found if each is not None]
