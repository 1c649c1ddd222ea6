"""The core of matches and tournaments: play the games that the folder lacks, and store them."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from parlour.arena.contest import Played
from parlour.arena.plan import Plan, Task
from parlour.arena.runner import Crew, Runner, Setup, check_player
from parlour.arena.storage import GameFolder
from parlour.arena.workers import interrupts_blocked


class Competition:
    """Plays the games of a plan on a runner, with or without a folder.

    `take` gets every game: first the stored ones, then each new one after it is stored. Only one
    byte per game is kept in memory.
    """

    def __init__(
        self,
        plan: Plan,
        setup: Setup,
        runner: Runner,
        store: GameFolder | None,
        take: Callable[[Played], None],
    ) -> None:
        """Set up the competition; nothing is read or played yet."""
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
        """Raise `AgentError` or `OptionError` if one of the agents cannot play the game."""
        for text in dict.fromkeys(self.plan.agents):
            check_player(text, self.plan.game)

    def read(self, numbers: range) -> None:
        """Pass the stored games with these numbers to `take`."""
        if self._store is None:
            return
        for played in self._store.kept(self.plan, numbers):
            self._mark(played.number)
            self.kept += 1
            self._take(played)

    def play(self, numbers: range) -> Generator[Played, None, None]:
        """Play the missing games with these numbers; yield each after it is stored.

        Close the iterator to stop early. The crew is reused by the next call.
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
                    # Otherwise an interrupt could leave half a line, and the game would be played
                    # again.
                    with interrupts_blocked():
                        self._store.save(self.plan, played, record)
                self._mark(played.number)
                self._take(played)
                yield played

    def close(self) -> None:
        """Close the crew and unlock the folder."""
        try:
            if self._crew is not None:
                self._crew.close()
        finally:
            self._crew = None
            if self._store:
                self._store.close()

    def _missing(self, numbers: range) -> Iterator[Task]:
        # Lazily, because there may be a million.
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
