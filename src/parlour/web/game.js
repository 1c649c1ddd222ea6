/**
 * One game as this viewer knows it: made of what the server sends, in its order.
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./wire.js').Happened} Happened
 */
import { actorColour, changed, colourOf, sceneOf } from './scene.js';

const NOT_IN_PLAY = ['seat', 'join', 'leave', 'start', 'rematch', 'decline_rematch'];

/** @param {{offers?: Partial<import('./wire.js').Offers>}} message @returns {import('./wire.js').Offers} */
const offersOf = (message) => ({ draw: [], takeback: [], rematch: [], ...message.offers });

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
    /** @type {import('./wire.js').SeatInfo[]} */
    this.seats = [];
    /** @type {Happened[]} */
    this.history = [];
    /** @type {import('./wire.js').Clocks | null} */
    this.clocks = null;
    this.clocksAt = 0;
    /** @type {import('./wire.js').Ending | null} */
    this.ending = null;
    this.rematch = '';
    this.offers = offersOf({});
    /** @type {boolean[]} */
    this.present = [];
    this.watchers = 0;
    this.thinking = -1;
    /** Between the events of one move, when the scene is still the one before it. */
    this.isBetween = false;
    /** This seat's actions at its last turn, less the piece that it placed. @type {Action[]} */
    this.lastActions = [];
    this.lastColour = '';
    /** @type {string | number | null} */
    this.premove = null;
  }

  /** @param {import('./wire.js').Welcome} welcome */
  greet(welcome) {
    this.welcome = welcome;
    this.isBetween = false;
    this.v = welcome.v;
    this.ply = welcome.ply;
    this.you = welcome.you;
    this.status = welcome.status;
    this.seats = welcome.seats;
    this.takeScene(welcome.scene ? sceneOf(welcome.scene) : null);
    if (!welcome.resumed) this.history = welcome.history || [];
    this.setClocks(welcome.clocks);
    this.ending = welcome.ending || null;
    this.rematch = welcome.rematch || '';
    this.offers = offersOf(welcome);
  }

  /** @param {import('./wire.js').Clocks | undefined} clocks */
  setClocks(clocks) {
    this.clocks = clocks || null;
    this.clocksAt = performance.now();
  }

  /** @param {Scene | null} scene */
  takeScene(scene) {
    this.scene = scene;
    if (!scene?.actions.length) return;
    this.lastColour = actorColour(scene);
    this.lastActions = scene.actions;
  }

  /** The scene with the actions that may be chosen in advance. Where seats play several colours it is not known
   * which comes next, and no piece can be chosen. @param {Scene} scene @returns {Scene} */
  inAdvance(scene) {
    const colours = new Set(scene.palette.filter(({ piece }) => piece).map(colourOf));
    const isFree = (/** @type {number} */ cell) => !scene.palette[scene.cells[cell]].piece;
    const isOpen = (/** @type {Action} */ { group, cells }) => !group || (colours.size <= scene.seats.length && cells.every(isFree));
    return { ...scene, colour: this.lastColour, actions: this.lastActions.filter(isOpen) };
  }

  /** This seat has played: a piece that was placed cannot be placed again. @param {number | null} [id] */
  usePiece(id) {
    const group = this.lastActions.find((action) => action.id === id)?.group;
    if (group) this.lastActions = this.lastActions.filter((action) => action.group !== group);
  }

  /**
   * Something happened. @param {import('./wire.js').GameEvent} event
   * @returns {boolean} false where something is missing before it: say hello again
   */
  happen(event) {
    if (event.v <= this.v) return true;
    if (event.v !== this.v + 1) return false;
    this.v = event.v;
    this.thinking = -1;
    this.offers = offersOf(event);
    if (event.kind === 'takeback') {
      this.history = this.history.filter((each) => each.ply <= event.ply);
      this.lastActions = [];
    } else if (event.kind === 'play' || event.kind === 'chance') this.history = [...this.history, event];
    if (!NOT_IN_PLAY.includes(event.kind)) this.ply = event.ply;
    if (event.kind === 'play' && event.seat === this.you) this.usePiece(event.action);
    if (event.kind === 'start') this.status = 'playing';
    if (event.kind === 'play' || event.kind === 'chance') {
      // What is told after a break is in the welcome's scene already.
      const isKnown = event.ply <= (this.welcome?.ply ?? 0);
      this.isBetween = !event.scene && !event.diff && !isKnown;
    }
    try {
      if (event.scene) this.takeScene(sceneOf(event.scene));
      else if (event.diff && this.scene) this.takeScene(changed(this.scene, event.diff));
    } catch {
      return false;
    }
    if (event.seats) this.seats = event.seats;
    if (event.clocks) this.setClocks(event.clocks);
    if (event.ending) {
      this.ending = event.ending;
      this.status = 'over';
    }
    if (event.rematch) this.rematch = event.rematch;
    return true;
  }

  /** Whether it is this viewer's turn. */
  get isYours() {
    return this.status === 'playing' && this.you !== null && this.scene?.actor === this.you && !this.isBetween;
  }

  /** Whether agents are the only opponents, so that hints are allowed. */
  get isAlone() {
    return this.you !== null && this.seats.filter((seat) => seat.kind === 'person').length === 1;
  }

  /** The cells of the last action, as far as this viewer knows them. */
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
