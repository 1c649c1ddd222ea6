"""Agents as somebody else would write them, most of them with something wrong."""

import asyncio
import os
import time

from parlour import options
from parlour.agents import Agent, Analysis


class First(Agent):
    """The first legal action: right, and quick to write."""

    def best(self, state):
        return state.legal_actions()[0]

    def analyse(self, state):
        return Analysis((), 0, 0.0)


class Last(First):
    def best(self, state):
        return state.legal_actions()[-1]


class Seeded(First):
    """Plays by its seed alone."""

    def best(self, state):
        return state.sample(self.rng)


class Counted(First):
    """Has settings of its own, and takes no seed."""

    SETTINGS = (options.integer("place", 0, 0, 9, "which legal action"),)

    def __init__(self, place):
        super().__init__(0, 0.0)
        self.place = place

    def best(self, state):
        actions = state.legal_actions()
        return actions[self.place % len(actions)]


class Crashing(First):
    def best(self, state):
        return 1 // 0


class Quitting(First):
    def best(self, state):
        raise SystemExit(3)


class Unspeakable(First):
    """Raises an error that cannot even be printed."""

    def best(self, state):
        class Error(Exception):
            def __str__(self):
                raise RuntimeError("no words")

        raise Error


class Unmade(First):
    SETTINGS = (options.integer("depth", 1, 1, 9, "how many games until it gives up"),)

    def __init__(self, depth):
        super().__init__(0, 0.0)
        if depth > 1:
            raise RuntimeError("too deep")


class Surrogate(First):
    """Its error cannot be written to a file as it is."""

    def best(self, state):
        raise ValueError("a name like \udcff\x07")


class Cancelled(First):
    """Raises what is no `Exception`."""

    def best(self, state):
        raise asyncio.CancelledError


class Meddling(First):
    """Plays on in the state that it was given."""

    def best(self, state):
        after = state.advance(state.legal_actions()[0])
        return after.legal_actions()[0]


class Wavering(First):
    """Chooses a number that is another one each time it is looked at."""

    def choose(self, state):
        class Number:
            looks = 0

            def __index__(self):
                self.looks += 1
                return 0 if self.looks == 1 else 1_000_000

        return Number()


class Empty(First):
    """Crashes nowhere, and has nothing to say."""


class Narrow(Seeded):
    """Takes a few seeds only."""

    SETTINGS = (options.integer("seed", 3, 3, 9, "one of a few"),)

    def __init__(self, seed):
        super().__init__(seed, 0.0)


class Unset(First):
    SETTINGS = None


class Illegal(First):
    def choose(self, state):
        return 1_000_000


class Silent(First):
    def choose(self, state):
        return None


class Wordy(First):
    def choose(self, state):
        return "the left one"


class Yes(First):
    def choose(self, state):
        return True


class Verbose(First):
    def best(self, state):
        raise RuntimeError("so much\nto say " * 100)


class Number:
    """An integer as other libraries have them."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Foreign(First):
    def choose(self, state):
        return Number(state.legal_actions()[0])


class Dying(First):
    """Takes its whole process with it."""

    def choose(self, state):
        os._exit(7)


class Slow(First):
    """A match of it lasts long enough to be interrupted."""

    def best(self, state):
        time.sleep(0.02)
        return state.sample(self.rng)


class NoAgent:
    pass


class Listening(First):
    """Keeps what it hears in a list that somebody else gives it."""

    heard = None

    def begin(self, start, seat):
        self.heard.append(("begin", seat))

    def watch(self, action, after):
        self.heard.append(("watch", action))

    def choose(self, state, limit=None):
        if limit is not None:
            self.heard.append(("choose", tuple(limit)))
        return state.legal_actions()[0]

    def close(self):
        self.heard.append(("close", None))
