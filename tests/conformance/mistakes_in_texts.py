"""Mistakes in a game's description, in texts, copies and seeds."""

import random

from dice import Dice
from mistaken import Mistake, described, dice, guided, new_class, nim
from nim import Nim, NimState

from parlour import Board, Game, Scene, Section, StateTextError
from parlour.core.options import check_options, integer


def one_row(cols, **more):
    return Board(1, cols, ("",), tuple(str(col + 1) for col in range(cols)), **more)


def one_section(guide):
    return (Section("", "Take one, two or three."),)


def two_boards(guide, section):
    return (Scene(), Scene(board=one_row(2)))


def positional(self, **options):
    values = check_options("nim", self.OPTIONS, options)
    Game.__init__(self, "nim", "Nim", 2, 3, 10, values)


def by_keyword(self, **options):
    values = check_options("nim", self.OPTIONS, options)
    board = one_row(values["heap"])
    Game.__init__(
        self,
        name="nim",
        title="Nim",
        seats=2,
        num_actions=3,
        max_plies=10,
        options=values,
        board=board,
    )


def without_options(self):
    by_keyword(self)


def local_class():
    class Local(Nim):
        """Defined where pickle cannot find it."""

    return Local(heap=6)


def read_with_errors_of_python(game, text):
    heap, rest = text.split(" left, player ")
    return NimState(game, int(heap), int(rest[0]) - 1)


def read_with_errors_of_parlour(game, text):
    try:
        return read_with_errors_of_python(game, text)
    except ValueError:
        raise StateTextError("expected '5 left, player 1 to move'") from None


def read_leniently(game, text):
    try:
        return Nim.state_from_text(game, text)
    except StateTextError:
        return Nim.start(game)


WORDS = {"take1": 0, "take2": 1, "take3": 2}


def word_of(game, state, text):
    if text.strip() in WORDS:
        return WORDS[text.strip()]
    return Game.action_from_text(game, state, text)


def started_at_random(game, seed=0, generator=random.Random(1)):  # noqa: B008
    Nim.start(game, seed)
    return NimState(game, generator.randrange(4, 7), generator.randrange(2))


def with_turns(game, seed=0, t=None):
    """A state that counts its turns, and writes them nowhere."""
    state = Nim.start(game, seed) if t is None else Nim.state_from_text(game, t)
    state.turns = 0
    return state


def turned(state, action):
    after = NimState.apply(state, action)
    after.turns = state.turns + 1
    return after


def repeated(state, action):
    """Taking as many as the opponent did gives another turn."""
    after = turned(state, action)
    after.last = action
    if getattr(state, "last", None) == action:
        after.seat = state.seat
    return after


MISTAKES = [
    Mistake(
        "the name has capitals",
        "name must be a lower-case word such as 'cat_mouse', not 'Nim'",
        nim(game=described(Nim, name="Nim")),
        nim(game=described(Nim, name="nim")),
    ),
    Mistake(
        "the title is empty",
        "title must not be empty",
        nim(game=described(Nim, title="")),
        nim(game=described(Nim, title="Nim")),
    ),
    Mistake(
        "an option is not declared",
        "options must be those that OPTIONS declares, ['heap'], not ['heap', 'seed']",
        nim(game=described(Nim, options={"heap": 6, "seed": 1})),
        nim(game=described(Nim, options={"heap": 6})),
    ),
    Mistake(
        "an option has no help",
        "option heap has no help text",
        nim(game={"OPTIONS": (integer("heap", 10, 1, 1000, ""),)}),
        nim(game={"OPTIONS": (integer("heap", 10, 1, 1000, "how many"),)}),
    ),
    Mistake(
        "the constructor takes no options",
        "an unknown option must raise OptionError, but the constructor raised TypeError",
        new_class(Nim, {"__init__": without_options}),
        new_class(Nim, {"__init__": by_keyword}),
    ),
    Mistake(
        "the constructor of Game is called with positions",
        "call `super().__init__` with keywords only",
        new_class(Nim, {"__init__": positional}),
        new_class(Nim, {"__init__": by_keyword}),
    ),
    Mistake(
        "the class stands inside a function",
        "its pickle cannot be made (AttributeError",
        local_class(),
        Nim(heap=6),
    ),
    Mistake(
        "the board has a column without a name",
        "a board must have a tuple with one name for each column (6), not ('a', 'b')",
        nim(game=described(Nim, board=Board(1, 6, ("",), ("a", "b")))),
        nim(game=described(Nim, board=Board(1, 6, ("",), tuple("abcdef")))),
    ),
    Mistake(
        "the board has a shape of its own",
        "a board's shape must be one of ('square', 'hex', 'points'), not 'round'",
        nim(game=described(Nim, board=one_row(6, shape="round"))),
        nim(game=described(Nim, board=one_row(6, shape="hex"))),
    ),
    Mistake(
        "a hole is not on the board",
        "holes must be cells of the board, from 0 to 5, not (6,)",
        nim(game=described(Nim, board=one_row(6, holes=(6,)))),
        nim(game=described(Nim, board=one_row(6, holes=()))),
    ),
    Mistake(
        "a face is listed twice",
        "faces must be a tuple of different names, not ('stone', 'stone')",
        nim(game=described(Nim, faces=("stone", "stone"))),
        nim(game=described(Nim, faces=("stone",))),
    ),
    Mistake(
        "the rules are not a text",
        "rules() must return a tuple of parlour.Sections, not 'Take one, two or three.'",
        guided(nim, rules=lambda guide: "Take one, two or three."),
        guided(nim, rules=one_section),
    ),
    Mistake(
        "the pictures of the rules are of different boards",
        "scenes() must return a tuple of parlour.Scenes of one board on '', not (Scene(",
        guided(nim, rules=one_section, scenes=two_boards),
        guided(nim, rules=one_section, scenes=lambda guide, part: (Scene(), Scene())),
    ),
    Mistake(
        "an action's text has a space in it",
        "an action's text must not be empty or contain spaces: 'take 1'",
        nim(game={"action_to_text": lambda g, s, a: f"take {a + 1}"}),
        nim(game={"action_to_text": lambda g, s, a: f"take{a + 1}"}),
    ),
    Mistake(
        "a decision's text begins with =",
        "the text of a chance outcome must start with '='",
        nim(game={"action_to_text": lambda g, s, a: f"={a}", "action_view": Game.action_view}),
        nim(game={"action_to_text": lambda g, s, a: f"{a}", "action_view": Game.action_view}),
    ),
    Mistake(
        "the text of a chance outcome does not begin with =",
        "the text of a chance outcome must start with '='",
        dice(game={"action_to_text": lambda g, s, a: str(a)}),
        dice(
            game={"action_to_text": lambda g, s, a: f"={a}" if s.actor < 0 else ("walk", "roll")[a]}
        ),
    ),
    Mistake(
        "two actions have one text",
        "actions 0 and 1 have the same text, 'take'",
        nim(game={"action_to_text": lambda g, s, a: "take"}),
        nim(game={"action_to_text": lambda g, s, a: f"take{a + 1}"}),
    ),
    Mistake(
        "space around an action's text is not stripped",
        "action_from_text() must strip spaces and read ' walk\\n' as 0",
        dice(
            game={
                "action_from_text": lambda g, s, t: Dice.action_from_text(
                    g, s, t + "-" * (t[0] == " ")
                )
            }
        ),
        dice(game={"action_from_text": lambda g, s, t: Dice.action_from_text(g, s, t.strip())}),
    ),
    Mistake(
        "a text that is not an action raises an error of Python",
        "a text that is not an action must raise ActionTextError",
        nim(game={"action_from_text": lambda g, s, t: WORDS[t.strip()]}),
        nim(game={"action_from_text": word_of}),
    ),
    Mistake(
        "a text that is not a position raises an error of Python",
        "a text that is not a position must raise StateTextError or InvalidState",
        nim(game={"state_from_text": read_with_errors_of_python}),
        nim(game={"state_from_text": read_with_errors_of_parlour}),
    ),
    Mistake(
        "any text is taken for a position",
        "a text that is not a position must raise StateTextError or InvalidState",
        nim(game={"state_from_text": read_leniently}),
        nim(game={"state_from_text": Nim.state_from_text}),
    ),
    Mistake(
        "the position's text forgets whose turn it is",
        "a state must equal the one rebuilt from its text: (4, 1), not (4, 0)",
        nim(
            game={
                "state_to_text": lambda g, s: f"{s.heap} left, player 1 to move",
            }
        ),
        nim(game={"state_to_text": lambda g, s: f"{s.heap} left, player {s.seat + 1} to move"}),
    ),
    Mistake(
        "text and key forget whose turn it is",
        "the state rebuilt from its text must have the same actor, 1, not 0",
        nim(
            game={"state_to_text": lambda g, s: f"{s.heap} left, player 1 to move"},
            key=lambda s: s.heap,
        ),
        nim(),
    ),
    Mistake(
        "text and key forget the action before, on which a rule depends",
        "a game must continue from a state's text as from the state",
        nim(
            game={"start": with_turns, "state_from_text": lambda g, t: with_turns(g, t=t)},
            apply=repeated,
        ),
        nim(),
    ),
    Mistake(
        "the scene shows what the text does not tell",
        "a scene must not show what the state's text does not contain",
        nim(
            game={
                "start": with_turns,
                "state_from_text": lambda g, t: with_turns(g, t=t),
                "scene": lambda g, s, v: Nim.scene(g, s, v)._replace(status=f"{s.turns} turns."),
            },
            apply=turned,
        ),
        nim(),
    ),
    Mistake(
        "a state cannot be pickled",
        "a state cannot be rebuilt from its pickle",
        nim(__reduce__=lambda s: (lambda: s, ())),
        nim(__reduce__=lambda s: (type(s), (s.game, s.heap, s.seat))),
    ),
    Mistake(
        "the start takes no seed",
        "takes 1 positional argument but 2 were given",
        new_class(Nim, {"start": lambda self: NimState(self, 10, 0)}),
        Nim(),
    ),
    Mistake(
        "the start is drawn from another generator",
        "the same seed must give the same start, not (5, 0) and then (5, 1)",
        nim(game={"start": started_at_random}),
        nim(game={"start": Nim.start}),
    ),
]
