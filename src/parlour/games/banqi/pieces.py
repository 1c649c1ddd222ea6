"""Constants of Banqi: colours, kinds, results, and the reasons why an action is illegal."""

from typing import Final

from mypy_extensions import i64

from parlour.core.scene import Board

RED: Final = 0
BLACK: Final = 1
NO_COLOUR: Final = -1

KINDS: Final = 7
KING: Final = 0
CANNON: Final = 5
PAWN: Final = 6
PIECES: Final = 14
SET_SIZES: Final = (1, 2, 2, 2, 2, 2, 5)
"""The number of pieces of each kind in a colour's set."""
SET: Final = 16

COLOUR_WORDS: Final = ("red", "black")
KIND_WORDS: Final = ("King", "Guard", "Minister", "Rook", "Horse", "Cannon", "Pawn")
PIECE_SIGNS: Final = "KGMRHCPkgmrhcp"
CHARACTERS: Final = "帥仕相俥傌炮兵將士象車馬砲卒"
"""The letter used in texts and the character printed on the piece, by piece."""

BOARD: Final = Board(4, 8, ("1", "2", "3", "4"), ("a", "b", "c", "d", "e", "f", "g", "h"))
FACES: Final = tuple(
    [f"{colour}-{kind.lower()}" for colour in COLOUR_WORDS for kind in KIND_WORDS] + ["back"]
)
"""The face of each piece; the last is the back of a face-down piece."""

EMPTY: Final = -1
FACE_DOWN: Final = -2
NOTHING: Final = -1

NUM_ACTIONS: Final = 1056
FIRST_MOVE: Final[i64] = 32

ONGOING: Final = 0
CAPTURE_ALL: Final = 1
STALEMATE: Final = 2
QUIET_LIMIT: Final = 3
REPETITION: Final = 4

REASONS: Final = ("ongoing", "capture-all", "stalemate", "quiet-limit", "repetition")

# The specification's error texts.
NO_PIECE: Final = "No piece at index"
ALREADY_REVEALED: Final = "Piece already revealed"
PIECE_NOT_REVEALED: Final = "Piece not revealed"
ATTACKER_NOT_REVEALED: Final = "Attacker not revealed"
TARGET_NOT_REVEALED: Final = "Target not revealed"
NOT_YOUR_TURN: Final = "Not current player's turn"
NOT_ADJACENT: Final = "Destination not adjacent"
NOT_EMPTY: Final = "Destination not empty"
OWN_PIECE: Final = "Target is own piece"
CANNON_ADJACENT: Final = "Cannon cannot capture adjacent piece"
CANNON_SCREEN: Final = "Cannon must jump over exactly one piece"
KING_PAWN: Final = "King cannot capture Pawn"
RANK_TOO_LOW: Final = "Invalid capture: rank too low"

PLAYER_TEXTS: Final[dict[str, str]] = {
    NO_PIECE: "there is no piece there",
    ALREADY_REVEALED: "that piece is already face-up",
    PIECE_NOT_REVEALED: "that piece is face-down; flip it before you move it",
    ATTACKER_NOT_REVEALED: "that piece is face-down; flip it before you capture with it",
    TARGET_NOT_REVEALED: "face-down pieces cannot be captured",
    NOT_YOUR_TURN: "that piece belongs to your opponent",
    NOT_ADJACENT: "pieces move one square up, down, left or right",
    NOT_EMPTY: "that square is not empty",
    OWN_PIECE: "you cannot capture your own piece",
    CANNON_ADJACENT: "a Cannon cannot capture the piece next to it",
    CANNON_SCREEN: "a Cannon captures by jumping over exactly one piece",
    KING_PAWN: "a King cannot capture a Pawn",
    RANK_TOO_LOW: "that piece outranks yours",
}
"""What players read instead of the specification's error texts."""
