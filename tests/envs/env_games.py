"""Games of every kind for environments, and ways to play them."""

import numpy as np
from boardless import TwentyOne
from climb import Climb
from connect_four import ConnectFour
from dice import Dice
from goofspiel import Goofspiel
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour

OURS = [
    parlour.game("octa"),
    parlour.game("octa", size=1, win_condition="elimination"),
    parlour.game("banqi"),
    parlour.game("banqi", rules="olympiad", quiet_limit=20),
    parlour.game("blokus"),
    parlour.game("blokus", variant="duo"),
    parlour.game("blokus", variant="three-player"),
    parlour.game("cat_mouse", ply_cap=30),
]

OUTSIDE = [
    Nim(),
    Dice(),
    Climb(),
    Tiles(),
    Scouts(),
    Kuhn(),
    Goofspiel(cards=3),
    Hex(size=4),
    Yavalath(side=4),
    TwentyOne(),
    ConnectFour(rows=4, cols=4),
]

EVERY = [*OURS, *OUTSIDE]
WITH_SECRETS = [game for game in EVERY if game.has_secrets]


def legal(mask, rng):
    """Return a random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


def parts(observation):
    """Return the arrays of an observation without the mask."""
    if not isinstance(observation, dict):
        return observation
    arrays = [array.ravel() for name, array in observation.items() if name != "action_mask"]
    return np.concatenate(arrays)


def same(one, other):
    """Whether two results of an environment are equal, including types."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray):
        if one.dtype == object:
            return all(map(same, one, other))
        return one.dtype == other.dtype and np.array_equal(one, other)
    return one == other
