// Compiled by `tsc --strict`: the types of banqi.d.ts are those of the specification.
import {
  type CaptureAction,
  type Deal,
  type LegalMoveSet,
  type Match,
  type MoveAction,
  type ValidationResult,
  type WinResult,
  IllegalAction,
  checkWinCondition,
  createMatch,
  executeCapture,
  executeFlip,
  executeMove,
  getLegalMoves,
  validateCapture,
  validateFlip,
  validateMove,
} from 'parlour-banqi';

export function playOn(deal: Deal): Match {
  let match: Match = createMatch(deal, true);
  const flip: ValidationResult = validateFlip(match, 0);
  const results: { isValid: boolean; error?: string }[] = [
    flip,
    validateMove(match, 0, 1),
    validateCapture(match, 0, 1),
  ];
  if (results.every(({ isValid }) => isValid)) match = executeFlip(match, 0);
  const legal: LegalMoveSet = getLegalMoves(match);
  const flips: number[] = legal.flips;
  const moves: Array<{ fromIndex: number; toIndex: number }> = legal.moves;
  const capture: CaptureAction | undefined = legal.captures[0];
  const move: MoveAction | undefined = moves[0];
  const win: WinResult = checkWinCondition(match);
  const winner: 'red' | 'black' | undefined = win.winner;
  const reason: 'capture-all' | 'stalemate' | undefined = win.reason;
  try {
    if (move) return executeMove(match, move.fromIndex, move.toIndex);
    if (capture) return executeCapture(match, capture.fromIndex, capture.toIndex);
  } catch (error) {
    if (error instanceof IllegalAction) return match;
    throw error;
  }
  return winner || reason || flips.length > 0 ? match : executeFlip(match, 0);
}

// @ts-expect-error a match cannot be changed
createMatch([]).status = 'ended';
// @ts-expect-error an index is a number
validateFlip(createMatch([]), '0');
