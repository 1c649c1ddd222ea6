"""Data of all games of one check, and the promises that span games."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from parlour.core.game import OVER, Game, State
from parlour.core.heuristics import heuristics
from parlour.core.observer import Observer
from parlour.core.result import ZERO_SUM
from parlour.core.scene import Cell
from parlour.testing.probable_mistakes import ProbableMistakes
from parlour.testing.promise import promise
from parlour.testing.scenes import Owners

ENOUGH = 20

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Memory:
    """The states that occurred, by key and by text, and the totals of the report."""

    def __init__(self) -> None:
        """Start empty."""
        self._texts: dict[object, str] = {}
        self._keys: dict[str, object] = {}
        self._fingerprints: dict[object, int] = {}
        self.inspected: set[State] = set()
        """States that were checked in full; none is checked twice."""
        self.drawn: set[Cell] = set()
        """Cells that were checked."""
        self.owners = Owners()
        self.acted: set[int] = set()
        """The seats that acted."""
        self.notes = ProbableMistakes()
        self.has_redrawn = False
        """Whether `determinize` ever changed a state."""
        self._valued = 0
        self._one_sided = 0
        self.games = 0
        self.longest = 0
        self.reasons: dict[str, int] = {}
        self.laws: dict[str, int] = {}
        """How often each law was checked."""

    def hold(
        self,
        law: Callable[Asked, Answer],
        *arguments: Asked.args,
        **options: Asked.kwargs,
    ) -> Answer:
        """Check a law and count it. Its name is the first line of the docstring."""
        sentence = (law.__doc__ or law.__name__).splitlines()[0].removeprefix("Check that ")
        sentence = sentence[0].upper() + sentence[1:]
        self.laws[sentence] = self.laws.get(sentence, 0) + 1
        return law(*arguments, **options)

    def check_identity(self, state: State) -> None:
        """Check that two states have equal keys if, and only if, they have equal texts."""
        key = state.key()
        text = state.game.state_to_text(state)
        known = self._texts.setdefault(key, text)
        promise(
            known == text,
            "two states with different texts have the same key: the key misses a "
            "difference between {} and {}",
            known,
            text,
            cure="Add it to the key; often it is the seat to act, a counter or the captures.",
        )
        promise(
            self._keys.setdefault(text, key) == key,
            "two states with the same text have different keys: the text misses a "
            "difference between {} and {}",
            self._keys[text],
            key,
            cure="Add it to the text.",
        )
        number = heuristics(state.game).fingerprint(state)
        promise(
            self._fingerprints.setdefault(key, number) == number,
            "equal states must have equal fingerprints, not {} and {}",
            self._fingerprints[key],
            number,
            cure="Compute the fingerprint from what the key holds, not from the moves that "
            "led there.",
        )

    def note_values(self, state: State, values: list[float]) -> None:
        """Note whether the evaluations of an unfinished game depend on the seat."""
        if state.game.utility == ZERO_SUM and state.actor != OVER and any(values):
            self._valued += 1
            self._one_sided += len(set(values)) == 1

    def note_observations(self, observer: Observer, state: State) -> None:
        """Note what each seat observes, to find different scenes that look the same to it."""
        if state.actor >= 0:
            self.notes.observe(observer, state, int(state.actor))

    def finish(self, plies: int, state: State) -> None:
        """Count a finished game."""
        result = state.result()
        assert result is not None
        self.games += 1
        self.longest = max(self.longest, plies)
        self.reasons[result.reason] = self.reasons.get(result.reason, 0) + 1
        self.notes.end(state, result)

    def noted(self, game: Game) -> tuple[str, ...]:
        """Return what is not a broken promise, but probably a mistake."""
        return self.notes.lines(game, self.acted, len(self.inspected), len(self._texts))

    def check(self, game: Game) -> None:
        """Check that fingerprints differ by state, evaluations by seat, and secrets are redrawn."""
        states = len(self._fingerprints)
        numbers = len(set(self._fingerprints.values()))
        promise(
            states < ENOUGH or numbers > states // 2,
            f"fingerprints must distinguish states, but {states} states have only {numbers}",
            cure="Hash all that the key holds; the board alone misses the seat to act.",
        )
        promise(
            not self._valued or self._one_sided < self._valued,
            "evaluate must depend on the seat in a zero-sum game, but it gave every seat the same "
            f"number in all {self._valued} positions",
            cure="Return the value for `seat`: what is good for one is bad for the others.",
        )
        idle = sorted(set(range(game.seats)) - self.acted)
        promise(
            not idle or game.seats <= game.num_actions,
            f"there are {game.seats} seats and {game.num_actions} actions, but the seats {{}} "
            "never acted",
            idle,
            cure="Exchange `seats` and `num_actions` if they are swapped, or correct `seats`.",
        )
        promise(
            not game.has_secrets or self.has_redrawn,
            "has_secrets is True, but determinize() never changed a state",
            cure="Redraw in `determinize` what the seat does not know, or pass "
            "`has_secrets=False`.",
        )
