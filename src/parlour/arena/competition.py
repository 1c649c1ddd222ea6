"""What a match and a tournament share: play what the folder does not hold yet, and keep it."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from parlour.arena.contest import Played
from parlour.arena.plan import Plan, Task
from parlour.arena.runner import Crew, Runner, Setup, check_player
from parlour.arena.storage import GameFolder
from parlour.arena.workers import interrupts_held_back


class Competition:
    """The games of a plan, on a runner, in a folder or in none.

    `take` gets every game: those that are kept first, then each that ends, after it was
    stored. No game is remembered here but by one byte.
    """

    def __init__(
        self,
        plan: Plan,
        setup: Setup,
        runner: Runner,
        store: GameFolder | None,
        take: Callable[[Played], None],
    ) -> None:
        """Nothing is read or played yet."""
        self.plan = plan
        self.done = 0
        self.kept = 0
        self._setup = setup if store is None else setup._replace(logs=str(store.engine_logs))
        self._runner = runner
        self._store = store
        self._take = take
        self._is_done = bytearray()
        self._crew: Crew | None = None

    def check_players(self) -> None:
        """`AgentError` or `OptionError` if one of the agents cannot play the game."""
        for text in dict.fromkeys(self.plan.agents):
            check_player(text, self.plan.game)

    def read(self, numbers: range) -> None:
        """Take the games of these numbers that the folder holds."""
        if self._store is None:
            return
        for played in self._store.kept(self.plan, numbers):
            self._mark(played.number)
            self.kept += 1
            self._take(played)

    def play(self, numbers: range) -> Generator[Played, None, None]:
        """Play the games of these numbers that are missing; each comes after it was stored.

        Close the iterator to stop early. The crew stays for the next call.
        """
        if all(self._has(number) for number in numbers):
            return
        if self._store:
            self._store.check_writable()
        if self._crew is None:
            self._crew = self._runner.crew(self._setup)
        with closing(self._crew.play(self._missing(numbers))) as finished:
            for played, record in finished:
                if self._store:
                    # Otherwise half a line might be written, and the game be played again.
                    with interrupts_held_back():
                        self._store.save(self.plan, played, record)
                self._mark(played.number)
                self._take(played)
                yield played

    def close(self) -> None:
        """Let the crew go, and other processes into the folder."""
        try:
            if self._crew is not None:
                self._crew.close()
        finally:
            self._crew = None
            if self._store:
                self._store.close()

    def _missing(self, numbers: range) -> Iterator[Task]:
        # One after another, as they are needed: there may be a million.
        for number in numbers:
            if not self._has(number):
                yield self.plan.task(number)

    def _has(self, number: int) -> bool:
        return number < len(self._is_done) and bool(self._is_done[number])

    def _mark(self, number: int) -> None:
        if number >= len(self._is_done):
            self._is_done.extend(bytes(number + 1 - len(self._is_done)))
        self._is_done[number] = 1
        self.done += 1
