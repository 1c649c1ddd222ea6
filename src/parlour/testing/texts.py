"""Actions and positions in text: exact, read back, and rubbish refused with the right error."""

import copy
import pickle
from collections.abc import Callable

from parlour.core.checks import is_int, shown
from parlour.core.errors import ActionTextError, InvalidState, StateTextError, in_one_line
from parlour.core.game import CHANCE, Game, State
from parlour.core.heuristics import heuristics
from parlour.testing.promise import ConformanceError, broken, instead_of, promise

NONSENSE = ("", " ", "no such thing", "=", "-1", "☃", "0" * 5000, "a,b", "1\n2")


def check_action_texts(state: State) -> None:
    """Every legal action has a text of its own that leads back to it; rubbish leads nowhere."""
    game = state.game
    at_chance = state.actor == CHANCE
    owners: dict[str, int] = {}
    for action in state.legal_actions():
        text = game.action_to_text(state, action)
        promise(isinstance(text, str), f"action_to_text({action}) returns a str, not {{}}", text)
        promise(
            text and not any(sign.isspace() for sign in text),
            "an action's text has no spaces and is not empty: join its words, not as in {}",
            text,
        )
        promise(
            text.startswith("=") == at_chance and "=" not in text[1:],
            "the text of a chance outcome starts with '=', and no other text has one: not {}",
            text,
        )
        promise(
            text not in owners,
            f"actions {owners.get(text)} and {action} have the same text: {{}}",
            text,
        )
        owners[text] = action
        for written in (text, f" {text}\n"):
            _check_read(state, written, action)
    if state.actor >= 0:
        for nonsense in (*NONSENSE, "no such action"):
            _check_not_read(state, nonsense)


def _check_read(state: State, text: str, action: int) -> None:
    try:
        read: object = state.game.action_from_text(state, text)
    except Exception as error:
        raise ConformanceError(
            f"action_from_text strips space and reads {text!r} as {action}, but raised "
            f"{in_one_line(error)}"
        ) from error
    promise(
        is_int(read) and read == action,
        f"action_from_text strips space and reads {{}} as {action}, not as {{}}",
        text,
        read,
    )


def _check_not_read(state: State, text: str) -> None:
    """A text that means nothing is an error; a text that means an illegal action is its id."""
    try:
        number = state.game.action_from_text(state, text)
    except ActionTextError as error:
        promise(str(error), "an ActionTextError says what was wrong with {}", text)
    except Exception as error:
        raise ConformanceError(
            f"text that is not an action is an ActionTextError: action_from_text({text[:20]!r}) "
            f"raised {in_one_line(error)}"
        ) from error
    else:
        promise(
            is_int(number) and 0 <= number < state.game.num_actions,
            "text that is not an action is an ActionTextError: action_from_text({}) returned {}",
            text,
            number,
        )


def check_copies(state: State) -> None:
    """A state equals what is made from its text, its pickle and its copies."""
    game = state.game
    known = heuristics(game)
    text = game.state_to_text(state)
    promise(isinstance(text, str), "state_to_text returns a str, not {}", text)
    copies: tuple[tuple[str, Callable[[], State]], ...] = (
        ("its text", lambda: game.state_from_text(text)),
        ("its pickle", lambda: pickle.loads(pickle.dumps(state))),
        ("its copy", lambda: copy.copy(state)),
        ("its deep copy", lambda: copy.deepcopy(state)),
    )
    for name, make in copies:
        try:
            again = make()
        except Exception as error:
            raise ConformanceError(
                f"a state is made again from {name}, but {in_one_line(error)}"
            ) from error
        promise(
            again == state,
            f"a state equals what is made from {name}, which must hold all that the key holds: "
            "{}, not {}",
            state.key(),
            again.key(),
        )
        promise(hash(again) == hash(state), f"a state has the hash of {name}")
        for what, one, other in (
            ("actor", again.actor, state.actor),
            ("legal actions", list(again.legal_actions()), list(state.legal_actions())),
            ("result", again.result(), state.result()),
            ("fingerprint", known.fingerprint(again), known.fingerprint(state)),
        ):
            promise(
                one == other,
                f"what is made from {name} has the same {what}, {{}}, not {{}}: nothing may be "
                "left out",
                other,
                one,
            )
    written = game.state_to_text(game.state_from_text(text))
    promise(
        written == text, "a state's text stays the same to the letter: {}, not {}", text, written
    )
    promise(state != text, "a state equals states only")


def check_nonsense(game: Game) -> None:
    """What is not a position is refused with an error that says so."""
    for text in NONSENSE:
        went = instead_of((StateTextError, InvalidState), game.state_from_text, text)
        if went:
            broken(
                "text that is not a position is a StateTextError or InvalidState: "
                f"state_from_text({shown(text)}) {went}"
            )
