/**
 * Past positions of a table, each loaded once.
 * @typedef {import('./scene.js').Scene} Scene
 */
import { api } from './dom.js';
import { newOwners } from './game.js';
import { sceneOf } from './scene.js';

export class Positions {
  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    /** @type {Map<number, Promise<Scene>>} */
    this.known = new Map();
  }

  /** The position after `ply` actions; rejects with `Refused`. @param {number} ply */
  at(ply) {
    const known = this.known.get(ply) || this.load(ply);
    this.known.set(ply, known);
    if (ply >= this.page.game.ply) this.known.delete(ply); // its status changes when the game ends
    known.catch(() => this.known.delete(ply));
    return known;
  }

  /** @param {number} ply */
  async load(ply) {
    const { id, pass } = this.page;
    const found = await api(`/tables/${id}?ply=${ply}`, undefined, pass ? { authorization: `Bearer ${pass.token}` } : {});
    return sceneOf(found.scene);
  }

  /** The cells that the move before a position gave to another owner. @param {number} ply @param {Scene} scene of that position */
  async trailOf(ply, scene) {
    const stops = this.page.game.stops;
    const before = stops[stops.indexOf(ply) - 1];
    return before === undefined ? [] : newOwners(await this.at(before), scene);
  }

  /** Forget everything, because moves were taken back. */
  clear() {
    this.known.clear();
  }
}
