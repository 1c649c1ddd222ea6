"""The legal actions of a position in wire format.

They are the largest part of most messages. Where a game's views are fixed, each is encoded once
for all positions and tables, and a list of them is only joined.
"""

from functools import lru_cache
from typing import cast

from msgspec import Raw

from parlour.core.errors import ParlourError
from parlour.core.game import Game, State
from parlour.core.packages import failure
from parlour.protocol.json import encode
from parlour.protocol.messages import WireAction

GAMES_KEPT = 64
"""Games whose encoded views are kept: 0.2 KB for each action that was legal."""


class EncodedViews(dict[int, bytes]):
    """The encoded view of each action of a game with fixed views, made on demand."""

    def __init__(self, game: Game) -> None:
        """Start empty."""
        super().__init__()
        self._game = game
        self._state = game.start()

    def __missing__(self, action: int) -> bytes:
        """Encode the view of an action."""
        made = self[action] = encode(self._game.action_view(self._state, action))
        return made


@lru_cache(GAMES_KEPT)
def encoded_views(game: Game) -> EncodedViews:
    """Return the views of a game, which all its tables share."""
    return EncodedViews(game)


def encoded_actions(state: State) -> bytes:
    """Return the legal actions as JSON, separated by commas, without brackets."""
    game: Game = state.game
    try:
        legal = state.legal_actions()
        if type(game).FIXED_VIEWS:
            return b",".join(map(encoded_views(game).__getitem__, legal))
        return encode([game.action_view(state, action) for action in legal])[1:-1]
    except ParlourError:
        raise
    except Exception as error:
        raise failure(game, "action_view", error) from error


def raw_actions(actions: bytes) -> list[WireAction]:
    """Return encoded actions as the value of a field."""
    return cast("list[WireAction]", Raw(b"[%b]" % actions))
