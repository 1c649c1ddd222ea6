/**
 * Drawing cells, for any game. Cells of one `piece` form a solid shape. An arrow in the glyph is drawn
 * as an arrow. A face in the sprite is drawn as its picture, another face as a disc. Other cells show their glyph.
 * @typedef {import('./wire.js').Cell} Cell
 * @typedef {import('./wire.js').Board} Board
 */
import { beyond, centre, corners, extent } from './geometry.js';
import { colourOf } from './scene.js';

/** The width of a cell in the picture's units. */
export const UNIT = 40;

const SPACE = 'http://www.w3.org/2000/svg';
const BLANK = new Set(['·', '.', '-', '_', '', ' ']);
/** @type {Record<string, number>} degrees from the north, clockwise */
const ARROWS = { '↑': 0, '↗': 45, '→': 90, '↘': 135, '↓': 180, '↙': 225, '←': 270, '↖': 315 };

/**
 * An SVG element. @param {string} tag @param {Record<string, string | number>} attributes
 * @param {(Element | string)[]} children @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SPACE, tag);
  for (const name in attributes) made.setAttribute(name, String(attributes[name]));
  made.append(...children);
  return made;
}

/** @type {Promise<Set<string>> | null} */
let sprite = null;
/** @type {Set<string>} */
let symbols = new Set();

/** Load the sprite once and add it to the document. Resolves to the names of its symbols. */
export function loadPieces() {
  sprite ??= fetch(new URL('./pieces.svg', import.meta.url))
    .then((answer) => answer.text())
    .then((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
      const holder = svg('svg', { 'aria-hidden': 'true', class: 'sprite', width: 0, height: 0 });
      const defs = parsed.querySelector('defs');
      if (defs) holder.append(document.importNode(defs, true));
      document.body.prepend(holder);
      symbols = new Set([...holder.querySelectorAll('symbol')].map((each) => each.id));
      return symbols;
    })
    .catch(() => symbols);
  return sprite;
}

/** Parlour's logo. @param {number} size */
export const logo = (size) =>
  svg('svg', { width: size, height: size, 'aria-hidden': 'true' }, svg('use', { href: '#logo', width: size, height: size }));

/** An icon of the sprite, beside a text or with a label on its button. @param {string} name */
export const icon = (name) => svg('svg', { class: 'sign-icon', 'aria-hidden': 'true' }, svg('use', { href: `#icon-${name}` }));

/** @param {string} id @param {string} name @param {number} size */
const use = (id, name, size) =>
  svg('use', { href: `#${id}`, class: name, x: -size / 2, y: -size / 2, width: size, height: size });

/** @param {string} words @param {string} name @param {number} x @param {number} y @param {number} size */
const text = (words, name, x, y, size) =>
  svg('text', { class: name, x, y, 'font-size': size, 'text-anchor': 'middle' }, words);

/** The direction of the arrow in a glyph, in degrees, or NaN. @param {Cell} cell */
export function arrowOf(cell) {
  for (const sign of cell.glyph) if (sign in ARROWS) return ARROWS[sign];
  return NaN;
}

/** Whether a cell shows a movable piece. @param {Cell} cell */
export const isPiece = (cell) => Boolean(cell.face) && !cell.piece && Number.isNaN(arrowOf(cell));

/** Whether a cell shows a face-down piece. @param {Cell} cell */
export const isDown = (cell) => Boolean(cell.marks?.includes('face-down'));

/** @param {Board} board @param {number} inset */
export function outline(board, inset) {
  return corners(board, 0, 0, inset).map(([x, y]) => `${(x * UNIT).toFixed(2)},${(y * UNIT).toFixed(2)}`).join(' ');
}

/**
 * Draw a cell around 0,0: its ground, and the figure on it.
 * @param {Board} board @param {Cell} cell @param {import('./geometry.js').Turn} [turn]
 * @returns {{ground: SVGElement | null, figure: SVGElement | null}}
 */
export function drawCell(board, cell, turn) {
  const colour = colourOf(cell);
  const paint = colour ? ` c-${colour}` : '';
  const marks = (cell.marks || []).map((mark) => ` m-${mark}`).join('');
  const arrow = arrowOf(cell);
  if (cell.piece) {
    const mark = symbols.has(`mark-${colour}`) ? [use(`mark-${colour}`, 'mark', UNIT)] : [];
    return { ground: null, figure: svg('g', { class: `solid${paint}` }, svg('polygon', { points: outline(board, 0) }), ...mark) };
  }
  const picture = cell.face && symbols.has(`face-${cell.face}`) ? `face-${cell.face}` : '';
  const isDisc = Number.isNaN(arrow) && !picture && (Boolean(cell.face) || isDown(cell));
  const isTile = !isDisc && !picture;
  const isPlain = isTile && !colour && !marks && Number.isNaN(arrow);
  const ground = isPlain ? null : svg('polygon', { class: `tile${isTile ? paint : ''}${marks}`, points: outline(board, isTile && colour ? 0.035 : 0.02) });
  let figure = null;
  if (picture) {
    figure = svg('g', { class: `picture${paint}` }, use(picture, 'art', UNIT * (extent(board)[0] > 15 ? 1.5 : 0.98)));
  } else if (isDisc) {
    figure = disc(cell, paint);
  } else if (!Number.isNaN(arrow)) {
    const pointing = svg('g', { class: 'turn' }, use('arrow', 'arrow', UNIT * 0.8));
    pointing.style.transform = `rotate(${arrow + 90 * Number(turn || 0)}deg)`;
    figure = svg('g', { class: `arrows${paint || ' quiet'}` }, pointing);
    const rest = [...cell.glyph].filter((sign) => !(sign in ARROWS)).join('');
    if (!BLANK.has(rest)) figure.append(text(rest, 'corner', -12.5, -9, 9));
  } else if (!cell.marks?.some((mark) => mark === 'wall' || mark === 'start') && !BLANK.has(cell.glyph)) {
    figure = svg('g', { class: `glyph${paint}` }, text(cell.sign || cell.glyph, 'sign', 0, 7, 19));
    if (cell.sign) figure.append(text(cell.glyph, 'corner', 13, 15, 9));
  }
  if (cell.number) figure = svg('g', {}, ...(figure ? [figure] : []), badge(cell.number));
  return { ground, figure };
}

/** The number of pieces, in the lower right corner. @param {number} count */
function badge(count) {
  const width = 9 + 6.5 * String(count).length;
  return svg('g', { class: 'count' }, svg('rect', { x: 20 - width, y: 5, width, height: 15, rx: 7.5 }), text(String(count), 'digits', 20 - width / 2, 16.6, 11.5));
}

/** A round piece: its character and letter, its glyph, or its back. @param {Cell} cell @param {string} paint */
function disc(cell, paint) {
  const down = isDown(cell);
  const drawn = svg('g', { class: `disc${down ? ' down' : paint || ' plain'}` },
    svg('circle', { class: 'shade', r: 17, cy: 1.2 }),
    svg('circle', { class: 'face', r: 16.6 }),
    svg('circle', { class: 'ring', r: 13.6 }));
  if (down && symbols.has('back')) drawn.append(use('back', 'pattern', UNIT * 0.92));
  else if (cell.sign) {
    drawn.append(symbols.has(`sign-${cell.sign}`) ? use(`sign-${cell.sign}`, 'sign', 20) : text(cell.sign, 'sign', 0, 6.6, 19));
    drawn.append(svg('circle', { class: 'badge', cx: 13, cy: 12.5, r: 5.6 }), text(cell.glyph, 'letter', 13, 15.6, 8.6));
  } else drawn.append(text(cell.glyph, 'sign', 0, 6.200, 17));
  return drawn;
}

/**
 * The lines of a piece of several cells: around it, and between its cells.
 * @param {Board} board @param {number[]} members @param {import('./geometry.js').Turn} [turn]
 */
export function pieceLines(board, members, turn) {
  const own = new Set(members);
  let outer = '';
  let inner = '';
  for (const cell of members) {
    const [x, y] = centre(board, cell, turn);
    const points = corners(board, x, y, 0);
    const near = beyond(board, cell);
    points.forEach(([a, b], side) => {
      const [c, d] = points[(side + 1) % points.length];
      const line = `M${(a * UNIT).toFixed(1)} ${(b * UNIT).toFixed(1)}L${(c * UNIT).toFixed(1)} ${(d * UNIT).toFixed(1)}`;
      const other = near[(side + points.length - (Number(turn || 0) * points.length) / 4) % points.length];
      if (!own.has(other)) outer += line;
      else if (cell < other) inner += line;
    });
  }
  return { outer, inner };
}
