"""Example games with some methods replaced by a mistake or by its correction."""

from typing import NamedTuple

from dice import Dice, DiceState
from goofspiel import Goofspiel, GoofspielState
from kuhn import Kuhn, KuhnState
from nim import Nim, NimState

from parlour import Game, Guide, Heuristics, State


class Mistake(NamedTuple):
    """A mistake of an author, a part of the message, and the game with and without it."""

    name: str
    message: str
    broken: object
    corrected: object


def new_class(base, methods):
    """A subclass that can be pickled, which needs a name in this module."""
    name = f"{base.__name__}{len(globals())}"
    made = type(name, (base,), {"__module__": __name__, **methods})
    globals()[name] = made
    return made


def game_with(base, base_state, options, state, game):
    """A game of `base` whose methods, and whose states' methods, are replaced by these."""

    def of_the_new_class(method):
        def call(self, *arguments):
            made = method(self, *arguments)
            owner = self if isinstance(self, Game) else self.game
            return restated(owner, made) if type(made) is base_state else made

        return call

    methods = {"apply": base_state.apply, "determinize": base_state.determinize, **state}
    for name in ("apply", "determinize", "advance", "scratch"):
        if name in methods:
            methods[name] = of_the_new_class(methods[name])
    state_class = new_class(base_state, methods)
    methods = {"start": base.start, "state_from_text": base.state_from_text, **game}
    for name in ("start", "state_from_text"):
        methods[name] = of_the_new_class(methods[name])
    return new_class(base, {"STATE": state_class, **methods})(**options)


def restated(game, state):
    """The same position as a state of the game's own class."""
    made = game.STATE.__new__(game.STATE)
    State.__init__(made, game)
    for name, value in vars(state).items():
        if name != "game":
            setattr(made, name, value)
    return made


def nim(game=None, heap=6, **state):
    return game_with(Nim, NimState, {"heap": heap}, state, game or {})


def clever_nim(heap=6, **methods):
    """Nim with heuristics that have these methods."""
    made = new_class(Heuristics, methods)
    return nim(game={"heuristics": lambda game: made(game)}, heap=heap)


def guided(make, **methods):
    """A game with a guide that has these methods."""
    made = new_class(Guide, methods)
    return make(game={"guide": lambda game: made(game)})


def dice(game=None, **state):
    return game_with(Dice, DiceState, {}, state, game or {})


def kuhn(game=None, **state):
    return game_with(Kuhn, KuhnState, {}, state, game or {})


def goofspiel(game=None, **state):
    return game_with(Goofspiel, GoofspielState, {"cards": 3}, state, game or {})


def described(base, **changes):
    """A constructor that gives another description than the game's own."""

    def init(self, **options):
        right = base(**options)
        names = ("name", "title", "seats", "num_actions", "max_plies", "options", "has_chance")
        names += ("has_secrets", "board", "faces")
        Game.__init__(self, **{**{name: getattr(right, name) for name in names}, **changes})

    return {"__init__": init}
