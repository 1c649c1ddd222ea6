"""Check the texts of actions and positions: exact, readable, and wrong ones refused."""

import copy
import pickle
from collections.abc import Callable

from parlour.core.checks import is_int, shown
from parlour.core.errors import ActionTextError, InvalidState, StateTextError, in_one_line
from parlour.core.game import CHANCE, Game, State
from parlour.core.heuristics import heuristics
from parlour.testing.promise import broken, failed, instead_of, promise

NONSENSE = ("", " ", "no such thing", "=", "-1", "☃", "0" * 5000, "a,b", "1\n2")


def check_action_texts(state: State) -> None:
    """Check that legal actions have different texts that lead back, and others are refused."""
    game = state.game
    at_chance = state.actor == CHANCE
    owners: dict[str, int] = {}
    for action in state.legal_actions():
        text = game.action_to_text(state, action)
        promise(
            isinstance(text, str),
            f"action_to_text({action}) must return a str, not {{}}",
            text,
            cure="Return a text.",
        )
        promise(
            text and not any(sign.isspace() for sign in text),
            "an action's text must not be empty or contain spaces: {}",
            text,
            cure="Join its words: `c2-c3`, not `c2 c3`.",
        )
        promise(
            text.startswith("=") == at_chance and "=" not in text[1:],
            "the text of a chance outcome must start with '=', and other texts must "
            "not contain it: {}",
            text,
            cure="Begin the texts of outcomes with `=`; write moves without it.",
        )
        promise(
            text not in owners,
            f"actions {owners.get(text)} and {action} have the same text, {{}}",
            text,
            cure="Add the difference to the text.",
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
        raise failed(
            f"action_from_text() must strip spaces and read {text!r} as {action}, but "
            f"raised {in_one_line(error)}",
            cure="Strip the text first, then read everything that `action_to_text` writes.",
        ) from error
    promise(
        is_int(read) and read == action,
        f"action_from_text() must strip spaces and read {{}} as {action}, not {{}}",
        text,
        read,
        cure="Strip the text first, then read everything that `action_to_text` writes.",
    )


def _check_not_read(state: State, text: str) -> None:
    """Check that a text without meaning raises; that of an illegal action may return its id."""
    try:
        number = state.game.action_from_text(state, text)
    except ActionTextError as error:
        promise(
            str(error),
            "an ActionTextError must say what was wrong with {}",
            text,
            cure="Put into the error what would be right.",
        )
    except Exception as error:
        raise failed(
            "a text that is not an action must raise ActionTextError, but "
            f"action_from_text({text[:20]!r}) raised {in_one_line(error)}",
            cure='Catch the errors of your parser: `int("x")` raises `ValueError`.',
        ) from error
    else:
        promise(
            is_int(number) and 0 <= number < state.game.num_actions,
            "a text that is not an action must raise ActionTextError, but "
            "action_from_text({}) returned {}",
            text,
            number,
            cure="Raise `ActionTextError` for an id out of range.",
        )


def check_copies(state: State) -> None:
    """Check that a state equals those rebuilt from its text, its pickle and its copies."""
    game = state.game
    known = heuristics(game)
    text = game.state_to_text(state)
    promise(
        isinstance(text, str),
        "state_to_text() must return a str, not {}",
        text,
        cure="Return a text.",
    )
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
            raise failed(
                f"a state cannot be rebuilt from {name}: {in_one_line(error)}",
                cure="Correct `state_from_text`, or `__reduce__` if you replaced it.",
            ) from error
        promise(
            again == state,
            f"a state must equal the one rebuilt from {name}: {{}}, not {{}}",
            state.key(),
            again.key(),
            cure="Write everything that the key holds into the text.",
        )
        promise(
            hash(again) == hash(state),
            f"a state must have the same hash as {name}",
            cure="Hash the key alone.",
        )
        for what, one, other in (
            ("actor", again.actor, state.actor),
            ("legal actions", list(again.legal_actions()), list(state.legal_actions())),
            ("result", again.result(), state.result()),
            ("fingerprint", known.fingerprint(again), known.fingerprint(state)),
        ):
            promise(
                one == other,
                f"the state rebuilt from {name} must have the same {what}, {{}}, not {{}}",
                other,
                one,
                cure="Write everything into the text that is needed to compute it.",
            )
    written = game.state_to_text(game.state_from_text(text))
    promise(
        written == text,
        "a state's text must stay the same when it is read and written again: {}, not {}",
        text,
        written,
        cure="Write each position in one way only, in a fixed order.",
    )
    promise(state != text, "a state must equal only states", cure="Do not replace `__eq__`.")


def check_nonsense(game: Game) -> None:
    """Check that texts that are not positions are refused with the right error."""
    for text in NONSENSE:
        went = instead_of((StateTextError, InvalidState), game.state_from_text, text)
        if went:
            broken(
                "a text that is not a position must raise StateTextError or InvalidState, "
                f"but state_from_text({shown(text)}) {went}",
                cure="Match the whole text, then check its content; raise `StateTextError` with "
                "an example.",
            )
