"""The main program of an agent's process: answer questions until the pipe is closed.

    python -P -m parlour.agents.service QUESTIONS ANSWERS MEMORY

The first two are the descriptors of its pipes, by default the standard streams. MEMORY is the
limit of the process in MiB; 0 means no limit.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable

from parlour.agents.base import Counted, Limit, Occasion
from parlour.agents.guard import analysis_of, choice_of, guarded
from parlour.agents.hints import ADVISER, solution_of
from parlour.agents.mcts import MctsAgent
from parlour.agents.registry import agent, seeded
from parlour.agents.wire import (
    ANALYSE,
    BEGIN,
    CHECK,
    CHOOSE,
    CLOSE,
    COUNT,
    LARGEST_ANSWER,
    LARGEST_QUESTION,
    SEEDED,
    WATCH,
    Question,
    analysis_to_data,
    answer_to_bytes,
    choice_to_data,
    error_to_bytes,
    question_from_bytes,
    read_frame,
    write_frame,
)
from parlour.core.errors import AgentError, ParlourError, in_one_line
from parlour.core.game import State
from parlour.core.packages import append_current_folder

GRACE_SECONDS = 2.0


class HostedAgent:
    """An agent in this process and the questions it answers."""

    def __init__(self, text: str) -> None:
        """Create the agent from its text."""
        self.text = text
        self.player = agent(text)
        self.verbs: dict[str, Callable[..., object]] = {
            BEGIN: self.begin,
            WATCH: self.player.watch,
            CHOOSE: self.choose,
            ANALYSE: self.analyse,
            COUNT: self.count,
            CHECK: self.player.check_game,
            CLOSE: self.player.close,
        }

    def ask(self, verb: str, arguments: tuple[object, ...]) -> object:
        """Return the answer as plain data, or `None` if the verb has none."""
        answer = self.verbs[verb](*arguments)
        return answer if verb in (CHOOSE, ANALYSE, COUNT) else None

    def begin(self, start: State, seat: int, occasion: tuple[int | None, str]) -> None:
        """Start a game and describe it."""
        self.player.occasion = Occasion(*occasion)
        self.player.begin(start, seat)

    def choose(self, state: State, limit: Limit | None) -> object:
        """Return the action and the agent's opinion."""
        return choice_to_data(choice_of(self.player, state, limit), self.player.opinion)

    def analyse(self, state: State) -> object:
        """Return the analysis, or the solution if the adviser is asked and there is one."""
        solved = solution_of(state) if self.text == ADVISER else None
        return analysis_to_data(analysis_of(self.player, state) if solved is None else solved)

    def count(self, state: State, until: float | None) -> object:
        """Return the root statistics of a search that ends at `until` on the monotonic clock."""
        if not isinstance(self.player, MctsAgent):
            raise AgentError(f"{self.text} does not count visits")
        seconds = 0.0 if until is None else until - time.monotonic()
        if until is not None and seconds <= 0.0:
            return Counted(0, ())  # the process started too late
        return self.player.root_counts(state, seconds)


def serve(questions: int, answers: int) -> None:
    """Answer questions until the pipe is closed."""
    agents: dict[int, HostedAgent] = {}
    while True:
        try:
            data = read_frame(questions, LARGEST_QUESTION)
        except EOFError:
            return
        write_frame(answers, _answer(agents, data))


def _answer(agents: dict[int, HostedAgent], data: bytes) -> bytes:
    try:
        question = _question(data)
        if question.verb == SEEDED:
            return answer_to_bytes(seeded(question.text, *question.arguments))  # type: ignore[arg-type]
        if question.number not in agents:
            agents[question.number] = HostedAgent(question.text)
        asked = agents[question.number]
        if question.verb == CLOSE:
            del agents[question.number]
        answer = guarded(lambda: answer_to_bytes(asked.ask(question.verb, question.arguments)))
    except ParlourError as error:
        return error_to_bytes(str(error) or type(error).__name__, error.code)
    if len(answer) > LARGEST_ANSWER:
        return error_to_bytes("crashed: its answer is too large", "agent_fault")
    return answer


def _question(data: bytes) -> Question:
    try:
        try:
            return question_from_bytes(data)
        except ModuleNotFoundError:
            # The game may be the user's own, in the folder where the program was started.
            append_current_folder()
            return question_from_bytes(data)
    except Exception as error:
        raise AgentError(
            f"the agent's process cannot read the game: {in_one_line(error)}"
        ) from error


def bound_memory(mebibytes: int) -> None:
    """Limit the memory of this process, on systems that support it."""
    if mebibytes <= 0:
        return
    try:
        import resource
    except ImportError:
        return
    size = mebibytes * 2**20
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def end_with_owner(questions: int) -> None:
    """End this process soon after its owner ends, even while it is thinking."""
    import select

    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(questions, 0)  # a hang-up is always reported

    def watch() -> None:
        poll.poll()
        time.sleep(GRACE_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Serve the pipes; discard everything that an agent prints."""
    given = [int(word) for word in sys.argv[1:]]
    questions, answers, memory = given if len(given) == 3 else (os.dup(0), os.dup(1), *given[:1])
    sys.argv[1:] = []
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    bound_memory(memory)
    end_with_owner(questions)
    with contextlib.suppress(OSError):  # an agent may have closed the pipes
        serve(questions, answers)


if __name__ == "__main__":
    main()
