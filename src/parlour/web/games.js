/**
 * The player's own games: those that run, all finished ones with their results, and a link for another device.
 * @typedef {import('./wire.js').TableInfo} TableInfo
 * @typedef {{words: string, how: 'won' | 'lost' | 'draw'}} Result
 */
import { api, h } from './dom.js';
import { loadPieces } from './drawing.js';
import { Refused } from './socket.js';
import { Tables, ownGames } from './tables.js';
import { Thumbnail } from './thumbnail.js';
import { applyTheme, gameText, gameWords, language, loadTexts, store, stored, words } from './words.js';

/** Finished games that are shown at first, and with every further step. */
const STEP = 24;
/** Results that this browser remembers. */
const REMEMBERED = 200;

class Games {
  constructor() {
    document.documentElement.lang = language;
    this.main = /** @type {HTMLElement} */ (document.querySelector('main'));
    this.note = h('p', { role: 'status', className: 'wrong' });
    /** @type {TableInfo[]} */
    this.mine = [];
    /** @type {Record<string, Result>} */
    this.results = JSON.parse(stored('results') || '{}');
    this.shown = STEP;
    this.game = h('select', { 'aria-label': words('chooseOne'), onchange: () => this.draw() });
    this.how = h('select', { 'aria-label': words('result'), onchange: () => this.draw() }, ...['anyResult', 'wonGames', 'lostGames', 'drawnGames'].map((key, at) => h('option', { value: ['', 'won', 'lost', 'draw'][at] }, words(key))));
    this.count = h('p', { className: 'none', role: 'status' });
    this.list = h('ul', { className: 'tables' });
    this.more = h('button', { type: 'button', className: 'button', onclick: () => {
      this.shown += STEP;
      this.draw();
    } }, words('showMore'));
    this.save = h('button', { type: 'button', className: 'button', onclick: () => this.download() }, words('saveRecords'));
    this.load();
  }

  async load() {
    const code = new URLSearchParams(location.hash.slice(1)).get('seats');
    if (code) {
      const { takeSeats } = await import('./devices.js');
      await takeSeats(code, this.main);
    }
    try {
      const [{ games }, { tables }] = await Promise.all([api('/games'), api('/tables?mine'), loadPieces()]);
      await loadTexts(...games.map((/** @type {{name: string}} */ { name }) => name));
      this.show(games, tables);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.main.replaceChildren(this.note);
      this.note.textContent = gameText(error.message) || words('noServer');
      return;
    }
    for (const table of this.finished) if (!this.results[table.table]) await this.loadResult(table);
    this.draw();
  }

  /** @param {import('./wire.js').GameInfo[]} games @param {TableInfo[]} mine */
  show(games, mine) {
    this.mine = mine;
    const running = ownGames(mine.filter(({ status }) => status !== 'over'), mine.length);
    this.picture = (/** @type {string} */ name) => {
      const game = games.find((each) => each.name === name);
      return game ? new Thumbnail(game.scene).element : null;
    };
    this.rows = new Tables({ picture: this.picture, cancel: (table) => this.cancel(table) });
    const played = [...new Set(this.finished.map(({ game }) => game))];
    this.game.replaceChildren(h('option', { value: '' }, words('allGames')), ...played.map((name) => h('option', { value: name }, gameText(games.find((each) => each.name === name)?.title || name, name))));
    const device = h('section', { className: 'list device', 'aria-label': words('otherDevice') });
    if (mine.length) import('./devices.js').then(({ offerSeats }) => offerSeats(device));
    this.main.replaceChildren(
      h('h1', {}, words('myGames')), this.note,
      ...(running.length ? [h('section', { className: 'list own', 'aria-label': words('runningGames') }, h('h2', {}, words('runningGames')), h('ul', { className: 'tables' }, ...running.map((table) => this.rows?.row(table, true) || '')))] : []),
      h('section', { className: 'list own', 'aria-label': words('finishedGames') }, h('h2', {}, words('finishedGames')),
        this.finished.length ? h('div', { className: 'filters' }, this.game, this.how, this.save) : null, this.count, this.list, this.more),
      ...(mine.length ? [device] : []));
    this.draw();
  }

  /** Cancel a table that waits for players. @param {TableInfo} table */
  async cancel({ table, you }) {
    await api(`/tables/${table}/seats/${you}/cancel`, {}).catch(() => null); // otherwise the list shows it again
    this.load();
  }

  get finished() {
    return this.mine.filter(({ status, ply }) => status === 'over' && ply > 0).sort((a, b) => b.created - a.created);
  }

  get wanted() {
    return this.finished.filter(({ game, table }) => (!this.game.value || game === this.game.value) && (!this.how.value || this.results[table]?.how === this.how.value));
  }

  /** Ask for the result of a game, once. @param {TableInfo} table */
  async loadResult(table) {
    const found = await api(`/tables/${table.table}`).catch(() => null);
    const { ending, you } = found || {};
    if (!ending) return;
    const own = ending.returns[you ?? 0];
    const best = Math.max(...ending.returns);
    this.results[table.table] = { words: ending.words, how: best > 0 && own === best ? 'won' : best > 0 || own < 0 ? 'lost' : 'draw' };
    store('results', JSON.stringify(Object.fromEntries(Object.entries(this.results).slice(-REMEMBERED))));
    this.draw();
  }

  draw() {
    const { wanted } = this;
    this.count.textContent = this.finished.length ? words('gamesFound', { n: wanted.length }) : words('noFinished');
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest('[data-table]'))?.dataset.table;
    this.list.replaceChildren(...wanted.slice(0, this.shown).flatMap((table) => {
      const row = this.rows?.row(table, false);
      const result = this.results[table.table];
      const how = row?.querySelector('.how');
      if (how) {
        const date = new Date(table.created).toLocaleDateString(language);
        how.replaceChildren(result ? h('b', {}, words({ won: 'youWon', lost: 'youLost', draw: 'aDraw' }[result.how])) : words('over'), ` · ${date}`);
        if (result) how.append(h('br'), h('span', gameWords(result.words, table.game)));
      }
      return row || [];
    }));
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-table="${CSS.escape(focused)}"] a`))?.focus({ preventScroll: true });
    this.more.hidden = wanted.length <= this.shown;
    this.save.hidden = !wanted.length;
  }

  /** Save the records of the games that are listed, in one file. */
  async download() {
    const { zipOf } = await import('./zip.js');
    const { wanted } = this;
    /** @type {[string, string][]} */
    const files = [];
    this.save.disabled = true;
    for (const { game, table } of wanted) {
      this.count.textContent = words('savingRecords', { at: files.length + 1, of: wanted.length });
      const answer = await fetch(`/api/v1/tables/${table}/record`).catch(() => null);
      if (answer?.ok) files.push([`${game}-${table}.parlour`, await answer.text()]);
    }
    this.save.disabled = false;
    const url = URL.createObjectURL(zipOf(files));
    h('a', { href: url, download: 'parlour-games.zip' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    this.draw();
  }
}

applyTheme();
new Games();
