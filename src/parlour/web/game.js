/**
 * The state of one game as this viewer sees it, updated by messages.
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./wire.js').EventView} EventView
 * @typedef {{seat: number, ply: number, events: EventView[]}} Entry a move and the chance events that it caused; `ply` is the
 *   position after them
 */
import { actorColour, changed, colourOf, sceneOf } from './scene.js';

const NO_OFFERS = { draw: [], takeback: [], rematch: [] };

/** The seat of a seat's player in the rematch. @param {number} seat @param {number} count of the seats */
export const nextSeat = (seat, count) => (seat + 1) % count;

export class Game {
  constructor() {
    /** @type {import('./wire.js').Welcome | null} */
    this.welcome = null;
    /** @type {Scene | null} */
    this.scene = null;
    this.v = -1;
    this.ply = 0;
    /** @type {number | null} */
    this.you = null;
    this.status = 'waiting';
    this.actor = -2;
    /** All seats to act, if several choose at once. @type {number[]} */
    this.actors = [];
    /** @type {import('./wire.js').SeatInfo[]} */
    this.seats = [];
    /** @type {EventView[]} */
    this.history = [];
    /** @type {import('./wire.js').Clocks | null} */
    this.clocks = null;
    this.clocksAt = 0;
    /** @type {import('./wire.js').Ending | null} */
    this.ending = null;
    this.rematch = '';
    /** @type {import('./wire.js').Offers} */
    this.offers = NO_OFFERS;
    this.remark = '';
    /** @type {boolean[]} */
    this.present = [];
    this.watchers = 0;
    this.thinking = -1;
    /** This seat's actions at its last turn, without the piece that it placed: the choices for premoves. @type {Action[]} */
    this.lastActions = [];
    this.lastColour = '';
    /** @type {string | number | null} */
    this.premove = null;
    /** The pieces that were seen, by their glyphs: trays may name pieces by them. @type {Map<string, import('./wire.js').Cell>} */
    this.faces = new Map();
    /** The cells that the last action gave to another owner. @type {number[]} */
    this.trail = [];
  }

  /** @param {import('./wire.js').Welcome} welcome */
  applyWelcome(welcome) {
    this.welcome = welcome;
    this.you = welcome.you;
    this.trail = [];
    this.setScene(welcome.scene ? sceneOf(welcome.scene) : null);
    this.history = welcome.history || [];
    this.applyStanding(welcome.standing);
  }

  /** @param {import('./wire.js').StandingView} standing */
  applyStanding(standing) {
    this.v = standing.v;
    this.ply = standing.ply;
    this.status = standing.status;
    this.seats = standing.seats;
    this.actor = standing.actor ?? -2;
    this.actors = standing.actors || [];
    this.offers = { ...NO_OFFERS, ...standing.offers };
    this.clocks = standing.clocks || null;
    this.clocksAt = performance.now();
    this.ending = standing.ending || null;
    this.remark = standing.remark || '';
    this.rematch = standing.rematch || '';
  }

  /** Remember how pieces look. @param {import('./wire.js').Cell[]} palette */
  learn(palette) {
    for (const cell of palette) if (cell.face && !cell.piece && !this.faces.has(cell.glyph)) this.faces.set(cell.glyph, cell);
  }

  /** @param {Scene | null} scene */
  setScene(scene) {
    this.scene = scene;
    this.learn(scene?.palette || []);
    if (!scene?.actions.length) return;
    this.lastColour = actorColour(scene);
    this.lastActions = scene.actions;
  }

  /** The scene with the actions for premoves. If a seat plays several colours, the next colour is unknown and pieces
   * cannot be chosen. @param {Scene} scene @returns {Scene} */
  inAdvance(scene) {
    const colours = new Set(scene.palette.filter(({ piece }) => piece).map(colourOf));
    const isFree = (/** @type {number} */ cell) => !scene.palette[scene.cells[cell]].piece;
    const isOpen = (/** @type {Action} */ { group, cells }) => !group || (colours.size <= scene.seats.length && cells.every(isFree));
    return { ...scene, colour: this.lastColour, actions: this.lastActions.filter(isOpen) };
  }

  /** Remove the piece that this seat has placed from the premoves. @param {number | null} [id] */
  usePiece(id) {
    const group = this.lastActions.find((action) => action.id === id)?.group;
    if (group) this.lastActions = this.lastActions.filter((action) => action.group !== group);
  }

  /**
   * @param {import('./wire.js').Update} update
   * @returns {boolean} false if an earlier update is missing: send hello again
   */
  applyUpdate({ events, standing, line = 0, scene, diff }) {
    if (standing.v <= this.v) return true;
    if (events[0].v !== this.v + 1) return false;
    for (const event of events) {
      if (event.kind === 'takeback') this.lastActions = [];
      if (event.kind === 'play' && event.seat === this.you) this.usePiece(event.action);
    }
    const before = this.scene;
    try {
      if (scene) this.setScene(sceneOf(scene));
      else if (diff && this.scene) this.setScene(changed(this.scene, diff));
    } catch {
      return false;
    }
    if (line) this.trail = newOwners(before, this.scene);
    this.history = [...this.history.slice(0, standing.ply - line), ...events.slice(events.length - line)];
    this.thinking = -1;
    this.applyStanding(standing);
    return true;
  }

  /** Whether it is this viewer's turn. */
  get isYours() {
    return this.status === 'playing' && this.you !== null && (this.actor === this.you || this.actors.includes(this.you));
  }

  /** The moves, each with the chance events that it caused. @returns {Entry[]} */
  get entries() {
    /** @type {Entry[]} */
    const found = [];
    for (const event of this.history) {
      const last = found.at(-1);
      if (event.kind === 'play' || !last) {
        if (event.kind === 'play' || event.words) found.push({ seat: event.seat ?? -1, ply: event.ply, events: [event] });
      } else {
        last.ply = event.ply;
        if (event.words) last.events.push(event);
      }
    }
    return found;
  }

  /** The seats that have won. */
  get winners() {
    const returns = this.ending?.returns || [];
    const best = Math.max(...returns);
    return returns.flatMap((won, seat) => (won === best && best > 0 ? [seat] : []));
  }

  /** How the game ended for this viewer; empty while it runs and for spectators. @returns {'won' | 'lost' | 'draw' | 'shared' | ''} */
  get outcome() {
    const { ending, you, winners } = this;
    if (!ending || you === null || !ending.returns.length) return '';
    if (winners.includes(you)) {
      const hasRivals = winners.some((seat) => !this.isPartner(seat, you));
      return hasRivals && this.welcome?.utility !== 'common' ? 'shared' : 'won';
    }
    return winners.length || ending.returns[you] < 0 ? 'lost' : 'draw';
  }

  /** The numbers of actions before each position to step through: the start, and the one after each move. */
  get stops() {
    return [0, ...this.entries.map(({ ply }) => ply)];
  }

  /** Whether all opponents are agents; then hints are allowed. */
  get isAlone() {
    return this.you !== null && this.seats.filter((seat) => seat.kind === 'person').length === 1;
  }

  /** Whether two seats are the same or in one team. @param {number} one @param {number} two */
  isPartner(one, two) {
    const teams = this.welcome?.teams;
    return one === two || (!!teams && teams[one] === teams[two]);
  }

  /** Whether the game is zero-sum between two sides. */
  get isDuel() {
    const { teams, utility } = this.welcome || {};
    return !utility && new Set(teams || this.seats.map((_, seat) => seat)).size === 2;
  }

  /** The cells of the last action, if this viewer may see them. */
  get lastCells() {
    for (const event of [...this.history].reverse()) {
      if (event.cells?.length) return event.cells;
      if (event.kind === 'play') break;
    }
    return [];
  }

  /** The seconds left to a seat. @param {number} seat */
  left(seat) {
    if (!this.clocks) return null;
    const run = this.clocks.running === seat ? (performance.now() - this.clocksAt) / 1000 : 0;
    return Math.max(0, this.clocks.left[seat] - run);
  }
}

/** The cells that change their owner between two scenes. @param {Scene | null} before @param {Scene | null} after */
export function newOwners(before, after) {
  if (!before || !after || before.cells.length !== after.cells.length) return [];
  const owner = (/** @type {Scene} */ scene, /** @type {number} */ cell) => scene.palette[scene.cells[cell]].owner ?? -1;
  return after.cells.flatMap((_, cell) => (owner(before, cell) !== owner(after, cell) ? [cell] : []));
}
