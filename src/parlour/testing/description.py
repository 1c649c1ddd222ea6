"""What a game says of itself: names, numbers, options, board; and that it is a value."""

import copy
import pickle
from collections.abc import Callable

from parlour.core.checks import is_int
from parlour.core.errors import OptionError, in_one_line
from parlour.core.game import Game
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.heuristics import heuristics
from parlour.core.outside import refuse_foreign_layout
from parlour.core.registry import game_class, game_names
from parlour.core.result import COMMON, UTILITIES, ZERO_SUM
from parlour.core.scene import SHAPES, Board
from parlour.testing.promise import ConformanceError, broken, instead_of, promise


def made(game_class: type[Game]) -> Game:
    """The game of that class with its default options; a `ConformanceError` if there is none."""
    make: Callable[[], object] = game_class
    try:
        game = make()
    except Exception as error:
        raise ConformanceError(
            f"{game_class.__name__}() raised {in_one_line(error)}: the constructor takes options "
            "by keyword, each with a default, and calls super().__init__ with keywords only"
        ) from error
    promise(isinstance(game, Game), "a game is an instance of parlour.Game, not {}", game)
    assert isinstance(game, Game)
    return game


def check_description(game: Game) -> None:
    """Names, numbers, options and board are right, and a game is a value."""
    promise(isinstance(game, Game), "a game is an instance of parlour.Game, not {}", game)
    refuse_foreign_layout(type(game))
    _check_names(game)
    _check_options(game)
    _check_equality(game)
    _check_board(game.board)
    _check_words(game)


def _check_names(game: Game) -> None:
    is_name = isinstance(game.name, str) and game.name.isidentifier()
    promise(
        is_name and game.name == game.name.lower(),
        "name is a lower-case word such as 'cat_mouse', not {}",
        game.name,
    )
    promise(isinstance(game.title, str) and game.title.strip(), "title is not empty")
    for field in ("seats", "num_actions", "max_plies"):
        value = getattr(game, field)
        promise(is_int(value) and value >= 1, f"{field} is an int of at least 1, not {{}}", value)
    for field in ("has_chance", "has_secrets", "DRAW_OFFERS"):
        value = getattr(game, field)
        promise(isinstance(value, bool), f"{field} is True or False, not {{}}", value)
    promise(game.utility in UTILITIES, f"utility is one of {UTILITIES}, not {{}}", game.utility)
    promise(
        isinstance(game.teams, tuple)
        and len(game.teams) == game.seats
        and set(game.teams) == set(range(game.num_teams)),
        f"teams is a tuple with the number of a team, from 0 on, for each of the {game.seats} "
        "seats, such as (0, 1, 0, 1), not {}",
        game.teams,
    )
    promise(
        game.utility != COMMON or game.num_teams == 1,
        "a common game has a single team, not {}: leave out teams",
        game.teams,
    )
    promise(
        game.utility != ZERO_SUM or game.num_teams > 1,
        "a zero-sum game has two teams or more, not {}: pass utility='common' if all seats win or "
        "lose together",
        game.teams,
    )
    if game.name in game_names():
        known = game_class(game.name)
        promise(
            known is type(game),
            "the name {} belongs to {}: give your class another, or register it under its own",
            game.name,
            known,
        )


def _check_options(game: Game) -> None:
    declared = {option.name for option in type(game).OPTIONS}
    promise(
        set(game.options) == declared,
        "options are those that OPTIONS declares, {}, not {}: declare each there, and pass what "
        "check_options returns to super().__init__",
        sorted(declared),
        sorted(game.options),
    )
    for option in type(game).OPTIONS:
        value = game.options[option.name]
        promise(option.help, f"option {option.name} has a help text")
        promise(
            option.check(value) == value,
            f"option {option.name} has a value that it takes, not {{}}",
            value,
        )
        text = option.to_text(value)
        promise(
            option.from_text(text) == value,
            f"option {option.name} can be read back from its text {{}}",
            text,
        )
    make: Callable[..., object] = type(game)
    went = instead_of(OptionError, lambda: make(no_such_option=1))
    if went:
        broken(
            f"an unknown option is an OptionError, but the constructor {went}: write "
            "'def __init__(self, **options)' and pass them through check_options"
        )


def _check_equality(game: Game) -> None:
    make: Callable[..., Game] = type(game)
    copies: tuple[tuple[str, Callable[[], Game]], ...] = (
        ("one that is made with its options", lambda: make(**game.options)),
        ("its copy", lambda: copy.deepcopy(game)),
        ("its pickle", lambda: pickle.loads(pickle.dumps(game))),
    )
    for name, again in copies:
        try:
            other = again()
        except Exception as error:
            raise ConformanceError(
                f"{name} cannot be made ({in_one_line(error)}): the class stands at the top of a "
                "module, and its constructor takes every option by keyword"
            ) from error
        promise(other == game, f"a game equals {name}, which is {{}}", other)
        promise(hash(other) == hash(game), f"a game has the hash of {name}")


def _check_board(board: Board) -> None:
    promise(isinstance(board, Board), "board is a parlour.Board, not {}", board)
    promise(
        is_int(board.rows) and is_int(board.cols) and board.rows >= 0 and board.cols >= 0,
        "a board has a number of rows and one of columns, not {} and {}",
        board.rows,
        board.cols,
    )
    promise(board.shape in SHAPES, f"a board's shape is one of {SHAPES}, not {{}}", board.shape)
    for names, count, what in (
        (board.row_names, board.rows, "row"),
        (board.col_names, board.cols, "column"),
    ):
        promise(
            isinstance(names, tuple) and len(names) == count,
            f"a board has a tuple with one name for each {what}, {count}, not {{}}",
            names,
        )
        promise(
            all(isinstance(name, str) for name in names),
            f"the name of each {what} is a str, not {{}}",
            names,
        )
    promise(
        all(is_int(hole) and 0 <= hole < board.size for hole in board.holes),
        f"holes are cells of the board, from 0 to {board.size - 1}, not {{}}",
        board.holes,
    )


def _check_words(game: Game) -> None:
    promise(
        isinstance(game.faces, tuple)
        and all(isinstance(face, str) and face for face in game.faces)
        and len(set(game.faces)) == len(game.faces),
        "faces is a tuple of different names, not {}",
        game.faces,
    )
    guide: object = game.guide()
    promise(isinstance(guide, Guide), "guide returns a parlour.Guide, not {}", guide)
    assert isinstance(guide, Guide)
    rules = guide.rules()
    promise(
        isinstance(rules, tuple) and all(isinstance(part, Section) for part in rules),
        "rules returns a tuple of parlour.Sections, not {}",
        rules,
    )
    steps = guide.coach(game.start(0))
    promise(
        isinstance(steps, tuple)
        and all(isinstance(step, CoachStep) and step.text for step in steps)
        and all(0 <= cell < game.board.size for step in steps for cell in step.cells),
        "coach returns a tuple of parlour.CoachSteps with texts and cells of the board, not {}",
        steps,
    )
    topics = guide.topics()
    promise(
        isinstance(topics, dict) and all(isinstance(line, str) for line in topics.values()),
        "topics returns a dict of topics and what each shows, not {}",
        topics,
    )
    known = heuristics(game)
    best = known.best_agent
    promise(isinstance(best, str), "best_agent is an agent's text, not {}", best)
    levels = known.levels
    promise(
        isinstance(levels, tuple) and all(isinstance(level, str) for level in levels),
        "levels is a tuple of agents' texts, not {}",
        levels,
    )
