/** Banqi: the types and functions of the specification. */

export type Color = 'red' | 'black';
export type PieceKind = 'King' | 'Guard' | 'Minister' | 'Rook' | 'Horse' | 'Cannon' | 'Pawn';
export type MatchStatus = 'waiting-first-flip' | 'in-progress' | 'ended';

export type Piece = {
  readonly kind: PieceKind;
  readonly color: Color;
  readonly isRevealed: boolean;
  readonly isDead: boolean;
};

export type Match = {
  /** 32 squares, row by row; `null` is an empty square. */
  readonly board: ReadonlyArray<Piece | null>;
  readonly status: MatchStatus;
  /** The color to move; `null` before the first flip. */
  readonly currentTurn: Color | null;
  /** The black pieces that red has captured. */
  readonly redCaptured: ReadonlyArray<Piece>;
  readonly blackCaptured: ReadonlyArray<Piece>;
  readonly winner: Color | null;
  /** Whether the turn passes to the other player after the first flip. */
  readonly firstFlipPasses: boolean;
};

export type ValidationResult = {
  isValid: boolean;
  /** One of `ValidationError`. */
  error?: string;
};

export type ValidationError =
  | 'Invalid piece index'
  | 'Piece already revealed'
  | 'No piece at index'
  | 'Match already ended'
  | 'Invalid indices'
  | 'Match not in progress'
  | "Not current player's turn"
  | 'Piece not revealed'
  | 'Destination not adjacent'
  | 'Destination not empty'
  | 'Attacker not revealed'
  | 'Target not revealed'
  | 'Target is own piece'
  | 'Invalid capture: rank too low'
  | 'King cannot capture Pawn'
  | 'Cannon must jump over exactly one piece'
  | 'Cannon cannot capture adjacent piece';

export type WinResult = {
  hasEnded: boolean;
  winner?: Color;
  reason?: 'capture-all' | 'stalemate';
};

export type MoveAction = { fromIndex: number; toIndex: number };
export type CaptureAction = { fromIndex: number; toIndex: number };

export type LegalMoveSet = {
  flips: number[];
  moves: MoveAction[];
  captures: CaptureAction[];
};

/** The action is not legal. The message is the error of the validator. */
export class IllegalAction extends Error {}

/** The kind and color of each of the 32 pieces, by square. */
export type Deal = ReadonlyArray<Pick<Piece, 'kind' | 'color'>>;

/** Return a match before its first flip. Throws `RangeError` unless the deal is a full set. */
export function createMatch(deal: Deal, firstFlipPasses?: boolean): Match;

export function validateFlip(match: Match, pieceIndex: number): ValidationResult;
export function validateMove(match: Match, fromIndex: number, toIndex: number): ValidationResult;
export function validateCapture(match: Match, fromIndex: number, toIndex: number): ValidationResult;

/** The `execute` functions throw `IllegalAction`; they never change their argument. */
export function executeFlip(match: Match, pieceIndex: number): Match;
export function executeMove(match: Match, fromIndex: number, toIndex: number): Match;
export function executeCapture(match: Match, fromIndex: number, toIndex: number): Match;

export function checkWinCondition(match: Match): WinResult;
export function getLegalMoves(match: Match): LegalMoveSet;
