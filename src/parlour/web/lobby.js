/**
 * The lobby: choose a game, set it up and invite players; open tables and the player's own games.
 * @typedef {import('./wire.js').GameInfo} GameInfo
 * @typedef {import('./wire.js').OptionInfo} OptionInfo
 * @typedef {import('./wire.js').TableInfo} TableInfo
 */
import { UNIT, drawCell, loadPieces, logo, outline, pieceLines, svg } from './drawing.js';
import { api, h, randomText, showPage } from './dom.js';
import { centre, extent, isHex, realCells } from './geometry.js';
import { colourOf, sceneOf } from './scene.js';
import { Connection, Refused } from './socket.js';
import { applyTheme, gameText, gameWords, language, loadTexts, store, stored, words } from './words.js';

/** @type {[number, number][]} minutes, and seconds per move */
const CLOCKS = [[1, 2], [3, 2], [5, 3], [10, 5], [30, 10]];

/** A small picture of a game. @param {GameInfo} game */
function picture(game) {
  const scene = sceneOf(game.scene);
  const { board, palette, cells } = scene;
  if (!board.rows) return h('span', {}, '♣ ♦ ♥ ♠');
  const [width, height] = extent(board);
  const drawn = svg('svg', { viewBox: `-2 -2 ${width * UNIT + 4} ${height * UNIT + 4}`, 'aria-hidden': 'true' });
  const at = (/** @type {number} */ cell) => {
    const [x, y] = centre(board, cell, false);
    return `translate(${x * UNIT} ${y * UNIT})`;
  };
  /** @type {Map<number, number[]>} */
  const pieces = new Map();
  const figures = [];
  let squares = '';
  for (const cell of realCells(board)) {
    const [x, y] = centre(board, cell, false);
    if (isHex(board)) drawn.append(svg('polygon', { class: 'hex', points: outline(board, 0), transform: at(cell) }));
    else squares += `M${(x - 0.5) * UNIT} ${(y - 0.5) * UNIT}h${UNIT}v${UNIT}h${-UNIT}z`;
    const content = palette[cells[cell]];
    if (content.piece) pieces.set(content.piece, [...(pieces.get(content.piece) || []), cell]);
    const { ground, figure } = drawCell(board, content, false);
    for (const part of [ground, figure]) if (part) figures.push(svg('g', { transform: at(cell) }, part));
  }
  drawn.append(svg('path', { class: 'squares', d: squares }), ...figures);
  for (const members of pieces.values()) {
    drawn.append(svg('g', { class: 'layer-lines' }, svg('path', { class: `edge c-${colourOf(palette[cells[members[0]]])}`, d: pieceLines(board, members, false).outer })));
  }
  return drawn;
}

class Lobby {
  constructor() {
    document.documentElement.lang = language;
    /** @type {GameInfo[]} */
    this.games = [];
    /** @type {TableInfo[]} */
    this.listed = [];
    /** @type {TableInfo[]} */
    this.own = [];
    this.note = h('p', { role: 'alert' });
    this.list = h('div', { className: 'games' });
    this.setup = h('div', {});
    this.mine = h('section', { hidden: true });
    this.open = h('section', {});
    showPage(h('main', { className: 'lobby' },
      h('header', { className: 'lobby-top' }, h('span', { className: 'home' }, logo(38)), h('h1', {}, 'Parlour'), h('p', {}, words('lead')),
        h('button', { type: 'button', className: 'icon', 'aria-label': words('settings'), title: words('settings'), onclick: () => this.openSettings() }, '⚙')),
      this.mine,
      h('section', {}, h('h2', {}, words('choose')), this.list),
      this.setup, this.note, this.open,
      h('section', { className: 'none' }, h('label', {}, `${words('openRecord')}: `, this.recordField()))));
    this.showTables([], []);
    this.load();
    new Connection(() => ({ lobby: true }), (message) => {
      if (message.t === 'tables') this.showTables(message.tables, message.mine || []);
      else if (message.t === 'turn') this.noteTurn(message.table);
    }, (state) => {
      if (state === 'lost') this.note.textContent = words('noServer');
      else if (state === 'open') this.note.textContent = '';
    });
  }

  async openSettings() {
    const { openDialog, settingsFields } = await import('./menu.js');
    openDialog(words('settings'), settingsFields());
  }

  async load() {
    try {
      const [{ games }] = await Promise.all([api('/games'), loadPieces()]);
      this.games = games;
      await loadTexts(...this.games.map(({ name }) => name));
      this.showTables(this.listed, this.own);
    } catch (error) {
      this.failed(error);
      setTimeout(() => this.load(), 2000);
      return;
    }
    this.list.replaceChildren(...this.games.map((game) => {
      const made = h('button', { type: 'button', className: 'game', 'aria-pressed': 'false', onclick: () => this.choose(game) },
        h('span', { className: 'shot' }, picture(game)), h('span', {}, h('b', gameWords(game.title, game.name))));
      made.dataset.game = game.name;
      return made;
    }));
    const wanted = new URLSearchParams(location.search).get('game') || stored('game');
    const first = this.games.find((game) => game.name === wanted);
    if (first) this.choose(first, false);
  }

  /** @param {unknown} error */
  failed(error) {
    if (!(error instanceof Refused)) throw error;
    this.note.textContent = gameText(error.message) || words('noServer');
  }

  /** Show the form for a new table. @param {GameInfo} game @param {boolean} [scrolls] */
  choose(game, scrolls = true) {
    store('game', game.name);
    for (const each of this.list.children) each.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (each).dataset.game === game.name));
    const usual = game.scene.seats.map(({ name }) => name);
    const players = h('div', { className: 'fields' });
    /** @type {ReturnType<Lobby['seatField']>[]} */
    let seats = [];
    const seat = () => {
      const names = options.map(({ seats: found }) => found()).find(Boolean) || usual;
      if (names.length === seats.length) return;
      seats = names.map((name, at) => this.seatField(game, at, name));
      players.replaceChildren(...seats.map(({ element }) => element));
    };
    const options = (game.options || []).map((option) => optionField(game.name, option, seat));
    seat();
    const clock = h('select', {}, h('option', { value: '' }, words('noClock')), ...CLOCKS.map(([m, s]) => h('option', { value: `${m}m+${s}` }, words('minutes', { m, s }))));
    const listed = h('input', { type: 'checkbox' });
    const name = h('input', { type: 'text', maxLength: 40, value: stored('name'), autocomplete: 'nickname' });
    const form = h('form', { className: 'setup', 'aria-label': gameText(game.title, game.name), onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      store('name', name.value.trim());
      this.create({
        game: game.name,
        options: Object.fromEntries(options.flatMap(({ read }) => read())),
        seats: seats.map(({ read }) => read()),
        clock: clock.value,
        visibility: listed.checked ? 'listed' : 'link',
        name: name.value.trim(),
      });
    } },
    h('div', { className: 'columns' },
      h('fieldset', {}, h('legend', {}, words('opponents')), players,
        h('label', { className: 'field' }, words('name'), name),
        h('label', { className: 'switch' }, listed, words('listed'))),
      h('fieldset', {}, h('legend', {}, words('options')), h('label', { className: 'field' }, words('clock'), clock), ...options.map(({ element }) => element))),
    h('div', { className: 'go' }, h('button', { className: 'button main' }, words('startGame')),
      h('button', { type: 'button', className: 'button', onclick: () => import('./menu.js').then(({ openRules }) => openRules(game.name)) }, words('rules'))));
    this.setup.replaceChildren(form);
    if (scrolls) form.scrollIntoView({ block: 'nearest' });
  }

  /** @param {GameInfo} game @param {number} seat @param {string} name */
  seatField(game, seat, name) {
    const levels = Array.from({ length: game.levels }, (_, at) => at + 1);
    const select = h('select', {},
      h('option', { value: 'me', selected: seat === 0 }, words('me')),
      h('option', { value: 'open' }, words('friend')),
      ...levels.map((level) => h('option', { value: String(level), selected: seat > 0 && level === 3 }, words('level', { level }))));
    if (seat > 0) select.options[0].disabled = false;
    return {
      element: h('label', { className: 'field' }, name ? h('span', gameWords(name, game.name)) : words('seat', { n: seat + 1 }), select),
      read: () => (select.value === 'me' || select.value === 'open' ? { kind: select.value } : { kind: 'agent', level: Number(select.value) }),
    };
  }

  /** @param {object} wish */
  async create(wish) {
    try {
      /** @type {import('./wire.js').MadeTable} */
      const made = await api('/tables', { ...wish, nonce: randomText() }, { 'idempotency-key': randomText() });
      if (made.invitations?.length) store(`invites:${made.table}`, JSON.stringify(made.invitations));
      location.href = `/t/${made.table}`;
    } catch (error) {
      this.failed(error);
    }
  }

  recordField() {
    const field = h('input', { type: 'file', accept: '.parlour,text/plain', onchange: async () => {
      const file = field.files?.[0];
      if (file) this.create({ record: await file.text(), seats: [] });
    } });
    return field;
  }

  /** @param {string} table */
  noteTurn(table) {
    document.title = `● ${words('yourTurn')} – Parlour`;
    this.mine.querySelector(`[data-table="${CSS.escape(table)}"]`)?.classList.add('yours');
  }

  /** @param {TableInfo[]} tables @param {TableInfo[]} mine */
  showTables(tables, mine) {
    [this.listed, this.own] = [tables, mine];
    const own = mine.filter((table) => table.status !== 'over' || Date.now() - table.created < 3 * 86400e3).sort((a, b) => b.created - a.created).slice(0, 12);
    this.mine.hidden = !own.length;
    this.mine.replaceChildren(h('h2', {}, words('myGames')), h('ul', { className: 'tables' }, ...own.map((table) => this.row(table, true))));
    const taken = new Set(mine.map((table) => table.table));
    const others = tables.filter((table) => !taken.has(table.table));
    this.open.replaceChildren(h('h2', {}, words('openTables')), others.length
      ? h('ul', { className: 'tables' }, ...others.map((table) => this.row(table, false)))
      : h('p', { className: 'none' }, words('noTables')));
    if (own.some((table) => table.your_turn)) document.title = `● ${words('yourTurn')} – Parlour`;
  }

  /** @param {TableInfo} table @param {boolean} isOwn */
  row(table, isOwn) {
    const people = table.seats.map((seat, at) => seat.kind === 'agent' ? words('agent', { level: seat.level || 1 }) : seat.name || (seat.kind === 'open' ? words('free') : words('seat', { n: at + 1 })));
    const state = table.your_turn ? words('yourTurn') : table.status === 'over' ? words('over') : table.status === 'waiting' ? words('waiting') : words('past', { at: table.ply, of: table.ply });
    const made = h('li', { className: table.your_turn ? 'yours' : '' },
      h('span', { className: 'what' }, h('b', gameWords(table.title, table.game)), h('small', {}, `${people.join(' · ')}${table.control ? ` · ${table.control}` : ''}`)),
      h('span', { className: 'none' }, state),
      h('a', { className: 'button', href: `/t/${table.table}`, 'aria-label': `${words(isOwn ? 'play' : table.status === 'waiting' ? 'join' : 'watch')}: ${gameText(table.title, table.game)}, ${people.join(', ')}` }, words(isOwn ? 'play' : table.status === 'waiting' ? 'join' : 'watch')));
    made.dataset.table = table.table;
    return made;
  }
}

/** A field for an option, as the game declares it. @param {string} game its name
 * @param {OptionInfo} option @param {() => void} changed called when the value changes
 * @returns {{element: HTMLElement, read: () => [string, unknown][], seats: () => string[] | undefined}} `seats` gives
 *   the names of the seats if the chosen value changes their number */
function optionField(game, option, changed) {
  const label = option.name.replaceAll('_', ' ');
  const wrap = (/** @type {HTMLElement} */ field) => {
    field.id = `option-${option.name}`;
    field.setAttribute('aria-describedby', `help-${option.name}`);
    return h('div', { className: 'field' }, h('label', { for: field.id, ...gameWords(label, game) }), field, h('small', { id: `help-${option.name}`, ...gameWords(option.help, game) }));
  };
  if (option.kind === 'choice' || option.kind === 'flag') {
    const isFlag = option.kind === 'flag';
    const values = isFlag ? ['true', 'false'] : option.choices || [];
    const select = h('select', {},
      option.default === null ? h('option', { value: '' }, words('byDefault')) : null,
      ...values.map((value) => h('option', { value, selected: String(option.default) === value, ...(isFlag ? { textContent: words(value === 'true' ? 'yes' : 'no') } : gameWords(value, game)) })));
    select.addEventListener('change', changed);
    return { element: wrap(select), seats: () => option.seats?.[select.value], read: () => (select.value === '' ? [] : [[option.name, isFlag ? select.value === 'true' : select.value]]) };
  }
  const isNumber = option.kind === 'integer' || option.kind === 'fraction';
  const input = h('input', {
    type: isNumber ? 'number' : 'text',
    value: option.default === null ? '' : String(option.default),
    placeholder: option.default === null ? words('byDefault') : '',
  });
  if (isNumber) Object.assign(input, { min: String(option.low ?? ''), max: String(option.high ?? ''), step: option.kind === 'integer' ? '1' : 'any' });
  input.addEventListener('change', changed);
  return { element: wrap(input), seats: () => option.seats?.[input.value], read: () => (input.value === '' ? [] : [[option.name, isNumber ? Number(input.value) : input.value]]) };
}

applyTheme();
new Lobby();
