"""Agents of another package, most of them with a fault."""

import asyncio
import fcntl
import gc
import json
import os
import pickle
import stat
import sys
import time
from pathlib import Path

from parlour import options
from parlour.agents import Agent, Analysis
from parlour.agents.search import SearchAgent


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


class Marked(First):
    """Its error looks like a page's markup."""

    def best(self, state):
        raise ValueError("<b>bold</b> & \x1b[31m")


class Cancelled(First):
    """Raises a `BaseException` that is not an `Exception`."""

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
    """Stores observed actions in a list that it is given."""

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


TOLD = []
"""The notifications of every `Diary` of this process, in order."""


class Diary(First):
    """Logs its notifications and questions."""

    def begin(self, start, seat):
        self.seat = seat
        TOLD.append(("begin", seat, start))

    def watch(self, action, after):
        TOLD.append(("watch", self.seat, action, after))

    def best(self, state):
        TOLD.append(("choose", self.seat, state))
        return super().best(state)

    def close(self):
        TOLD.append(("close", self.seat))


class Hooked(First):
    """Fails on every notification."""

    SETTINGS = (
        options.choice("where", "begin", ("begin", "watch", "last", "close"), "when it fails"),
    )

    def __init__(self, where):
        super().__init__()
        self.where = where

    def begin(self, start, seat):
        if self.where == "begin":
            raise RuntimeError("no beginning")

    def watch(self, action, after):
        if self.where == "watch" or (self.where == "last" and after.result() is not None):
            raise SystemExit(5)

    def close(self):
        if self.where == "close":
            raise RuntimeError("no end")


class Tampering(First):
    """Changes every state that it is given."""

    def begin(self, start, seat):
        self.play_on(start)

    def watch(self, action, after):
        self.play_on(after)

    def play_on(self, state):
        for _ in range(3):
            if state.actor >= 0:
                state = state.advance(state.legal_actions()[-1])


class Turning(First):
    """The first legal action, then the second, and so on: it counts its own choices."""

    def __init__(self, seed=0, blunder=None):
        super().__init__(seed, blunder)
        self.asked = 0

    def best(self, state):
        actions = state.legal_actions()
        self.asked += 1
        self.opinion = self.asked / 100
        return actions[(self.asked - 1) % len(actions)]


class Clocked(First):
    """Plays by what is left on its clock."""

    def best(self, state, limit=None):
        actions = state.legal_actions()
        return actions[0 if limit is None else int(limit.left) % len(actions)]


class Printing(First):
    """Has something to say on the way."""

    def best(self, state):
        print("thinking", flush=True)
        return super().best(state)


class Engine(First):
    """Another program, given by its command line."""

    SETTINGS = (options.text("command", None, "how it is started"),)
    TAKES_REST = True

    def __init__(self, command):
        super().__init__()
        self.command = command


class Restless(First):
    """Takes the rest of its text, and does not say as what."""

    TAKES_REST = True


class Stumbling(First):
    """Takes its whole process with it, the first times: a file counts them."""

    SETTINGS = (
        options.text("file", "deaths", "where the deaths are counted"),
        options.integer("times", 1, 0, 9, "how often"),
    )

    def __init__(self, file, times):
        super().__init__(0, 0.0)
        self.file = Path(file)
        self.times = times

    def best(self, state):
        deaths = len(self.file.read_text()) if self.file.exists() else 0
        if deaths < self.times:
            self.file.write_text("x" * (deaths + 1))
            os._exit(9)
        return super().best(state)


class Endless(First):
    """Thinks for ever, and says when it has begun to."""

    SETTINGS = (options.text("file", "begun", "what to make when it begins to think"),)

    def __init__(self, file):
        super().__init__(0, 0.0)
        self.file = Path(file)

    def best(self, state):
        self.file.write_text("begun")
        return SearchAgent(depth=64).best(state)


class Spewing(First):
    """Writes where a program's own words go, by every way there is."""

    def best(self, state):
        print("spew", flush=True)
        print("spew", file=sys.stderr, flush=True)
        for descriptor in (0, 1, 2):
            os.write(descriptor, b"spew\n")
        return super().best(state)


class Forking(First):
    """Ends its process, but leaves a child behind that keeps every descriptor open."""

    def best(self, state):
        if os.fork():
            os._exit(9)
        time.sleep(600)


class Hungry(First):
    """Takes all the memory that it can get, up to 3 GiB."""

    def best(self, state):
        return len(bytearray(3 * 2**30)) * 0


def pipes_to_write():
    """The descriptors of pipes through which this process can say something."""
    for descriptor in range(3, 256):
        try:
            is_pipe = stat.S_ISFIFO(os.fstat(descriptor).st_mode)
            flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        except OSError:
            continue
        if is_pipe and flags & os.O_ACCMODE == os.O_WRONLY:
            yield descriptor


class Evil:
    """Unpickled, it leaves a file behind."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


class Forger(First):
    """Answers in place of its process, through the pipe itself."""

    SETTINGS = (
        options.choice(
            "what", "pickle", ("pickle", "bare", "huge", "short", "junk"), "the forgery"
        ),
        options.text("path", "", "the file that the forged pickle makes"),
    )

    def __init__(self, what, path):
        super().__init__()
        self.what, self.path = what, path

    def best(self, state):
        evil = pickle.dumps(Evil(self.path))
        forged = {
            "pickle": len(evil).to_bytes(4, "big") + evil,
            "bare": evil,
            "huge": b"\xff" * 4 + b"x" * 1000,
            "short": (1000).to_bytes(4, "big") + b"{}",
            "junk": (8).to_bytes(4, "big") + b"\x00junk\xff!!",
        }[self.what]
        for descriptor in pipes_to_write():
            os.write(descriptor, forged)
        os._exit(0)


class Spy(First):
    """Writes down everything that it can find without leaving its process."""

    SETTINGS = (options.text("report", None, "the file to write to"),)

    def __init__(self, report):
        super().__init__()
        self.report = report
        self.handed = []

    def begin(self, start, seat):
        self.handed.append((start, seat))

    def watch(self, action, after):
        self.handed.append((action, after))

    def best(self, state):
        self.handed.append(state)
        with open(self.report, "a", encoding="utf-8", errors="replace") as report:
            for found in self.findings():
                report.write(f"{found}\n")
        return super().best(state)

    def findings(self):
        yield from (f"variable {item}" for item in os.environ.items())
        yield f"arguments {sys.argv} {sys.orig_argv} {sys.path}"
        yield f"command line {Path('/proc/self/cmdline').read_bytes()}"
        for link in Path("/proc/self/fd").iterdir():
            yield f"descriptor {link.name} {os.path.realpath(link)}"
        yield f"handed {pickle.dumps(self.handed)} {pickle.dumps(self.handed).hex()}"
        frame = sys._getframe()
        while frame is not None:
            yield f"frame {frame.f_code.co_name} {json.dumps(frame.f_locals, default=repr)}"
            frame = frame.f_back
        for thing in gc.get_objects():
            if isinstance(thing, bytes | str | dict | list | tuple | set):
                yield f"object {thing!r:.5000}"
            for part in gc.get_referents(thing):
                if isinstance(part, bytes):
                    yield f"bytes {part.hex():.5000}"
                elif isinstance(part, str):
                    yield f"text {part:.5000}"
        for path in Path.cwd().rglob("*"):
            if path.is_file():
                yield f"file {path} {path.read_bytes()}"


class Telling(First):
    """Reports what it knows about the game."""

    def best(self, state):
        raise RuntimeError(repr(self.occasion))
