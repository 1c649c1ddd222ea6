/**
 * Animations between two scenes: pieces slide, discs turn over, arrows rotate, new pieces fade in.
 * @typedef {import('./wire.js').Cell} Cell
 * @typedef {{cell: number, was: Cell, now: Cell}} Change
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 */
import { UNIT, arrowOf, drawCell, isDown, isPiece, svg } from './drawing.js';
import { centre } from './geometry.js';

const TIME = 200;
const EASE = 'cubic-bezier(.3,.7,.3,1)';

/** @param {ParlourBoard} board @param {number} cell */
function shift(board, cell) {
  const [x, y] = centre(board.scene.board, cell, board.turn);
  return `translate(${x * UNIT}px, ${y * UNIT}px)`;
}

/** @param {ParlourBoard} board @param {Change[]} changes */
export function animateChanges(board, changes) {
  for (const { cell, was, now } of changes) {
    const figure = board.figures.get(cell);
    if (!figure) continue;
    const [from, to] = [arrowOf(was), arrowOf(now)];
    if (!Number.isNaN(from) && !Number.isNaN(to)) {
      if (from !== to) turnArrow(figure, from, to, board.turn);
    } else if (isDown(was) && !isDown(now) && now.face) flip(board, cell, was, figure);
    else if (isPiece(now)) slide(board, cell, now, changes, figure);
    else if (now.piece && !was.piece) {
      figure.animate({ opacity: [0, 1] }, { duration: TIME });
    }
  }
}

/** @param {SVGElement} figure @param {number} from @param {number} to @param {number} turn */
function turnArrow(figure, from, to, turn) {
  const by = (to - from + 360) % 360;
  const end = to + 90 * turn;
  figure.querySelector('.turn')?.animate(
    { transform: [`rotate(${end - (by > 180 ? by - 360 : by)}deg)`, `rotate(${end}deg)`] },
    { duration: TIME, easing: EASE },
  );
}

/** @param {ParlourBoard} board @param {number} cell @param {Cell} was @param {SVGElement} figure */
function flip(board, cell, was, figure) {
  const place = shift(board, cell);
  const { figure: back } = drawCell(board.scene.board, was, board.turn);
  const holder = svg('g', { transform: board.at(cell) }, ...(back ? [back] : []));
  board.layers.figures.append(holder);
  holder.animate({ transform: [`${place} scaleX(1)`, `${place} scaleX(0)`] }, { duration: TIME * 0.7, easing: 'ease-in', fill: 'forwards' })
    .finished.then(() => holder.remove(), () => holder.remove());
  figure.animate({ transform: [`${place} scaleX(0)`, `${place} scaleX(1)`] }, { duration: TIME * 0.7, delay: TIME * 0.7, easing: 'ease-out', fill: 'backwards' });
}

/** @param {ParlourBoard} board @param {number} cell @param {Cell} now @param {Change[]} changes @param {SVGElement} figure */
function slide(board, cell, now, changes, figure) {
  const from = changes.find(({ cell: other, was, now: left }) => other !== cell && was.face === now.face && was.owner === now.owner && left.face !== now.face);
  if (!from) return;
  board.layers.figures.append(figure);
  figure.animate({ transform: [shift(board, from.cell), shift(board, cell)] }, { duration: TIME, easing: EASE });
}
