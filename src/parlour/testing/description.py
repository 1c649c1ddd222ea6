"""Check the description of a game: names, numbers, options, board, equality and guide."""

import copy
import difflib
import pickle
from collections.abc import Callable

from parlour.core.checks import is_int
from parlour.core.errors import OptionError, in_one_line
from parlour.core.game import Game, State
from parlour.core.guide import CoachStep, Guide, Section
from parlour.core.heuristics import Heuristics, heuristics
from parlour.core.outside import refuse_foreign_layout
from parlour.core.registry import game_class, game_names
from parlour.core.result import COMMON, UTILITIES, ZERO_SUM
from parlour.core.scene import POINTS, SHAPES, Board, Scene, fault_of_points
from parlour.testing.promise import broken, failed, instead_of, promise

ALMOST = 0.85
"""How similar two names are, from 0 to 1, if one is taken for a misspelling of the other."""


def made(game_class: type[Game]) -> Game:
    """Return the game of that class with its default options. Raises `ConformanceError`."""
    make: Callable[[], object] = game_class
    try:
        game = make()
    except Exception as error:
        raise failed(
            f"{game_class.__name__}() raised {in_one_line(error)}",
            cure="Give every option a default, take options by keyword, and call "
            "`super().__init__` with keywords only.",
        ) from error
    promise(
        isinstance(game, Game),
        "a game must be an instance of parlour.Game, not {}",
        game,
        cure="Derive your class from `parlour.Game`, and pass the class or an instance.",
    )
    assert isinstance(game, Game)
    return game


def check_description(game: Game) -> None:
    """Check that names, numbers, options and board are right, and games compare by value."""
    promise(
        isinstance(game, Game),
        "a game must be an instance of parlour.Game, not {}",
        game,
        cure="Derive your class from `parlour.Game`, and pass the class or an instance.",
    )
    refuse_foreign_layout(type(game))
    promise(
        hasattr(game, "name"),
        "{} did not call super().__init__, so the game has no name",
        type(game).__name__,
        cure="End `__init__` with `super().__init__(name=..., title=..., seats=..., ...)`.",
    )
    _check_names(game)
    _check_options(game)
    _check_equality(game)
    _check_board(game.board)
    start = game.start(0)
    _check_words(game, start)
    _check_spelling(game, start)


def _check_names(game: Game) -> None:
    is_name = isinstance(game.name, str) and game.name.isidentifier()
    promise(
        is_name and game.name == game.name.lower(),
        "name must be a lower-case word such as 'cat_mouse', not {}",
        game.name,
        cure="Use letters, digits and `_`, beginning with a letter.",
    )
    promise(
        isinstance(game.title, str) and game.title.strip(),
        "title must not be empty",
        cure="Pass the name that players read.",
    )
    for field in ("seats", "num_actions", "max_plies"):
        value = getattr(game, field)
        promise(
            is_int(value) and value >= 1,
            f"{field} must be an int of at least 1, not {{}}",
            value,
            cure="Pass `seats`, `num_actions` and `max_plies` as ints; bools are refused.",
        )
    for field in ("has_chance", "has_secrets", "DRAW_OFFERS", "FIXED_VIEWS"):
        value = getattr(game, field)
        promise(
            isinstance(value, bool),
            f"{field} must be True or False, not {{}}",
            value,
            cure="Set `has_chance`, `has_secrets`, `DRAW_OFFERS` and `FIXED_VIEWS` to bools.",
        )
    promise(
        game.utility in UTILITIES,
        f"utility must be one of {UTILITIES}, not {{}}",
        game.utility,
        cure='Pass `"zero-sum"`, `"common"` or `"general"`.',
    )
    promise(
        isinstance(game.teams, tuple)
        and len(game.teams) == game.seats
        and set(game.teams) == set(range(game.num_teams)),
        "teams must be a tuple with a team number, from 0, for each of the "
        f"{game.seats} seats, not {{}}",
        game.teams,
        cure="Number the teams without gaps, such as `(0, 1, 0, 1)`.",
    )
    promise(
        game.utility != COMMON or game.num_teams == 1,
        "a common game must have a single team, not {}",
        game.teams,
        cure="Leave out `teams`: all seats of a common game are partners.",
    )
    promise(
        game.utility != ZERO_SUM or game.num_teams > 1,
        "a zero-sum game must have at least two teams, not {}",
        game.teams,
        cure="Pass `utility='common'` if all seats win or lose together, or other `teams`.",
    )
    promise(
        not game.has_secrets or type(game).can_see is not Game.can_see,
        "has_secrets is True, but can_see is not written, so everybody would see every action",
        cure="Write `can_see(state, action, seat)`: whether the seat sees the action when it is "
        "played.",
    )
    if game.name in game_names():
        known = game_class(game.name)
        promise(
            known is type(game),
            "the name {} belongs to {}",
            game.name,
            known,
            cure="Rename your class's game, or register the class under its own name.",
        )


def _check_options(game: Game) -> None:
    declared = {option.name for option in type(game).OPTIONS}
    promise(
        set(game.options) == declared,
        "options must be those that OPTIONS declares, {}, not {}",
        sorted(declared),
        sorted(game.options),
        cure="Declare every option in `OPTIONS`, and pass the result of `check_options` "
        "to `super().__init__`.",
    )
    for option in type(game).OPTIONS:
        value = game.options[option.name]
        promise(
            option.help,
            f"option {option.name} has no help text",
            cure="Write one line that says what it does.",
        )
        promise(
            option.check(value) == value,
            f"option {option.name} has a value that it does not allow, {{}}",
            value,
            cure="Pass the result of `check_options`, not the raw arguments.",
        )
        text = option.to_text(value)
        promise(
            option.from_text(text) == value,
            f"option {option.name} cannot be read back from its text {{}}",
            text,
            cure="Store the value itself in the options, also where `None` stands for it.",
        )
    make: Callable[..., object] = type(game)
    went = instead_of(OptionError, lambda: make(no_such_option=1))
    if went:
        broken(
            f"an unknown option must raise OptionError, but the constructor {went}",
            cure="Write `def __init__(self, **options)` and pass them through `check_options`.",
        )


def _check_equality(game: Game) -> None:
    make: Callable[..., Game] = type(game)
    copies: tuple[tuple[str, Callable[[], Game]], ...] = (
        ("a game with the same options", lambda: make(**game.options)),
        ("its copy", lambda: copy.deepcopy(game)),
        ("its pickle", lambda: pickle.loads(pickle.dumps(game))),
    )
    for name, again in copies:
        try:
            other = again()
        except Exception as error:
            raise failed(
                f"{name} cannot be made ({in_one_line(error)})",
                cure="Define the class at the top level of a module, and take every option by "
                "keyword with a default.",
            ) from error
        promise(
            other == game,
            f"a game must equal {name}, which is {{}}",
            other,
            cure="Make everything in which two games differ an option.",
        )
        promise(
            hash(other) == hash(game),
            f"a game must have the same hash as {name}",
            cure="Do not replace `__eq__` and `__hash__` of `Game`.",
        )


def _check_board(board: Board) -> None:
    promise(
        isinstance(board, Board),
        "board must be a parlour.Board, not {}",
        board,
        cure="Pass `board=parlour.Board(...)`, or leave it out.",
    )
    promise(
        is_int(board.rows) and is_int(board.cols) and board.rows >= 0 and board.cols >= 0,
        "a board must have a number of rows and of columns, not {} and {}",
        board.rows,
        board.cols,
        cure="Pass ints of at least 0.",
    )
    promise(
        board.shape in (*SHAPES, POINTS),
        f"a board's shape must be one of {(*SHAPES, POINTS)}, not {{}}",
        board.shape,
        cure="Pass `square` or `hex`, or take `Board.points`.",
    )
    wrong = fault_of_points(board) if board.shape == POINTS else ""
    promise(
        not wrong,
        f"displays cannot draw the board: {wrong}",
        cure="Take `Board.points(positions, links)`.",
    )
    for names, count, what in (
        (board.row_names, board.rows, "row"),
        (board.col_names, board.cols, "column"),
    ):
        promise(
            isinstance(names, tuple) and len(names) == count,
            f"a board must have a tuple with one name for each {what} ({count}), not {{}}",
            names,
            cure="Name each row and each column; names may be empty.",
        )
        promise(
            all(isinstance(name, str) for name in names),
            f"the name of each {what} must be a str, not {{}}",
            names,
            cure="Pass `str(number)` instead of the number.",
        )
    promise(
        all(is_int(hole) and 0 <= hole < board.size for hole in board.holes),
        f"holes must be cells of the board, from 0 to {board.size - 1}, not {{}}",
        board.holes,
        cure="Number cells in reading order: `row * cols + column`.",
    )


def _check_words(game: Game, start: State) -> None:
    promise(
        isinstance(game.faces, tuple)
        and all(isinstance(face, str) and face for face in game.faces)
        and len(set(game.faces)) == len(game.faces),
        "faces must be a tuple of different names, not {}",
        game.faces,
        cure="List each name once, in a tuple.",
    )
    guide: object = game.guide()
    promise(
        isinstance(guide, Guide),
        "guide() must return a parlour.Guide, not {}",
        guide,
        cure='Write `return Guide(self, "The rules.")`.',
    )
    assert isinstance(guide, Guide)
    rules = guide.rules()
    promise(
        isinstance(rules, tuple) and all(isinstance(part, Section) for part in rules),
        "rules() must return a tuple of parlour.Sections, not {}",
        rules,
        cure='Return `(Section("Your turn", "Take a card."),)`.',
    )
    for part in rules:
        shown = guide.scenes(part)
        promise(
            isinstance(shown, tuple)
            and all(isinstance(scene, Scene) for scene in shown)
            and all(scene.board == shown[0].board for scene in shown)
            and all(len(scene.cells) == scene.board.size for scene in shown),
            f"scenes() must return a tuple of parlour.Scenes of one board on {part.title!r}, not "
            "{}",
            shown,
            cure="Make them with `State.scene`, or cut them with `parlour.grids.cut`.",
        )
    steps = guide.coach(start)
    promise(
        isinstance(steps, tuple)
        and all(isinstance(step, CoachStep) and step.text for step in steps)
        and all(0 <= cell < game.board.size for step in steps for cell in step.cells),
        "coach() must return a tuple of parlour.CoachSteps with texts and cells of "
        "the board, not {}",
        steps,
        cure='Return `(CoachStep("Choose a cell.", (4,)),)`.',
    )
    topics = guide.topics()
    promise(
        isinstance(topics, dict) and all(isinstance(line, str) for line in topics.values()),
        "topics() must return a dict of topics and descriptions, not {}",
        topics,
        cure='Return `{"odds": "how likely each card is"}`.',
    )
    known = heuristics(game)
    best = known.best_agent
    promise(
        isinstance(best, str),
        "best_agent must be an agent's text, not {}",
        best,
        cure="Pass the text of an agent without its budget, or an empty text.",
    )
    levels = known.levels
    promise(
        isinstance(levels, tuple) and all(isinstance(level, str) for level in levels),
        "levels must be a tuple of agents' texts, not {}",
        levels,
        cure="Pass nine texts, weakest first, or an empty tuple.",
    )


def _check_spelling(game: Game, start: State) -> None:
    """Check that no method of the author has almost the name of one of the contract."""
    parts = ((game, Game), (start, State), (game.guide(), Guide))
    for part, base in (*parts, (heuristics(game), Heuristics)):
        names = [name for name in dir(base) if not name.startswith("_")]
        for owner in type(part).__mro__:
            if owner.__module__.startswith("parlour."):
                break
            for name, value in vars(owner).items():
                if name.startswith("_") or name in names or not callable(value):
                    continue
                meant = difflib.get_close_matches(name, names, 1, ALMOST)
                if meant:
                    broken(
                        f"{owner.__name__}.{name} is never called; the contract has "
                        f"{base.__name__}.{meant[0]}",
                        cure="Correct the name, or choose one that is not almost the same.",
                    )
