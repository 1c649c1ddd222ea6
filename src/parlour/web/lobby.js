/**
 * The front page: the games with the ways to play them, and below them the tables.
 * @typedef {import('./wire.js').GameInfo} GameInfo
 * @typedef {import('./wire.js').TableInfo} TableInfo
 * @typedef {import('./cards.js').Way} Way
 * @typedef {import('./setup.js').Wish} Wish
 */
import { card, counts, optionsForTwo, seatNames } from './cards.js';
import { api, h, randomText } from './dom.js';
import { loadPieces } from './drawing.js';
import { recordArea } from './records.js';
import { Connection, Refused } from './socket.js';
import { Tables, isTurn } from './tables.js';
import { Player, Thumbnail } from './thumbnail.js';
import { applyTheme, gameText, language, loadTexts, store, stored, words } from './words.js';

/** The level of the computer for people who play for the first time. */
const BEGINNER = 2;
/** The clock of a game against an unknown opponent. */
const CLOCK = '10m+5';
/** Between the first moves of neighbouring pictures, in milliseconds. */
const STAGGER = 275;

class Lobby {
  constructor() {
    document.documentElement.lang = language;
    for (const each of document.querySelectorAll('[data-words]')) each.textContent = words(/** @type {HTMLElement} */ (each).dataset.words || '');
    /** @type {GameInfo[]} */
    this.games = [];
    /** @type {[TableInfo[], TableInfo[]] | null} */
    this.known = null;
    /** @type {{place: {table: string}, element: HTMLElement, cancel: () => Promise<void>} | null} */
    this.search = null;
    this.note = h('p', { role: 'alert', className: 'wrong' });
    this.cards = h('section', { className: 'games', 'aria-label': words('choose') });
    this.tables = new Tables({ picture: (game) => this.picture(game), cancel: (table) => this.cancel(table) });
    this.main = /** @type {HTMLElement} */ (document.querySelector('main'));
    this.main.replaceChildren(this.note, this.cards);
    /** The way to the games in which it is the player's turn. */
    this.turns = h('a', { className: 'turns' });
    const settings = /** @type {HTMLElement} */ (document.querySelector('#settings'));
    settings.ariaLabel = settings.title = words('settings');
    settings.addEventListener('click', () => this.openSettings());
    this.load();
  }

  async openSettings() {
    const [{ openDialog, settingsFields }, { nameField }] = await Promise.all([import('./menu.js'), import('./invite.js')]);
    const name = nameField();
    openDialog(words('settings'), h('div', { className: 'fields' }, name.label, settingsFields())).addEventListener('close', () => name.value());
  }

  async load() {
    try {
      const [{ games }] = await Promise.all([api('/games'), loadPieces()]);
      this.games = games;
      await loadTexts(...this.games.map(({ name }) => name));
    } catch (error) {
      this.note.textContent = messageOf(error);
      setTimeout(() => this.load(), 2000);
      return;
    }
    this.note.textContent = '';
    this.showGames();
    const open = async (/** @type {string} */ record) => this.showWrong(await this.create({ record, seats: [] }));
    this.main.append(this.tables.element, h('div', { className: 'records' }, recordArea(open),
      h('a', { className: 'drop', href: '/analysis' }, h('b', {}, words('analysisBoard')), h('span', {}, words('analysisLead'))),
      this.games.some(({ puzzles }) => puzzles) ? h('a', { className: 'drop', href: '/puzzles' }, h('b', {}, words('puzzles')), h('span', {}, words('puzzlesLead'))) : null));
    this.connect();
    this.resume();
  }

  showGames() {
    const player = new Player();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.cards.replaceChildren(...this.games.map((game, at) => {
      const { element, thumbnail } = card(game, (way, button) => this.choose(game, way, button));
      if (!isStill) player.add(thumbnail, () => api(`/games/${encodeURIComponent(game.name)}/preview`), at * STAGGER);
      return element;
    }));
    const wanted = new URLSearchParams(location.search).get('game');
    const first = wanted && this.cards.querySelector(`[data-game="${CSS.escape(wanted)}"]`);
    if (first) {
      first.scrollIntoView({ block: 'center' });
      /** @type {HTMLElement | null} */ (first.querySelector('[data-way="now"]'))?.focus({ preventScroll: true });
    }
  }

  /** A small picture for the lists. @param {string} name */
  picture(name) {
    const game = this.games.find((each) => each.name === name);
    return game ? new Thumbnail(game.scene).element : null;
  }

  // The ways to play.

  /** @param {GameInfo} game @param {Way} way @param {HTMLButtonElement} button */
  async choose(game, way, button) {
    this.note.textContent = '';
    if (way === 'rules') {
      const { openRules } = await import('./rules.js');
      openRules(game.name).catch((error) => { this.note.textContent = messageOf(error); });
      return;
    }
    if (way === 'customise') {
      const { openSetup } = await import('./setup.js');
      openSetup(game, levelOf(game), (wish) => this.start(game, wish), (wish) => this.find(game, wish));
      return;
    }
    button.disabled = true;
    const options = way === 'now' ? {} : optionsForTwo(game);
    const others = seatNames(game, options).length - 1;
    const seat = way === 'friend' ? 'open' : way === 'pass' ? 'me' : String(levelOf(game));
    const wish = { options, seats: ['me', ...Array(others).fill(seat)], clock: way === 'find' ? CLOCK : '', listed: false };
    const wrong = await (way === 'find' ? this.find(game, wish) : this.start(game, wish));
    button.disabled = false;
    this.showWrong(wrong);
  }

  /** @param {string} text */
  showWrong(text) {
    this.note.textContent = text;
    if (text) this.note.scrollIntoView({ block: 'nearest' });
  }

  /** Create a table and go there. @param {GameInfo} game @param {Wish} wish @returns {Promise<string>} what was wrong */
  async start(game, { options, seats, clock, listed }) {
    const own = seats.flatMap((seat, at) => (seat === 'me' ? [at] : []));
    const isShared = own.length > 1;
    const names = seatNames(game, options).map((name) => capital(gameText(name, game.name)));
    const wishes = seats.map((seat, at) => seat === 'open' || (seat === 'me' && at !== own[0]) ? { kind: 'open' } : seat === 'me' ? { kind: 'me' } : { kind: 'agent', level: Number(seat) });
    const visibility = listed ? 'listed' : 'link';
    return this.create({ game: game.name, options, seats: wishes, clock, visibility, name: isShared ? names[own[0]] : stored('name') }, async (made) => {
      if (isShared) await (await import('./pass.js')).sitTogether(made, own, names, game.has_secrets);
      return (made.invitations || []).filter(({ seat }) => !own.includes(seat));
    });
  }

  /** @param {object} wish @param {(made: import('./wire.js').MadeTable) => Promise<import('./wire.js').Invitation[]>} [sit]
   * @returns {Promise<string>} what was wrong */
  async create(wish, sit = async (made) => made.invitations || []) {
    try {
      const made = await api('/tables', { ...wish, nonce: randomText() }, { 'idempotency-key': randomText() });
      const invitations = await sit(made);
      if (invitations.length) store(`invites:${made.table}`, JSON.stringify(invitations));
      location.href = `/t/${made.table}`;
      return '';
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Look for an opponent. @param {GameInfo} game @param {Wish} wish @returns {Promise<string>} what was wrong */
  async find(game, { options, clock }) {
    const { seek } = await import('./seek.js');
    try {
      await this.search?.cancel();
      this.search = await seek({ game: game.name, title: this.titleOf(game, options), options, clock, name: stored('name') }, this.hooks(game));
    } catch (error) {
      return messageOf(error);
    }
    document.querySelector('dialog')?.close();
    this.search.element.querySelector('button')?.focus();
    this.showTables();
    return '';
  }

  /** The game, with the number of players if there is a choice. @param {GameInfo} game @param {Record<string, unknown>} options */
  titleOf(game, options) {
    const [least, most] = counts(game);
    const title = gameText(game.title, game.name);
    return least === most ? title : `${title}, ${words('players', { n: seatNames(game, options).length })}`;
  }

  /** @param {GameInfo} game */
  hooks(game) {
    const seats = ['me', ...Array(game.scene.seats.length - 1).fill(String(levelOf(game)))];
    return {
      playMeanwhile: async () => this.showWrong(await this.start(game, { options: {}, seats, clock: '', listed: false })),
      ended: () => {
        this.search = null;
        this.refresh();
      },
    };
  }

  /** Go on with the search for an opponent that began before this page was loaded. */
  async resume() {
    const { currentPlace, resume } = await import('./seek.js');
    const game = this.games.find(({ name }) => name === currentPlace()?.wish.game);
    if (game) this.search = resume('', this.hooks(game));
    this.showTables();
  }

  /** Cancel a table that waits for players. @param {TableInfo} table */
  async cancel({ table, you }) {
    try {
      await api(`/tables/${table}/seats/${you}/cancel`, {});
      store(`invites:${table}`, '');
      this.showWrong('');
    } catch (error) {
      this.showWrong(messageOf(error));
    }
    this.refresh();
  }

  // Tables and records.

  connect() {
    this.connection = new Connection(() => ({ lobby: true }), (message) => {
      if (message.t === 'tables') {
        this.known = [message.tables, message.mine || []];
        this.showTables();
      } else if (message.t === 'turn') this.refresh();
    }, (state) => {
      if (state === 'lost') this.note.textContent = words('noServer');
      else if (state === 'open' && this.note.textContent === words('noServer')) this.note.textContent = '';
    });
  }

  /** Ask for the tables again. */
  refresh() {
    if (this.connection?.socket?.readyState === WebSocket.OPEN) this.connection.sendHello();
  }

  showTables() {
    if (!this.known) return;
    const own = this.tables.show(...this.known, this.search?.place.table);
    const turns = own.filter(isTurn);
    this.turns.textContent = turns.length > 1 ? words('yourTurns', { n: turns.length }) : words('yourTurn');
    this.turns.href = turns.length > 1 ? '#mine' : `/t/${turns[0]?.table}`;
    if (turns.length) document.querySelector('#settings')?.before(this.turns);
    else this.turns.remove();
    document.title = own.some((table) => table.your_turn) ? `● ${words('yourTurn')} – Parlour` : 'Parlour';
  }
}

/** @param {GameInfo} game */
const levelOf = (game) => Math.min(BEGINNER, game.levels);

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {unknown} error */
function messageOf(error) {
  if (!(error instanceof Refused)) throw error;
  return gameText(error.message) || words('noServer');
}

applyTheme();
new Lobby();
if (location.pathname === '/') navigator.serviceWorker?.register('/sw.js').catch(() => null); // otherwise there is no notice offline
