// Banqi: the rules of the specification, for programs that run without Python.
//
// All functions are pure. They take plain objects, also such as JSON gives, and return new ones.
// Squares are numbered row by row from the top left, 4 rows of 8: 0 to 31.
// Parlour's Python rules are the reference; shared test vectors compare the two.

const ROWS = 4;
const COLUMNS = 8;
const SQUARES = ROWS * COLUMNS;
const SET = 16;
const RANKS = { King: 7, Guard: 6, Minister: 5, Rook: 4, Horse: 3, Cannon: 2, Pawn: 1 };
const NUMBERS = { King: 1, Guard: 2, Minister: 2, Rook: 2, Horse: 2, Cannon: 2, Pawn: 5 };

/** The action is not legal. The message is the error of the validator. */
export class IllegalAction extends Error {
  constructor(message) {
    super(message);
    this.name = 'IllegalAction';
  }
}

/** Return a match before its first flip. `deal` gives kind and color of all 32 pieces. */
export function createMatch(deal, firstFlipPasses = false) {
  if (!Array.isArray(deal) || deal.length !== SQUARES || !deal.every(Boolean)) {
    throw new RangeError(`a deal must have ${SQUARES} pieces`);
  }
  const board = deal.map(({ kind, color }) => ({ kind, color, isRevealed: false, isDead: false }));
  for (const color of ['red', 'black']) {
    for (const [kind, number] of Object.entries(NUMBERS)) {
      const found = board.filter((piece) => piece.kind === kind && piece.color === color).length;
      if (found !== number) {
        throw new RangeError(`a deal must have ${number} ${color} ${kind}, not ${found}`);
      }
    }
  }
  return {
    board,
    status: 'waiting-first-flip',
    currentTurn: null,
    redCaptured: [],
    blackCaptured: [],
    winner: null,
    firstFlipPasses,
  };
}

/** Whether the piece can be flipped. Never throws, whatever the index. */
export function validateFlip(match, pieceIndex) {
  return verdict(flipError(match, pieceIndex));
}

/** Whether the piece can move there. Never throws, whatever the indices. */
export function validateMove(match, fromIndex, toIndex) {
  return verdict(moveError(match, fromIndex, toIndex));
}

/** Whether the piece can capture the other. Never throws, whatever the indices. */
export function validateCapture(match, fromIndex, toIndex) {
  return verdict(captureError(match, fromIndex, toIndex));
}

/** Return the match after the flip. Throws `IllegalAction`. */
export function executeFlip(match, pieceIndex) {
  refuse(flipError(match, pieceIndex));
  const piece = match.board[pieceIndex];
  const board = replaced(match.board, pieceIndex, { ...piece, isRevealed: true });
  const isFirst = match.status === 'waiting-first-flip';
  const mover = isFirst ? piece.color : match.currentTurn;
  const passes = !isFirst || match.firstFlipPasses === true;
  return settled({ ...match, board, currentTurn: passes ? opponent(mover) : mover });
}

/** Return the match after the move. Throws `IllegalAction`. */
export function executeMove(match, fromIndex, toIndex) {
  refuse(moveError(match, fromIndex, toIndex));
  const board = moved(match.board, fromIndex, toIndex);
  return settled({ ...match, board, currentTurn: opponent(match.currentTurn) });
}

/** Return the match after the capture. Throws `IllegalAction`. */
export function executeCapture(match, fromIndex, toIndex) {
  refuse(captureError(match, fromIndex, toIndex));
  const taken = { ...match.board[toIndex], isDead: true };
  const list = taken.color === 'black' ? 'redCaptured' : 'blackCaptured';
  const captured = [...match[list], taken];
  const currentTurn = captured.length === SET ? match.currentTurn : opponent(match.currentTurn);
  const board = moved(match.board, fromIndex, toIndex);
  return settled({ ...match, board, [list]: captured, currentTurn });
}

/** Return whether the match has ended: all 16 pieces captured, or no legal action. */
export function checkWinCondition(match) {
  if (match.redCaptured.length === SET) return won('red', 'capture-all');
  if (match.blackCaptured.length === SET) return won('black', 'capture-all');
  if (match.currentTurn && !hasAction(match)) return won(opponent(match.currentTurn), 'stalemate');
  const result = { hasEnded: match.status === 'ended' };
  return match.winner ? { ...result, winner: match.winner } : result;
}

/** Return every action that the validators accept, in ascending order; none after the end. */
export function getLegalMoves(match) {
  const legal = { flips: [], moves: [], captures: [] };
  if (match.status === 'ended') return legal;
  for (const [fromIndex, piece] of match.board.entries()) {
    if (piece === null) continue;
    if (!piece.isRevealed) {
      legal.flips.push(fromIndex);
    } else if (piece.color === match.currentTurn) {
      for (const toIndex of reach(fromIndex)) {
        if (pieceMoveError(match, fromIndex, toIndex) === null) {
          legal.moves.push({ fromIndex, toIndex });
        } else if (pieceCaptureError(match, fromIndex, toIndex) === null) {
          legal.captures.push({ fromIndex, toIndex });
        }
      }
    }
  }
  return legal;
}

function flipError(match, index) {
  if (match.status === 'ended') return 'Match already ended';
  if (!isSquare(index)) return 'Invalid piece index';
  const piece = match.board[index];
  if (piece === null) return 'No piece at index';
  return piece.isRevealed ? 'Piece already revealed' : null;
}

function moveError(match, from, to) {
  if (match.status !== 'in-progress') return 'Match not in progress';
  if (!isSquare(from) || !isSquare(to)) return 'Invalid indices';
  return pieceMoveError(match, from, to);
}

function captureError(match, from, to) {
  if (match.status !== 'in-progress') return 'Match not in progress';
  if (!isSquare(from) || !isSquare(to)) return 'Invalid indices';
  return pieceCaptureError(match, from, to);
}

function pieceMoveError(match, from, to) {
  const error = sourceError(match, from, 'Piece not revealed');
  if (error !== null) return error;
  if (!isAdjacent(from, to)) return 'Destination not adjacent';
  return match.board[to] === null ? null : 'Destination not empty';
}

function pieceCaptureError(match, from, to) {
  const error = sourceError(match, from, 'Attacker not revealed');
  if (error !== null) return error;
  const attacker = match.board[from];
  const target = match.board[to];
  if (target === null) return 'No piece at index';
  if (!target.isRevealed) return 'Target not revealed';
  if (target.color === attacker.color) return 'Target is own piece';
  if (attacker.kind === 'Cannon') {
    if (isAdjacent(from, to)) return 'Cannon cannot capture adjacent piece';
    return screens(match.board, from, to) === 1 ? null : 'Cannon must jump over exactly one piece';
  }
  if (!isAdjacent(from, to)) return 'Destination not adjacent';
  if (attacker.kind === 'King' && target.kind === 'Pawn') return 'King cannot capture Pawn';
  if (attacker.kind === 'Pawn' && target.kind === 'King') return null;
  return RANKS[attacker.kind] >= RANKS[target.kind] ? null : 'Invalid capture: rank too low';
}

function sourceError(match, index, notRevealed) {
  const piece = match.board[index];
  if (piece === null) return 'No piece at index';
  if (!piece.isRevealed) return notRevealed;
  return piece.color === match.currentTurn ? null : "Not current player's turn";
}

/** Return the match in progress, or ended with its winner. */
function settled(match) {
  const next = { ...match, status: 'in-progress', winner: null };
  const { hasEnded, winner } = checkWinCondition(next);
  return hasEnded ? { ...next, status: 'ended', winner } : next;
}

function hasAction(match) {
  const { flips, moves, captures } = getLegalMoves({ ...match, status: 'in-progress' });
  return flips.length + moves.length + captures.length > 0;
}

function isSquare(index) {
  return Number.isInteger(index) && index >= 0 && index < SQUARES;
}

function place(index) {
  return [Math.floor(index / COLUMNS), index % COLUMNS];
}

function isAdjacent(from, to) {
  const [row, column] = place(from);
  const [otherRow, otherColumn] = place(to);
  return Math.abs(row - otherRow) + Math.abs(column - otherColumn) === 1;
}

/** Return the squares in the same row or column, in ascending order. */
function reach(index) {
  const [row, column] = place(index);
  const inLine = (other) => place(other)[0] === row || place(other)[1] === column;
  return Array.from({ length: SQUARES }, (_, other) => other).filter(inLine);
}

/** Return how many pieces stand between two squares of a line, or -1 without a line. */
function screens(board, from, to) {
  const [row, column] = place(from);
  const [otherRow, otherColumn] = place(to);
  if (row !== otherRow && column !== otherColumn) return -1;
  const step = row === otherRow ? 1 : COLUMNS;
  let count = 0;
  for (let index = Math.min(from, to) + step; index < Math.max(from, to); index += step) {
    if (board[index] !== null) count += 1;
  }
  return count;
}

function moved(board, from, to) {
  return replaced(replaced(board, to, board[from]), from, null);
}

function replaced(board, index, piece) {
  const copy = [...board];
  copy[index] = piece;
  return copy;
}

function opponent(color) {
  return color === 'red' ? 'black' : 'red';
}

function won(winner, reason) {
  return { hasEnded: true, winner, reason };
}

function verdict(error) {
  return error === null ? { isValid: true } : { isValid: false, error };
}

function refuse(error) {
  if (error !== null) throw new IllegalAction(error);
}
