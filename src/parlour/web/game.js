/**
 * The state of one game as this viewer sees it, updated by messages.
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./wire.js').EventView} EventView
 */
import { actorColour, changed, colourOf, sceneOf } from './scene.js';

const NO_OFFERS = { draw: [], takeback: [], rematch: [] };

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
    /** @type {boolean[]} */
    this.present = [];
    this.watchers = 0;
    this.thinking = -1;
    /** This seat's actions at its last turn, without the piece that it placed: the choices for premoves. @type {Action[]} */
    this.lastActions = [];
    this.lastColour = '';
    /** @type {string | number | null} */
    this.premove = null;
  }

  /** @param {import('./wire.js').Welcome} welcome */
  applyWelcome(welcome) {
    this.welcome = welcome;
    this.you = welcome.you;
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
    this.rematch = standing.rematch || '';
  }

  /** @param {Scene | null} scene */
  setScene(scene) {
    this.scene = scene;
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
    try {
      if (scene) this.setScene(sceneOf(scene));
      else if (diff && this.scene) this.setScene(changed(this.scene, diff));
    } catch {
      return false;
    }
    this.history = [...this.history.slice(0, standing.ply - line), ...events.slice(events.length - line)];
    this.thinking = -1;
    this.applyStanding(standing);
    return true;
  }

  /** Whether it is this viewer's turn. */
  get isYours() {
    return this.status === 'playing' && this.you !== null && (this.actor === this.you || this.actors.includes(this.you));
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
