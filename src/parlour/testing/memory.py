"""What is remembered over all games of one check, and what follows from all of them."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from parlour.core.game import Game, State
from parlour.core.heuristics import heuristics
from parlour.core.scene import Cell
from parlour.testing.promise import promise

ENOUGH = 20

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Memory:
    """The states that were met, by key and by text, and what was found on the way."""

    def __init__(self) -> None:
        """Nothing was met yet."""
        self._texts: dict[object, str] = {}
        self._keys: dict[str, object] = {}
        self._fingerprints: dict[object, int] = {}
        self.inspected: set[State] = set()
        """States that were looked at in full: none is looked at twice."""
        self.drawn: set[Cell] = set()
        """Cells that were looked at."""
        self.has_redrawn = False
        """Whether `determinize` ever changed a state."""
        self.games = 0
        self.longest = 0
        self.reasons: dict[str, int] = {}
        self.laws: dict[str, int] = {}
        """What was checked, as the checks' docstrings begin, and how often."""

    def hold(
        self,
        law: Callable[Asked, Answer],
        *arguments: Asked.args,
        **options: Asked.kwargs,
    ) -> Answer:
        """Check a law, and count it."""
        sentence = (law.__doc__ or law.__name__).splitlines()[0]
        self.laws[sentence] = self.laws.get(sentence, 0) + 1
        return law(*arguments, **options)

    def meet(self, state: State) -> None:
        """Two states have equal keys if, and only if, they have equal texts."""
        key = state.key()
        text = state.game.state_to_text(state)
        known = self._texts.setdefault(key, text)
        promise(
            known == text,
            "two states with different texts have the same key: the key forgets something that "
            "differs between {} and {}",
            known,
            text,
        )
        promise(
            self._keys.setdefault(text, key) == key,
            "two states with the same text have different keys: the text forgets something that "
            "differs between {} and {}",
            self._keys[text],
            key,
        )
        number = heuristics(state.game).fingerprint(state)
        promise(
            self._fingerprints.setdefault(key, number) == number,
            "equal states have equal fingerprints, not {} and {}",
            self._fingerprints[key],
            number,
        )

    def finish(self, longest: int, reason: str) -> None:
        """Count a game that ended so."""
        self.games += 1
        self.longest = max(self.longest, longest)
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    def check(self, game: Game) -> None:
        """Fingerprints tell states apart, and secrets are drawn anew, over all games together."""
        states = len(self._fingerprints)
        numbers = len(set(self._fingerprints.values()))
        promise(
            states < ENOUGH or numbers > states // 2,
            f"fingerprints tell states apart, but {states} states have {numbers}: make them from "
            "all that the key holds",
        )
        promise(
            not game.has_secrets or self.has_redrawn,
            "has_secrets is True, but determinize never changed a state: draw anew in it what the "
            "seat does not know",
        )
