"""Check observations and symmetries, for machine learning."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.observer import Observer, Symmetry, observer
from parlour.core.rng import Rng
from parlour.testing.promise import broken, promise

SEEDS = (1, 2, 3)
MARGIN = 8
FILLER = 0xA5
PLIES = 30


def check_observer(game: Game) -> None:
    """Check that an observer names its planes and extras, and symmetries are permutations."""
    watching = observer(game)
    _check_names("planes", watching.planes)
    _check_names("extra_names", watching.extra_names)
    planes, rows, cols = watching.shape
    promise(
        planes == 0 or rows * cols > 0,
        "an observer without a grid must have no planes, not {}",
        planes,
        cure="Write extras instead.",
    )
    _check_grid(watching)
    symmetries = watching.symmetries()
    promise(
        len(symmetries) > 0 and symmetries[0] == watching.identity(),
        "symmetries() must begin with identity(), not {}",
        symmetries[:1],
        cure="Put `self.identity()` first.",
    )
    for symmetry in symmetries:
        _check_tables(watching, symmetry)


def _check_names(field: str, names: object) -> None:
    is_right = isinstance(names, tuple) and all(isinstance(name, str) and name for name in names)
    promise(
        is_right,
        f"{field} must be a tuple of names, not {{}}",
        names,
        cure="Pass `planes` and `extra_names` as tuples of texts.",
    )
    assert isinstance(names, tuple)
    promise(
        len(set(names)) == len(names),
        f"{field} must be different names, but {{}} occurs twice",
        next((name for name in names if names.count(name) > 1), ""),
        cure="Number names that repeat.",
    )


def _check_grid(watching: Observer) -> None:
    grid = watching.action_grid()
    if grid is None:
        return
    count = watching.game.num_actions
    promise(
        isinstance(grid, memoryview) and grid.shape == (count, 3) and grid.format == "q",
        f"action_grid() must be a view of int64 with the shape ({count}, 3), or None, not {{}}",
        grid,
        cure="Return `None` if the actions have no places on the board.",
    )
    rows: list[list[int]] = grid.tolist()  # type: ignore[assignment]
    places = [tuple(row) for row in rows]
    if len(set(places)) < count:
        shared = next(place for place in places if places.count(place) > 1)
        broken(
            f"action_grid() must have a different place for each action, but two have {shared}",
            cure="Use two planes for two actions on one cell.",
        )


def _check_tables(watching: Observer, symmetry: Symmetry) -> None:
    _, rows, cols = watching.shape
    sizes = {
        "cells": rows * cols,
        "planes": len(watching.planes),
        "extras": watching.extras,
        "actions": watching.game.num_actions,
        "seats": watching.game.seats,
    }
    for name, size in sizes.items():
        promise(
            sorted(getattr(symmetry, name)) == list(range(size)),
            f"the {name} of the symmetry {symmetry.name!r} must be the numbers 0 to "
            f"{size - 1} in another order, not {{}}",
            getattr(symmetry, name),
            cure="List the image of each index: every table is a permutation.",
        )


def check_observations(watching: Observer, state: State) -> None:
    """Check that observations depend only on the seat's knowledge and stay in their place."""
    legal, listed = list(state.legal_actions()), list(watching.legal_actions(state))
    promise(
        sorted(listed) == legal,
        f"Observer.legal_actions must list the legal actions, {legal}, in any order, not {{}}",
        listed,
        cure="List each legal action once, and nothing else.",
    )
    for seat in range(state.game.seats):
        _check_place(watching, state, seat)
        seen = watching.observe(state, seat)
        if watching.in_words:
            _check_words(watching, state, seat)
        promise(
            watching.observe(state, seat) == seen,
            "the same position must give the same observation",
            cure="Keep no counters and caches on the observer.",
        )
        if not state.game.has_secrets:
            continue
        for seed in SEEDS:
            drawn = state.determinize(seat, Rng(seed))
            promise(
                watching.observe(drawn, seat) == seen,
                f"the observation of seat {seat} reveals what it does not know: it changes "
                f"after determinize({seat})",
                cure="Write only what `state.scene(seat)` shows.",
            )


def _check_place(watching: Observer, state: State, seat: int) -> None:
    margin = bytes([FILLER] * MARGIN)
    for name, write, size in (
        ("write", watching.write, int(watching.size)),
        ("write_extras", watching.write_extras, watching.extras),
    ):
        room = vec[u8](margin + bytes(size) + margin)
        write(state, seat, room, MARGIN)
        written = bytes(memoryview(room))
        promise(
            written.startswith(margin) and written.endswith(margin),
            f"{name} must write only the bytes from out[at] that it declares",
            cure="Index from `at`, and stop after the declared number of bytes: the others "
            "belong to other games.",
        )


def _check_words(watching: Observer, state: State, seat: int) -> None:
    planes = vec[u8](bytes(int(watching.size)))
    watching.write(state, seat, planes, 0)
    margin = bytes([FILLER] * 8)
    size = int(watching.size) // 8
    filler = int.from_bytes(margin, signed=True)
    words = vec[i64]([filler] * (size + 2))
    watching.write_words(state, seat, words, 1)
    promise(
        bytes(memoryview(words)) == margin + bytes(memoryview(planes)) + margin,
        "write_words must write the bytes of write from out[at], and nothing else",
        cure="Write the same bytes as `write`, and overwrite the previous content.",
    )


def check_symmetries(watching: Observer, start: State, seed: int) -> None:
    """Check that symmetries hold: from a symmetric start a game and its image stay equivalent."""
    for symmetry in watching.symmetries()[1:]:
        if not _differs(watching, symmetry, start, start):
            _play_both(watching, symmetry, start, Rng(seed))


def _play_both(watching: Observer, symmetry: Symmetry, start: State, rng: Rng) -> None:
    one = two = start
    for _ in range(PLIES):
        what = _differs(watching, symmetry, one, two)
        if what:
            broken(
                f"the symmetry {symmetry.name!r} does not hold: {what}",
                cure="Leave it out, or correct its tables; often a mirror changes the playing "
                "order.",
            )
        if one.actor == OVER:
            return
        action = one.sample(rng)
        # Symmetries do not map outcomes of chance, which are not actions.
        image = action if one.actor == CHANCE else symmetry.actions[action]
        one, two = one.apply(action), two.apply(image)


def _differs(watching: Observer, symmetry: Symmetry, one: State, two: State) -> str:
    """Return how `two` differs from the image of `one`, or an empty text."""
    seats = range(one.game.seats)
    result, other = one.result(), two.result()
    if result is not None:
        returns = None if other is None else [other.returns[symmetry.seats[seat]] for seat in seats]
        is_same = returns == list(result.returns)
        return "" if is_same else f"{result} becomes {other} after the images of the same actions"
    actor = one.actor if one.actor < 0 else symmetry.seats[one.actor]
    if actor != two.actor:
        return f"the actor is {two.actor} instead of {actor}"
    legal = list(one.legal_actions())
    if actor >= 0:
        legal = sorted(symmetry.actions[action] for action in legal)
    if list(two.legal_actions()) != legal:
        return f"the legal actions are {list(two.legal_actions())[:9]} instead of {legal[:9]}"
    for seat in seats:
        seen = watching.observe(two, symmetry.seats[seat])
        if seen != image_of(symmetry, *watching.observe(one, seat)):
            return f"the observation of seat {symmetry.seats[seat]} is not the image"
    return ""


def image_of(symmetry: Symmetry, planes: bytes, extras: bytes) -> tuple[bytes, bytes]:
    """Return the image of an observation."""
    area = len(symmetry.cells)
    turned = bytearray(len(planes))
    for plane, to in enumerate(symmetry.planes):
        for cell, goes in enumerate(symmetry.cells):
            turned[to * area + goes] = planes[plane * area + cell]
    further = bytearray(len(extras))
    for extra, to in enumerate(symmetry.extras):
        further[to] = extras[extra]
    return bytes(turned), bytes(further)
