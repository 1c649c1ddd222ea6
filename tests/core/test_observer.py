"""What a program sees of a position, in any game."""

import copy
import pickle

import pytest
from boardless import TwentyOne
from climb import Climb
from connect_four import ConnectFour
from dice import Dice
from goofspiel import Goofspiel
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from librt.vecs import vec
from mypy_extensions import u8
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import CHANCE, MARKS, OVER, ContractError, Observer, Rng
from parlour.core.observer import share
from parlour.core.scene_observer import SceneObserver

OURS = [
    "octa",
    "banqi",
    "banqi:rules=olympiad,quiet_limit=30",
    "blokus",
    "blokus:variant=two-player",
    "blokus:variant=three-player",
    "blokus:variant=duo",
    "cat_mouse:ply_cap=30",
]
FROM_OUTSIDE = [
    Nim(),
    Dice(),
    Climb(),
    Tiles(),
    Scouts(),
    Kuhn(),
    Goofspiel(),
    Goofspiel(cards=3, prizes="descending"),
    Hex(size=4),
    Yavalath(side=4),
    TwentyOne(goal=9),
    ConnectFour(rows=4, cols=4),
]
EVERY = [*map(parlour.game, OURS), *FROM_OUTSIDE]

every = pytest.mark.parametrize("game", EVERY, ids=repr)


def positions(game, seed):
    """Every position of a random game, chance's included."""
    rng = Rng(seed)
    state = game.start(seed)
    while state.actor != OVER:
        yield state
        state = state.apply(state.sample(rng))
    yield state


@every
def test_observations_contain_no_secrets(game):
    watching = parlour.observer(game)
    redrawn = 0
    for seed in range(1, 4):
        for state in positions(game, seed):
            for seat in range(game.seats):
                drawn = state.determinize(seat, Rng(seed + 7))
                redrawn += drawn != state
                assert watching.observe(drawn, seat) == watching.observe(state, seat)
    assert (redrawn > 0) == game.has_secrets


@every
def test_an_observer_writes_only_its_own_bytes(game):
    watching = parlour.observer(game)
    size, extras = int(watching.size), watching.extras
    assert size == len(watching.planes) * watching.shape[1] * watching.shape[2]
    assert len(watching.extra_names) == extras
    for state in positions(game, 2):
        seat = game.seats - 1
        planes, further = watching.observe(state, seat)
        for write, wanted in ((watching.write, planes), (watching.write_extras, further)):
            room = vec[u8](bytes([9] * 3 + [0] * len(wanted) + [9] * 3))
            write(state, seat, room, 3)
            assert bytes(memoryview(room)) == b"\t\t\t" + wanted + b"\t\t\t"


@every
def test_names_of_planes_and_extras_are_unique(game):
    watching = parlour.observer(game)
    assert len(set(watching.planes)) == len(watching.planes)
    assert len(set(watching.extra_names)) == watching.extras


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_the_observation_changes_with_every_decision(game):
    watching = parlour.observer(game)
    for seed in range(2):
        before = None
        for state in positions(game, seed):
            if state.actor == CHANCE:
                continue
            seen = [watching.observe(state, seat) for seat in range(game.seats)]
            assert seen != before
            before = seen


@every
def test_a_copied_observer_gives_the_same_observation(game):
    watching = parlour.observer(game)
    state = game.start(3)
    for again in (copy.deepcopy(watching), pickle.loads(pickle.dumps(watching))):
        assert type(again) is type(watching)
        assert again.observe(state, 0) == watching.observe(state, 0)


@pytest.mark.parametrize("text", OURS)
def test_actions_have_different_places_in_the_action_grid(text):
    watching = parlour.observer(text)
    grid = watching.action_grid()
    if text.startswith("cat_mouse"):
        assert grid is None
        return
    assert (grid.shape, grid.format) == ((watching.game.num_actions, 3), "q")
    places = {tuple(place) for place in grid.tolist()}
    assert len(places) == watching.game.num_actions
    assert {row for _, row, _ in places} == set(range(watching.shape[1]))
    assert {col for _, _, col in places} == set(range(watching.shape[2]))


def test_a_share_is_0_only_for_none_and_255_only_for_all():
    assert [share(part, 500) for part in (0, 1, 2, 250, 499, 500)] == [0, 1, 2, 128, 255, 255]
    assert [share(part, 60) for part in (-3, 0, 1, 60)] == [0, 0, 5, 255]
    assert len({share(part, 255) for part in range(256)}) == 256


# Made from scenes.


def planes_of(watching, state, seat):
    """By name, the cells where a plane is not 0, with their values."""
    planes, _ = watching.observe(state, seat)
    area = watching.shape[1] * watching.shape[2]
    rows = [planes[k * area : (k + 1) * area] for k in range(len(watching.planes))]
    return {
        name: {cell: value for cell, value in enumerate(row) if value}
        for name, row in zip(watching.planes, rows, strict=True)
    }


def extras_of(watching, state, seat):
    return dict(zip(watching.extra_names, watching.observe(state, seat)[1], strict=True))


def test_scene_observations_have_owners_colours_and_faces_own_first():
    game = Hex(size=2)
    state = game.start().play("a1").play("b1")
    watching = parlour.observer(game)
    assert isinstance(watching, SceneObserver)
    for seat in (0, 1):
        planes = planes_of(watching, state, seat)
        assert planes["own"] == {seat: 1}
        assert planes["seat 1 further"] == {1 - seat: 1}
        assert planes["colour red"] == planes["face red-stone"] == {0: 1}
        assert planes["colour blue"] == planes["face blue-stone"] == {1: 1}
        assert planes["colour green"] == {}
        assert extras_of(watching, state, seat)["to act"] == (seat == 0)


def test_scene_observations_have_published_marks_and_a_plane_for_others():
    game = Goofspiel(cards=3, prizes="descending")
    state = game.start().play("2")
    planes = planes_of(parlour.observer(game), state, 0)
    assert planes["mark goal"] == {2: 1}
    assert planes["mark x-"] == {4: 1}
    assert planes_of(parlour.observer(game), state, 1)["mark x-"] == {}
    assert {f"mark {mark}" for mark in MARKS} < set(planes)


def test_scene_observations_have_numbers_and_text_hashes():
    game = Climb()
    first, second = game.start(1).play(3), game.start(1).play(2)
    planes = [planes_of(parlour.observer(game), state, 0) for state in (first, second)]
    heights = [
        {cell: height for cell, height in enumerate(state.heights) if height}
        for state in (first, second)
    ]
    assert [each["number"] for each in planes] == heights
    assert planes[0]["text"] != planes[1]["text"]
    assert set(planes[0]["text"]) == {0, 1, 2, 3}


def test_scene_observations_have_the_trays():
    game = TwentyOne()
    watching = parlour.observer(game)
    said = game.start().play("two").play("one").play("two")
    own, other = "tray of own", "tray of seat 1 further"
    extras = extras_of(watching, said, 0)
    assert (extras[f"{own}: size"], extras[f"{other}: size"]) == (2, 1)
    buckets = sorted(extras[f"{own}: bucket {k}"] for k in range(16))
    assert buckets == [0] * 15 + [2]
    swapped = extras_of(watching, said, 1)
    assert (swapped[f"{own}: size"], swapped[f"{other}: size"]) == (1, 2)
    assert (extras["to act"], swapped["to act"]) == (0, 1)


def test_scene_observations_have_the_numbers_of_the_status_and_the_scores():
    watching = parlour.observer(Kuhn())
    bet = Kuhn().start().play("=K").play("=J").play("bet")
    for seat in (0, 1):
        extras = extras_of(watching, bet, seat)
        scores = [extras[f"score of {who}: number 1"] for who in ("own", "seat 1 further")]
        assert scores == ([2, 1] if seat == 0 else [1, 2])
    watching = parlour.observer(Goofspiel())
    one, two = (Goofspiel().start().play(prize) for prize in ("=3", "=5"))
    numbers = [extras_of(watching, state, 0)["status: number 2"] for state in (one, two)]
    assert numbers == [3, 5]
    texts = {extras_of(watching, state, 0)["status: text"] for state in (one, two)}
    assert len(texts) == 2


def test_scene_observations_are_the_same_however_many_different_cells_were_seen():
    class Many(Climb):
        def scene(self, state, seat):
            drawn = super().scene(state, seat)
            cells = tuple(
                cell._replace(label=f"{at} {state.key()}") for at, cell in enumerate(drawn.cells)
            )
            return drawn._replace(cells=cells)

    game = Many()
    states = [state for seed in range(400) for state in positions(game, seed)]
    used = parlour.observer(game)
    for state in states:
        used.observe(state, 0)
    for state in states[:50]:
        assert used.observe(state, 0) == parlour.observer(game).observe(state, 0)


# Written by an author.


class HeapObserver(Observer):
    def __init__(self, game):
        super().__init__(game, (), ("heap",))

    def write(self, state, seat, out, at):
        pass

    def write_extras(self, state, seat, out, at):
        out[at] = u8(state.heap)


class OwnNim(Nim):
    def observer(self):
        return HeapObserver(self)


def test_a_game_may_define_its_observer():
    game = OwnNim(heap=5)
    watching = parlour.observer(game)
    assert watching.observe(game.start(), 1) == (b"", b"\x05")
    assert [symmetry.name for symmetry in watching.symmetries()] == ["as it is"]
    batch = parlour.Batch(game, 2)
    batch.step([0, 2])
    assert batch.extras.tolist() == [[4], [2]]


class NoObserver(Nim):
    def observer(self):
        return None


class Unwritten(Nim):
    def observer(self):
        return Observer(self, ("one",), ("two",))


def test_a_missing_observer_method_is_a_contract_error():
    with pytest.raises(ContractError, match=r"must return a parlour\.Observer, not None"):
        parlour.observer(NoObserver())
    watching = parlour.observer(Unwritten())
    state = Nim().start()
    for method in ("write", "write_extras"):
        with pytest.raises(ContractError, match=rf"Observer does not define {method}\(\)"):
            getattr(watching, method)(state, 0, vec[u8](), 0)


def test_in_words_needs_whole_words_and_write_words():
    game = Nim()
    for rows in (0, 3):
        with pytest.raises(
            ContractError, match="in_words needs planes whose bytes are a multiple of 8, not"
        ):
            Observer(game, ("one",), (), rows, 4, in_words=True)
    with pytest.raises(ContractError, match=r"does not define write_words\(\)"):
        Observer(game, ("one",), (), 2, 4, in_words=True).observe(game.start(), 0)


def test_observer_accepts_names_and_refuses_unknown_ones():
    assert parlour.observer("octa:size=2").shape == (11, 5, 5)
    with pytest.raises(parlour.UnknownGame, match="there is no game 'ocat'"):
        parlour.observer("ocat")
