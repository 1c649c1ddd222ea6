/**
 * The lists of tables: the player's own games, tables that wait for players, and games to watch.
 * @typedef {import('./wire.js').TableInfo} TableInfo
 */
import { h } from './dom.js';
import { gameText, gameWords, stored, words } from './words.js';

/** Finished games stay in the list for this long, in milliseconds. */
const SHOWN = 3 * 86400e3;
const MOST = 12;

/** A time control in words, for example of `180+2` or `3m+2`. @param {string} control */
export function clockWords(control) {
  const [time, more] = control.split('+');
  const seconds = Number.parseFloat(time) * (time.endsWith('m') ? 60 : 1);
  const s = Number(more || 0);
  return seconds % 60 ? words('seconds', { n: seconds, s }) : words('minutes', { m: seconds / 60, s });
}

/** Whether the player is to move; at a table of one device, one of its players always is. @param {TableInfo} table */
export const isTurn = (table) => Boolean(table.your_turn) || (table.status === 'playing' && Boolean(stored(`pass:${table.table}`)));

/** Games in which it is the player's turn come first, finished ones last. @param {TableInfo} table */
const order = (table) => (isTurn(table) ? 0 : ['playing', 'waiting', 'over'].indexOf(table.status) + 1);

/** @param {TableInfo[]} mine @param {number} [most] */
export function ownGames(mine, most = MOST) {
  const isShown = (/** @type {TableInfo} */ { status, created, ply }) => status !== 'over' || (ply > 0 && Date.now() - created < SHOWN);
  return mine.filter(isShown).sort((a, b) => order(a) - order(b) || b.created - a.created).slice(0, most);
}

export class Tables {
  /** @param {{picture: (game: string) => Node | null, cancel: (table: TableInfo) => void}} page */
  constructor(page) {
    this.page = page;
    this.element = h('div', { className: 'lists', hidden: true });
    this.shown = '';
  }

  /** @param {TableInfo[]} listed @param {TableInfo[]} mine @param {string} seeking the table of the search for an opponent */
  show(listed, mine, seeking = '') {
    const own = ownGames(mine.filter(({ table }) => table !== seeking));
    const taken = new Set(mine.map(({ table }) => table));
    const others = listed.filter(({ table }) => !taken.has(table));
    const open = others.filter(({ status }) => status === 'waiting');
    const live = others.filter(({ status }) => status === 'playing');
    const shown = JSON.stringify([own, open, live, mine.length > 0]);
    this.element.hidden = false;
    if (shown === this.shown) return own;
    this.shown = shown;
    const focused = this.element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
    const at = [focused?.tagName, /** @type {HTMLElement | null} */ (focused?.closest('[data-table]'))?.dataset.table, focused?.closest('section')?.ariaLabel];
    this.element.replaceChildren(
      ...(own.length ? [this.list('myGames', own, true)] : []),
      ...(mine.length ? [h('p', { className: 'all-games' }, h('a', { href: '/games' }, words('allMyGames')))] : []),
      this.list('openTables', open, false, 'noTables'),
      this.list('watchLive', live, false, 'noLive'));
    if (focused) this.focus(at);
    return own;
  }

  /** Focus the same control again; if it is gone, its row, otherwise the title of its list.
   * @param {(string | null | undefined)[]} at the tag, the table and the list of what was focused */
  focus([tag, table, list]) {
    const row = table && this.element.querySelector(`[data-table="${CSS.escape(table)}"]`);
    const title = [...this.element.children].find(({ ariaLabel }) => ariaLabel === list)?.querySelector('h2');
    const next = (row && (row.querySelector(tag || 'a') || row.querySelector('a'))) || title || this.element.querySelector('h2');
    /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: true });
  }

  /** @param {string} title @param {TableInfo[]} tables @param {boolean} isOwn @param {string} [none] */
  list(title, tables, isOwn, none = '') {
    return h('section', { className: `list${isOwn ? ' own' : ''}`, id: isOwn ? 'mine' : '', 'aria-label': words(title) }, h('h2', { tabIndex: -1 }, words(title)), tables.length
      ? h('ul', { className: 'tables' }, ...tables.map((table) => this.row(table, isOwn)))
      : h('p', { className: 'none' }, words(none)));
  }

  /** @param {TableInfo} table @param {boolean} isOwn */
  row(table, isOwn) {
    const people = table.seats.map((seat, at) => seat.kind === 'agent' ? words('agent', { level: seat.level || 1 }) : seat.name || (seat.kind === 'open' ? words('free') : at === table.you ? words('me') : words('seat', { n: at + 1 })));
    const state = isOwn && isTurn(table) ? words('yourTurn') : table.status === 'over' ? words('over') : table.status === 'waiting' ? words('waiting') : words('moveNumber', { n: table.ply });
    const verb = words(table.status === 'over' ? 'viewGame' : isOwn && table.status === 'waiting' ? 'openTable' : isOwn ? 'play' : table.status === 'waiting' ? 'join' : 'watch');
    const named = `${gameText(table.title, table.game)}, ${people.join(', ')}`;
    const made = h('li', { className: isOwn && isTurn(table) ? 'yours' : '' },
      h('span', { className: 'tiny', 'aria-hidden': 'true' }, this.page.picture(table.game)),
      h('span', { className: 'what' }, h('b', gameWords(table.title, table.game)), h('small', {}, `${people.join(' · ')}${table.control ? ` · ${clockWords(table.control)}` : ''}`), h('small', { className: 'how' }, state)),
      h('span', { className: 'acts' }, isOwn && table.status === 'waiting' ? h('button', { type: 'button', className: 'button', 'aria-label': `${words('cancel')}: ${named}`, onclick: () => this.page.cancel(table) }, words('cancel')) : null,
      h('a', { className: `button${isOwn && isTurn(table) ? ' main' : ''}`, href: `/t/${table.table}`, 'aria-label': `${verb}: ${named}` }, verb)));
    made.dataset.table = table.table;
    return made;
  }
}
