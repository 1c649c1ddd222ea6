/**
 * Choosing an action cell by cell or piece by piece, without a display.
 *
 * To choose an action without a group, touch its cells in turn: one cell, or from and to.
 * An action with a group places a piece: choose the piece, rotate it, and place it where it fits.
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {[number, number][]} Shape pairs of row and column, sorted, starting at 0
 * @typedef {{action: Action | null, refused: number[] | null}} Touch
 * @typedef {{cells: number[], action: Action | null}} Ghost
 */

/** @param {[number, number][]} cells @returns {Shape} */
export function normalise(cells) {
  const top = Math.min(...cells.map(([row]) => row));
  const left = Math.min(...cells.map(([, col]) => col));
  return cells
    .map(([row, col]) => /** @type {[number, number]} */ ([row - top, col - left]))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** A quarter turn clockwise. @param {Shape} shape */
export const turned = (shape) => normalise(shape.map(([row, col]) => [col, -row]));

/** Mirror left and right. @param {Shape} shape */
export const mirrored = (shape) => normalise(shape.map(([row, col]) => [row, -col]));

/** The cell of a shape at the cursor: the one nearest to its centre. @param {Shape} shape */
export function anchor(shape) {
  const row = shape.reduce((sum, cell) => sum + cell[0], 0) / shape.length;
  const col = shape.reduce((sum, cell) => sum + cell[1], 0) / shape.length;
  let best = shape[0];
  let least = Infinity;
  for (const cell of shape) {
    const far = Math.abs(cell[0] - row) + Math.abs(cell[1] - col);
    if (far < least - 1e-9) [best, least] = [cell, far];
  }
  return best;
}

const keyOf = (/** @type {number[]} */ cells) => [...cells].sort((a, b) => a - b).join(' ');
const begins = (/** @type {number[]} */ cells, /** @type {number[]} */ start) =>
  start.every((cell, at) => cells[at] === cell);

/** The choice of one action in one position. */
export class Picker {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {number[]} */
    this.touched = [];
    this.group = '';
    /** @type {Shape} */
    this.shape = [];
    this.byCells = scene.actions.filter((view) => view.cells.length && !view.group);
    this.byName = scene.actions.filter((view) => !view.cells.length);
    /** @type {Map<string, Map<string, Action>>} */
    this.byGroup = new Map();
    for (const view of scene.actions) {
      if (!view.group || !view.cells.length) continue;
      const places = this.byGroup.get(view.group) || new Map();
      this.byGroup.set(view.group, places.set(keyOf(view.cells), view));
    }
  }

  clear() {
    this.touched = [];
  }

  letGo() {
    this.group = '';
    this.shape = [];
  }

  /** The cells that can be touched next. */
  targets() {
    const at = this.touched.length;
    const found = new Set();
    for (const view of this.byCells) {
      if (view.cells.length > at && begins(view.cells, this.touched)) found.add(view.cells[at]);
      if (at === 0) for (const cell of view.also) found.add(cell);
    }
    return /** @type {Set<number>} */ (found);
  }

  /** The actions with exactly the touched cells; the player chooses one by name. */
  choices() {
    const key = this.touched.join(' ');
    return key ? this.byCells.filter((view) => view.cells.join(' ') === key) : [];
  }

  /** Touch a cell: continue, choose, or start again from it. @param {number} cell @returns {Touch} */
  touch(cell) {
    if (!this.touched.length) {
      const view = this.byCells.find((each) => each.also.includes(cell));
      if (view) return { action: view, refused: null };
    }
    for (const touched of this.touched.length ? [[...this.touched, cell], [cell]] : [[cell]]) {
      const matching = this.byCells.filter((view) => begins(view.cells, touched));
      if (matching.length === 1 && matching[0].cells.length === touched.length) {
        this.touched = [];
        return { action: matching[0], refused: null };
      }
      if (matching.length) {
        this.touched = touched;
        return { action: null, refused: null };
      }
    }
    const refused = [...this.touched, cell];
    this.touched = [];
    return { action: null, refused };
  }

  /** The pieces that fit somewhere. */
  get groups() {
    return [...this.byGroup.keys()];
  }

  /** Take a piece in hand. Return whether it fits anywhere. @param {string} group */
  pick(group) {
    const places = this.byGroup.get(group);
    if (!places) return false;
    if (group !== this.group) {
      this.group = group;
      this.shape = this.shapeOf([...places.values()][0].cells);
    }
    return true;
  }

  /** Take the next or previous piece that fits somewhere. @param {number} by */
  pickNext(by) {
    const all = this.groups;
    if (!all.length) return;
    const at = this.group ? all.indexOf(this.group) + by : 0;
    this.pick(all[(at + all.length) % all.length]);
  }

  turn() {
    if (this.shape.length) this.shape = turned(this.shape);
  }

  flip() {
    if (this.shape.length) this.shape = mirrored(this.shape);
  }

  /** The shape of some cells of the board. @param {number[]} cells */
  shapeOf(cells) {
    const { cols } = this.scene.board;
    return normalise(cells.map((cell) => [Math.floor(cell / cols), cell % cols]));
  }

  /** The piece in hand at the cursor. @param {number} cursor @returns {Ghost | null} */
  ghost(cursor) {
    if (!this.shape.length) return null;
    const { rows, cols } = this.scene.board;
    const [atRow, atCol] = anchor(this.shape);
    const cells = [];
    for (const [r, c] of this.shape) {
      const row = Math.floor(cursor / cols) + r - atRow;
      const col = (cursor % cols) + c - atCol;
      if (row >= 0 && col >= 0 && row < rows && col < cols) cells.push(row * cols + col);
    }
    if (cells.length < this.shape.length) return { cells, action: null };
    const action = this.byGroup.get(this.group)?.get(keyOf(cells)) || null;
    return { cells, action };
  }

  /** The nearest cursor at which the whole piece in hand is on the board. @param {number} cursor */
  inside(cursor) {
    if (!this.shape.length) return cursor;
    const { rows, cols } = this.scene.board;
    const [atRow, atCol] = anchor(this.shape);
    const high = Math.max(...this.shape.map(([row]) => row));
    const wide = Math.max(...this.shape.map(([, col]) => col));
    const row = Math.min(Math.max(Math.floor(cursor / cols), atRow), rows - 1 - high + atRow);
    const col = Math.min(Math.max(cursor % cols, atCol), cols - 1 - wide + atCol);
    return row * cols + col;
  }

  /** The cells that the piece in hand can cover in its current orientation. */
  reach() {
    const wanted = String(this.shape);
    const found = new Set();
    for (const { cells } of this.byGroup.get(this.group)?.values() || []) {
      if (String(this.shapeOf(cells)) === wanted) for (const cell of cells) found.add(cell);
    }
    return /** @type {Set<number>} */ (found);
  }

  /** The cursors at which the piece in hand fits in its current orientation, in reading order. */
  places() {
    if (!this.shape.length) return [];
    const wanted = String(this.shape);
    const found = [];
    for (const view of this.byGroup.get(this.group)?.values() || []) {
      if (String(this.shapeOf(view.cells)) === wanted) found.push(this.cursorFor(view.cells));
    }
    return found.sort((a, b) => a - b);
  }

  /** The cursor at which the piece in hand covers these cells. @param {number[]} cells */
  cursorFor(cells) {
    const { cols } = this.scene.board;
    const [atRow, atCol] = anchor(this.shape);
    const top = Math.min(...cells.map((cell) => Math.floor(cell / cols)));
    const left = Math.min(...cells.map((cell) => cell % cols));
    return (top + atRow) * cols + left + atCol;
  }

  /** Whether the piece in hand fits anywhere in its current orientation. */
  fits() {
    return this.places().length > 0;
  }

  /** The next place after the cursor where the piece fits; rotates the piece if needed.
   * @param {number} cursor @param {number} by */
  step(cursor, by) {
    for (let tried = 0; tried < 8; tried++) {
      const places = this.places();
      if (places.length) {
        const later = places.filter((place) => place > cursor);
        const earlier = places.filter((place) => place < cursor);
        return by > 0 ? (later.length ? later : places)[0] : /** @type {number} */ ((earlier.length ? earlier : places).at(-1));
      }
      this.turn();
      if (tried === 3) this.flip();
    }
    return null;
  }

  /** The nearest place where the piece fits in its current orientation, or null.
   * @param {number} cursor @param {number} most the largest distance, in cells */
  nearest(cursor, most) {
    const { cols } = this.scene.board;
    let best = null;
    let least = most;
    for (const place of this.places()) {
      const far = Math.hypot(Math.floor(place / cols) - Math.floor(cursor / cols), (place % cols) - (cursor % cols));
      if (far <= least) [best, least] = [place, far];
    }
    return best;
  }

  /**
   * In games of single steps: the actor's cell and the action in each direction from it.
   * Null if the actions are not steps to neighbouring cells.
   */
  compass() {
    const { board, cells, palette, actor, actions } = this.scene;
    if (!actions.length || actions.length > 4 || board.shape === 'hex' || board.shape === 'points') return null;
    if (actions.some((view) => view.cells.length !== 1 || view.group || view.also.length)) return null;
    const ways = { up: -board.cols, down: board.cols, left: -1, right: 1 };
    for (let middle = 0; middle < cells.length; middle++) {
      const { owner = -1, face } = palette[cells[middle]];
      if (owner !== actor || !face) continue;
      /** @type {Partial<Record<'up' | 'down' | 'left' | 'right', Action>>} */
      const found = {};
      for (const [way, by] of Object.entries(ways)) {
        const view = actions.find((each) => each.cells[0] === middle + by);
        if (view) found[/** @type {'up'} */ (way)] = view;
      }
      if (Object.keys(found).length === actions.length) return { middle, ways: found };
    }
    return null;
  }
}
