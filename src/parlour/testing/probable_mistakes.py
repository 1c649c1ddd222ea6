"""Notes: what breaks no promise, but is probably a mistake."""

import re

from parlour.core.checks import counted, shown
from parlour.core.game import Game, State
from parlour.core.observer import Observer
from parlour.core.result import Result
from parlour.core.scene_observer import SceneObserver

FEW = 300
EVEN = re.compile(r"\b(a draw|drawn|draw by|a tie|tied|stalemate)\b|^draw\b", re.IGNORECASE)


class ProbableMistakes:
    """What was seen in all games of one check."""

    def __init__(self) -> None:
        """Start empty."""
        self._scenes: dict[tuple[int, bytes, bytes], dict[object, State]] = {}
        self._alike = 0
        self._pair: tuple[State, State, int] | None = None
        self._even: dict[str, int] = {}

    def observe(self, observer: Observer, state: State, seat: int) -> None:
        """Note what a seat observes in a position, and what its scene shows."""
        scene = state.scene(seat, False)
        trays = [(view.score, *sorted(view.tray_texts())) for view in scene.seats]
        content = (scene.cells, *trays, scene.status)
        known = self._scenes.setdefault((seat, *observer.observe(state, seat)), {})
        if content in known:
            return
        if known:
            self._alike += len(known)
            self._pair = self._pair or (next(iter(known.values())), state, seat)
        known[content] = state

    def end(self, state: State, result: Result) -> None:
        """Note an end that is called a draw, or has equal scores, but different returns."""
        if len(set(result.returns)) == 1:
            return
        what = ""
        if result.scores is not None and len(set(result.scores)) == 1:
            what = f"with the scores {result.scores}"
        for words in (result.reason, state.scene().status):
            if EVEN.search(words):
                what = f"by {shown(words)}"
        if what:
            what = f"{what}, but with the returns {result.returns}"
            self._even[what] = self._even.get(what, 0) + 1

    def lines(self, game: Game, acted: set[int], inspected: int, occurred: int) -> tuple[str, ...]:
        """Return the notes as sentences."""
        found = []
        if inspected < min(FEW, occurred):
            found.append(
                f"Only {inspected} of {occurred} positions were checked in full: play more games."
            )
        idle = sorted(set(range(game.seats)) - acted)
        if idle:
            found.append(f"These seats never acted: {idle}. Is `seats` right?")
        for what, times in self._even.items():
            ended = f"{counted(times, 'game')} ended {what}"
            found.append(f"{ended}. If that is a draw, return the same for all seats.")
        if self._pair is not None:
            found.append(self._aliases(*self._pair))
        return tuple(found)

    def _aliases(self, one: State, two: State, seat: int) -> str:
        """Return how many scenes cannot be told apart by learners, with an example."""
        first, second = one.scene(seat, False), two.scene(seat, False)
        what = "positions " + " and ".join(shown(str(state)) for state in (one, two))
        if first.cells == second.cells and first.seats == second.seats:
            what = f"statuses {shown(first.status)} and {shown(second.status)}"
        elif first.cells == second.cells:
            views = [shown("; ".join(scene.seat_texts())) for scene in (first, second)]
            what = f"scores and trays {views[0]} and {views[1]}"
        cure = "Write the difference in your observer."
        if isinstance(one.game.observer(), SceneObserver):
            cure = "Show the difference in the scene as numbers, or write an observer."
        pairs = counted(self._alike, "pair")
        return (
            f"{pairs} of different scenes give one observation, such as those of seat {seat} with "
            f"the {what}. {cure}"
        )
