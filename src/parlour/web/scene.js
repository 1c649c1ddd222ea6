/**
 * Scenes: the server's messages as complete values.
 * @typedef {import('./wire.js').Cell} Cell
 * @typedef {import('./wire.js').Board} Board
 * @typedef {import('./wire.js').WireScene} WireScene
 * @typedef {import('./wire.js').Diff} Diff
 * @typedef {{id: number, text: string, cells: number[], group: string, also: number[]}} Action
 * @typedef {{board: Board, palette: Cell[], cells: number[], seats: import('./wire.js').SeatView[],
 *   actor: number, actors?: number[], status: string, actions: Action[], colour?: string}} Scene `colour` is the
 *   colour of the pieces to place, if it differs from the actor's
 */

/** @type {Board} */
export const NO_BOARD = { rows: 0, cols: 0, row_names: [], col_names: [] };

/** @param {import('./wire.js').WireAction[] | undefined} actions @returns {Action[]} */
const actionsOf = (actions) =>
  (actions || []).map(([id, text, cells, group, also]) => ({ id, text, cells, group, also }));

/**
 * Read a scene; throws if it is not valid. @param {WireScene} wire @returns {Scene}
 */
export function sceneOf(wire) {
  const board = wire.board || NO_BOARD;
  if (wire.cells.length !== board.rows * board.cols) throw new Error('bad scene');
  if (wire.cells.some((at) => !wire.palette[at])) throw new Error('bad scene');
  return { ...wire, board, actions: actionsOf(wire.actions) };
}

/** A new scene with the changes applied; throws if they do not fit. @param {Scene} scene @param {Diff} diff */
export function changed(scene, diff) {
  const palette = diff['palette+'] ? [...scene.palette, ...diff['palette+']] : scene.palette;
  const cells = scene.cells.slice();
  for (const [cell, at] of diff.cells || []) {
    if (!palette[at] || !(cell in cells)) throw new Error('bad scene');
    cells[cell] = at;
  }
  return {
    board: scene.board,
    palette,
    cells,
    seats: diff.seats || scene.seats,
    actor: diff.actor ?? scene.actor,
    status: diff.status ?? scene.status,
    actions: diff.actions ? actionsOf(diff.actions) : scene.actions,
    actors: diff.actors ?? scene.actors,
  };
}

export const COLOURS = new Set('blue orange green pink yellow cyan red purple brown grey black white'.split(' '));
const SEAT_COLOURS = ['blue', 'orange', 'green', 'pink', 'yellow', 'cyan'];

/** The colour of a cell: its own, otherwise its owner's, otherwise empty. @param {Cell} cell */
export function colourOf(cell) {
  if (cell.colour && COLOURS.has(cell.colour)) return cell.colour;
  return cell.owner !== undefined && cell.owner >= 0 ? SEAT_COLOURS[cell.owner % 6] : '';
}

/**
 * The colours of a seat's cells on the board; if it has none yet, the colour in its name.
 * @param {Scene} scene @param {number} seat
 */
export function seatColours(scene, seat) {
  const found = new Set();
  for (const at of new Set(scene.cells)) {
    const cell = scene.palette[at];
    if (cell.owner === seat) found.add(colourOf(cell));
  }
  const named = colourIn(scene.seats[seat]?.name || '');
  if (!found.size && named) found.add(named);
  return [...found];
}

/** The first colour name in a text. @param {string} text */
const colourIn = (text) => text.toLowerCase().match(/[a-z]+/g)?.find((word) => COLOURS.has(word)) || '';

/** The colour of the actor: as named in the status or the seat's name, otherwise of its cells. @param {Scene} scene */
export function actorColour(scene) {
  const { actor } = scene;
  for (const text of [scene.status, scene.seats[actor]?.name || '']) {
    const named = colourIn(text);
    if (named) return named;
  }
  return seatColours(scene, actor)[0] || SEAT_COLOURS[Math.max(0, actor) % 6];
}

/** The colour of the pieces in hand. @param {Scene} scene */
export const handColour = (scene) => scene.colour || actorColour(scene);
