/**
 * `<parlour-board>`: draws scenes of any game and lets a player choose actions.
 *
 * Give it a scene with `show`. It dispatches these events:
 *   choose {action, cells}   the player chose an action
 *   refuse {cells, group}    the player touched cells that are not a legal action
 *   unchoose                 the player cancelled a choice before it was played
 *   look {action}            the pointer is over an action; null when it leaves
 *   hand {group, ghost}      a piece was taken, moved, rotated or put back
 *   ask {what}               a key asked for `last`, `clock` or `status`
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./picker.js').Ghost} Ghost
 * @typedef {{last?: number[], animate?: boolean, premove?: boolean, pending?: Action | null}} ShowOptions
 */
import { cellAt, centre, extent, isHex, names, realCells, step } from './geometry.js';
import { UNIT, drawCell, isPiece, loadPieces, outline, pieceLines, svg } from './drawing.js';
import { Picker } from './picker.js';
import { NO_BOARD, colourOf, handColour } from './scene.js';
import { gameText, words } from './words.js';

const LAYERS = ['base', 'under', 'grounds', 'figures', 'lines', 'over'];
const DRAG_FROM = 3;
const ABOVE_FINGER = 52;
const SWIPE = 22;
const NARROW = 21;
const LARGEST = 132;

/** @type {Scene} */
const NOTHING = { board: NO_BOARD, palette: [], cells: [], seats: [], actor: -1, status: '', actions: [] };

/** Whether to skip animations: the system asks for less motion, or the page is hidden. */
export const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches || document.hidden;

export class ParlourBoard extends HTMLElement {
  constructor() {
    super();
    this.scene = NOTHING;
    this.picker = new Picker(NOTHING);
    this.flipped = false;
    this.cursor = 0;
    /** @type {Set<number>} */
    this.last = new Set();
    /** @type {number[]} */
    this.previewed = [];
    /** @type {number[]} */
    this.hinted = [];
    /** @type {Action | null} */
    this.pending = null;
    this.isPremove = false;
    /** @type {Ghost | null} */
    this.ghost = null;
    /** @type {Map<string, import('./picker.js').Shape>} */
    this.orientations = new Map();
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
    this.margin = [0, 0, 0, 0];
    /** @type {{id: number, x: number, y: number, cell: number, type: string, moved: boolean,
     *   ready: Action | null, refused: number[] | null, wasChosen: boolean} | null} */
    this.press = null;
    this.turnedAt = 0;
    /** @type {boolean | undefined} */
    this.isNarrow = undefined;
    /** @type {Action | null} */
    this.looked = null;
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
    this.grid.addEventListener('pointerdown', (event) => this.onDown(event));
    this.grid.addEventListener('pointermove', (event) => this.onMove(event));
    this.grid.addEventListener('pointerup', (event) => this.onUp(event));
    this.grid.addEventListener('pointercancel', () => this.cancelPress());
    this.grid.addEventListener('pointerleave', () => this.look(null));
    this.grid.addEventListener('keydown', (event) => this.onKey(event));
    this.grid.addEventListener('wheel', (event) => this.onWheel(event), { passive: false });
    this.grid.addEventListener('focusin', (event) => this.onFocus(event));
    this.grid.addEventListener('contextmenu', (event) => this.picker.shape.length && event.preventDefault());
    new ResizeObserver(() => this.frame()).observe(this);
    loadPieces().then(() => {
      this.drawn = null;
      this.redraw();
    });
  }

  /** Draw a scene. @param {Scene} scene @param {ShowOptions} options */
  show(scene, { last = [], animate = false, premove = false, pending = null } = {}) {
    const isSame = scene.actions === this.scene.actions;
    this.last = new Set(last);
    this.scene = scene;
    this.isPremove = premove;
    this.previewed = [];
    if (!isSame) {
      const { group, touched } = this.picker;
      const shape = this.picker.shape;
      this.picker = new Picker(scene);
      if (group && this.picker.byGroup.has(group)) Object.assign(this.picker, { group, shape });
      if (touched.length && this.picker.targets().has(touched[0])) this.picker.touched = touched;
      this.ghost = this.picker.group ? this.picker.ghost(this.cursor) : null;
      this.pending = pending;
      this.hinted = [];
    }
    this.redraw(animate);
    if (!isSame) this.emitHand();
  }

  /** Show the board from the other side, or from the usual one. @param {boolean} flipped */
  turnBoard(flipped) {
    this.flipped = flipped;
    this.drawn = null;
    this.redraw();
  }

  // Drawing.

  redraw(animate = false) {
    const { board } = this.scene;
    if (!this.grid || !board.rows) {
      this.toggleAttribute('empty', true);
      return;
    }
    this.toggleAttribute('empty', false);
    const before = this.drawn;
    const isNew = !before || before.board !== board && JSON.stringify(before.board) !== JSON.stringify(board);
    if (isNew) this.lay();
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

  /** Build the grid and its cells. */
  lay() {
    const { board } = this.scene;
    const [width, height] = extent(board);
    const grid = /** @type {HTMLElement} */ (this.grid);
    for (const name of LAYERS) this.layers[name].replaceChildren();
    this.grounds.clear();
    this.figures.clear();
    this.cellElements.clear();
    grid.replaceChildren();
    grid.setAttribute('role', 'grid');
    grid.setAttribute('aria-label', words('board'));
    grid.setAttribute('aria-rowcount', String(board.rows));
    grid.setAttribute('aria-colcount', String(board.cols));
    const tall = isHex(board) ? 2 / Math.sqrt(3) : 1;
    /** @type {HTMLElement | null} */
    let row = null;
    for (const cell of realCells(board)) {
      const at = Math.floor(cell / board.cols);
      if (!row || row.ariaRowIndex !== String(at + 1)) {
        row = document.createElement('div');
        row.setAttribute('role', 'row');
        row.ariaRowIndex = String(at + 1);
        grid.append(row);
      }
      const made = document.createElement('div');
      made.setAttribute('role', 'gridcell');
      made.ariaColIndex = String((cell % board.cols) + 1);
      made.tabIndex = -1;
      made.dataset.cell = String(cell);
      const [x, y] = centre(board, cell, this.flipped);
      Object.assign(made.style, {
        left: `${((x - 0.5) / width) * 100}%`,
        top: `${((y - tall / 2) / height) * 100}%`,
        width: `${100 / width}%`,
        height: `${(tall * 100) / height}%`,
      });
      row.append(made);
      this.cellElements.set(cell, made);
    }
    if (!this.cellElements.has(this.cursor)) this.cursor = realCells(board)[0] ?? 0;
    this.drawBase();
    this.isNarrow = undefined;
    this.frame();
  }

  drawBase() {
    const { board } = this.scene;
    const [width, height] = extent(board);
    const base = this.layers.base;
    if (isHex(board)) {
      for (const cell of realCells(board)) {
        base.append(svg('polygon', { class: 'hex', points: outline(board, 0), transform: this.at(cell) }));
      }
    } else {
      let lines = '';
      for (const cell of realCells(board)) {
        const [x, y] = centre(board, cell, this.flipped);
        lines += `M${(x - 0.5) * UNIT} ${(y - 0.5) * UNIT}h${UNIT}v${UNIT}h${-UNIT}z`;
      }
      base.append(svg('path', { class: 'squares', d: lines }), svg('rect', { class: 'rim', width: width * UNIT, height: height * UNIT, rx: 3 }));
    }
    const labels = svg('g', { class: 'names' });
    const seen = new Set();
    for (const cell of realCells(board)) {
      const row = Math.floor(cell / board.cols);
      const col = cell % board.cols;
      const [x, y] = centre(board, cell, this.flipped);
      if (!seen.has(`r${row}`)) {
        seen.add(`r${row}`);
        const left = this.flipped ? x + 0.78 : x - 0.78;
        labels.append(svg('text', { x: (isHex(board) ? left : -0.32) * UNIT, y: y * UNIT + 4.5, 'text-anchor': 'middle' }, board.row_names[row] || ''));
      }
      if (!seen.has(`c${col}`)) {
        seen.add(`c${col}`);
        const [, top] = isHex(board) ? [0, this.flipped ? y + 0.95 : y - 0.72] : [0, -0.2];
        labels.append(svg('text', { x: (isHex(board) ? x + (this.flipped ? 0.2 : -0.2) : x) * UNIT, y: top * UNIT, 'text-anchor': 'middle' }, board.col_names[col] || ''));
      }
    }
    base.append(labels);
  }

  /** Fit the drawing, with the names of rows and columns if they are readable. */
  frame() {
    const { board } = this.scene;
    if (!board.rows || !this.drawing || !this.grid) return;
    const [width, height] = extent(board);
    const hasNames = [...board.row_names, ...board.col_names].some(Boolean);
    const wide = this.clientWidth / width;
    const isNarrow = !hasNames || (wide > 0 && wide < NARROW);
    // The names have the size of the page's small text for any size of cells.
    this.style.setProperty('--names-size', `${Math.min(15, (13 * UNIT) / (wide || UNIT)).toFixed(1)}px`);
    if (isNarrow === this.isNarrow) return;
    this.isNarrow = isNarrow;
    const edge = 0.06;
    const hex = isHex(board) ? 0.35 : 0;
    const [top, right, bottom, left] = isNarrow ? [edge, edge, edge, edge]
      : this.flipped && hex ? [edge, 0.55, 0.6 + hex, edge] : [0.6 + hex, edge, edge, 0.6 + (hex ? 0.1 : 0)];
    const full = [width + left + right, height + top + bottom];
    this.classList.toggle('narrow', isNarrow);
    this.drawing.setAttribute('viewBox', `${-left * UNIT} ${-top * UNIT} ${full[0] * UNIT} ${full[1] * UNIT}`);
    Object.assign(this.grid.style, {
      left: `${(left / full[0]) * 100}%`,
      top: `${(top / full[1]) * 100}%`,
      width: `${(width / full[0]) * 100}%`,
      height: `${(height / full[1]) * 100}%`,
    });
    // Reserve the same space with and without names, to avoid layout shifts.
    const named = [width + (hasNames ? 0.66 + (hex ? 0.1 : 0) : 2 * edge), height + (hasNames ? 0.66 + hex : 2 * edge)];
    this.style.setProperty('--ratio', (named[0] / named[1]).toFixed(4));
    this.style.setProperty('--most', `${Math.round(named[0] * LARGEST)}px`);
  }

  /** @param {number} cell */
  at(cell) {
    const [x, y] = centre(this.scene.board, cell, this.flipped);
    return `translate(${(x * UNIT).toFixed(2)} ${(y * UNIT).toFixed(2)})`;
  }

  /** @param {number} cell */
  drawOne(cell) {
    const { board, palette, cells } = this.scene;
    const content = palette[cells[cell]];
    const { ground, figure } = drawCell(board, content, this.flipped);
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
      const { outer, inner } = pieceLines(board, members, this.flipped);
      const paint = `c-${colourOf(palette[cells[members[0]]])}`;
      this.layers.lines.append(
        svg('path', { class: `seam ${paint}`, d: inner }),
        svg('path', { class: `edge ${paint}`, d: outer }),
      );
    }
  }

  /** Draw the marks (last move, choice, targets, ghost) and update the labels of the cells. */
  drawMarks() {
    const { board, palette, cells } = this.scene;
    const { under, over } = this.layers;
    under.replaceChildren();
    over.replaceChildren();
    if (!board.rows) return;
    const put = (/** @type {SVGElement} */ layer, /** @type {number} */ cell, /** @type {string} */ name, inset = 0.03) =>
      layer.append(svg('polygon', { class: name, points: outline(board, inset), transform: this.at(cell) }));
    // A frame lies under a piece that stands on its cell, and over a coloured cell.
    const beside = (/** @type {number} */ cell) => (isPiece(palette[cells[cell]]) ? under : over);
    const pieces = new Set();
    for (const cell of this.last) {
      const { piece } = palette[cells[cell]] || {};
      if (piece) pieces.add(piece);
      else {
        put(under, cell, 'last', 0.01);
        put(beside(cell), cell, 'last-edge', 0.045);
      }
    }
    if (pieces.size) {
      const members = realCells(board).filter((cell) => pieces.has(palette[cells[cell]].piece));
      const { outer } = pieceLines(board, members, this.flipped);
      over.append(svg('path', { class: 'last-piece back', d: outer }), svg('path', { class: 'last-piece', d: outer }));
    }
    for (const cell of this.hinted) put(over, cell, 'hinted', 0.07);
    for (const cell of this.previewed) put(over, cell, 'previewed', 0.1);
    const { touched } = this.picker;
    for (const cell of touched) put(beside(cell), cell, 'touched', 0.05);
    const targets = this.picker.targets();
    if (touched.length || this.picker.compass()) {
      for (const cell of targets) {
        if (touched.includes(cell)) continue;
        const isFull = Boolean(this.figures.get(cell));
        if (isFull) put(over, cell, 'target full', 0.06);
        else over.append(svg('circle', { class: 'target', r: 6, transform: this.at(cell) }));
      }
    }
    if (this.pending) for (const cell of this.pending.cells) put(over, cell, 'pending', 0.09);
    if (this.ghost && !this.pending?.group) this.drawGhost(this.ghost);
    else if (this.pending?.group) this.drawGhost({ cells: this.pending.cells, action: this.pending, sticksOut: false });
    this.label(targets);
    const grid = /** @type {HTMLElement} */ (this.grid);
    const drags = this.picker.byGroup.size > 0 || this.picker.byCells.some((view) => view.cells.length > 1) || this.picker.compass();
    grid.classList.toggle('drags', Boolean(drags));
    grid.classList.toggle('active', this.scene.actions.length > 0);
    this.classList.toggle('premoving', this.isPremove);
  }

  /** @param {Ghost} ghost */
  drawGhost(ghost) {
    const { board } = this.scene;
    const { outer } = pieceLines(board, ghost.cells, this.flipped);
    const paint = `c-${handColour(this.scene)}`;
    const made = svg('g', { class: `ghost ${paint}${ghost.action ? '' : ' wrong'}` });
    for (const cell of ghost.cells) made.append(svg('polygon', { points: outline(board, 0), transform: this.at(cell) }));
    made.append(svg('path', { class: 'halo', d: outer }), svg('path', { class: 'edge', d: outer }));
    this.layers.over.append(made);
  }

  /** Update the labels of the cells for screen readers. @param {Set<number>} targets */
  label(targets) {
    const { board, palette, cells } = this.scene;
    const ghost = new Set(this.ghost?.cells);
    for (const [cell, element] of this.cellElements) {
      const [row, col] = names(board, cell);
      const place = [row && words('row', { name: row }), col && words('column', { name: col })].filter(Boolean).join(', ');
      const extra = this.last.has(cell) ? `, ${words('lastMove')}` : '';
      const label = `${place}: ${gameText(palette[cells[cell]].label)}${extra}`;
      if (element.ariaLabel !== label) element.ariaLabel = label;
      const isChosen = String(this.picker.touched.includes(cell) || ghost.has(cell));
      if (element.ariaSelected !== isChosen) element.ariaSelected = isChosen;
      const state = targets.has(cell) ? words('canPlay') : '';
      if ((element.getAttribute('aria-description') || '') !== state) {
        if (state) element.setAttribute('aria-description', state);
        else element.removeAttribute('aria-description');
        element.classList.toggle('can', Boolean(state));
      }
      const tab = cell === this.cursor ? 0 : -1;
      if (element.tabIndex !== tab) element.tabIndex = tab;
    }
  }

  // Input.

  /** @param {string} name @param {object} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  emitHand() {
    this.emit('hand', { group: this.picker.group, ghost: this.ghost });
  }

  /** @param {Action} action */
  choose(action) {
    this.picker.clear();
    this.look(null);
    this.pending = action;
    this.picker.letGo();
    this.ghost = null;
    this.drawMarks();
    this.emit('choose', { action });
    this.emitHand();
  }

  /** Cancel a choice that is not played yet. */
  unchoose() {
    if (this.pending?.group) {
      this.picker.pick(this.pending.group);
      this.picker.shape = this.picker.shapeOf(this.pending.cells);
      this.ghost = this.picker.ghost(this.picker.cursorFor(this.pending.cells));
    }
    this.pending = null;
    this.drawMarks();
    this.emitHand();
    this.emit('unchoose', {});
  }

  /** @param {Action | null} action */
  look(action) {
    if (this.looked === action) return;
    this.looked = action;
    if (!action && this.previewed.length) {
      this.previewed = [];
      this.drawMarks();
    }
    this.emit('look', { action });
  }

  /** Mark the cells that an action would change. @param {Action} action @param {number[]} cells */
  preview(action, cells) {
    if (this.looked !== action) return;
    this.previewed = cells;
    this.drawMarks();
  }

  /** Mark cells as a hint. @param {number[]} cells */
  hint(cells) {
    this.hinted = cells;
    this.drawMarks();
  }

  /** @param {PointerEvent} event @returns {[number, number]} */
  pointOf(event, above = 0) {
    const [width, height] = extent(this.scene.board);
    const box = /** @type {HTMLElement} */ (this.grid).getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - above - box.top) / box.height) * height];
  }

  /** @param {PointerEvent} event */
  cellOf(event) {
    return cellAt(this.scene.board, ...this.pointOf(event), this.flipped);
  }

  /** The only action that touching this cell would complete. @param {number} cell */
  readyAt(cell) {
    const { touched } = this.picker;
    const found = this.picker.touch(cell);
    const after = this.picker.touched;
    this.picker.touched = touched;
    return { ...found, after };
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    if (event.button !== 0 || this.press) return;
    const cell = this.cellOf(event);
    const common = { id: event.pointerId, x: event.clientX, y: event.clientY, cell, type: event.pointerType, moved: false };
    /** @type {HTMLElement} */ (this.grid).setPointerCapture(event.pointerId);
    if (this.picker.shape.length) {
      this.press = { ...common, ready: null, refused: null, wasChosen: Boolean(this.ghost?.cells.includes(cell)) };
      if (event.pointerType === 'mouse') this.hold(event);
      return;
    }
    if (cell < 0) return;
    const { action, refused, after } = this.readyAt(cell);
    const wasChosen = this.picker.touched.length > 0 && this.picker.touched[0] === cell;
    this.press = { ...common, ready: action, refused, wasChosen };
    if (!action && !refused) {
      this.picker.touched = after;
      this.drawMarks();
    } else if (action) this.look(action);
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const press = this.press;
    if (this.picker.shape.length) {
      if (event.pointerType === 'mouse' || press) this.hold(event);
      if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM) press.moved = true;
      return;
    }
    if (!press) {
      if (event.pointerType !== 'mouse' || !this.scene.actions.length) return;
      const cell = this.cellOf(event);
      this.look(cell < 0 ? null : this.readyAt(cell).action);
      return;
    }
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM) press.moved = true;
    const [from] = this.picker.touched;
    const figure = press.moved && from === press.cell ? this.figures.get(from) : null;
    if (!figure) return;
    const [x, y] = this.pointOf(event);
    figure.setAttribute('transform', `translate(${x * UNIT} ${y * UNIT})`);
    if (!figure.classList.contains('dragged')) {
      figure.classList.add('dragged');
      this.layers.figures.append(figure);
    }
  }

  /** @param {PointerEvent} event */
  onUp(event) {
    const press = this.press;
    if (!press || press.id !== event.pointerId) return;
    this.press = null;
    const cell = this.cellOf(event);
    if (this.picker.shape.length) {
      const isTap = !press.moved && press.type !== 'mouse';
      if (isTap && press.wasChosen) this.placeGhost();
      else if (isTap) this.hold(event);
      else if (press.type === 'mouse' && this.ghost) this.placeGhost();
      return;
    }
    const way = press.moved ? this.swiped(event, press) : null;
    if (way) {
      this.choose(way);
      return;
    }
    const [from] = this.picker.touched;
    const figure = from === undefined ? null : this.figures.get(from);
    if (figure?.classList.contains('dragged')) {
      figure.classList.remove('dragged');
      figure.setAttribute('transform', this.at(from));
      if (cell >= 0 && cell !== from) this.activate(cell, true);
      return;
    }
    if (press.cell !== cell) {
      this.look(null);
      return;
    }
    if (press.ready) this.choose(press.ready);
    else if (press.refused) this.activate(cell, false);
    else if (press.wasChosen) {
      this.picker.clear();
      this.drawMarks();
    } else this.emit('hand', { group: '', ghost: null });
  }

  cancelPress() {
    const [from] = this.picker.touched;
    const figure = from === undefined ? null : this.figures.get(from);
    figure?.classList.remove('dragged');
    if (from !== undefined) figure?.setAttribute('transform', this.at(from));
    this.press = null;
    this.look(null);
  }

  /** The step in the direction of a swipe, in games of single steps.
   * @param {PointerEvent} event @param {{x: number, y: number}} press */
  swiped(event, press) {
    const compass = this.picker.compass();
    const [x, y] = [event.clientX - press.x, event.clientY - press.y];
    if (!compass || Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return null;
    const seen = Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : y > 0 ? 'down' : 'up';
    return compass.ways[this.seen(seen)] || null;
  }

  /** Convert a direction on the screen to one on the board. @param {import('./geometry.js').Direction} way */
  seen(way) {
    const other = /** @type {const} */ ({ up: 'down', down: 'up', left: 'right', right: 'left' });
    return this.flipped ? other[way] : way;
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
    this.emit('hand', { group: this.picker.group, ghost: this.ghost });
  }

  // The piece in hand.

  /** Take a piece from the tray and show where it fits. @param {string} group */
  take(group) {
    if (this.picker.group === group) {
      this.putBack();
      return;
    }
    this.pending = null;
    if (!this.picker.pick(group)) {
      this.emit('refuse', { cells: [], group });
      return;
    }
    const kept = this.orientations.get(group);
    if (kept) this.picker.shape = kept;
    const { board } = this.scene;
    const near = this.ghost ? this.cursor : Math.floor(board.rows / 2) * board.cols + Math.floor(board.cols / 2);
    if (!this.picker.fits()) this.picker.step(near, 1);
    this.moveTo(this.picker.nearest(near, Infinity) ?? near);
  }

  /** Take a piece and hold it where an action would place it. @param {Action} action */
  holdAs(action) {
    if (!this.picker.pick(action.group)) return;
    this.picker.shape = this.picker.shapeOf(action.cells);
    this.orientations.set(action.group, this.picker.shape);
    this.moveTo(this.picker.cursorFor(action.cells));
  }

  /** Take the next piece. @param {number} by */
  takeNext(by) {
    const before = this.picker.group;
    this.picker.pickNext(by);
    const { group } = this.picker;
    this.picker.letGo();
    if (group && group !== before) this.take(group);
    else if (group) this.picker.pick(group);
  }

  putBack() {
    this.picker.letGo();
    this.ghost = null;
    this.pending = null;
    this.drawMarks();
    this.emitHand();
  }

  /** Move the piece in hand to a cell. @param {number} cursor */
  moveTo(cursor) {
    this.cursor = cursor;
    this.ghost = this.picker.ghost(cursor);
    this.drawMarks();
    this.emitHand();
  }

  /** Move the piece in hand to the pointer, or above a finger; snap to a near place where it fits. @param {PointerEvent} event */
  hold(event) {
    const [x, y] = this.pointOf(event, event.pointerType === 'mouse' ? 0 : ABOVE_FINGER);
    const { board } = this.scene;
    const inside = (/** @type {number} */ at, /** @type {number} */ most) => Math.min(Math.max(at, 0), most - 0.01);
    const cell = cellAt(board, inside(x, board.cols), inside(y, board.rows), this.flipped);
    if (cell < 0) return;
    const fits = this.picker.ghost(cell)?.action;
    const to = fits ? cell : this.picker.nearest(cell, event.pointerType === 'mouse' ? 1.5 : 2.5) ?? cell;
    if (to !== this.cursor || !this.ghost) this.moveTo(to);
  }

  /** Rotate or flip the piece in hand to the next orientation that fits somewhere.
   * @param {'turn' | 'flip'} how */
  change(how) {
    if (!this.picker.shape.length) return;
    this.picker[how]();
    const first = this.picker.shape;
    for (let tried = 0; tried < 3 && !this.picker.fits(); tried++) this.picker.turn();
    if (!this.picker.fits()) this.picker.shape = first;
    this.orientations.set(this.picker.group, this.picker.shape);
    const fits = this.picker.ghost(this.cursor)?.action;
    this.moveTo(fits ? this.cursor : this.picker.nearest(this.cursor, Infinity) ?? this.cursor);
  }

  /** Place the piece in hand. */
  placeGhost() {
    const { ghost } = this;
    if (!ghost) return;
    if (ghost.action) {
      this.orientations.delete(this.picker.group);
      this.choose(ghost.action);
    } else this.emit('refuse', { cells: ghost.cells, group: this.picker.group, sticksOut: ghost.sticksOut });
  }

  /** @param {WheelEvent} event */
  onWheel(event) {
    if (!this.picker.shape.length) return;
    event.preventDefault();
    if (event.timeStamp - this.turnedAt < 120) return;
    this.turnedAt = event.timeStamp;
    this.change('turn');
  }

  // Keys.

  /** @param {FocusEvent} event */
  onFocus(event) {
    const cell = Number(/** @type {HTMLElement} */ (event.target).dataset.cell);
    if (Number.isNaN(cell) || cell === this.cursor) return;
    if (this.press) return;
    this.cursor = cell;
    if (this.picker.shape.length) this.moveTo(cell);
    else this.drawMarks();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.altKey || event.metaKey) return;
    const { board } = this.scene;
    const arrow = /** @type {Record<string, import('./geometry.js').Direction>} */ ({ ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' })[event.key];
    const inRow = realCells(board).filter((cell) => Math.floor(cell / board.cols) === Math.floor(this.cursor / board.cols));
    const all = realCells(board);
    let to = -1;
    if (arrow) to = step(board, this.cursor, this.seen(arrow));
    else if (event.key === 'Home') to = event.ctrlKey ? all[0] : inRow[0];
    else if (event.key === 'End') to = Number((event.ctrlKey ? all : inRow).at(-1));
    if (to >= 0) {
      this.walk(to);
      if (!this.picker.shape.length) this.look(this.scene.actions.length ? this.readyAt(to).action : null);
    } else if (event.ctrlKey) return;
    else if (event.key === 'Enter' || event.key === ' ') {
      if (this.picker.shape.length) this.placeGhost();
      else this.activate(this.cursor, false);
    } else if (event.key === 'Escape') {
      if (this.pending) this.unchoose();
      else if (this.picker.shape.length) this.putBack();
      else if (this.picker.touched.length) {
        this.picker.clear();
        this.drawMarks();
      } else return;
    } else if (!this.onLetter(event.key.toLowerCase())) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key */
  onLetter(key) {
    const asked = /** @type {Record<string, string>} */ ({ l: 'last', c: 'clock', s: 'status' })[key];
    if (asked) this.emit('ask', { what: asked });
    else if (key === 'r') this.change('turn');
    else if (key === 'f') this.change('flip');
    else if (key === 'n') this.takeNext(1);
    else if (key === 'p') this.takeNext(-1);
    else return false;
    return true;
  }

  /** Move the cursor and the focus to a cell. @param {number} cell */
  walk(cell) {
    this.cursor = cell;
    if (this.picker.shape.length) this.moveTo(cell);
    else this.drawMarks();
    this.cellElements.get(cell)?.focus({ preventScroll: true });
  }
}

customElements.define('parlour-board', ParlourBoard);
