/**
 * Mouse and touch on the board. Press, drag and click share one path: a press remembers what it would do, and its
 * release does it. Two fingers turn the piece in hand.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./scene.js').Action} Action
 * @typedef {{id: number, x: number, y: number, cell: number, type: string, moved: boolean, ready: Action | null,
 *   refused: number[] | null, wasChosen: boolean}} Press
 */
import { UNIT } from './drawing.js';
import { onBoard } from './geometry.js';

/** A press becomes a drag after this distance, in pixels. */
export const DRAG_FROM = 3;
const SWIPE = 22;
/** Two fingers turn a piece by one step after this angle, in degrees. */
const TWIST = 40;
/** Milliseconds between two steps of a mouse wheel. */
const WHEEL = 120;

export class Pointer {
  /** @param {ParlourBoard} board @param {HTMLElement} grid */
  constructor(board, grid) {
    this.board = board;
    this.grid = grid;
    /** @type {Press | null} */
    this.press = null;
    /** The second finger. @type {{id: number, x: number, y: number, angle: number} | null} */
    this.second = null;
    this.wheeledAt = 0;
    grid.addEventListener('pointerdown', (event) => this.onDown(event));
    grid.addEventListener('pointermove', (event) => this.onMove(event));
    grid.addEventListener('pointerup', (event) => this.onUp(event));
    grid.addEventListener('pointercancel', () => this.cancel());
    grid.addEventListener('pointerleave', () => this.board.look(null));
    grid.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    grid.addEventListener('contextmenu', (event) => !board.hand.isEmpty && event.preventDefault());
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    const { board } = this;
    board.isPointed = true;
    if (this.press && this.press.type === 'touch' && !board.hand.isEmpty && !this.second) {
      this.second = { id: event.pointerId, x: event.clientX, y: event.clientY, angle: this.angle(event.clientX, event.clientY) };
      this.press.moved = true;
      return;
    }
    if (event.button !== 0 || this.press) return;
    const cell = board.cellOf(event);
    const common = { id: event.pointerId, x: event.clientX, y: event.clientY, cell, type: event.pointerType, moved: false };
    this.grid.setPointerCapture(event.pointerId);
    if (!board.hand.isEmpty) {
      this.press = { ...common, ready: null, refused: null, wasChosen: Boolean(board.ghost?.cells.includes(cell)) };
      if (event.pointerType === 'mouse') board.hand.hold(event);
      return;
    }
    if (cell < 0) return;
    const { action, refused, after } = board.readyAt(cell);
    const wasChosen = board.picker.touched.length > 0 && board.picker.touched[0] === cell;
    this.press = { ...common, ready: action, refused, wasChosen };
    if (!action && !refused) {
      board.picker.touched = after;
      board.drawMarks();
    } else if (action) board.look(action);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { board, press, second } = this;
    if (second && press) {
      this.onTwist(event, press, second);
      return;
    }
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM) press.moved = true;
    if (!board.hand.isEmpty) {
      if (event.pointerType === 'mouse' || press?.moved) board.hand.hold(event);
      return;
    }
    if (!press) {
      if (event.pointerType !== 'mouse' || !board.scene.actions.length) return;
      const cell = board.cellOf(event);
      board.look(cell < 0 ? null : board.readyAt(cell).action);
      return;
    }
    const [from] = board.picker.touched;
    if (press.moved && from === press.cell) this.dragFigure(from, event);
  }

  /** @param {number} from @param {PointerEvent} event */
  dragFigure(from, event) {
    const { board } = this;
    const figure = board.figures.get(from);
    if (!figure) return;
    const [x, y] = board.pointOf(event);
    figure.setAttribute('transform', `translate(${x * UNIT} ${y * UNIT})`);
    if (!figure.classList.contains('dragged')) {
      figure.classList.add('dragged');
      board.layers.figures.append(figure);
    }
  }

  /** Put a dragged figure back on its cell. Return its cell, or -1. */
  dropFigure() {
    const { board } = this;
    const [from] = board.picker.touched;
    const figure = from === undefined ? null : board.figures.get(from);
    if (!figure?.classList.contains('dragged')) return -1;
    figure.classList.remove('dragged');
    figure.setAttribute('transform', board.at(from));
    return from;
  }

  /** The angle of the line from the first finger, in degrees. @param {number} x @param {number} y */
  angle(x, y) {
    return (Math.atan2(y - (this.press?.y ?? 0), x - (this.press?.x ?? 0)) * 180) / Math.PI;
  }

  /** @param {PointerEvent} event @param {Press} press @param {NonNullable<Pointer['second']>} second */
  onTwist(event, press, second) {
    if (event.pointerId === press.id) [press.x, press.y] = [event.clientX, event.clientY];
    else if (event.pointerId === second.id) [second.x, second.y] = [event.clientX, event.clientY];
    else return;
    const by = ((this.angle(second.x, second.y) - second.angle + 540) % 360) - 180;
    if (Math.abs(by) < TWIST) return;
    second.angle = this.angle(second.x, second.y);
    this.board.hand.change('turn', by > 0 ? 1 : 3);
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const { board, press } = this;
    if (this.second?.id === event.pointerId || (this.second && press?.id === event.pointerId)) {
      this.second = null;
      if (press?.id !== event.pointerId) return;
      this.press = null;
      return;
    }
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    if (!board.hand.isEmpty) {
      const isTap = !press.moved && press.type !== 'mouse';
      if (isTap && press.wasChosen) board.hand.place();
      else if (isTap) board.hand.hold(event);
      else if (press.type === 'mouse') board.hand.place();
      return;
    }
    const way = press.moved ? this.swiped(event, press) : null;
    if (way) {
      board.choose(way);
      return;
    }
    const cell = board.cellOf(event);
    const from = this.dropFigure();
    if (from >= 0) {
      if (cell >= 0 && cell !== from) board.activate(cell, true);
      return;
    }
    if (press.cell !== cell) board.look(null);
    else if (press.ready && press.type !== 'mouse') board.tap(press.ready);
    else if (press.ready) board.choose(press.ready);
    else if (press.refused) board.activate(cell, false);
    else if (press.wasChosen) {
      board.picker.clear();
      board.drawMarks();
      board.emitHand('back');
    } else board.emitHand('touch');
  }

  cancel() {
    this.dropFigure();
    this.press = null;
    this.second = null;
    this.board.look(null);
  }

  /** The step in the direction of a swipe, in games of single steps. @param {PointerEvent} event @param {Press} press */
  swiped(event, press) {
    const { board } = this;
    const [x, y] = [event.clientX - press.x, event.clientY - press.y];
    if (!board.compass || Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return null;
    const seen = Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : y > 0 ? 'down' : 'up';
    return board.compass.ways[onBoard(seen, board.turn)] || null;
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (this.board.hand.isEmpty) return;
    event.preventDefault();
    if (event.timeStamp - this.wheeledAt < WHEEL) return;
    this.wheeledAt = event.timeStamp;
    this.board.hand.change('turn', event.deltaY < 0 ? 3 : 1);
  }
}
