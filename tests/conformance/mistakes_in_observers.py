"""Mistakes in what programs that learn rely on: observations and symmetries."""

import sys

from librt.vecs import vec
from mistaken import Mistake, kuhn, nim
from mypy_extensions import i64, u8

from parlour import Observer
from parlour.core.observer import grid_view


def watched(planes=(), extras=("heap",), **methods):
    """A game's `observer` method, which makes an observer with these methods."""
    replaced = {"write": lambda self, state, seat, out, at: None, **methods}
    replaced.setdefault("write_extras", heap)
    cls = type("Watching", (Observer,), replaced)
    return {"observer": lambda game: cls(game, planes, extras)}


def in_words(**methods):
    """The same with one plane of eight bytes, whose first is the heap, written as a word too."""
    replaced = {"write": heap, "write_extras": heap, "write_words": heap_word, **methods}
    cls = type("WatchingInWords", (Observer,), replaced)
    return {"observer": lambda game: cls(game, ("heap",), ("heap",), 2, 4, in_words=True)}


def heap_word(self, state, seat, out, at):
    out[at] = int.from_bytes(bytes([state.heap, *bytes(7)]), sys.byteorder)


def heap_added(self, state, seat, out, at):
    out[at] |= int.from_bytes(bytes([state.heap, *bytes(7)]), sys.byteorder)


def heap(self, state, seat, out, at):
    out[at] = u8(state.heap)


def heap_and_more(self, state, seat, out, at):
    out[at] = u8(state.heap)
    out[at + 1] = u8(1)


def from_the_first(self, state, seat, out, at):
    out[0] = u8(state.heap)


CALLS = []


def counted(self, state, seat, out, at):
    CALLS.append(seat)
    out[at] = u8(len(CALLS) % 256)


def every_card(self, state, seat, out, at):
    for k, card in enumerate(state.cards):
        out[at + k] = u8(ord(card))


def own_card(self, state, seat, out, at):
    if seat < len(state.cards):
        out[at] = u8(ord(state.cards[seat]))


def symmetry(name="turned", **tables):
    """The identity and one more, with these tables."""

    def symmetries(self):
        same = self.identity()
        return (same, same._replace(name=name, **tables))

    return symmetries


def grid(places):
    return lambda self: grid_view(vec[i64](places))


MISTAKES = [
    Mistake(
        "the observer is None",
        "nim.observer() must return a parlour.Observer, not None",
        nim({"observer": lambda game: None}),
        nim(watched()),
    ),
    Mistake(
        "two planes have one name",
        "planes must be different names, but 'stones' occurs twice",
        nim(watched(planes=("stones", "stones"))),
        nim(watched(planes=("stones", "gone"))),
    ),
    Mistake(
        "the extras are not named",
        "extra_names must be a tuple of names, not (1,)",
        nim(watched(extras=(1,))),
        nim(watched(extras=("heap",))),
    ),
    Mistake(
        "more extras are written than named",
        "write_extras must write only the bytes from out[at] that it declares",
        nim(watched(write_extras=heap_and_more)),
        nim(watched(extras=("heap", "one"), write_extras=heap_and_more)),
    ),
    Mistake(
        "the place is forgotten",
        "write_extras must write only the bytes from out[at] that it declares",
        nim(watched(write_extras=from_the_first)),
        nim(watched(write_extras=heap)),
    ),
    Mistake(
        "a word keeps what stood in its place",
        "write_words must write the bytes of write from out[at], and nothing else",
        nim(in_words(write_words=heap_added)),
        nim(in_words()),
    ),
    Mistake(
        "the observer counts its calls",
        "the same position must give the same observation",
        nim(watched(write_extras=counted)),
        nim(watched(write_extras=heap)),
    ),
    Mistake(
        "the observer shows the other's card",
        "the observation of seat 1 reveals what it does not know",
        kuhn(watched(extras=("one", "two"), write_extras=every_card)),
        kuhn(watched(extras=("own",), write_extras=own_card)),
    ),
    Mistake(
        "a method of the observer is missing",
        "does not define write_extras()",
        nim(watched(write_extras=Observer.write_extras)),
        nim(watched(extras=(), write_extras=Observer.write_extras)),
    ),
    Mistake(
        "the identity is left out",
        "symmetries() must begin with identity(), not ()",
        nim(watched(symmetries=lambda self: ())),
        nim(watched(symmetries=lambda self: (self.identity(),))),
    ),
    Mistake(
        "a table has one number twice",
        "the actions of the symmetry 'turned' must be the numbers 0 to 2 in another order",
        nim(watched(symmetries=symmetry(actions=(0, 0, 1)))),
        nim(watched(symmetries=symmetry())),
    ),
    Mistake(
        "a symmetry is not true",
        "the symmetry 'turned' does not hold: the observation of seat 0 is not the image",
        nim(watched(symmetries=symmetry(actions=(2, 1, 0)))),
        nim(watched(symmetries=symmetry(cells=tuple(reversed(range(6)))))),
    ),
    Mistake(
        "two actions share a place of the grid",
        "action_grid() must have a different place for each action, but two have (0, 0, 0)",
        nim(watched(action_grid=grid([0, 0, 0, 0, 0, 0, 0, 0, 1]))),
        nim(watched(action_grid=grid([0, 0, 0, 0, 0, 1, 0, 0, 2]))),
    ),
    Mistake(
        "the grid has too few rows",
        "action_grid() must be a view of int64 with the shape (3, 3), or None",
        nim(watched(action_grid=grid([0, 0, 0, 0, 0, 1]))),
        nim(watched(action_grid=lambda self: None)),
    ),
]
