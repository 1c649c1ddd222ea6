/**
 * The positions of a running game on the board, one after another: steps of an action, then the new position.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./scene.js').Scene} Scene
 */
import { isMotionReduced } from './board.js';
import { isOn } from './words.js';

export class Playback {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.hasFrames = true;
    /** Skips the rest of an animation. @type {(() => void) | null} */
    this.skip = null;
    /** @type {Promise<void>} */
    this.showing = Promise.resolve();
    this.queued = 0;
    /** @type {{from: Scene, scene: Scene} | null} */
    this.inAdvance = null;
  }

  /** Show the position after an update. @param {import('./wire.js').Update} update @param {Scene | null} before @param {Scene} scene */
  add({ events: [event], diff }, before, scene) {
    const changes = diff?.cells?.length || 0;
    const hasSteps = event.kind === 'play' && changes > 2 && this.hasFrames && before && !isMotionReduced() && !scene.palette.some((cell) => cell.piece);
    const last = this.page.game.lastCells;
    this.queued += 1;
    if (hasSteps) {
      this.showing = this.showing.then(() => this.page.parts.withAssist((assist) => assist.playFrames(this.page, event.v, before, last))).then(() => this.put(scene, last, true));
    } else {
      this.showing = this.showing.then(() => this.put(scene, last, true));
      if (this.queued === 1) this.put(scene, last, true);
    }
    this.showing = this.showing.then(() => {
      this.queued -= 1;
    });
  }

  /** Draw a scene of the game, unless a newer one is drawn. @param {Scene} scene @param {number[]} last @param {boolean} animate */
  put(scene, last, animate) {
    const { board, game, tray } = this.page;
    const isNow = scene === game.scene;
    if (this.page.parts.review?.isPast || (!isNow && this.queued <= 1)) return;
    const plays = isNow ? this.playable(scene) : { ...scene, actions: [] };
    const premove = isNow && plays !== scene && plays.actions.length > 0;
    const { premove: wish, trail } = game;
    const pending = premove && wish !== null ? plays.actions.find(({ id, text }) => wish === id || wish === text) : null;
    board.show(plays, { last, trail, animate, premove, pending });
    tray?.update();
  }

  /** The scene with the actions to choose from, now or as a premove. @param {Scene} scene @returns {Scene} */
  playable(scene) {
    const { game } = this.page;
    if (game.isYours || game.status !== 'playing' || game.you === null || this.page.pass || !isOn('premoves')) return scene;
    this.inAdvance = this.inAdvance?.from === scene ? this.inAdvance : { from: scene, scene: game.inAdvance(scene) };
    return this.inAdvance.scene;
  }
}
