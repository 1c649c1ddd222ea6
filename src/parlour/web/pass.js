/**
 * Pass and play: several people at one device. The page holds the tokens of all their seats and speaks for the one to
 * act. In games with secrets a covering screen hides the board while the device is handed over.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {{tokens: Record<number, string>, hides: boolean}} Held
 */
import { api, h, randomText } from './dom.js';
import { nextSeat } from './game.js';
import { gameText, loadTexts, store, stored, words } from './words.js';

/** Time for the last move to be seen before the next player's view, in milliseconds. */
const LOOK = 350;

/** Seat people of this device at a new table. @param {import('./wire.js').MadeTable} made
 * @param {number[]} seats those to claim @param {string[]} names @param {boolean} hides */
export async function sitTogether(made, seats, names, hides) {
  /** @type {Record<number, string>} */
  const tokens = made.seat === null || made.seat === undefined ? {} : { [made.seat]: made.token || '' };
  for (const { seat, claim } of made.invitations || []) {
    if (!seats.includes(seat)) continue;
    tokens[seat] = (await api(`/tables/${made.table}/seats/${seat}/claim`, { claim, name: names[seat], nonce: randomText() })).token;
  }
  store(`pass:${made.table}`, JSON.stringify({ tokens, hides }));
}

/** Open a table that people of this device play at. @param {string} id @param {(pass: Pass) => void} open */
export async function openTogether(id, open) {
  const pass = new Pass(id, JSON.parse(stored(`pass:${id}`)));
  // Ask as a spectator: the first player's view comes after the covering screen.
  const info = await fetch(`/api/v1/tables/${id}`, { credentials: 'omit' }).then((answer) => answer.json()).catch(() => ({}));
  const actor = pass.next(info.scene?.actor ?? -1, info.scene?.actors || []);
  if (actor !== null) pass.seat = actor;
  if (pass.hides && info.status !== 'over') {
    if (info.game) await loadTexts(info.game);
    pass.cover(info.scene?.seats[pass.seat]?.name || words('seat', { n: pass.seat + 1 }), () => open(pass));
  } else open(pass);
}

class Pass {
  /** @param {string} id @param {Held} held */
  constructor(id, { tokens, hides }) {
    this.id = id;
    this.tokens = tokens;
    this.hides = hides;
    this.seat = Number(Object.keys(tokens)[0]);
    /** @type {HTMLDialogElement | null} */
    this.screen = null;
  }

  get token() {
    return this.tokens[this.seat];
  }

  /** The seat of this device that is to act, or null. @param {number} actor @param {number[]} actors */
  next(actor, actors) {
    return [...(actor in this.tokens ? [actor] : []), ...actors].find((seat) => seat in this.tokens) ?? null;
  }

  /** Turn to the next player. @param {TablePage} page */
  follow(page) {
    const { game } = page;
    if (this.seat === game.you) this.uncover();
    const seat = game.status === 'playing' ? this.next(game.actor, game.actors) : null;
    if (seat === null || seat === game.you || game.actors.includes(game.you ?? -1)) return;
    const turn = () => {
      this.seat = seat;
      page.parts.past?.clear();
      page.messages.live.replaceChildren();
      page.connection.sendHello();
    };
    if (this.hides) this.cover(game.scene?.seats[seat]?.name || '', turn);
    else setTimeout(turn, matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : LOOK);
  }

  /** Hide the board until the next player has the device. @param {string} name @param {() => void} ready */
  cover(name, ready) {
    if (this.screen) return;
    const who = gameText(name);
    const button = h('button', { type: 'button', className: 'button main', onclick: () => {
      button.disabled = true;
      ready();
    } }, words('showBoard'));
    this.screen = h('dialog', { className: 'cover', 'aria-label': words('handOver', { name: who }), onclose: () => this.screen?.showModal() }, // Escape closes a dialog in any case
      h('h2', {}, words('handOver', { name: who })), h('p', {}, words('handOverHelp', { name: who })), button);
    document.body.append(this.screen);
    document.body.classList.add('covered');
    this.screen.showModal();
    button.focus();
  }

  uncover() {
    const { screen } = this;
    this.screen = null;
    screen?.remove();
    document.body.classList.remove('covered');
  }

  /** Make an offer for one player of this device and accept it for the others. The last move of any of them is taken
   * back. @param {TablePage} page @param {string} t */
  async agree({ game }, t) {
    const last = [...game.history].reverse().find(({ kind, seat }) => kind === 'play' && seat in this.tokens);
    const maker = t === 'takeback' && last ? last.seat : this.seat;
    const send = (/** @type {number} */ seat, /** @type {object} */ body) =>
      api(`/tables/${this.id}/actions`, { t, ...body }, { authorization: `Bearer ${this.tokens[seat]}`, 'idempotency-key': randomText() });
    await send(maker, {});
    for (const seat of Object.keys(this.tokens).map(Number)) if (seat !== maker) await send(seat, { accept: true });
  }

  /** Take all seats of this device at the rematch. @param {string} rematch @param {number} count the number of seats */
  async sitAgain(rematch, count) {
    /** @type {Record<number, string>} */
    const tokens = {};
    for (const [seat, token] of Object.entries(this.tokens)) {
      const next = nextSeat(Number(seat), count);
      tokens[next] = (await api(`/tables/${rematch}/seats/${next}/claim`, { from: this.id }, { authorization: `Bearer ${token}` })).token;
    }
    store(`pass:${rematch}`, JSON.stringify({ tokens, hides: this.hides }));
    store(`pass:${this.id}`, '');
  }
}
