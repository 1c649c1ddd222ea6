"""The specification's own API of Blokus: asking what is valid, and placing a piece by hand."""

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
    """Whether a move is valid, and if not, why: the rule in words."""

    is_valid: bool
    reason: str | None = None


class BlokusRules:
    """What is valid in a game state."""

    @staticmethod
    def get_valid_moves(
        game_state: GameState, player_id: int, piece: Piece | str | None = None
    ) -> list[Move]:
        """Every placement of this player that fits, each exactly once; of one piece, if given.

        For a player who is not to move: what would fit if it were their turn now.
        """
        state = on_turn(game_state, player_id)
        wanted = None if piece is None else _piece_name(piece)
        if state is None:
            return []
        moves = [move_of(game_state, player_id, action) for action in state.legal_actions()]
        return [move for move in moves if wanted is None or move.piece == Piece(wanted)]

    @staticmethod
    def validate_move(game_state: GameState, move: Move) -> ValidationResult:
        """Whether `game_state.play(move)` would accept it. Never raises, whatever the type."""
        reason = refusal(game_state, move)
        return ValidationResult(reason is None, reason)


def on_turn(game_state: GameState, player_id: int) -> BlokusState | None:
    """The engine's state with this player to move, or `None` if the player cannot place."""
    colour = check_player_id(player_id) - 1
    state = game_state.engine_state
    if state.mover == colour:
        return state
    return state.turned_to(colour) if state.can_lay(colour) else None


def _piece_name(piece: object) -> str:
    name = piece.name if isinstance(piece, Piece) else piece
    if not isinstance(name, str) or name not in PIECE_NAMES:
        raise ValueError(f"Unknown piece: {name!r}; one of {', '.join(PIECE_NAMES)}")
    return name


class PlacementHandler:
    """Places pieces for whoever is to move, as a hand would: select, flip, rotate, place."""

    def __init__(self, game_state: GameState) -> None:
        """Nothing is selected."""
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
        """The selected piece as it is oriented now, or `None`."""
        return self._selected

    def select_piece(self, name: str) -> bool:
        """Select a piece in its default orientation.

        Returns whether the current player holds it; if not, the selection stays as it was.
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
        """Mirror the selected piece left to right; whether there is one."""
        if self._selected is None:
            return False
        self._selected = self._selected.flip()
        return True

    def rotate_piece(self) -> bool:
        """Turn the selected piece clockwise by 90 degrees; whether there is one."""
        if self._selected is None:
            return False
        self._selected = self._selected.rotate(90)
        return True

    def clear_selection(self) -> None:
        """Select nothing."""
        self._selected = None

    def place_piece(self, row: int, col: int) -> tuple[bool, str | None]:
        """Place the selected piece with the top-left corner of its bounding box there.

        Returns (True, `None`) and selects nothing more, or (False, the reason), and then
        board, hand, selection and orientation are as before.
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
