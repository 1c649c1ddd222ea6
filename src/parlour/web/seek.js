/**
 * The search for an opponent. The server keeps the place at a waiting table while a page is connected to it, so the
 * search goes on while the player is at another table. It lasts as long as the browser's tab.
 * @typedef {{game: string, title: string, options: Record<string, unknown>, clock: string, name: string}} Wish
 * @typedef {{wish: Wish, table: string, seat: number}} Place
 */
import { api, h, randomText } from './dom.js';
import { Connection, Refused } from './socket.js';
import { clockWords } from './tables.js';
import { store, stored, words } from './words.js';

/** Before asking again for a place that was lost, in milliseconds; the wait doubles up to the longest. */
const AGAIN = 500;
const LONGEST = 16_000;

/** The search that this tab has begun. @returns {Place | null} */
export const currentPlace = () => JSON.parse(stored('seek', true) || 'null');

/** @param {Place | null} place */
const keep = (place) => store('seek', place ? JSON.stringify(place) : '', true);

/** @param {Wish} wish */
async function ask(wish) {
  const { title, ...body } = wish;
  const { table, seat } = await api('/pairing', { ...body, nonce: randomText() }, { 'idempotency-key': randomText() });
  keep({ wish, table, seat });
  return { wish, table, seat };
}

/** Look for an opponent; rejects with `Refused`. @param {Wish} wish @param {Partial<Hooks>} [hooks] */
export const seek = async (wish, hooks) => new Seek(await ask(wish), hooks);

/** Go on with the search of this tab, unless this page is its table. @param {string} [table] @param {Partial<Hooks>} [hooks] */
export function resume(table = '', hooks = {}) {
  const place = currentPlace();
  if (place?.table === table) keep(null);
  return place && place.table !== table ? new Seek(place, hooks) : null;
}

/** @typedef {{playMeanwhile: () => void, ended: () => void}} Hooks */

class Seek {
  /** @param {Place} place @param {Partial<Hooks>} hooks */
  constructor(place, hooks = {}) {
    this.place = place;
    this.hooks = hooks;
    this.isOver = false;
    this.tries = 0;
    const { playMeanwhile } = hooks;
    const { title, clock } = place.wish;
    this.element = h('section', { className: 'seek', 'aria-label': words('findOpponent') },
      h('i', { className: 'pulse', 'aria-hidden': 'true' }),
      h('p', { role: 'status' }, h('b', {}, words('seeking')), ` ${title}, ${clock ? clockWords(clock) : words('noClock')}`),
      playMeanwhile ? h('button', { type: 'button', className: 'button', onclick: playMeanwhile }, words('playMeanwhile')) : null,
      h('button', { type: 'button', className: 'button', onclick: () => this.cancel() }, words('cancel')));
    document.body.append(this.element);
    this.connect();
  }

  connect() {
    const { table } = this.place;
    const connection = new Connection(() => ({ table }), (message) => {
      if (this.isOver || connection !== this.connection) return;
      if (message.t === 'error') this.again();
      else if (message.standing?.status === 'waiting') this.tries = 0;
      else if (message.standing?.status === 'playing') this.found();
      else if (message.standing?.status === 'over') this.again();
    }, (state) => state === 'closed' && connection === this.connection && this.again());
    this.connection = connection;
  }

  found() {
    this.end();
    location.href = `/t/${this.place.table}`;
  }

  /** The server has ended the place, for example after a lost connection. */
  again() {
    this.connection?.close();
    this.connection = undefined;
    if (this.isOver) return;
    setTimeout(async () => {
      if (this.isOver) return;
      try {
        this.place = await ask(this.place.wish);
        if (this.isOver) await this.cancel(); // during the request
        else this.connect();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.again();
      }
    }, Math.min(AGAIN * 2 ** this.tries++, LONGEST));
  }

  async cancel() {
    const { table, seat } = this.place;
    this.end();
    await api(`/tables/${table}/seats/${seat}/cancel`, {}).catch(() => null); // otherwise it ends with the connection
    this.hooks.ended?.();
  }

  end() {
    this.isOver = true;
    keep(null);
    this.connection?.close();
    this.element.remove();
  }
}
