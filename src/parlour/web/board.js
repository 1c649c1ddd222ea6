/**
 * `<parlour-board>`: draws scenes of any game and lets a player choose actions.
 *
 * Give it a scene with `show`. It dispatches these events:
 *   choose {action}          the player chose an action
 *   confirm {action}         the player confirmed it, if moves are confirmed
 *   refuse {cells, group}    the player touched cells that are not a legal action
 *   unchoose                 the player cancelled a choice before it was played
 *   hand {how}               a piece was taken, moved, rotated or put back
 *   armed {action}           a first tap shows what an action would do; a second one plays it
 *   ask {what}               a key asked for `last`, `clock` or `status`
 * Set `peek` to a function that finds the changes an action would make, and the board previews them.
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {{cell: number, now: import('./wire.js').Cell}} Look how a cell will look
 * @typedef {{last?: number[], trail?: number[], animate?: boolean, premove?: boolean, pending?: Action | null}} ShowOptions
 *   `last` are the cells of the last action, `trail` those that it changed
 */
import { UNIT, drawCell, loadPieces, pieceLines, svg } from './drawing.js';
import { cellAt, centre, extent, realCells } from './geometry.js';
import { drawBase, frame, isUprightBetter, layCells } from './grid.js';
import { Hand } from './hand.js';
import { onFocus, onKey } from './keys.js';
import { drawMarks } from './marks.js';
import { Picker } from './picker.js';
import { contacts } from './pieces.js';
import { Pointer } from './pointer.js';
import { NO_BOARD, colourOf } from './scene.js';

const LAYERS = ['base', 'under', 'grounds', 'figures', 'lines', 'over'];
/** The pointer rests this long on a cell before its action is previewed, in milliseconds. */
const PEEK = 60;

/** @type {Scene} */
const NOTHING = { board: NO_BOARD, palette: [], cells: [], seats: [], actor: -1, status: '', actions: [] };

/** Whether to skip animations: the system asks for less motion, or the page is hidden. */
export const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;

export class ParlourBoard extends HTMLElement {
  constructor() {
    super();
    this.scene = NOTHING;
    this.picker = new Picker(NOTHING);
    this.hand = new Hand(this);
    /** @type {ReturnType<Picker['compass']>} */
    this.compass = null;
    this.isFlipped = false;
    this.isUpright = false;
    this.cursor = 0;
    /** Whether the focus came from a pointer. */
    this.isPointed = false;
    /** @type {Set<number>} */
    this.last = new Set();
    /** @type {number[]} */
    this.trail = [];
    /** @type {Look[]} */
    this.previewed = [];
    /** @type {number[]} */
    this.hinted = [];
    /** Where the pieces that can be placed would touch pieces of their colour. @type {Set<number>} */
    this.contacts = new Set();
    /** Cells that an explanation points at. @type {number[]} */
    this.lit = [];
    /** @type {Action | null} */
    this.pending = null;
    this.isPremove = false;
    /** @type {Record<string, SVGElement>} */
    this.layers = {};
    /** @type {Map<number, HTMLElement>} */
    this.cellElements = new Map();
    /** @type {Map<number, SVGElement>} */
    this.grounds = new Map();
    /** @type {Map<number, SVGElement>} */
    this.figures = new Map();
    /** @type {Scene | null} */
    this.drawn = null;
    /** @type {Action | null} */
    this.looked = null;
    /** The action that a second tap plays. @type {Action | null} */
    this.armed = null;
    /** @type {((action: Action) => Promise<Look[]>) | null} */
    this.peek = null;
    /** What each action would change. @type {Map<Action, Promise<Look[]>>} */
    this.peeked = new Map();
  }

  connectedCallback() {
    if (this.layers.base) return;
    this.drawing = svg('svg', { 'aria-hidden': 'true', class: 'drawing' });
    for (const name of LAYERS) {
      this.layers[name] = svg('g', { class: `layer-${name}` });
      this.drawing.append(this.layers[name]);
    }
    this.grid = document.createElement('div');
    this.grid.className = 'cells';
    this.append(this.drawing, this.grid);
    this.pointer = new Pointer(this, this.grid);
    this.grid.addEventListener('keydown', (event) => onKey(this, event));
    this.grid.addEventListener('focusin', (event) => onFocus(this, event));
    new ResizeObserver(() => this.fit()).observe(this);
    loadPieces().then(() => {
      this.drawn = null;
      this.redraw();
    });
  }

  /** Quarter turns of the board, clockwise. */
  get turn() {
    return (this.isUpright ? 3 : 0) + (this.isFlipped ? 2 : 0) & 3;
  }

  get ghost() {
    return this.hand.ghost;
  }

  /** Draw a scene. @param {Scene} scene @param {ShowOptions} options */
  show(scene, { last = [], trail = [], animate = false, premove = false, pending = null } = {}) {
    const isSame = scene.actions === this.scene.actions;
    this.last = new Set(last);
    this.trail = trail;
    this.scene = scene;
    this.isPremove = premove;
    this.previewed = [];
    if (!isSame) {
      const before = this.picker;
      this.picker = new Picker(scene);
      this.compass = this.picker.compass();
      this.contacts = premove ? new Set() : contacts(scene);
      if (before.touched.length && this.picker.targets().has(before.touched[0])) this.picker.touched = before.touched;
      this.hand.keep(before);
      this.pending = pending;
      this.hinted = [];
      this.armed = null;
      this.peeked.clear();
    }
    this.redraw(animate);
    if (!isSame) this.emitHand('show');
  }

  /** Show the board from the other side, or from the usual one. @param {boolean} flipped */
  turnBoard(flipped) {
    this.isFlipped = flipped;
    this.drawn = null;
    this.redraw();
  }

  /** Adapt to a new size. */
  fit() {
    if (!this.scene.board.rows) return;
    if (isUprightBetter(this) === this.isUpright) frame(this);
    else {
      this.drawn = null;
      this.redraw();
    }
  }

  // Drawing.

  redraw(animate = false) {
    const { board } = this.scene;
    this.toggleAttribute('empty', !this.grid || !board.rows);
    if (!this.grid || !board.rows) return;
    const before = this.drawn;
    const isNew = !before || before.board !== board && JSON.stringify(before.board) !== JSON.stringify(board);
    if (isNew) this.lay(this.grid);
    /** @type {import('./motion.js').Change[]} */
    const changed = [];
    for (const cell of realCells(board)) {
      const now = this.scene.palette[this.scene.cells[cell]];
      const was = isNew || !before ? null : before.palette[before.cells[cell]];
      if (was === now || (was && !isNew && JSON.stringify(was) === JSON.stringify(now))) continue;
      this.drawOne(cell);
      if (was) changed.push({ cell, was, now });
    }
    this.drawn = this.scene;
    if (isNew || changed.some(({ was, now }) => was.piece || now.piece)) this.drawPieces();
    this.drawMarks();
    if (animate && changed.length && !isMotionReduced()) import('./motion.js').then((motion) => motion.animateChanges(this, changed));
  }

  /** Build the grid and its cells. @param {HTMLElement} grid */
  lay(grid) {
    for (const name of LAYERS) this.layers[name].replaceChildren();
    this.grounds.clear();
    this.figures.clear();
    this.isUpright = isUprightBetter(this);
    layCells(this, grid);
    if (!this.cellElements.has(this.cursor)) this.cursor = realCells(this.scene.board)[0] ?? 0;
    drawBase(this);
    frame(this);
  }

  /** @param {number} cell */
  at(cell) {
    const [x, y] = centre(this.scene.board, cell, this.turn);
    return `translate(${(x * UNIT).toFixed(2)} ${(y * UNIT).toFixed(2)})`;
  }

  /** @param {number} cell */
  drawOne(cell) {
    const { board, palette, cells } = this.scene;
    const { ground, figure } = drawCell(board, palette[cells[cell]], this.turn);
    this.grounds.get(cell)?.remove();
    this.figures.get(cell)?.remove();
    this.grounds.delete(cell);
    this.figures.delete(cell);
    if (ground) {
      ground.setAttribute('transform', this.at(cell));
      this.layers.grounds.append(ground);
      this.grounds.set(cell, ground);
    }
    if (figure) {
      const holder = svg('g', { transform: this.at(cell) }, figure);
      this.layers.figures.append(holder);
      this.figures.set(cell, holder);
    }
  }

  drawPieces() {
    const { board, palette, cells } = this.scene;
    /** @type {Map<number, number[]>} */
    const found = new Map();
    for (const cell of realCells(board)) {
      const { piece } = palette[cells[cell]];
      if (piece) found.set(piece, [...(found.get(piece) || []), cell]);
    }
    this.layers.lines.replaceChildren();
    for (const members of found.values()) {
      const { outer, inner } = pieceLines(board, members, this.turn);
      const paint = `c-${colourOf(palette[cells[members[0]]])}`;
      this.layers.lines.append(
        svg('path', { class: `seam ${paint}`, d: inner }),
        svg('path', { class: `edge ${paint}`, d: outer }),
      );
    }
  }

  drawMarks() {
    drawMarks(this);
    const { byGroup, byCells } = this.picker;
    const drags = byGroup.size > 0 || byCells.some((view) => view.cells.length > 1) || this.compass;
    this.grid?.classList.toggle('drags', Boolean(drags));
    this.grid?.classList.toggle('active', this.scene.actions.length > 0);
    this.classList.toggle('premoving', this.isPremove);
  }

  /** Mark the cells that the last action changed. @param {number[]} cells */
  showTrail(cells) {
    this.trail = cells;
    this.drawMarks();
  }

  /** Mark cells as a hint. @param {number[]} cells */
  hint(cells) {
    this.hinted = cells;
    this.drawMarks();
  }

  /** Mark cells that an explanation points at. @param {number[]} cells */
  light(cells) {
    this.lit = cells;
    this.drawMarks();
  }

  // Points.

  /** @param {PointerEvent} event @returns {[number, number]} */
  pointOf(event, above = 0) {
    const [width, height] = extent(this.scene.board, this.turn);
    const box = /** @type {HTMLElement} */ (this.grid).getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - above - box.top) / box.height) * height];
  }

  /** @param {PointerEvent} event */
  cellOf(event) {
    return cellAt(this.scene.board, ...this.pointOf(event), this.turn);
  }

  // Choosing.

  /** @param {string} name @param {object} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /** @param {string} how */
  emitHand(how) {
    this.emit('hand', { how });
  }

  /** The only action that touching this cell would complete. @param {number} cell */
  readyAt(cell) {
    const { touched } = this.picker;
    const found = this.picker.touch(cell);
    const after = this.picker.touched;
    this.picker.touched = touched;
    return { ...found, after };
  }

  /** @param {Action} action */
  choose(action) {
    this.picker.clear();
    this.look(null);
    this.armed = null;
    this.pending = action;
    this.hand.drop();
    this.drawMarks();
    this.emit('choose', { action });
    this.emitHand('choose');
  }

  /** Cancel a choice that is not played yet. */
  unchoose() {
    const { pending, picker } = this;
    if (pending?.group) {
      picker.pick(pending.group);
      picker.shape = picker.shapeOf(pending.cells);
      this.hand.ghost = picker.ghost(picker.cursorFor(pending.cells));
    }
    this.pending = null;
    this.drawMarks();
    this.emitHand('back');
    this.emit('unchoose', {});
  }

  /** Cancel what was begun. Return whether there was anything. */
  cancel() {
    if (this.pending) this.unchoose();
    else if (!this.hand.isEmpty) this.hand.putBack();
    else if (this.picker.touched.length) {
      this.picker.clear();
      this.drawMarks();
    } else return false;
    return true;
  }

  /** Touch a cell by pointer or key. @param {number} cell @param {boolean} isDrop */
  activate(cell, isDrop) {
    const { action, refused } = this.picker.touch(cell);
    if (action) {
      this.choose(action);
      return;
    }
    if (refused && !(isDrop && refused.length === 1)) this.emit('refuse', { cells: refused, group: '' });
    this.drawMarks();
    this.emitHand('touch');
  }

  // Previews.

  /** Preview an action while the pointer or the cursor is on it. @param {Action | null} action */
  look(action) {
    if (this.looked === action || (!action && this.armed)) return;
    this.looked = action;
    this.armed = null;
    clearTimeout(this.peekTimer);
    if (this.previewed.length) {
      this.previewed = [];
      this.drawMarks();
    }
    if (action && this.peek) this.peekTimer = setTimeout(() => this.preview(action), PEEK);
  }

  /** What an action would change; asked once for each action. @param {Action} action */
  changesOf(action) {
    const known = this.peeked.get(action) || this.peek?.(action) || Promise.resolve([]);
    this.peeked.set(action, known);
    return known;
  }

  /** @param {Action} action */
  async preview(action) {
    const changes = await this.changesOf(action);
    if (this.looked !== action || changes.length < 2) return;
    this.previewed = changes;
    this.drawMarks();
  }

  /** Play an action by finger. If it changes several cells, the first tap only shows them. @param {Action} action */
  async tap(action) {
    const isSecond = this.armed === action;
    const changes = isSecond ? [] : await this.changesOf(action);
    if (!this.scene.actions.includes(action)) return;
    if (changes.length < 2) {
      this.choose(action);
      return;
    }
    this.looked = action;
    this.armed = action;
    this.previewed = changes;
    this.drawMarks();
    this.emit('armed', { action });
  }
}

customElements.define('parlour-board', ParlourBoard);
