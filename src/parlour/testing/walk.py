"""Play whole games, at random and stalling, and check their states, some of them in full."""

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
from parlour.testing.beliefs import check_beliefs
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
    """Return any legal action."""
    return state.sample(rng)


def always_first(state: State, rng: Rng, seen: set[State]) -> int:
    """Return the first legal action."""
    return state.legal_actions()[0]


def always_last(state: State, rng: Rng, seen: set[State]) -> int:
    """Return the last legal action."""
    return state.legal_actions()[-1]


def stalling(state: State, rng: Rng, seen: set[State]) -> int:
    """Delay the end, preferably by repeating a position."""
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
        """Prepare a game from that seed, which reports to `memory`."""
        self.game = game
        self.seed = seed
        self.policy = policy
        self.memory = memory
        self.actions: list[int] = []
        self.rng = Rng(seed)
        self.observer = observer(game)

    def begin(self) -> State:
        """Return the start, checked."""
        game = self.game
        start: State = game.start(self.seed)
        promise(
            isinstance(start, State),
            "start() must return a State, not {}",
            start,
            cure="Return an instance of your subclass of `parlour.State`.",
        )
        promise(
            hasattr(start, "game"),
            "{} did not call super().__init__, so a state has no game",
            type(start).__name__,
            cure="Begin `__init__` of the state with `super().__init__(game)`.",
        )
        promise(
            start.game == game,
            "a state must belong to the game that made it, not to {}",
            start.game,
            cure="Pass the game itself to `State.__init__`, not a copy with other options.",
        )
        return start

    def run(self, states: int) -> None:
        """Play the game, and check about `states` states in full."""
        game = self.game
        state = start = self.begin()
        looks = 0
        seen: set[State] = set()
        plies = 0
        twin = scratch = before = state
        hold = self.memory.hold
        while True:
            steps = len(self.actions)
            hold(check_shape, state)
            hold(check_key, state)
            # At first every state, then every second, every fourth and so on.
            every = 1 << looks // max(1, states // 2)
            is_due = steps % every == 0 or state.actor in (CHANCE, OVER)
            if is_due and state not in self.memory.inspected:
                looks += 1
                self.memory.inspected.add(state)
                self.look(start, state)
                if steps and game.has_secrets:
                    hold(check_beliefs, before, self.actions[-1], state)
            if steps == 0:
                hold(self.look_at_start, start)
                scratch = state.scratch()
            hold(self.memory.check_identity, state)
            hold(self.compare, state, scratch, twin)
            if steps & (steps - 1) == 0:
                twin = game.state_from_text(game.state_to_text(state))
            if state.actor == OVER:
                break
            plies += state.actor != CHANCE
            promise(
                plies <= game.max_plies,
                f"a game did not end within max_plies, {game.max_plies}",
                cure="Raise it, or add a rule that ends stalling play, such as a count of quiet "
                "turns or a third repetition.",
            )
            seen.add(state)
            self.memory.acted.add(int(state.actor))
            action = self.policy(state, self.rng, seen)
            before = state
            state = self.play(before, action)
            scratch, twin = scratch.advance(action), twin.apply(action)
        hold(check_playout, start, 11)
        hold(self.check_record, state)
        self.memory.finish(plies, state)

    def play(self, state: State, action: int) -> State:
        """Return the state after an action, which leaves the one before as it was."""
        self.actions.append(int(action))
        key = state.key()
        after = state.apply(action)
        self.memory.hold(check_untouched, state, key, action)
        return after

    def replay(self, actions: list[int]) -> None:
        """Play these actions as far as they are legal, and check the last state in full."""
        state = start = before = self.begin()
        for action in actions:
            check_shape(state)
            check_key(state)
            self.memory.check_identity(state)
            if action in state.legal_actions():
                before, state = state, self.play(state, action)
        check_shape(state)
        check_key(state)
        if not self.actions:
            self.look_at_start(start)
        self.memory.check_identity(state)
        self.look(start, state)
        if self.actions and self.game.has_secrets:
            check_beliefs(before, self.actions[-1], state)
        twin = self.game.state_from_text(self.game.state_to_text(start))
        scratch = start.scratch()
        for action in self.actions:
            twin, scratch = twin.apply(action), scratch.advance(action)
        self.compare(state, scratch, twin)

    def look_at_start(self, start: State) -> None:
        """Check that the same seed gives the same start."""
        for _ in range(3):
            again = self.game.start(self.seed)
            promise(
                again == start,
                "the same seed must give the same start, not {} and then {}",
                start.key(),
                again.key(),
                cure="Draw from `Rng(seed)` only: no `random`, no clock, no order of a set.",
            )
        self.memory.hold(check_solution, start)
        self.memory.hold(check_start, start)
        if self.policy is at_random:
            self.memory.hold(check_symmetries, self.observer, start, self.seed)

    def look(self, start: State, state: State) -> None:
        """Check everything about one state; `apply` first, because the rest relies on it."""
        hold = self.memory.hold
        hold(check_apply, state)
        before = _facts(state)
        hold(check_result, state)
        hold(check_rewards, state)
        hold(check_chance, state)
        self.memory.note_values(state, hold(check_values, state))
        hold(check_advance, state)
        hold(check_action_texts, state)
        hold(check_refusals, state, self.rng)
        hold(check_copies, state)
        hold(check_draws, state, self.rng)
        hold(check_hints, state)
        hold(check_scenes, state, self.memory.drawn, self.memory.owners)
        hold(check_cells, state)
        if hold(check_secrets, start, state):
            self.memory.has_redrawn = True
        hold(check_extras, start, state)
        hold(check_observations, self.observer, state)
        self.memory.note_observations(self.observer, state)
        promise(
            _facts(state) == before,
            "a call changed the state: it is {} instead of {}",
            _facts(state),
            before,
            cure="Find the method that writes into the state; often it is a cache that is "
            "part of the key.",
        )

    def compare(self, state: State, scratch: State, twin: State) -> None:
        """Check that a scratch and a twin from an earlier text reach the same state."""
        promise(
            scratch == state,
            "advance() from a scratch of the start must lead where apply() leads, to {}, not {}",
            state.key(),
            scratch.key(),
            cure="Let `advance` change everything that `apply` changes.",
        )
        for what, one, other in (
            ("key", twin.key(), state.key()),
            ("actor", int(twin.actor), int(state.actor)),
            ("legal actions", list(twin.legal_actions()), list(state.legal_actions())),
            ("result", twin.result(), state.result()),
        ):
            promise(
                one == other,
                "a game must continue from a state's text as from the state: after the "
                f"same actions the {what} must be {{}}, not {{}}",
                other,
                one,
                cure="Write everything into the text that later rules depend on.",
            )

    def check_record(self, final: State) -> None:
        """Check that the actions can be replayed, and stored if the game is registered."""
        record = Record(self.game, self.seed, self.actions)
        promise(
            record.final == final,
            "replaying a record must give the same states",
            cure="Make everything random an outcome of chance.",
        )
        if self.game.name not in game_names():
            return
        text = record.to_text()
        again = Record.from_text(text)
        promise(
            again == record,
            "a record cannot be read back from its text",
            cure="Give each action a text that depends on the state and the action alone.",
        )
        promise(
            again.to_text() == text,
            "a record's text changes when it is read and written again",
            cure="Give each action a text that depends on the state and the action alone.",
        )
        cut = "\n".join(text.splitlines()[:-1])
        promise(
            not instead_of(RecordError, Record.from_text, cut),
            "a truncated record must be refused",
            cure="This is a defect of Parlour: please report it.",
        )


def _facts(state: State) -> tuple[object, ...]:
    return (
        state.key(),
        state.game.state_to_text(state),
        int(state.actor),
        list(state.legal_actions()),
    )
