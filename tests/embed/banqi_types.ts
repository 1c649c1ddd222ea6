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

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Action = { fromIndex: number; toIndex: number };
export const sameTypes: [
  Same<ValidationResult, { isValid: boolean; error?: string }>,
  Same<WinResult, { hasEnded: boolean; winner?: 'red' | 'black'; reason?: 'capture-all' | 'stalemate' }>,
  Same<LegalMoveSet, { flips: number[]; moves: Array<Action>; captures: Array<Action> }>,
  Same<Parameters<typeof validateFlip>, [match: Match, pieceIndex: number]>,
  Same<Parameters<typeof validateMove>, [match: Match, fromIndex: number, toIndex: number]>,
  Same<Parameters<typeof validateCapture>, [match: Match, fromIndex: number, toIndex: number]>,
] = [true, true, true, true, true, true];

// @ts-expect-error a match cannot be changed
createMatch([]).status = 'ended';
// @ts-expect-error an index is a number
validateFlip(createMatch([]), '0');
