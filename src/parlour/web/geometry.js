/**
 * Positions of cells. A cell is one unit wide; x grows to the right, y downwards.
 * On a hex board each row is shifted half a cell to the right of the row above.
 * @typedef {import('./wire.js').Board} Board
 * @typedef {'up' | 'down' | 'left' | 'right'} Direction
 * @typedef {number | false} Turn quarter turns of the board, clockwise; `false` is none
 */

const TALL = Math.sqrt(3) / 2;

/** @param {Board} board */
export const isHex = (board) => board.shape === 'hex';

/** Whether the board has points and lines instead of rows and columns. @param {Board} board */
export const isPoints = (board) => board.shape === 'points';

/** Whether the page can draw the shape of this board. @param {Board} board */
export const isKnown = (board) => !board.shape || board.shape === 'square' || isHex(board) || isPoints(board);

/** The distance of the closest points of a board, in cells. */
const SPREAD = 1.3;
/** A round cell is drawn as a polygon of so many corners. */
const CORNERS = 24;
/** The cursor prefers a point straight ahead to one aside that is nearer, by this factor. */
const ASIDE = 3;
/** Points whose positions differ by less are level. */
const LEVEL = 1e-6;

/** @type {WeakMap<Board, [number, number][]>} */
const placed = new WeakMap();

/** The centre of each point, in cells; the closest ones are `SPREAD` apart. @param {Board} board */
function pointCentres(board) {
  let found = placed.get(board);
  if (!found) {
    const points = board.points || [];
    let least = points.length > 1 ? Infinity : SPREAD;
    points.forEach(([x, y], at) => points.slice(0, at).forEach(([a, b]) => { least = Math.min(least, Math.hypot(x - a, y - b)); }));
    const scale = SPREAD / least;
    found = points.map(([x, y]) => [0.5 + x * scale, 0.5 + y * scale]);
    placed.set(board, found);
  }
  return found;
}

/** The cells without the holes, in reading order. @param {Board} board */
export function realCells(board) {
  const holes = new Set(board.holes || []);
  const cells = [];
  for (let cell = 0; cell < board.rows * board.cols; cell++) if (!holes.has(cell)) cells.push(cell);
  return cells;
}

/** The width and height of the board. @param {Board} board @param {Turn} [turn] @returns {[number, number]} */
export function extent(board, turn) {
  if (isPoints(board)) {
    const points = pointCentres(board);
    const [width, height] = [0, 1].map((axis) => 0.5 + Math.max(...points.map((point) => point[axis])));
    return Number(turn) % 2 ? [height, width] : [width, height];
  }
  if (isHex(board)) return [board.cols + (board.rows - 1) / 2, (board.rows - 1) * TALL + 1 / TALL];
  return Number(turn) % 2 ? [board.rows, board.cols] : [board.cols, board.rows];
}

/**
 * The centre of a cell.
 * @param {Board} board @param {number} cell @param {Turn} [turn]
 * @returns {[number, number]}
 */
export function centre(board, cell, turn) {
  const row = Math.floor(cell / board.cols);
  const col = cell % board.cols;
  const [x, y] = isPoints(board) ? pointCentres(board)[cell] : isHex(board) ? [col + row / 2 + 0.5, 0.5 / TALL + row * TALL] : [col + 0.5, row + 0.5];
  const [width, height] = extent(board);
  if (Number(turn) === 1) return [height - y, x];
  if (Number(turn) === 2) return [width - x, height - y];
  return Number(turn) === 3 ? [y, width - x] : [x, y];
}

/**
 * The cell at a point, or -1.
 * @param {Board} board @param {number} x @param {number} y @param {Turn} [turn]
 */
export function cellAt(board, x, y, turn) {
  const [width, height] = extent(board);
  if (Number(turn) === 1) [x, y] = [y, height - x];
  else if (Number(turn) === 2) [x, y] = [width - x, height - y];
  else if (Number(turn) === 3) [x, y] = [width - y, x];
  if (x < 0 || y < 0 || x >= width || y >= height) return -1;
  if (!isHex(board) && !isPoints(board)) {
    const cell = Math.floor(y) * board.cols + Math.floor(x);
    return (board.holes || []).includes(cell) ? -1 : cell;
  }
  let best = -1;
  let least = 0.37;
  for (const cell of realCells(board)) {
    const [a, b] = centre(board, cell);
    const far = (a - x) ** 2 + (b - y) ** 2;
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}

const DIRECTIONS = /** @type {Direction[]} */ (['up', 'right', 'down', 'left']);

/** The direction on the board of a direction on the screen. @param {Direction} way @param {Turn} [turn] */
export const onBoard = (way, turn) => DIRECTIONS[(DIRECTIONS.indexOf(way) + 4 - Number(turn || 0)) % 4];

/** The corners of a cell around a point, clockwise, moved inwards by `inset`.
 * @param {Board} board @param {number} x @param {number} y @param {number} inset
 * @returns {[number, number][]} */
export function corners(board, x, y, inset) {
  const half = 0.5 - inset;
  if (isPoints(board)) {
    return Array.from({ length: CORNERS }, (_, at) => {
      const turn = (2 * Math.PI * at) / CORNERS;
      return [x + half * Math.sin(turn), y - half * Math.cos(turn)];
    });
  }
  if (!isHex(board)) return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]];
  const tall = half / TALL;
  return [[x, y - tall], [x + half, y - tall / 2], [x + half, y + tall / 2], [x, y + tall], [x - half, y + tall / 2], [x - half, y - tall / 2]];
}

const SQUARE_SIDES = [[-1, 0], [0, 1], [1, 0], [0, -1]];
const HEX_SIDES = [[-1, 1], [0, 1], [1, 0], [1, -1], [0, -1], [-1, 0]];

/** The neighbour across each side, in the order of `corners`, or -1.
 * @param {Board} board @param {number} cell */
export function beyond(board, cell) {
  if (isPoints(board)) return Array(CORNERS).fill(-1);
  const row = Math.floor(cell / board.cols);
  const col = cell % board.cols;
  return (isHex(board) ? HEX_SIDES : SQUARE_SIDES).map(([down, right]) => {
    const r = row + down;
    const c = col + right;
    const near = r * board.cols + c;
    const inside = r >= 0 && c >= 0 && r < board.rows && c < board.cols;
    return inside && !(board.holes || []).includes(near) ? near : -1;
  });
}

/** The left edge of a cell, in half cells. @param {Board} board @param {number} cell */
function slot(board, cell) {
  return 2 * (cell % board.cols) + (isHex(board) ? Math.floor(cell / board.cols) : 0);
}

/**
 * The cell that an arrow key leads to; the same cell at an edge.
 * @param {Board} board @param {number} cell @param {Direction} direction
 */
export function step(board, cell, direction) {
  if (isPoints(board)) return stepBetweenPoints(board, cell, direction);
  const cells = realCells(board);
  const rowOf = (/** @type {number} */ each) => Math.floor(each / board.cols);
  const row = rowOf(cell);
  if (direction === 'left' || direction === 'right') {
    const inRow = cells.filter((other) => rowOf(other) === row);
    if (direction === 'right') return inRow.find((other) => other > cell) ?? cell;
    return inRow.reverse().find((other) => other < cell) ?? cell;
  }
  const rows = cells.map(rowOf);
  const to = direction === 'down'
    ? Math.min(...rows.filter((other) => other > row), Infinity)
    : Math.max(...rows.filter((other) => other < row), -Infinity);
  if (!Number.isFinite(to)) return cell;
  const here = slot(board, cell);
  const lean = (to - row) * (Math.min(row, to) % 2 === 0 ? 1 : -1);
  let best = cell;
  let least = [Infinity, 0];
  for (const other of cells.filter((each) => rowOf(each) === to)) {
    const aside = slot(board, other) - here;
    const far = [Math.abs(aside), -aside * lean];
    if (far[0] < least[0] || (far[0] === least[0] && far[1] < least[1])) [best, least] = [other, far];
  }
  return best;
}

/** The nearest point on that side; one straight ahead is preferred.
 * @param {Board} board @param {number} cell @param {Direction} direction */
function stepBetweenPoints(board, cell, direction) {
  const [right, down] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[direction];
  const points = board.points || [];
  const [x, y] = points[cell];
  let best = cell;
  let least = Infinity;
  points.forEach(([a, b], other) => {
    const ahead = (a - x) * right + (b - y) * down;
    const far = ahead + ASIDE * Math.abs((a - x) * down + (b - y) * right);
    if (ahead > LEVEL && far < least - LEVEL) [best, least] = [other, far];
  });
  return best;
}

/** The names of a cell's row and column, or their numbers. @param {Board} board @param {number} cell */
export function names(board, cell) {
  const row = Math.floor(cell / board.cols);
  const col = cell % board.cols;
  const found = [board.row_names[row] || '', board.col_names[col] || ''];
  return found[0] || found[1] ? found : [String(row + 1), String(col + 1)];
}

/** The cells that touch a cell, at a side, at a corner or by a line. @param {Board} board @param {number} cell */
export function around(board, cell) {
  if (isPoints(board)) return (board.links || []).flatMap(([one, two]) => (one === cell ? [two] : two === cell ? [one] : []));
  const sides = beyond(board, cell);
  const corners = isHex(board) ? [] : [sides[0], sides[2]].flatMap((near) => (near < 0 ? [] : [beyond(board, near)[1], beyond(board, near)[3]]));
  return [...sides, ...corners].filter((near) => near >= 0);
}

/** The cells strictly between two cells of a row or column. @param {Board} board @param {number} from @param {number} to */
export function between(board, from, to) {
  const isRow = Math.floor(from / board.cols) === Math.floor(to / board.cols);
  if (isHex(board) || isPoints(board) || !isRow && from % board.cols !== to % board.cols) return [];
  const by = (isRow ? 1 : board.cols) * Math.sign(to - from);
  const found = [];
  for (let cell = from + by; cell !== to; cell += by) found.push(cell);
  return found;
}
