"""Tune the weights of a game's evaluation by self-play: paired SPSA.

A step perturbs all weights at once, each up or down at random, and lets the two mirrored
perturbations play each other from the same starts on both sides. The weights move towards the
winner in proportion to its lead. Only results of games are used.

    tuning.json     the settings
    steps.jsonl     one line per step, append-only
    weights.json    the weights so far: the mean over the second half of the steps

A step is a pure function of the settings and its number. An interrupted step is therefore played
again, and every runner finds the same weights.
"""

import json
import os
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from parlour.agents import TUNED
from parlour.agents.registry import agent_text
from parlour.arena.errors import MatchError
from parlour.arena.match import run_match
from parlour.arena.plan import Plan, check_duel
from parlour.arena.results import MatchResult, points_of_first
from parlour.arena.runner import Crew, Runner, Setup, check_player
from parlour.arena.storage import one_line_errors
from parlour.core.checks import shown
from parlour.core.game import Game
from parlour.core.heuristics import heuristics
from parlour.core.options import Value
from parlour.core.weights import weights_to_text
from parlour.files import LARGEST_FILE, FileLock, read_text, write_atomically

FORMAT = "parlour tuning 1"
HEADER, STEPS, WEIGHTS, LOCK = "tuning.json", "steps.jsonl", "weights.json", ".match.lock"

# Spall's recommended exponents: the gain decays slowly, the perturbation more slowly.
SHRINKING, SETTLING = 0.602, 0.101
DELAY = 0.1
"""The fraction of the steps before the gain starts to decay."""


class Tuning(NamedTuple):
    """The settings of a tuning run; equal settings give equal weights."""

    game: Game
    by: str = "search:nodes=2000"
    """The agent that plays; with a budget that does not depend on time, runs are reproducible."""
    names: tuple[str, ...] = ()
    """The weights to tune; empty means all weights of the game."""
    steps: int = 100
    games: int = 8
    """The games per step."""
    reach: float = 0.1
    """The size of the perturbation, relative to a weight's value."""
    pace: float = 0.5
    """The step towards a winner of all games, relative to the perturbation."""
    seed: int = 0

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights of the game's own heuristics."""
        return heuristics(self.game).weights

    def checked(self) -> "Tuning":
        """Return the settings with all names; raises `MatchError` or `OptionError` if invalid."""
        game = self.game
        if not self.weights:
            raise MatchError(f"{game.name} has no weights to tune: see Heuristics.WEIGHTS")
        check_duel("tuning", game)
        weights = self.weights
        names = self.names or tuple(weights)
        for name in names:
            if name not in weights:
                known = ", ".join(weights)
                raise MatchError(f"{game.name} has no weight {shown(name)}; it has {known}")
        for what, count in (("steps", self.steps), ("games", self.games)):
            if count < 1:
                raise MatchError(f"--{what} must be 1 or more, not {count}")
        for what, part in (("reach", self.reach), ("pace", self.pace)):
            if not 0 < part <= 1:
                raise MatchError(f"--{what} must be above 0 and at most 1, not {part:g}")
        tuning = self._replace(names=names)
        check_player(tuning.player(weights), game)
        return tuning

    def player(self, weights: Mapping[str, float]) -> str:
        """Return the text of the agent with the weights that differ from the game's own."""
        own = self.weights
        other = {name: value for name, value in weights.items() if value != own[name]}
        settings: dict[str, Value] = {"by": self.by.replace(",", ";")}
        if other:
            settings["weights"] = weights_to_text(other)
        return agent_text(TUNED, settings)

    def identity(self) -> dict[str, object]:
        """Return the settings that must be equal to resume; the number of steps may differ."""
        return {
            "format": FORMAT,
            "game": self.game.name,
            "options": dict(self.game.options),
            "by": self.by,
            "start": {name: self.weights[name] for name in self.names},
            "games": self.games,
            "reach": self.reach,
            "pace": self.pace,
            "seed": self.seed,
            "planned": self.steps,
        }


class Step(NamedTuple):
    """One step: its number, the score of the upper perturbation, and the weights after it."""

    number: int
    share: float
    weights: dict[str, float]


def tune(
    tuning: Tuning,
    folder: str | os.PathLike[str],
    runner: Runner,
    on_step: Callable[[Step], None] | None = None,
) -> dict[str, float]:
    """Play the steps that the folder lacks; return the tuned weights.

    Raises `MatchError` if the folder holds something else or is in use. An interruption loses the
    current step.
    """
    tuning = tuning.checked()
    store = _TuningFolder(Path(folder), tuning)
    try:
        steps = store.steps
        for step in steps:
            if on_step:
                on_step(step)
        if len(steps) < tuning.steps:
            with runner.crew(Setup(tuning.game)) as crew:
                while len(steps) < tuning.steps:
                    step = _played(tuning, crew, steps)
                    store.append(step)
                    if on_step:
                        on_step(step)
        found = settled(steps)
        store.write(found)
        return found
    finally:
        store.close()


def settled(steps: Sequence[Step]) -> dict[str, float]:
    """Return the mean over the second half, because single steps are noisy."""
    later = steps[len(steps) // 2 :]
    names = later[0].weights
    return {name: sum(step.weights[name] for step in later) / len(later) for name in names}


def verify(tuning: Tuning, weights: Mapping[str, float], games: int, runner: Runner) -> MatchResult:
    """Play a match of these weights against the game's own."""
    texts = [tuning.player(weights), tuning.player(tuning.weights)]
    return run_match(tuning.game, texts, games, seed=tuning.seed + 1, runner=runner)


def _played(tuning: Tuning, crew: Crew, steps: Sequence[Step]) -> Step:
    number = len(steps)
    weights = steps[-1].weights if steps else {n: tuning.weights[n] for n in tuning.names}
    rng = random.Random(f"{tuning.seed}/{number}")
    reach = tuning.reach / (number + 1) ** SETTLING
    delay = DELAY * tuning.steps
    pace = tuning.pace * ((1 + delay) / (number + 1 + delay)) ** SHRINKING
    moves = {
        name: rng.choice((-1.0, 1.0)) * reach * (abs(value) or 1.0)
        for name, value in weights.items()
    }
    up = {name: value + moves[name] for name, value in weights.items()}
    down = {name: value - moves[name] for name, value in weights.items()}
    texts = [tuning.player(up), tuning.player(down)]
    plan = Plan.of_match(tuning.game, texts, tuning.games, rng.getrandbits(48))
    with closing(crew.play(plan.task(number) for number in range(plan.games))) as finished:
        points = [(played.number, points_of_first(played)) for played, _ in finished]
    share = sum(point for _, point in sorted(points)) / len(points)
    lead = 2.0 * share - 1.0
    after = {name: value + pace * lead * moves[name] for name, value in weights.items()}
    return Step(number, share, after)


class _TuningFolder:
    """The folder of a tuning run."""

    def __init__(self, path: Path, tuning: Tuning) -> None:
        self._path = path
        self._lock = FileLock(path / LOCK)
        self.steps: list[Step] = []
        try:
            with one_line_errors():
                self._open(tuning)
        except BaseException:
            self._lock.release()
            raise

    def _open(self, tuning: Tuning) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        if not self._lock.hold():
            raise MatchError(f"{self._path} is in use by another process")
        header, wanted = self._path / HEADER, tuning.identity()
        if header.exists():
            if _without_plan(json.loads(read_text(header, LARGEST_FILE))) != _without_plan(wanted):
                raise MatchError(f"{self._path} holds another tuning: choose another folder")
        elif any(entry.name != LOCK for entry in self._path.iterdir()):
            raise MatchError(f"{self._path} is not empty and holds no tuning: choose another")
        else:
            write_atomically(header, json.dumps(wanted, indent=1) + "\n")
        self._read(tuning)

    def _read(self, tuning: Tuning) -> None:
        file = self._path / STEPS
        if not file.exists():
            return
        whole = []
        text = read_text(file, LARGEST_FILE)
        for line in text.splitlines(keepends=True):
            step = _step_of(line, len(self.steps), tuning.names)
            if step is None:
                break
            whole.append(line)
            self.steps.append(step)
        if len("".join(whole)) != len(text):
            # Steps after a torn or damaged line are played again.
            write_atomically(file, "".join(whole))

    def append(self, step: Step) -> None:
        """Store a step."""
        body = json.dumps({"step": step.number, "share": step.share, "weights": step.weights})
        with one_line_errors(), open(self._path / STEPS, "a", encoding="utf-8") as file:
            file.write(f'{body[:-1]}, "check": "{zlib.crc32(body.encode()):08x}"}}\n')
            file.flush()
            os.fsync(file.fileno())
        self.steps.append(step)

    def write(self, weights: Mapping[str, float]) -> None:
        """Store the tuned weights."""
        with one_line_errors():
            text = json.dumps(dict(weights), indent=1) + "\n"
            write_atomically(self._path / WEIGHTS, text)

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.release()


def _without_plan(identity: object) -> object:
    if not isinstance(identity, dict):
        return None
    return {name: value for name, value in identity.items() if name != "planned"}


def _step_of(line: str, number: int, names: Sequence[str]) -> Step | None:
    """Return the step of a line if it is valid and the next one."""
    body, mark, check = line.rstrip("\n").rpartition(', "check": "')
    body += "}"
    if not mark or not line.endswith("\n") or check != f'{zlib.crc32(body.encode()):08x}"}}':
        return None
    data = json.loads(body)
    if data["step"] != number or list(data["weights"]) != list(names):
        return None
    return Step(number, data["share"], data["weights"])
