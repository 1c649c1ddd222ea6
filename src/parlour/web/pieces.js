/**
 * The pieces that a seat holds or has taken, as pictures.
 * @typedef {import('./picker.js').Shape} Shape
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {{name: string, shape: Shape | null, colour: string}} NamedPiece `shape` is null if it is unknown
 */
import { drawCell, svg } from './drawing.js';
import { around } from './geometry.js';
import { COLOURS, colourOf, handColour, seatColours } from './scene.js';

/** A piece as an icon; small icons are as wide as the piece. @param {Shape} shape @param {string} colour @param {boolean} [isSmall] */
export function pieceIcon(shape, colour, isSmall = false) {
  const rows = 1 + Math.max(...shape.map(([row]) => row));
  const cols = 1 + Math.max(...shape.map(([, col]) => col));
  const [wide, high] = isSmall ? [cols, Math.max(rows, 3)] : [Math.max(rows, cols, 4), Math.max(rows, cols, 4)];
  const box = [(cols - wide) / 2 - 0.1, (rows - high) / 2 - 0.1, wide + 0.2, high + 0.2];
  const icon = svg('svg', { viewBox: box.join(' '), class: `shape c-${colour}`, 'aria-hidden': 'true' });
  if (isSmall) icon.style.aspectRatio = `${box[2]} / ${box[3]}`;
  for (const [row, col] of shape) icon.append(svg('rect', { x: col + 0.03, y: row + 0.03, width: 0.94, height: 0.94, rx: 0.12 }));
  return icon;
}

/** A cell as an icon, such as a captured piece. @param {import('./wire.js').Cell} cell */
export function cellIcon(cell) {
  const { ground, figure } = drawCell({ rows: 1, cols: 1, row_names: [], col_names: [] }, cell);
  return svg('svg', { viewBox: '-20 -20 40 40', class: 'cell-icon', preserveAspectRatio: 'xMinYMid slice', 'aria-hidden': 'true' }, ...[ground, figure].filter((each) => each !== null));
}

/** The cells where a piece that can be placed now would touch a piece of its colour; before the first piece, the
 * starting cells that it can cover. @param {Scene} scene */
export function contacts(scene) {
  const { board, palette, cells, actions } = scene;
  const reach = new Set(actions.flatMap((action) => (action.group ? action.cells : [])));
  const colour = handColour(scene);
  const isOwn = (/** @type {number} */ cell) => Boolean(palette[cells[cell]].piece) && colourOf(palette[cells[cell]]) === colour;
  const isStart = (/** @type {number} */ cell) => palette[cells[cell]].marks?.includes('start');
  const touching = [...reach].filter((cell) => around(board, cell).some(isOwn));
  return new Set(touching.length ? touching : [...reach].filter(isStart));
}

/** The pieces in a seat's tray. A text that names a colour applies to the pieces after it.
 * @param {Scene} scene @param {number} seat @returns {NamedPiece[]} */
export function piecesOf(scene, seat) {
  const shapes = new Map(scene.board.pieces);
  let colour = seatColours(scene, seat)[0] || '';
  const found = [];
  for (const item of scene.seats[seat]?.tray || []) {
    if (typeof item !== 'string') continue;
    const named = item.replace(/:$/, '');
    if (named !== item && COLOURS.has(named)) colour = named;
    else found.push({ name: item, shape: shapes.get(item) || null, colour });
  }
  return found;
}
