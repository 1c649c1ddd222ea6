"""Mistakes that break no promise, but are noted."""

from librt.vecs import vec
from mistaken import Mistake, described, nim
from mypy_extensions import u8
from nim import Nim

from parlour import Observer, Result, SeatView


def watched(write):
    """A game's `observer` method, which makes an observer with one extra."""
    cls = type("Watching", (Observer,), {"write": lambda *given: None, "write_extras": write})
    return {"observer": lambda game: cls(game, (), ("heap",))}


def heap(self, state, seat, out: vec[u8], at):
    out[at] = u8(state.heap)


def is_over(self, state, seat, out, at):
    out[at] = u8(state.heap == 0)


def ended(*result):
    return lambda state: None if state.heap else Result(*result)


def ends_with(status):
    """Nim with this status at the end."""

    def scene(game, state, seat):
        drawn = Nim.scene(game, state, seat)
        return drawn if state.heap else drawn._replace(status=status)

    return {"scene": scene}


def of_four(game, state, seat):
    return Nim.scene(game, state, seat)._replace(seats=(SeatView(),) * 4)


MISTAKES = [
    Mistake(
        "learners cannot see the heap",
        "pairs of different scenes give one observation, such as those of seat ",
        nim(watched(is_over)),
        nim(watched(heap)),
    ),
    Mistake(
        "a draw is scored as a win",
        "games ended by 'A draw.', but with the returns (1.0, -1.0). If that is a draw, return the "
        "same for all seats.",
        nim(ends_with("A draw."), result=ended((1.0, -1.0), None, "over")),
        nim(ends_with("A draw."), result=ended((0.0, 0.0), None, "over")),
    ),
    Mistake(
        "equal scores are scored as a win",
        "games ended with the scores (3.0, 3.0), but with the returns (1.0, -1.0)",
        nim(result=ended((1.0, -1.0), (3.0, 3.0), "over")),
        nim(result=ended((1.0, -1.0), (3.0, 2.0), "over")),
    ),
    Mistake(
        "two seats never act",
        "These seats never acted: [2, 3]. Is `seats` right?",
        nim(
            {**described(Nim, seats=4, num_actions=4), "scene": of_four},
            result=ended((0.0,) * 4, None, "over"),
        ),
        nim(),
    ),
]
