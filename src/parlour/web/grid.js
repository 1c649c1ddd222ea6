/**
 * The still parts of a board: its grid of cells for the keyboard and screen readers, its lines, its names, its frame.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./geometry.js').Turn} Turn
 */
import { UNIT, outline, svg } from './drawing.js';
import { centre, extent, isHex, isPoints, realCells } from './geometry.js';
import { words } from './words.js';

/** The narrowest cell, in pixels, with names beside it. */
const NARROW = 21;
/** The widest cell, in pixels. */
const LARGEST = 180;
const EDGE = 0.06;
/** What a page needs above and below the board. */
const CHROME = 250;
/** Turn a board only if its cells grow by this factor. */
const GAIN = 1.2;

/** Whether a wide board is better shown upright, because the screen is tall. @param {ParlourBoard} board */
export function isUprightBetter({ scene: { board }, parentElement }) {
  const [width, height] = extent(board);
  if (isHex(board) || width <= height || innerWidth > innerHeight) return false;
  const [wide, tall] = [parentElement?.clientWidth || innerWidth, innerHeight - CHROME];
  return Math.min(wide / height, tall / width) > GAIN * Math.min(wide / width, tall / height);
}

/** Build the focusable cells, row by row. @param {ParlourBoard} board @param {HTMLElement} grid */
export function layCells({ scene, turn, cellElements }, grid) {
  const { board } = scene;
  const [width, height] = extent(board, turn);
  cellElements.clear();
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
    const [x, y] = centre(board, cell, turn);
    Object.assign(made.style, {
      left: `${((x - 0.5) / width) * 100}%`,
      top: `${((y - tall / 2) / height) * 100}%`,
      width: `${100 / width}%`,
      height: `${(tall * 100) / height}%`,
    });
    row.append(made);
    cellElements.set(cell, made);
  }
}

/** Draw the lines of the grid and the names of rows and columns. @param {ParlourBoard} board */
export function drawBase(board) {
  const { scene, turn, layers: { base } } = board;
  const [width, height] = extent(scene.board, turn);
  if (isPoints(scene.board)) {
    base.append(...['squares', 'rim'].map((name) => svg('rect', { class: name, width: width * UNIT, height: height * UNIT, rx: 3 })), pointLines(scene.board, turn), pointNames(board));
    return;
  }
  if (isHex(scene.board)) {
    for (const cell of realCells(scene.board)) {
      base.append(svg('polygon', { class: 'hex', points: outline(scene.board, 0), transform: board.at(cell) }));
    }
  } else {
    let lines = '';
    for (const cell of realCells(scene.board)) {
      const [x, y] = centre(scene.board, cell, turn);
      lines += `M${(x - 0.5) * UNIT} ${(y - 0.5) * UNIT}h${UNIT}v${UNIT}h${-UNIT}z`;
    }
    base.append(svg('path', { class: 'squares', d: lines }), svg('rect', { class: 'rim', width: width * UNIT, height: height * UNIT, rx: 3 }));
  }
  base.append(isHex(scene.board) ? hexNames(board) : squareNames(board));
}

/** The lines between points, and a node at each. @param {import('./wire.js').Board} board @param {Turn} turn */
export function pointLines(board, turn) {
  const drawn = svg('g', { class: 'links' });
  for (const pair of board.links || []) {
    const [[x1, y1], [x2, y2]] = pair.map((cell) => centre(board, cell, turn).map((at) => at * UNIT));
    drawn.append(svg('line', { x1, y1, x2, y2 }));
  }
  for (const cell of realCells(board)) {
    const [x, y] = centre(board, cell, turn);
    drawn.append(svg('circle', { cx: x * UNIT, cy: y * UNIT, r: 5.5 }));
  }
  return drawn;
}

/** @param {ParlourBoard} board */
function pointNames({ scene: { board }, turn }) {
  const names = svg('g', { class: 'names points' });
  for (const cell of realCells(board)) {
    const [x, y] = centre(board, cell, turn);
    names.append(label(x + 0.42, y - 0.42, board.col_names[cell] || ''));
  }
  return names;
}

/** @param {number} x @param {number} y @param {string} name */
const label = (x, y, name) => svg('text', { x: x * UNIT, y: y * UNIT, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, name);

/** @param {ParlourBoard} board */
function squareNames({ scene: { board }, turn }) {
  const names = svg('g', { class: 'names' });
  const near = -margin(board, turn) / 2;
  const isTurned = Number(turn) % 2 === 1;
  board.row_names.forEach((name, row) => {
    const [x, y] = centre(board, row * board.cols, turn);
    names.append(isTurned ? label(x, near, name) : label(near, y, name));
  });
  board.col_names.forEach((name, col) => {
    const [x, y] = centre(board, col, turn);
    names.append(isTurned ? label(near, y, name) : label(x, near, name));
  });
  return names;
}

/** @param {ParlourBoard} board */
function hexNames({ scene: { board }, turn }) {
  const names = svg('g', { class: 'names' });
  const side = turn ? 1 : -1;
  const seen = new Set();
  for (const cell of realCells(board)) {
    const row = Math.floor(cell / board.cols);
    const col = cell % board.cols;
    const [x, y] = centre(board, cell, turn);
    if (!seen.has(`r${row}`)) names.append(label(x + 0.72 * side, y, board.row_names[row] || ''));
    if (!seen.has(`c${col}`)) names.append(label(x + 0.26 * side, y + 0.74 * side, board.col_names[col] || ''));
    seen.add(`r${row}`).add(`c${col}`);
  }
  return names;
}

/** The width of the strip with the names, in cells: about the same on the screen for any board.
 * @param {import('./wire.js').Board} board @param {Turn} turn */
function margin(board, turn) {
  if (isHex(board)) return 0.62;
  return Math.max(...extent(board, turn)) * (innerWidth > innerHeight ? 0.033 : 0.05);
}

/** Fit the drawing, with the names of rows and columns if they are readable. @param {ParlourBoard} board */
export function frame(board) {
  const { scene: { board: plan }, turn, drawing, grid } = board;
  if (!plan.rows || !drawing || !grid) return;
  const [width, height] = extent(plan, turn);
  const hasNames = [...plan.row_names, ...plan.col_names].some(Boolean);
  const wide = board.clientWidth / width;
  const isNarrow = !hasNames || (wide > 0 && wide < NARROW);
  const strip = hasNames && !isPoints(plan) ? margin(plan, turn) : EDGE;
  // The names have the size of the page's small text for any size of cells.
  board.style.setProperty('--names-size', `${Math.min(13 * UNIT / (wide || UNIT), (isPoints(plan) ? 0.3 : 0.85 * strip) * UNIT).toFixed(1)}px`);
  const [top, right, bottom, left] = isNarrow ? [EDGE, EDGE, EDGE, EDGE]
    : turn && isHex(plan) ? [EDGE, strip, strip, EDGE] : [strip, EDGE, EDGE, strip];
  const full = [width + left + right, height + top + bottom];
  board.classList.toggle('narrow', isNarrow);
  drawing.setAttribute('viewBox', `${-left * UNIT} ${-top * UNIT} ${full[0] * UNIT} ${full[1] * UNIT}`);
  Object.assign(grid.style, {
    left: `${(left / full[0]) * 100}%`,
    top: `${(top / full[1]) * 100}%`,
    width: `${(width / full[0]) * 100}%`,
    height: `${(height / full[1]) * 100}%`,
  });
  // Reserve the same space with and without names, to avoid layout shifts.
  const named = [width + strip + EDGE, height + strip + EDGE];
  board.style.setProperty('--ratio', (named[0] / named[1]).toFixed(4));
  board.style.setProperty('--most', `${Math.round(named[0] * LARGEST)}px`);
}
