"""Many games side by side: every view equals what single states say, at every ply."""

import copy
import pickle
from array import array
from functools import cache

import pytest
from boardless import TwentyOne
from climb import Climb
from connect_four import ConnectFour
from dice import Dice, DiceState
from goofspiel import Goofspiel
from hex import Hex
from hex_holes import Yavalath
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import CHANCE, OVER, Batch, ContractError, IllegalAction, RecordError, Rng
from parlour.core.batch import WAIT
from parlour.core.start_pool import draw_seed

OURS = [
    "octa",
    "octa:size=1",
    "octa:size=2,stop_on_enemy=true,turn_limit=9",
    "banqi",
    "banqi:rules=taiwan,quiet_limit=8",
    "banqi:rules=olympiad,quiet_limit=30",
    "blokus",
    "blokus:variant=two-player",
    "blokus:variant=three-player",
    "blokus:variant=duo",
    "cat_mouse:ply_cap=20",
    "cat_mouse:density=0.3,ply_cap=40",
]
FROM_OUTSIDE = [
    Nim(),
    Dice(),
    Climb(),
    Tiles(),
    Scouts(),
    Kuhn(),
    Goofspiel(cards=3),
    Hex(size=4),
    Yavalath(side=4),
    TwentyOne(goal=7),
    ConnectFour(rows=4, cols=4),
]
EVERY = [*map(parlour.game, OURS), *FROM_OUTSIDE]
NO_POOL = 0


@cache
def start_of(game, seed):
    """Made once: where a start is dear, many games begin with it."""
    return game.start(seed)


class Single:
    """One game of a batch, replayed with the public verbs of its states only."""

    def __init__(self, game, seed, limit, pool):
        self.game = game
        self.rng = Rng(seed)
        self.limit = limit
        self.pool = pool
        self.observer = parlour.observer(game)
        self.begin()

    def begin(self):
        pool = self.pool
        self.seed = pool[self.rng.below(len(pool))] if pool else draw_seed(self.rng)
        self.state = self.dealt(start_of(self.game, self.seed))
        self.plies = 0

    def dealt(self, state):
        while state.actor == CHANCE:
            state = state.play(state.sample(self.rng))
        return state

    def step(self, action):
        self.acted = self.state.actor
        after = self.dealt(self.state.play(action))
        self.plies += 1
        self.done, self.returns, self.last, self.last_actor = 0, None, None, OVER
        if after.actor == OVER:
            self.done, self.returns = 1, after.result().returns
        elif self.plies == self.limit:
            self.done, self.last_actor = 2, after.actor
        self.state = after
        if self.done:
            seats = range(self.game.seats)
            self.last = [self.observer.observe(after, seat) for seat in seats]
            self.begin()


def singles_of(game, count, seed, limit=None, starts=0):
    """The games that a batch of that seed plays."""
    master = Rng(seed)
    draw_seed(master)
    drawn = Rng(draw_seed(master))
    pool = [draw_seed(drawn) for _ in range(starts)]
    return [Single(game, draw_seed(master), limit, pool) for _ in range(count)]


def check_positions(batch, singles):
    legal_starts, legal_ids = batch.legal_starts.tolist(), batch.legal_ids.tolist()
    size = batch.observer.size
    obs, extras, mask = bytes(batch.obs), bytes(batch.extras), bytes(batch.mask)
    for i, single in enumerate(singles):
        state = single.state
        assert batch.actor[i] == state.actor
        assert batch.plies[i] == single.plies
        assert batch.start_seeds[i] == single.seed
        assert batch.state(i) == state
        legal = list(state.legal_actions())
        assert legal_ids[legal_starts[i] : legal_starts[i + 1]] == legal
        wide = batch.game.num_actions
        row = bytearray(wide)
        for action in legal:
            row[action] = 1
        assert mask[i * wide : (i + 1) * wide] == row
        planes, further = single.observer.observe(state, state.actor)
        assert obs[i * size : (i + 1) * size] == planes
        assert extras[i * len(further) : (i + 1) * len(further)] == further


def check_ends(batch, singles):
    seats = batch.game.seats
    size, extras = batch.observer.size, batch.observer.extras
    last, further = bytes(batch.final_obs), bytes(batch.final_extras)
    for i, single in enumerate(singles):
        assert batch.acted[i] == single.acted
        assert batch.done[i] == single.done
        assert tuple(batch.returns.tolist()[i]) == (single.returns or (0.0,) * seats)
        assert batch.final_actor[i] == single.last_actor
        seen = single.last or [(bytes(size), bytes(extras))] * seats
        rows = range(i * seats, (i + 1) * seats)
        assert [last[row * size : (row + 1) * size] for row in rows] == [a for a, _ in seen]
        assert [further[row * extras : (row + 1) * extras] for row in rows] == [b for _, b in seen]


@pytest.mark.parametrize("game", EVERY, ids=repr)
@pytest.mark.parametrize("limit", [None, 7])
def test_every_view_equals_replayed_single_states(game, limit):
    count = 3
    # A pool where a start is dear.
    starts = 2 if game.name == "cat_mouse" else NO_POOL
    batch = Batch(game, count, 5, legal=True, final=True, max_plies=limit, starts=starts or None)
    singles = singles_of(game, count, 5, limit, starts)
    check_positions(batch, singles)
    ended = 0
    steps = 0
    # Long enough to see every game end and restart.
    while ended < 2 * count or steps % 4:
        actions = batch.sample()
        batch.step(actions)
        steps += 1
        for single, action in zip(singles, actions, strict=True):
            single.step(action)
            ended += single.done > 0
        check_positions(batch, singles)
        check_ends(batch, singles)
        assert steps < 4 * game.max_plies


@pytest.mark.parametrize("text", ["banqi", "octa", "blokus:variant=duo", "cat_mouse:ply_cap=9"])
def test_the_chosen_views_do_not_change_the_games(text):
    batches = [
        Batch(text, 4, 3, starts=4),
        Batch(text, 4, 3, starts=4, mask=False, legal=True),
        Batch(text, 4, 3, starts=4, mask=False, observe=False),
    ]
    for _ in range(60):
        drawn = [bytes(batch.sample()) for batch in batches]
        assert drawn[0] == drawn[1] == drawn[2]
        for batch in batches:
            batch.step(memoryview(drawn[0]).cast("q"))
        for view in ("actor", "done", "returns", "plies", "start_seeds"):
            one, *others = (bytes(getattr(batch, view)) for batch in batches)
            assert others == [one, one]


def test_a_game_does_not_depend_on_the_size_of_the_batch():
    few, many = Batch("banqi", 2, 9), Batch("banqi", 5, 9)
    for _ in range(40):
        actions = many.sample()
        many.step(actions)
        few.step(actions[:2])
        assert [few.state(i) for i in range(2)] == [many.state(i) for i in range(2)]


def test_the_seed_determines_the_games():
    seeds = [bytes(Batch("octa", 4, seed).start_seeds) for seed in (1, 2, 1)]
    assert seeds[0] == seeds[2] != seeds[1]
    assert len(set(Batch("octa", 4, 1).start_seeds)) == 4


def test_sampling_actions_does_not_change_the_games():
    one, two = Batch("banqi", 2, 1), Batch("banqi", 2, 1)
    for _ in range(30):
        two.sample()
        actions = [one.state(i).legal_actions()[0] for i in range(2)]
        one.step(actions)
        two.step(actions)
        assert bytes(one.obs) == bytes(two.obs)


def test_sample_draws_every_legal_action_about_as_often():
    batch = Batch(Nim(heap=9), 1, 0)
    drawn = [batch.sample()[0] for _ in range(3000)]
    assert set(drawn) == {0, 1, 2}
    assert all(abs(drawn.count(action) - 1000) < 120 for action in range(3))


def test_reset_restarts_the_batch_with_a_seed_and_continues_its_stream_without():
    batch = Batch("octa", 3, 4, legal=True)
    for _ in range(5):
        batch.step(batch.sample())
    batch.reset(4)
    fresh = Batch("octa", 3, 4, legal=True)
    check_positions(batch, singles_of(batch.game, 3, 4))
    assert bytes(batch.sample()) == bytes(fresh.sample())
    batch.reset()
    assert set(batch.start_seeds).isdisjoint(fresh.start_seeds)
    assert batch.plies.tolist() == [0, 0, 0]
    assert batch.acted.tolist() == [WAIT] * 3


def test_views_are_live_read_only_and_of_the_right_shape():
    batch = Batch("banqi", 3, 1, legal=True, final=True)
    views = {
        "obs": ((3, 15, 4, 8), "B"),
        "extras": ((3, 18), "B"),
        "mask": ((3, 1056), "B"),
        "actor": ((3,), "q"),
        "acted": ((3,), "q"),
        "plies": ((3,), "q"),
        "start_seeds": ((3,), "q"),
        "done": ((3,), "B"),
        "returns": ((3, 2), "d"),
        "legal_starts": ((4,), "q"),
        "final_obs": ((3, 2, 15, 4, 8), "B"),
        "final_extras": ((3, 2, 18), "B"),
        "final_actor": ((3,), "q"),
    }
    held = {name: getattr(batch, name) for name in views}
    assert {name: (view.shape, view.format) for name, view in held.items()} == views
    assert all(view.readonly for view in held.values())
    for _ in range(400):
        batch.step(batch.sample())
        for name, view in held.items():
            assert bytes(view) == bytes(getattr(batch, name))


def test_numpy_reads_views_without_a_copy():
    import numpy as np

    batch = Batch("octa", 2, 1, legal=True)
    obs, mask = np.asarray(batch.obs), np.asarray(batch.mask)
    assert (obs.shape, obs.dtype) == ((2, 11, 9, 9), np.uint8)
    assert np.asarray(batch.returns).dtype == np.float64
    before = mask.copy()
    batch.step(np.array([int(row.nonzero()[0][0]) for row in mask]))
    assert (mask != before).any()
    assert mask.sum() == len(batch.legal_ids)
    with pytest.raises(ValueError, match="read-only"):
        obs[0, 0, 0, 0] = 1


def test_a_view_that_is_not_kept_says_how_to_keep_it():
    batch = Batch("octa", 1, observe=False, mask=False)
    for view, option in [
        ("obs", "observe"),
        ("extras", "observe"),
        ("mask", "mask"),
        ("legal_ids", "legal"),
        ("legal_starts", "legal"),
        ("final_obs", "final"),
        ("final_extras", "final"),
    ]:
        with pytest.raises(ValueError, match=f"{view} is not kept: make the batch with {option}="):
            getattr(batch, view)


def test_a_game_without_a_board_has_no_planes():
    batch = Batch(TwentyOne(), 2)
    assert batch.observer.shape == (0, 0, 0)
    assert batch.obs.nbytes == 0
    assert batch.extras.shape == (2, batch.observer.extras)


# Actions come in.


@pytest.mark.parametrize("kept", [{}, {"mask": False, "legal": True}, {"mask": False}], ids=str)
def test_an_illegal_action_names_the_game_and_the_rule_and_changes_nothing(kept):
    batch = Batch("octa", 3, 1, **kept)
    before = batch.save()
    first = [batch.state(i).legal_actions()[0] for i in range(3)]
    with pytest.raises(IllegalAction, match="game 2: that cell is neutral; choose one of your own"):
        batch.step([*first[:2], 0])
    assert batch.save() == before
    batch.step(first)


@pytest.mark.parametrize("action", [81, -2, 2**63 - 1, -(2**63), 2**63, -(2**70)])
def test_an_id_out_of_range_names_the_game_and_the_range(action):
    batch = Batch("octa", 2, 1)
    first = batch.sample()[0]
    before = batch.save()
    message = "game 1: an action must (be an id from 0 to 80, or -1 to wait|fit in 64 bits)"
    with pytest.raises(IllegalAction, match=f"{message}.* {action}"):
        batch.step([first, action])
    assert batch.save() == before


@pytest.mark.parametrize("actions", [[1], [1, 2, 3], [], array("q", [1, 2, 3])])
def test_another_number_of_actions_is_a_value_error(actions):
    with pytest.raises(ValueError, match=r"actions must have the shape \(2,\), one per game"):
        Batch("octa", 2).step(actions)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (array("i", [1, 2]), "actions must be int64 .* not format 'i' with 4 bytes"),
        (array("d", [1, 2]), "actions must be int64 .* not format 'd'"),
        (array("Q", [1, 2]), "actions must be int64 .* not format 'Q'"),
        (b"12", "actions must be int64 .* not format 'B'"),
        (None, "actions must be a buffer of int64 or a list of ints, not NoneType"),
        (7, "a buffer of int64 or a list of ints, not int"),
        ([1, 1.0], "game 1: an action must be an int, not float: 1.0"),
        ([True, 1], "game 0: an action must be an int, not bool"),
        (["a", 1], "game 0: an action must be an int, not str"),
    ],
    ids=repr,
)
def test_another_type_is_a_type_error_that_says_what_is_right(actions, message):
    batch = Batch("octa", 2)
    before = batch.save()
    with pytest.raises(TypeError, match=message):
        batch.step(actions)
    assert batch.save() == before


def test_any_buffer_of_int64_is_accepted_even_a_strided_one():
    import numpy as np

    batches = [Batch("octa", 2, 1) for _ in range(4)]
    actions = batches[0].sample().tolist()
    gaps = np.array([actions[0], 99, actions[1], 99], dtype=np.int64)[::2]
    for batch, given in zip(
        batches, (actions, tuple(actions), array("q", actions), gaps), strict=True
    ):
        batch.step(given)
    assert len({batch.save() for batch in batches[1:]}) == 1


@pytest.mark.parametrize("kept", [{}, {"legal": True}, {"mask": False, "legal": True}], ids=str)
def test_a_waiting_game_stays_unchanged(kept):
    batch = Batch("banqi", 3, 2, **kept)
    for number in range(120):
        actions = batch.sample().tolist()
        waits = number % 3
        actions[waits] = WAIT
        before, plies = batch.state(waits), batch.plies[waits]
        seen = bytes(batch.obs)
        batch.step(actions)
        assert batch.state(waits) == before
        assert (batch.plies[waits], batch.acted[waits], batch.done[waits]) == (plies, WAIT, 0)
        size = batch.observer.size
        assert bytes(batch.obs)[waits * size :][:size] == seen[waits * size :][:size]
        if batch._lists:
            starts = batch.legal_starts
            listed = [
                batch.legal_ids[starts[i] : starts[i + 1]].tolist() for i in range(batch.count)
            ]
            assert listed == [list(batch.state(i).legal_actions()) for i in range(batch.count)]
        if batch._masks:
            assert sum(bytes(batch.mask)) == sum(
                len(batch.state(i).legal_actions()) for i in range(batch.count)
            )


@pytest.mark.parametrize("kept", [{}, {"mask": False}], ids=str)
def test_an_illegal_action_can_be_a_forfeit(kept):
    batch = Batch("octa", 2, 1, illegal="lose", final=True, **kept)
    before = batch.state(1)
    batch.step([batch.sample()[0], 0])
    assert batch.done.tolist() == [0, 1]
    assert batch.returns.tolist() == [[0.0, 0.0], [-1.0, 1.0]]
    assert batch.final_actor.tolist() == [OVER, OVER]
    size = batch.observer.size
    planes, _ = batch.observer.observe(before, 0)
    assert bytes(batch.final_obs)[2 * size : 3 * size] == planes
    assert batch.plies.tolist() == [1, 0]
    with pytest.raises(IllegalAction, match="game 0: an action must be an id from 0 to 80"):
        batch.step([81, 0])


def test_a_forfeit_of_one_of_four_seats_is_shared_by_the_others():
    batch = Batch("blokus", 1, 1, illegal="lose")
    batch.step([30432])
    assert batch.returns.tolist() == [[-1.0, 1 / 3, 1 / 3, 1 / 3]]


def test_a_forfeit_in_a_solo_game_is_a_loss():
    batch = Batch(parlour.game("cat_mouse"), 1, 1, illegal="lose")
    wrong = min(set(range(4)) - set(batch.state(0).legal_actions()), default=None)
    while wrong is None:
        batch.step(batch.sample())
        wrong = min(set(range(4)) - set(batch.state(0).legal_actions()), default=None)
    batch.step([wrong])
    assert (batch.returns.tolist(), batch.done.tolist()) == ([[-1.0]], [1])


# Starts.


def test_a_pool_of_starts_is_made_once_and_drawn_from():
    made = []

    class Counted(Climb):
        def start(self, seed=0):
            made.append(seed)
            return super().start(seed)

    batch = Batch(Counted(), 8, 1, starts=3)
    seeds = set()
    for _ in range(64):
        batch.step(batch.sample())
        seeds |= set(batch.start_seeds)
    assert len(seeds) == 3
    assert sorted(made) == sorted(seeds)


def test_without_a_pool_every_start_is_new():
    batch = Batch(Climb(), 4, 1)
    seeds = list(batch.start_seeds)
    for _ in range(32):
        batch.step(batch.sample())
        seeds += [seed for seed, done in zip(batch.start_seeds, batch.done, strict=True) if done]
    assert len(seeds) == len(set(seeds)) == 20


class OverState(DiceState):
    actor = OVER

    def scratch(self):
        return self


class OverAtOnce(Dice):
    """A broken game without decisions."""

    def start(self, seed=0):
        return OverState(self, (0, 0), 0, False)


def test_a_game_without_decisions_is_a_contract_error():
    with pytest.raises(
        ContractError, match="dice: the last 1000 starts were over before a decision"
    ):
        Batch(OverAtOnce(), 1)


class FailingState(DiceState):
    def apply(self, action):
        if self.game.fails:
            raise RuntimeError("the die is gone")
        after = super().apply(action)
        return FailingState(after.game, after.steps, after.turns, after.rolled)


class Failing(Dice):
    fails = False

    def start(self, seed=0):
        return FailingState(self, (0, 0), 0, False)


def test_a_step_that_fails_halfway_blocks_the_batch_until_a_reset():
    game = Failing()
    batch = Batch(game, 3, 1, legal=True)
    batch.step(batch.sample())
    game.fails = True
    actions = batch.sample()
    with pytest.raises(RuntimeError, match="the die is gone"):
        batch.step(actions)
    for call in (batch.sample, batch.save, lambda: batch.step(actions), lambda: batch.state(0)):
        with pytest.raises(ContractError, match="failed halfway: call reset"):
            call()
    game.fails = False
    batch.reset(1)
    singles = singles_of(game, 3, 1)
    check_positions(batch, singles)


# Kept and restored.


@pytest.mark.parametrize("game", EVERY, ids=repr)
def test_a_restored_batch_continues_identically(game):
    batch = Batch(game, 3, 8, legal=True, final=True, max_plies=9, starts=2)
    for _ in range(min(9, game.max_plies)):
        batch.step(batch.sample())
    again = Batch.restore(batch.save(), game)
    views = "obs extras mask legal_ids legal_starts actor acted plies start_seeds done returns"
    views += " final_obs final_extras final_actor"
    for _ in range(25):
        for view in views.split():
            assert bytes(getattr(again, view)) == bytes(getattr(batch, view)), view
        assert again.save() == batch.save()
        actions = batch.sample()
        assert bytes(again.sample()) == bytes(actions)
        batch.step(actions)
        again.step(actions)


def test_a_batch_can_be_copied_and_pickled():
    batch = Batch("banqi", 2, 8, mask=False)
    for _ in range(30):
        batch.step(batch.sample())
    assert copy.deepcopy(batch).save() == batch.save()
    assert pickle.loads(pickle.dumps(batch)).save() == batch.save()


def test_a_registered_game_is_found_by_its_name():
    batch = Batch("octa:size=2", 2, 8)
    assert Batch.restore(batch.save()).game == batch.game


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "a saved batch starts with 'parlour batch 1 '"),
        (lambda data: data[:-1], "its checksum is wrong"),
        (lambda data: data.replace(b"octa", b"Octa"), "its checksum is wrong"),
        (lambda data: with_checksum(b"[]"), "this is not a saved batch: TypeError"),
        (lambda data: with_checksum(b"{}"), "this is not a saved batch"),
        (lambda data: with_checksum(b"{"), "this is not a saved batch"),
        (lambda data: changed(data, b'"count":2', b'"count":3'), "the data are not of 3 games"),
        (lambda data: changed(data, b'"states":["', b'"states":["x'), "line 1 must read like"),
    ],
)
def test_damaged_data_are_refused(damage, message):
    data = Batch("octa", 2, 8).save()
    with pytest.raises(parlour.ParlourError, match=message) as caught:
        Batch.restore(damage(data))
    assert isinstance(caught.value, RecordError)


def with_checksum(body):
    from zlib import crc32

    return b"parlour batch 1 %08x\n" % crc32(body) + body


def changed(data, old, new):
    body = data.partition(b"\n")[2]
    assert old in body
    return with_checksum(body.replace(old, new))


def test_another_game_than_the_saved_one_is_refused():
    data = Batch("octa", 1).save()
    with pytest.raises(RecordError, match=r"the saved batch is of octa with .* not of"):
        Batch.restore(data, parlour.game("octa", size=2))


# The doors.


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"count": 0}, ValueError, "count must be at least 1"),
        ({"count": "4"}, TypeError, "count must be an int"),
        ({"seed": 1.5}, TypeError, "a seed is an int"),
        ({"starts": 0}, ValueError, "starts must be at least 1"),
        ({"max_plies": 0}, ValueError, "max_plies must be at least 1"),
        ({"illegal": "ignore"}, ValueError, "illegal must be 'raise' or 'lose', not 'ignore'"),
        ({"game": "chess"}, parlour.UnknownGame, "there is no game 'chess'"),
    ],
)
def test_wrong_arguments_of_a_batch_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Batch(**{"game": "octa", "count": 1, **arguments})


def test_a_state_of_the_batch_is_a_copy():
    batch = Batch("octa", 2, 1)
    state = batch.state(1)
    before = state.key()
    batch.step(batch.sample())
    assert state.key() == before
    for index, error in [(2, IndexError), (-1, IndexError), ("0", TypeError), (None, TypeError)]:
        with pytest.raises(error):
            batch.state(index)


@pytest.mark.parametrize("name", ["octa:size=1", "banqi"])
def test_a_part_of_a_batch_has_the_same_games_as_the_whole(name):
    whole = parlour.Batch(name, 5, 3, starts=4)
    part = parlour.Batch(name, 2, 3, starts=4, first=3)
    for _ in range(30):
        actions = whole.sample().tolist()
        whole.step(actions)
        part.step(actions[3:])
        assert bytes(part.obs) == bytes(whole.obs)[-len(bytes(part.obs)) :]
        assert part.start_seeds.tolist() == whole.start_seeds.tolist()[3:]
    again = parlour.Batch.restore(part.save())
    part.reset()
    again.reset()
    assert part.first == again.first == 3
    assert bytes(part.obs) == bytes(again.obs)
