/**
 * Keys on the board: arrows move between cells, Enter chooses, letters rotate pieces and ask questions.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./geometry.js').Direction} Direction
 */
import { onBoard, realCells, step } from './geometry.js';

/** @type {Record<string, Direction>} */
export const ARROW_KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
/** @type {Record<string, string>} */
const QUESTIONS = { l: 'last', c: 'clock', s: 'status' };

/** @param {ParlourBoard} board @param {KeyboardEvent} event */
export function onKey(board, event) {
  if (event.altKey || event.metaKey) return;
  if (event.key === 'Tab') board.isPointed = false;
  const arrow = ARROW_KEYS[event.key];
  // After a click, arrows are steps of the game or of the review, as they are beside the board.
  if (arrow && board.isPointed && (board.compass || !board.scene.actions.length)) return;
  const to = arrow ? step(board.scene.board, board.cursor, onBoard(arrow, board.turn)) : edge(board, event);
  if (to >= 0) {
    walk(board, to);
    if (board.hand.isEmpty) board.look(board.scene.actions.length ? board.readyAt(to).action : null);
  } else if (event.ctrlKey) return;
  else if (event.key === 'Enter' || event.key === ' ') {
    if (board.hand.isEmpty) board.activate(board.cursor, false);
    else board.hand.place();
  } else if (event.key === 'Escape') {
    if (!board.cancel()) return;
  } else if (!onLetter(board, event.key.toLowerCase())) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The first or last cell of the row or the board, or -1. @param {ParlourBoard} board @param {KeyboardEvent} event */
function edge({ scene: { board }, cursor }, { key, ctrlKey }) {
  const all = realCells(board);
  const some = ctrlKey ? all : all.filter((cell) => Math.floor(cell / board.cols) === Math.floor(cursor / board.cols));
  return (key === 'Home' ? some[0] : key === 'End' ? some.at(-1) : -1) ?? -1;
}

/** Handle a letter. Return whether it has a meaning. @param {ParlourBoard} board @param {string} key */
export function onLetter(board, key) {
  if (QUESTIONS[key]) board.emit('ask', { what: QUESTIONS[key] });
  else if (key === 'r') board.hand.change('turn');
  else if (key === 'f') board.hand.change('flip');
  else if (key === 'n') board.hand.takeNext(1);
  else if (key === 'p') board.hand.takeNext(-1);
  else return false;
  return true;
}

/** Move the cursor and the focus to a cell. @param {ParlourBoard} board @param {number} cell */
function walk(board, cell) {
  board.cursor = cell;
  if (board.hand.isEmpty) board.drawMarks();
  else board.hand.moveTo(cell);
  board.cellElements.get(board.cursor)?.focus({ preventScroll: true });
}

/** Follow the focus with the cursor. @param {ParlourBoard} board @param {FocusEvent} event */
export function onFocus(board, event) {
  const cell = Number(/** @type {HTMLElement} */ (event.target).dataset.cell);
  if (Number.isNaN(cell) || cell === board.cursor || board.pointer?.press) return;
  board.cursor = cell;
  if (board.hand.isEmpty) board.drawMarks();
  else board.hand.moveTo(cell);
}
