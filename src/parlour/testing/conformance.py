"""The conformance suite: plays whole games and checks every promise at every state.

    from parlour.testing import check_game
    check_game("octa")
    check_game(MyGame(size=5))

It needs no test framework; a broken promise is a `ConformanceError` that says which
promise, and with which seed and actions to see it again.
"""

import copy
import json
import pickle
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from librt.vecs import vec
from mypy_extensions import i64

from parlour.core.checks import shown
from parlour.core.errors import (
    ActionTextError,
    IllegalAction,
    InvalidState,
    OptionError,
    ParlourError,
    RecordError,
    StateTextError,
)
from parlour.core.game import CHANCE, OVER, Game, State
from parlour.core.record import Record
from parlour.core.registry import game as make_game
from parlour.core.registry import game_class, game_names
from parlour.core.result import UNDECIDED
from parlour.core.rng import Rng

NONSENSE = ("", " ", "no such thing", "=", "-1", "☃", "0" * 5000, "a,b", "1\n2")
NO_ACTIONS: tuple[object, ...] = (
    None,
    "no such action",
    1.0,
    True,
    b"1",
    (),
    object(),
    float("nan"),
)
PROBES = 64


class ConformanceError(AssertionError):
    """A game broke a promise."""


class Report(NamedTuple):
    """How much was looked at."""

    games: int
    states: int


def check_game(
    game: Game | str, *, seeds: Iterable[int] = (0, -1, 2**64 - 1), states: int = 40
) -> Report:
    """Check a game, or the registered game of that name with its default options.

    From each seed it plays a random game and three that stall: always the first legal
    action, always the last, and one that puts off the end and prefers positions it has
    seen. Every state is stepped through; about `states` of each game are looked at in full.
    """
    checked = make_game(game) if isinstance(game, str) else game
    _check_description(checked)
    if isinstance(game, str):
        wanted = game.replace("-", "_")
        _promise(
            checked.name == wanted,
            f"name: the one it is registered under, {wanted!r}, not {checked.name!r}",
        )
    games = looked_at = 0
    for seed in seeds:
        for policy in (_random, _first, _last, _stalling):
            walk = _Walk(checked, seed, policy)
            looked_at += walk.run(states)
            games += 1
    _check_nonsense(checked)
    return Report(games, looked_at)


Policy = Callable[[State, Rng, set[State]], int]


def _random(state: State, rng: Rng, seen: set[State]) -> int:
    return state.sample(rng)


def _first(state: State, rng: Rng, seen: set[State]) -> int:
    return state.legal_actions()[0]


def _last(state: State, rng: Rng, seen: set[State]) -> int:
    return state.legal_actions()[-1]


def _stalling(state: State, rng: Rng, seen: set[State]) -> int:
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


def _promise(kept: object, promise: str) -> None:
    if not kept:
        raise ConformanceError(promise)


def _raises(
    kinds: type[Exception] | tuple[type[Exception], ...],
    call: Callable[..., object],
    *arguments: object,
) -> bool:
    """Whether the call raises one of these errors, with a text."""
    try:
        call(*arguments)
    except kinds as error:
        return str(error) != ""
    return False


def _check_description(game: Game) -> None:
    _promise(isinstance(game, Game), "a game is a parlour.Game")
    _promise(game.name.isidentifier() and game.name == game.name.lower(), "name: a lower-case word")
    _promise(game.title.strip(), "title: not empty")
    for field in ("seats", "num_actions", "max_plies"):
        _promise(getattr(game, field) >= 1, f"{field}: at least 1")
    declared = {option.name for option in type(game).OPTIONS}
    _promise(set(game.options) == declared, "options: exactly those that OPTIONS declares")
    for option in type(game).OPTIONS:
        _promise(option.help, f"option {option.name}: has a help text")
        value = game.options[option.name]
        _promise(option.check(value) == value, f"option {option.name}: its value passes its check")
        text = option.to_text(value)
        _promise(option.from_text(text) == value, f"option {option.name}: its text round-trips")
    wrong = {"no_such_option": 1}
    make: Callable[..., object] = type(game)
    _promise(_raises(OptionError, lambda: make(**wrong)), "an unknown option is an OptionError")
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), make(**game.options)):
        _promise(again == game, "a game equals its pickle, its copy, and one made with its options")
        _promise(hash(again) == hash(game), "equal games have equal hashes")
    if game.name in game_names():
        _promise(game_class(game.name) is type(game), "it is registered under its own name")


def _check_nonsense(game: Game) -> None:
    state = game.start(0)
    for text in NONSENSE:
        _promise(
            _raises((StateTextError, InvalidState), game.state_from_text, text),
            f"text that is no state is a StateTextError or InvalidState: {shown(text)}",
        )
        if state.actor == OVER:
            continue
        try:
            number = game.action_from_text(state, text)
        except ActionTextError as error:
            _promise(str(error), "an ActionTextError says what was wrong")
        else:
            _promise(0 <= number < game.num_actions, f"text of no action gave the id {number}")
    for seed in (True, "1", 1.5, None):
        _promise(
            _raises(TypeError, game.start, seed),
            f"a seed that is no int is a TypeError: {seed!r}",
        )


class _Walk:
    """One game under one policy."""

    def __init__(self, game: Game, seed: int, policy: Policy) -> None:
        self.game = game
        self.seed = seed
        self.policy = policy
        self.actions: list[int] = []

    def run(self, states: int) -> int:
        """Play it, looking at about `states` states in full; how many they were."""
        try:
            return self.play(states)
        except ConformanceError as error:
            raise ConformanceError(
                f"{self.game!r} breaks a promise: {error} (start({self.seed}), then {self.actions})"
            ) from None
        except ParlourError as error:
            raise ConformanceError(
                f"{self.game!r} raised {type(error).__name__} where it must not: {error} "
                f"(start({self.seed}), then {self.actions})"
            ) from error

    def play(self, states: int) -> int:
        game = self.game
        rng = Rng(self.seed)
        state = start = game.start(self.seed)
        _check_solution(start)
        _promise(state == game.start(self.seed), "the same seed gives the same start")
        _promise(state.game == game, "a state belongs to the game that made it")
        every = max(1, game.max_plies // states)
        seen: set[State] = set()
        plies = looked_at = 0
        scratch = state.scratch()
        while True:
            if len(self.actions) % every == 0 or state.actor in (CHANCE, OVER):
                _check_state(state, rng)
                _check_extras(start, state)
                looked_at += 1
            _promise(scratch == state, "advancing a scratch gives what apply gives")
            if state.actor == OVER:
                break
            plies += state.actor != CHANCE
            _promise(plies <= game.max_plies, f"a game ends within max_plies, {game.max_plies}")
            seen.add(state)
            action = self.policy(state, rng, seen)
            self.actions.append(action)
            state = state.play(action)
            scratch = scratch.advance(action)
        self.check_record(state)
        return looked_at

    def check_record(self, final: State) -> None:
        record = Record(self.game, self.seed, self.actions)
        _promise(record.final == final, "the same record gives the same states")
        if self.game.name not in game_names():
            return
        text = record.to_text()
        again = Record.from_text(text)
        _promise(again == record, "a record's text round-trips")
        _promise(again.to_text() == text, "a record's text round-trips to the letter")
        cut = "\n".join(text.splitlines()[:-1])
        _promise(_raises(RecordError, Record.from_text, cut), "a cut record is noticed")


def _check_state(state: State, rng: Rng) -> None:
    before = (state.key(), state.game.state_to_text(state), list(state.legal_actions()))
    _check_actions(state, rng)
    _check_copies(state)
    _check_scenes(state)
    after = (state.key(), state.game.state_to_text(state), list(state.legal_actions()))
    _promise(before == after, "no call changes a state")


def _check_actions(state: State, rng: Rng) -> None:
    game = state.game
    actor = state.actor
    legal = state.legal_actions()
    result = state.result()
    _promise(isinstance(legal, vec[i64]), "legal_actions returns parlour.Actions([...])")  # type: ignore[misc]
    _promise(list(legal) == sorted(set(legal)), "legal actions ascend and occur once")
    _promise(actor in (CHANCE, OVER) or 0 <= actor < game.seats, "actor: a seat, CHANCE or OVER")
    _promise((len(legal) == 0) == (actor == OVER), "there is no legal action if, and only if, OVER")
    _promise((result is not None) == (actor == OVER), "there is a result if, and only if, OVER")
    _check_chance(state, list(legal))
    if result is not None:
        _check_result(state)
    elif actor != CHANCE:
        _promise(all(0 <= action < game.num_actions for action in legal), "ids below num_actions")
    for seat in range(game.seats):
        most = UNDECIDED if result is None else 1.0
        _promise(abs(state.evaluate(seat)) <= most, f"evaluate stays within {most:g} of 0")
    _check_refusals(state, set(legal), rng)
    texts: dict[str, int] = {}
    for action in legal:
        text = game.action_to_text(state, action)
        _promise(
            text and not set(text) & set(" \t\r\n"), f"an action's text has no space: {text!r}"
        )
        _promise(
            text.startswith("=") == (actor == CHANCE) and "=" not in text[1:],
            f"the text of a chance outcome, and of no other action, starts with '=': {text!r}",
        )
        _promise(text not in texts, f"no two legal actions share a text: {text!r}")
        texts[text] = action
        _promise(game.action_from_text(state, text) == action, f"{text!r} round-trips")
        _promise(game.action_from_text(state, f" {text}\n") == action, f"space around {text!r}")
    for action in islice(_spread(list(legal)), 8):
        after = state.apply(action)
        _promise(after == state.apply(action), "the same action gives the same state")
        _promise(after == state.play(action), "play and apply agree")
        _promise(state.scratch().advance(action) == after, "advance and apply agree")
    if len(legal):
        drawn = [state.sample(rng) for _ in range(4)]
        _promise(all(action in legal for action in drawn), "sample draws legal actions only")


def _spread(items: list[int]) -> Iterator[int]:
    """The first, the last, and some between."""
    return iter(dict.fromkeys([*items[:1], *items[-1:], *items[:: max(1, len(items) // 6)]]))


def _check_chance(state: State, legal: list[int]) -> None:
    outcomes = state.chance_outcomes()
    if state.actor != CHANCE:
        _promise(outcomes == [], "there are chance outcomes at CHANCE only")
        return
    _promise(state.game.has_chance, "a game with chance says has_chance")
    _promise([outcome for outcome, _ in outcomes] == legal, "outcomes are the legal actions")
    odds = [probability for _, probability in outcomes]
    _promise(all(probability > 0 for probability in odds), "every outcome can happen")
    _promise(abs(sum(odds) - 1) < 1e-9, f"the odds sum to 1, not {sum(odds)}")


def _check_result(state: State) -> None:
    result = state.result()
    assert result is not None
    seats = state.game.seats
    _promise(len(result.returns) == seats, "one return per seat")
    _promise(all(-1 <= value <= 1 for value in result.returns), "returns lie in [-1, 1]")
    _promise(seats == 1 or abs(sum(result.returns)) < 1e-9, "returns sum to 0")
    _promise(result.scores is None or len(result.scores) == seats, "one score per seat, or none")
    _promise(result.reason.strip(), "a result has a reason")


def _check_refusals(state: State, legal: set[int], rng: Rng) -> None:
    count = state.game.num_actions
    ids: Iterable[int] = range(count)
    if count > PROBES:
        ids = {rng.below(count) for _ in range(PROBES)} | set(islice(_spread(sorted(legal)), 8))
    for action in [*ids, *legal, -1, count, 2**70, -(2**70), 10**5000]:
        is_legal = action in legal
        reason = state.refusal(action)
        _promise(
            (reason is None) == is_legal, f"refusal({shown(action)}) agrees with legal_actions"
        )
        _promise(
            is_legal or _raises(IllegalAction, state.play, action),
            f"play({shown(action)}) raises IllegalAction",
        )
    for junk in NO_ACTIONS:
        _promise(state.refusal(junk), f"refusal({junk!r}) gives a reason")
        _promise(
            _raises((IllegalAction, ActionTextError), state.play, junk),
            f"play({junk!r}) raises IllegalAction or ActionTextError",
        )


def _check_copies(state: State) -> None:
    text = state.game.state_to_text(state)
    read = state.game.state_from_text(text)
    for name, again in (
        ("its text", read),
        ("its pickle", pickle.loads(pickle.dumps(state))),
        ("its copy", copy.copy(state)),
        ("its deep copy", copy.deepcopy(state)),
    ):
        _promise(again == state, f"a state equals {name}")
        _promise(hash(again) == hash(state), f"a state has the hash of {name}")
        _promise(again.result() == state.result(), f"a state has the result of {name}")
        _promise(again.fingerprint() == state.fingerprint(), f"the fingerprint of {name}")
        _promise(again.legal_actions() == state.legal_actions(), f"same actions as {name}")
    _promise(state.game.state_to_text(read) == text, "a state's text round-trips to the letter")
    _promise(state != text, "a state equals states only")


def _check_scenes(state: State) -> None:
    game = state.game
    legal = list(state.legal_actions())
    # Rebuilt from its text it has nothing left but what the text shows: were there a
    # secret in it that a viewer could notice, the two would differ somewhere below.
    twin = game.state_from_text(game.state_to_text(state))
    for seat in (None, *range(game.seats)):
        scene = state.scene(seat)
        _promise(scene == twin.scene(seat), "a scene shows nothing that the state's text does not")
        _promise(
            len(scene.cells) == scene.board.rows * scene.board.cols, "a scene has rows * cols cells"
        )
        _promise(len(scene.board.row_names) == scene.board.rows, "a scene has a name for each row")
        _promise(
            len(scene.board.col_names) == scene.board.cols, "a scene has a name for each column"
        )
        _promise(len(scene.seats) == game.seats, "a scene shows every seat")
        _promise(scene.actor == state.actor, "a scene shows who is to act")
        _promise(scene.status.strip(), "a scene has a status line")
        for cell in scene.cells:
            _promise(
                1 <= len(cell.glyph) <= 2, f"a glyph has one or two characters: {cell.glyph!r}"
            )
            _promise(cell.label.strip(), "every cell has a label for those who cannot see it")
            _promise(-1 <= cell.owner < game.seats, "a cell's owner is a seat or nobody")
        shown = [view.action for view in scene.actions]
        looks_on = seat is None and not game.has_secrets
        mine = state.actor != CHANCE and (looks_on or seat == state.actor)
        _promise(shown == (legal if mine else []), "a scene offers the legal actions, to the actor")
        for view in scene.actions:
            _promise(view.text == game.action_to_text(state, view.action), "and their texts")
            _promise(all(0 <= cell < len(scene.cells) for cell in view.cells), "and their cells")
    for wrong in (-1, game.seats):
        _promise(_raises(IndexError, state.scene, wrong), f"no seat {wrong!r}")


def _check_extras(start: State, state: State) -> None:
    """What a game may add for those who play: each default keeps these promises."""
    game = state.game
    for action in islice(_spread(list(state.legal_actions())), 2):
        frames = game.frames(state, action)
        after = state.apply(action).scene()
        _promise(frames and frames[-1] == after, "the last frame is the scene after the action")
        _promise(
            all(
                (frame.board.rows, frame.board.cols) == (after.board.rows, after.board.cols)
                for frame in frames[:-1]
            ),
            "every frame has the board's size",
        )
    _promise(isinstance(game.remark(start, state, None), str), "a remark is a str")
    fields = json.dumps(game.json_fields(state, 0, None))
    _promise(fields.startswith("{"), "the JSON fields are a dict of plain values")


def _check_solution(state: State) -> None:
    solution = state.solution()
    if solution is not None and state.actor != OVER:
        for action in solution:
            state = state.play(action)
        result = state.result()
        _promise(result is not None and max(result.returns) > 0, "a solution ends in a win")
