/**
 * What changes while a player chooses: marks of the last move, hints, targets, previews, the piece in hand, and the labels
 * of the cells.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./picker.js').Ghost} Ghost
 */
import { UNIT, drawCell, isPiece, outline, pieceLines, svg } from './drawing.js';
import { between, centre, isPoints, names, realCells } from './geometry.js';
import { colourOf, handColour } from './scene.js';
import { gameText, words } from './words.js';

/** More cells of an explanation than these are only left bright. */
const MOST_FRAMED = 16;

/** @param {ParlourBoard} board @param {SVGElement} layer @param {number} cell @param {string} name */
function put(board, layer, cell, name, inset = 0.03) {
  layer.append(svg('polygon', { class: name, points: outline(board.scene.board, inset), transform: board.at(cell) }));
}

/** A frame that is visible on every colour. @param {ParlourBoard} board @param {number} cell @param {string} name */
function putFrame(board, cell, name, inset = 0.07, layer = board.layers.over) {
  put(board, layer, cell, 'frame-back', inset);
  put(board, layer, cell, name, inset);
}

/** Draw the marks and update the labels of the cells. @param {ParlourBoard} board */
export function drawMarks(board) {
  const { picker, layers: { under, over } } = board;
  under.replaceChildren();
  over.replaceChildren();
  if (!board.scene.board.rows) return;
  drawLast(board);
  // A frame lies under a piece that stands on its cell, so that all of the piece is seen.
  for (const cell of board.hinted) putFrame(board, cell, 'hinted', 0.07, isPiece(board.scene.palette[board.scene.cells[cell]]) ? under : over);
  drawLit(board);
  drawPreview(board);
  const targets = picker.targets();
  drawTargets(board, targets);
  drawContacts(board);
  drawPlaces(board);
  if (board.pending) for (const cell of board.pending.cells) put(board, over, cell, 'pending', 0.09);
  if (board.ghost && !board.pending?.group) drawGhost(board, board.ghost);
  else if (board.pending?.group) drawGhost(board, { cells: board.pending.cells, action: board.pending });
  label(board, targets);
}

/** @param {ParlourBoard} board */
function drawLast(board) {
  const { scene: { board: plan, palette, cells }, layers: { under, over }, last, trail, turn } = board;
  const pieces = new Set();
  for (const cell of trail) {
    if (last.has(cell) || palette[cells[cell]].piece) continue;
    put(board, over, cell, 'trail back', 0.06);
    put(board, over, cell, 'trail', 0.06);
  }
  for (const cell of last) {
    const { piece } = palette[cells[cell]] || {};
    if (piece) pieces.add(piece);
    else {
      put(board, under, cell, 'last', 0.01);
      // A frame lies under a piece that stands on its cell, and over a coloured cell.
      const layer = isPiece(palette[cells[cell]]) ? under : over;
      if (layer === over && colourOf(palette[cells[cell]])) put(board, over, cell, 'last-edge back', 0.045);
      put(board, layer, cell, 'last-edge', 0.045);
    }
  }
  if (!pieces.size) return;
  const members = realCells(plan).filter((cell) => pieces.has(palette[cells[cell]].piece));
  const { outer } = pieceLines(plan, members, turn);
  over.append(svg('path', { class: 'last-piece back', d: outer }), svg('path', { class: 'last-piece', d: outer }));
}

/** Dim all cells but those that an explanation is about. @param {ParlourBoard} board */
function drawLit(board) {
  if (!board.lit.length) return;
  const lit = new Set(board.lit);
  for (const cell of realCells(board.scene.board)) {
    if (!lit.has(cell)) put(board, board.layers.over, cell, 'dim', 0);
  }
  if (lit.size <= MOST_FRAMED) for (const cell of lit) putFrame(board, cell, 'lit', 0.03);
}

/** Draw the cells that an action would change as they will look. @param {ParlourBoard} board */
function drawPreview(board) {
  for (const { cell, now } of board.previewed) {
    const { ground, figure } = drawCell(board.scene.board, now, board.turn);
    const parts = [ground, figure].filter((each) => each !== null);
    board.layers.over.append(svg('g', { class: 'will-be', transform: board.at(cell) }, ...parts));
    put(board, board.layers.over, cell, 'previewed', 0.05);
  }
}

/** @param {ParlourBoard} board @param {Set<number>} targets */
function drawTargets(board, targets) {
  const { picker: { touched }, scene: { palette, cells, board: plan }, layers: { under, over } } = board;
  for (const cell of touched) put(board, isPiece(palette[cells[cell]]) ? under : over, cell, 'touched', 0.05);
  if (!touched.length && !board.compass) return;
  const [from] = touched;
  for (const cell of targets) {
    if (touched.includes(cell)) continue;
    if (from !== undefined) drawJump(board, from, cell, between(plan, from, cell));
    if (board.figures.get(cell)) put(board, over, cell, 'target full', 0.06);
    else over.append(svg('circle', { class: 'target', r: 6, transform: board.at(cell) }));
  }
}

/** Show a move over other cells: its line, and the pieces that it jumps over.
 * @param {ParlourBoard} board @param {number} from @param {number} to @param {number[]} over */
function drawJump(board, from, to, over) {
  const jumped = over.filter((cell) => board.figures.get(cell));
  if (!jumped.length) return;
  const [[x1, y1], [x2, y2]] = [from, to].map((cell) => centre(board.scene.board, cell, board.turn).map((at) => at * UNIT));
  board.layers.under.append(svg('line', { class: 'jump', x1, y1, x2, y2 }));
  for (const cell of jumped) board.layers.over.append(svg('circle', { class: 'jumped', r: 18.2, transform: board.at(cell) }));
}

/** Mark the cells where a piece can connect to the player's own pieces. @param {ParlourBoard} board */
function drawContacts(board) {
  if (board.pending) return;
  const { scene: { palette, cells }, layers: { under, over } } = board;
  for (const cell of board.contacts) {
    const isStart = palette[cells[cell]].marks?.includes('start');
    (isStart ? over : under).append(svg('circle', { class: `contact c-${handColour(board.scene)}`, r: isStart ? 11 : 5, transform: board.at(cell) }));
  }
}

/** Tint the cells that the piece in hand can cover. @param {ParlourBoard} board */
function drawPlaces(board) {
  if (board.pending || !board.picker.shape.length) return;
  for (const cell of board.picker.reach()) put(board, board.layers.under, cell, 'place', 0);
}

/** @param {ParlourBoard} board @param {Ghost} ghost */
function drawGhost(board, ghost) {
  const { outer } = pieceLines(board.scene.board, ghost.cells, board.turn);
  const made = svg('g', { class: `ghost c-${handColour(board.scene)}${ghost.action ? '' : ' wrong'}` });
  for (const cell of ghost.cells) made.append(svg('polygon', { points: outline(board.scene.board, 0), transform: board.at(cell) }));
  made.append(svg('path', { class: 'halo', d: outer }), svg('path', { class: 'edge', d: outer }));
  board.layers.over.append(made);
}

/** The place of a cell in words. @param {import('./wire.js').Board} board @param {number} cell */
export function placeWords(board, cell) {
  const [row, col] = names(board, cell);
  if (isPoints(board)) return words('point', { name: col });
  return [row && words('row', { name: row }), col && words('column', { name: col })].filter(Boolean).join(', ');
}

/** Update the labels of the cells for screen readers. @param {ParlourBoard} board @param {Set<number>} targets */
function label(board, targets) {
  const { scene: { board: plan, palette, cells }, picker: { touched } } = board;
  const ghost = new Set(board.ghost?.cells);
  for (const [cell, element] of board.cellElements) {
    const extra = `${board.last.has(cell) ? `, ${words('lastMove')}` : ''}${board.contacts.has(cell) ? `, ${words('contact')}` : ''}`;
    const text = `${placeWords(plan, cell)}: ${gameText(palette[cells[cell]].label)}${extra}`;
    if (element.ariaLabel !== text) element.ariaLabel = text;
    const isChosen = String(touched.includes(cell) || ghost.has(cell));
    if (element.ariaSelected !== isChosen) element.ariaSelected = isChosen;
    const state = targets.has(cell) ? words('canPlay') : '';
    if ((element.getAttribute('aria-description') || '') !== state) {
      if (state) element.setAttribute('aria-description', state);
      else element.removeAttribute('aria-description');
      element.classList.toggle('can', Boolean(state));
    }
    const tab = cell === board.cursor ? 0 : -1;
    if (element.tabIndex !== tab) element.tabIndex = tab;
  }
}
