"""The specification's validation of Blokus moves, and interactive placement."""

from typing import NamedTuple

from parlour.games.blokus.pieces import ORIENTATION_OF, ORIENTATIONS, PIECE_NAMES
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.spec.model import (
    GameState,
    Move,
    Piece,
    check_player_id,
    move_of,
    refusal,
)


class ValidationResult(NamedTuple):
    """Whether a move is valid, and the broken rule if it is not."""

    is_valid: bool
    reason: str | None = None


class BlokusRules:
    """The legal moves of a game state."""

    @staticmethod
    def get_valid_moves(
        game_state: GameState, player_id: int, piece: Piece | str | None = None
    ) -> list[Move]:
        """Return every legal placement of this player, or of one piece, each exactly once.

        If it is not the player's turn, return what would be legal if it were.
        """
        state = on_turn(game_state, player_id)
        wanted = None if piece is None else _piece_name(piece)
        if state is None:
            return []
        moves = [move_of(game_state, player_id, action) for action in state.legal_actions()]
        return [move for move in moves if wanted is None or move.piece == Piece(wanted)]

    @staticmethod
    def validate_move(game_state: GameState, move: Move) -> ValidationResult:
        """Check whether `game_state.play(move)` would accept this move, whatever its type."""
        reason = refusal(game_state, move)
        return ValidationResult(reason is None, reason)


def on_turn(game_state: GameState, player_id: int) -> BlokusState | None:
    """Return the engine's state with this player to move, or `None` if nothing fits."""
    colour = check_player_id(player_id) - 1
    state = game_state.engine_state
    if state.mover == colour:
        return state
    return state.turned_to(colour) if state.can_lay(colour) else None


def _piece_name(piece: object) -> str:
    name = piece.name if isinstance(piece, Piece) else piece
    if not isinstance(name, str) or name not in PIECE_NAMES:
        raise ValueError(f"Unknown piece: {name!r}; use one of {', '.join(PIECE_NAMES)}")
    return name


class PlacementHandler:
    """Places pieces of the current player step by step: select, flip, rotate, place."""

    def __init__(self, game_state: GameState) -> None:
        """Start without a selection."""
        if not isinstance(game_state, GameState):
            raise ValueError(f"game_state must be a GameState, not {game_state!r}")
        self._game_state = game_state
        self._selected: Piece | None = None

    @property
    def game_state(self) -> GameState:
        """The current state."""
        return self._game_state

    @property
    def selected_piece(self) -> Piece | None:
        """The selected piece in its current orientation, or `None`."""
        return self._selected

    def select_piece(self, name: str) -> bool:
        """Select a piece in its default orientation.

        Return whether the current player holds it; if not, the selection does not change.
        """
        player_id = self._game_state.current_player
        if player_id is None:
            return False
        for piece in self._game_state.players[player_id].pieces:
            if piece.name == name:
                self._selected = piece
                return True
        return False

    def flip_piece(self) -> bool:
        """Mirror the selected piece left to right. Return whether there is one."""
        if self._selected is None:
            return False
        self._selected = self._selected.flip()
        return True

    def rotate_piece(self) -> bool:
        """Rotate the selected piece clockwise by 90 degrees. Return whether there is one."""
        if self._selected is None:
            return False
        self._selected = self._selected.rotate(90)
        return True

    def clear_selection(self) -> None:
        """Clear the selection."""
        self._selected = None

    def place_piece(self, row: int, col: int) -> tuple[bool, str | None]:
        """Place the selected piece with the top-left corner of its bounding box there.

        Return (True, `None`) and clear the selection, or return (False, reason) and change
        nothing.
        """
        player_id = self._game_state.current_player
        if player_id is None:
            return False, "The game is over"
        if self._selected is None:
            return False, "No piece selected"
        _, flip, rotation, _ = ORIENTATIONS[ORIENTATION_OF[self._selected.coordinates]]
        piece = Piece(self._selected.name)
        try:
            move = Move(piece, (row, col), rotation, player_id, flip=flip)
            self._game_state = self._game_state.play(move)
        except ValueError as error:
            return False, str(error)
        self._selected = None
        return True, None
