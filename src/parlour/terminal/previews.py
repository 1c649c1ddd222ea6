"""Previews for the start screen: a position to draw, and a line about each game."""

from collections.abc import Callable
from datetime import datetime

from parlour.core.game import OVER, Game, State, start_of
from parlour.core.rng import Rng
from parlour.core.scene import Scene

PICTURE_SEED, PICTURE_PLIES = 8, 24
"""The pictures show a game in progress."""


def under_way(game: Game) -> State:
    """Return a position in mid-game, the same each time."""
    rng = Rng(PICTURE_SEED)
    state = start_of(game, PICTURE_SEED)
    for _ in range(PICTURE_PLIES):
        if state.actor == OVER:
            break
        after = state.apply(state.sample(rng))
        if after.actor == OVER:
            break
        state = after
    return state


def seen(position: Callable[[], State]) -> Scene:
    """Return a spectator's view of a position; an empty scene if a game fails."""
    try:
        return position().scene(None)
    except Exception:  # third-party code: the error is shown when it is played
        return Scene()


def facts(game: Game) -> str:
    """Return a line about a game: players, board, and whether it has chance or secrets."""
    words = ["1 player" if game.seats == 1 else f"{game.seats} players"]
    if game.board.size:
        words.append(f"{game.board.rows} × {game.board.cols}")
    if game.has_chance:
        words.append("chance")
    if game.has_secrets:
        words.append("secrets")
    return " · ".join(words)


def moment(saved: str) -> str:
    """Format a record's timestamp in local time, to the minute."""
    try:
        return datetime.fromisoformat(saved).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OSError, OverflowError):
        return "some time ago"


def seat_names(game: Game) -> tuple[str, ...]:
    """Return the names of the seats at the start."""
    try:
        return game.seat_names(start_of(game, PICTURE_SEED))
    except Exception:  # third-party code, as above
        return tuple(f"player {seat + 1}" for seat in range(game.seats))
