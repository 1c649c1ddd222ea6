"""Whole games, at random and stalling: every state is stepped through, some looked at in full."""

from collections.abc import Callable

from parlour.core.errors import RecordError
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.observer import observer
from parlour.core.record import Record
from parlour.core.registry import game_names
from parlour.core.rng import Rng
from parlour.testing.actions import (
    check_advance,
    check_apply,
    check_chance,
    check_key,
    check_refusals,
    check_result,
    check_rewards,
    check_shape,
    check_untouched,
)
from parlour.testing.cells import check_cells
from parlour.testing.extras import check_extras, check_solution
from parlour.testing.hooks import check_draws, check_hints, check_playout, check_values
from parlour.testing.memory import Memory
from parlour.testing.observations import check_observations, check_symmetries
from parlour.testing.promise import instead_of, promise
from parlour.testing.scenes import check_scenes
from parlour.testing.secrets import check_secrets, check_start
from parlour.testing.texts import check_action_texts, check_copies

Policy = Callable[[State, Rng, set[State]], int]


def at_random(state: State, rng: Rng, seen: set[State]) -> int:
    """Any legal action."""
    return state.sample(rng)


def always_first(state: State, rng: Rng, seen: set[State]) -> int:
    """The first legal action."""
    return state.legal_actions()[0]


def always_last(state: State, rng: Rng, seen: set[State]) -> int:
    """The last legal action."""
    return state.legal_actions()[-1]


def stalling(state: State, rng: Rng, seen: set[State]) -> int:
    """Put off the end; best of all go back to where the game was."""
    if state.actor == CHANCE:
        return state.sample(rng)
    going_on = -1
    for _ in range(8):
        action = state.sample(rng)
        after = state.apply(action)
        if after in seen:
            return action
        if after.actor != OVER:
            going_on = action
    return going_on if going_on >= 0 else state.sample(rng)


POLICIES: tuple[Policy, ...] = (at_random, always_first, always_last, stalling)


class Walk:
    """One game under one policy."""

    def __init__(self, game: Game, seed: int, policy: Policy, memory: Memory) -> None:
        """A game from that seed; what is met goes into the memory."""
        self.game = game
        self.seed = seed
        self.policy = policy
        self.memory = memory
        self.actions: list[int] = []
        self.rng = Rng(seed)
        self.observer = observer(game)

    def run(self, states: int) -> None:
        """Play it, and look at about `states` states in full."""
        game = self.game
        state = start = game.start(self.seed)
        promise(isinstance(start, State), "start returns a State, not {}", start)
        promise(
            start.game == game, "a state belongs to the game that made it, not to {}", start.game
        )
        every = max(1, game.max_plies // states)
        seen: set[State] = set()
        plies = 0
        twin = scratch = state
        hold = self.memory.hold
        while True:
            steps = len(self.actions)
            hold(check_shape, state)
            hold(check_key, state)
            is_due = steps % every == 0 or state.actor in (CHANCE, OVER)
            if is_due and state not in self.memory.inspected:
                self.memory.inspected.add(state)
                self.look(start, state)
            if steps == 0:
                hold(self.look_at_start, start)
                scratch = state.scratch()
            hold(self.memory.meet, state)
            hold(self.compare, state, scratch, twin)
            if steps & (steps - 1) == 0:
                twin = game.state_from_text(game.state_to_text(state))
            if state.actor == OVER:
                break
            plies += state.actor != CHANCE
            promise(
                plies <= game.max_plies,
                f"a game ends within max_plies, {game.max_plies}, stalling play included: raise it",
            )
            seen.add(state)
            action = self.policy(state, self.rng, seen)
            self.actions.append(int(action))
            before = state.key()
            after = state.apply(action)
            hold(check_untouched, state, before, action)
            state, scratch, twin = after, scratch.advance(action), twin.apply(action)
        hold(check_playout, start, 11)
        hold(self.check_record, state)
        result = state.result()
        assert result is not None
        self.memory.finish(plies, result.reason)

    def look_at_start(self, start: State) -> None:
        """The same seed gives the same start."""
        for _ in range(3):
            again = self.game.start(self.seed)
            promise(
                again == start,
                "the same seed gives the same start, not {} and then {}: draw from Rng(seed) only",
                start.key(),
                again.key(),
            )
        self.memory.hold(check_solution, start)
        self.memory.hold(check_start, start)
        if self.policy is at_random:
            self.memory.hold(check_symmetries, self.observer, start, self.seed)

    def look(self, start: State, state: State) -> None:
        """Everything that can be asked of one state; `apply` first, which the rest relies on."""
        hold = self.memory.hold
        hold(check_apply, state)
        before = _facts(state)
        hold(check_result, state)
        hold(check_rewards, state)
        hold(check_chance, state)
        hold(check_values, state)
        hold(check_advance, state)
        hold(check_action_texts, state)
        hold(check_refusals, state, self.rng)
        hold(check_copies, state)
        hold(check_draws, state, self.rng)
        hold(check_hints, state)
        hold(check_scenes, state, self.memory.drawn)
        hold(check_cells, state)
        if hold(check_secrets, start, state):
            self.memory.has_redrawn = True
        hold(check_extras, start, state)
        hold(check_observations, self.observer, state)
        promise(
            _facts(state) == before,
            "no call changes a state, but now it is {} instead of {}",
            _facts(state),
            before,
        )

    def compare(self, state: State, scratch: State, twin: State) -> None:
        """A scratch that was advanced, and a twin made from an earlier text, are where it is."""
        promise(
            scratch == state,
            "a scratch that is advanced from the start is where apply leads, {}, not {}",
            state.key(),
            scratch.key(),
        )
        for what, one, other in (
            ("key", twin.key(), state.key()),
            ("actor", int(twin.actor), int(state.actor)),
            ("legal actions", list(twin.legal_actions()), list(state.legal_actions())),
            ("result", twin.result(), state.result()),
        ):
            promise(
                one == other,
                f"a game goes on from a state's text as from the state: after the same actions the "
                f"{what} is {{}}, not {{}}; the text forgets something",
                other,
                one,
            )

    def check_record(self, final: State) -> None:
        """The actions can be played again, and written and read if the game is registered."""
        record = Record(self.game, self.seed, self.actions)
        promise(record.final == final, "the same record gives the same states")
        if self.game.name not in game_names():
            return
        text = record.to_text()
        again = Record.from_text(text)
        promise(again == record, "a record can be read back from its text")
        promise(again.to_text() == text, "a record's text stays the same to the letter")
        cut = "\n".join(text.splitlines()[:-1])
        promise(not instead_of(RecordError, Record.from_text, cut), "a cut record is noticed")


def _facts(state: State) -> tuple[object, ...]:
    return (
        state.key(),
        state.game.state_to_text(state),
        int(state.actor),
        list(state.legal_actions()),
    )
