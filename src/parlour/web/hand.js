/**
 * The piece in hand: take it, move it over the board, rotate, flip and place it.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./picker.js').Ghost} Ghost
 */
import { cellAt, extent } from './geometry.js';

/** How far the piece floats above a finger, in pixels. */
const ABOVE_FINGER = 52;
/** How far a piece snaps to a place where it fits, in cells. */
const SNAP = { mouse: 1.5, finger: 2.5 };

export class Hand {
  /** @param {ParlourBoard} board */
  constructor(board) {
    this.board = board;
    /** The cells under the piece. @type {Ghost | null} */
    this.ghost = null;
    /** The orientation in which each piece was last held. @type {Map<string, import('./picker.js').Shape>} */
    this.orientations = new Map();
  }

  get isEmpty() {
    return !this.board.picker.shape.length;
  }

  /** Take a piece from the tray and show where it fits; put it back if it is in hand already. @param {string} group */
  take(group) {
    const { board } = this;
    if (board.picker.group === group) {
      this.putBack();
      return;
    }
    const near = this.ghost ? board.cursor : this.middle();
    if (!this.pick(group)) {
      board.emit('refuse', { cells: [], group });
      return;
    }
    if (!board.picker.fits()) board.picker.step(near, 1);
    this.moveTo(board.picker.nearest(near, Infinity) ?? near, 'take');
  }

  middle() {
    const { board } = this.board.scene;
    return Math.floor(board.rows / 2) * board.cols + Math.floor(board.cols / 2);
  }

  /** Take a piece in its last orientation, without a place. Return whether it fits anywhere. @param {string} group */
  pick(group) {
    const { board } = this;
    board.pending = null;
    if (!board.picker.pick(group)) return false;
    const kept = this.orientations.get(group);
    if (kept) board.picker.shape = kept;
    return true;
  }

  /** Take a piece and hold it where an action would place it. @param {import('./scene.js').Action} action */
  holdAs(action) {
    const { picker } = this.board;
    if (!picker.pick(action.group)) return;
    picker.shape = picker.shapeOf(action.cells);
    this.orientations.set(action.group, picker.shape);
    this.moveTo(picker.cursorFor(action.cells), 'take');
  }

  /** Take the next piece. @param {number} by */
  takeNext(by) {
    const { picker } = this.board;
    const before = picker.group;
    picker.pickNext(by);
    const { group } = picker;
    picker.letGo();
    if (group && group !== before) this.take(group);
    else if (group) picker.pick(group);
  }

  /** Keep the piece in hand in a new position if it still fits. @param {import('./picker.js').Picker} before */
  keep({ group, shape }) {
    const { picker, cursor } = this.board;
    if (group && picker.byGroup.has(group)) Object.assign(picker, { group, shape });
    this.ghost = picker.group ? picker.ghost(picker.inside(cursor)) : null;
  }

  putBack() {
    this.drop();
    this.board.pending = null;
    this.board.drawMarks();
    this.board.emitHand('back');
  }

  /** Hold nothing. */
  drop() {
    this.board.picker.letGo();
    this.ghost = null;
  }

  /** Move the piece to a cell, or as near to it as the board allows. @param {number} cursor @param {string} [how] */
  moveTo(cursor, how = 'move') {
    const { board } = this;
    board.cursor = board.picker.inside(cursor);
    this.ghost = board.picker.ghost(board.cursor);
    board.drawMarks();
    board.emitHand(how);
  }

  /** Move the piece to the pointer, or above a finger; snap to a near place where it fits. @param {PointerEvent} event */
  hold(event) {
    const { board } = this;
    const isMouse = event.pointerType === 'mouse';
    const [x, y] = board.pointOf(event, isMouse ? 0 : ABOVE_FINGER);
    const [width, height] = extent(board.scene.board, board.turn);
    const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.min(Math.max(at, 0), most - 0.01);
    const cell = cellAt(board.scene.board, within(x, width), within(y, height), board.turn);
    if (cell < 0) return;
    const at = board.picker.inside(cell);
    const fits = board.picker.ghost(at)?.action;
    const to = fits ? at : board.picker.nearest(at, isMouse ? SNAP.mouse : SNAP.finger) ?? at;
    if (to !== board.cursor || !this.ghost) this.moveTo(to);
  }

  /** Rotate or flip the piece to the next orientation that fits somewhere.
   * @param {'turn' | 'flip'} how @param {number} [times] three turns are one to the left */
  change(how, times = 1) {
    const { board, board: { picker } } = this;
    if (this.isEmpty) return;
    for (let done = 0; done < times; done++) picker[how]();
    const first = picker.shape;
    for (let tried = 0; tried < 3 && !picker.fits(); tried++) for (let done = 0; done < times; done++) picker.turn();
    if (!picker.fits()) picker.shape = first;
    this.orientations.set(picker.group, picker.shape);
    const at = picker.inside(board.cursor);
    this.moveTo(picker.ghost(at)?.action ? at : picker.nearest(at, Infinity) ?? at, how);
  }

  /** Place the piece. */
  place() {
    const { board, ghost } = this;
    if (!ghost) return;
    if (ghost.action) {
      this.orientations.delete(board.picker.group);
      board.choose(ghost.action);
    } else board.emit('refuse', { cells: ghost.cells, group: board.picker.group });
  }
}
