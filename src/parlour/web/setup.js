/**
 * The dialog that customises a game before it starts.
 * @typedef {import('./wire.js').GameInfo} GameInfo
 * @typedef {import('./wire.js').OptionInfo} OptionInfo
 * @typedef {{options: Record<string, unknown>, seats: string[], clock: string, listed: boolean}} Wish `seats` are `me`,
 *   `open` or a level
 */
import { seatNames } from './cards.js';
import { h } from './dom.js';
import { nameField } from './invite.js';
import { openDialog } from './menu.js';
import { gameText, gameWords, words } from './words.js';

/** @type {[number, number][]} minutes, and seconds per move */
const CLOCKS = [[1, 2], [3, 2], [5, 3], [10, 5], [30, 10]];

/**
 * @param {GameInfo} game @param {number} level of the computer
 * @param {(wish: Wish) => Promise<string>} start @param {(wish: Wish) => Promise<string>} find both answer what was wrong
 */
export function openSetup(game, level, start, find) {
  const players = h('div', { className: 'fields' });
  /** @type {{element: HTMLElement, read: () => string}[]} */
  let seats = [];
  let shown = '';
  const seat = () => {
    const names = seatNames(game, Object.fromEntries(options.flatMap(({ read }) => read())));
    if (names.join('|') === shown) return;
    shown = names.join('|');
    seats = names.map((name, at) => seatField(game, at, name, level));
    players.replaceChildren(...seats.map(({ element }) => element));
  };
  const options = (game.options || []).map((option) => optionField(game.name, option, seat));
  seat();
  const clock = h('select', {}, h('option', { value: '' }, words('noClock')), ...CLOCKS.map(([m, s]) => h('option', { value: `${m}m+${s}` }, words('minutes', { m, s }))));
  const listed = h('input', { type: 'checkbox' });
  const name = nameField();
  const note = h('p', { role: 'alert', className: 'wrong' });
  const send = async (/** @type {(wish: Wish) => Promise<string>} */ act) => {
    name.value();
    note.textContent = '';
    if (!form.reportValidity()) return;
    note.textContent = await act({
      options: Object.fromEntries(options.flatMap(({ read }) => read())),
      seats: seats.map(({ read }) => read()),
      clock: clock.value,
      listed: listed.checked,
    });
  };
  const form = h('form', { className: 'setup', 'aria-label': gameText(game.title, game.name), oninput: () => { note.textContent = ''; }, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    send(start);
  } },
  h('fieldset', {}, h('legend', {}, words('opponents')), players,
    seats.length > 1 ? h('label', { className: 'switch' }, listed, words('listed')) : null, name.label),
  h('fieldset', {}, h('legend', {}, words('options')), h('label', { className: 'field' }, words('clock'), clock), ...options.map(({ element }) => element)),
  note,
  h('div', { className: 'go' }, h('button', { className: 'button main' }, words('startGame')),
    seats.length > 1 ? h('button', { type: 'button', className: 'button', onclick: () => send(find) }, words('findOpponent')) : null));
  return openDialog(`${words('customise')}: ${gameText(game.title, game.name)}`, form);
}

/** @param {GameInfo} game @param {number} seat @param {string} name @param {number} usual the computer's level */
function seatField(game, seat, name, usual) {
  const levels = Array.from({ length: game.levels }, (_, at) => at + 1);
  const select = h('select', {},
    h('option', { value: 'me', selected: seat === 0 }, words(seat === 0 ? 'me' : 'here')),
    h('option', { value: 'open' }, words('friend')),
    h('optgroup', { label: words('computer') }, ...levels.map((level) => h('option', { value: String(level), selected: seat > 0 && level === usual }, words('level', { level, levels: game.levels })))));
  return { element: h('label', { className: 'field' }, h('span', gameWords(name, game.name)), select), read: () => select.value };
}

/** A field for an option, as the game declares it. @param {string} game its name
 * @param {OptionInfo} option @param {() => void} changed called when the value changes
 * @returns {{element: HTMLElement, read: () => [string, unknown][]}} */
export function optionField(game, option, changed) {
  const wrap = (/** @type {HTMLElement} */ field) => {
    field.id = `option-${option.name}`;
    field.setAttribute('aria-describedby', `help-${option.name}`);
    return h('div', { className: 'field' }, h('label', { for: field.id, ...gameWords(option.label || option.name, game) }), field, h('small', { id: `help-${option.name}`, ...gameWords(option.help, game) }));
  };
  if (option.kind === 'choice' || option.kind === 'flag') {
    const isFlag = option.kind === 'flag';
    const values = isFlag ? ['true', 'false'] : option.choices || [];
    const select = h('select', {},
      option.default === null ? h('option', { value: '' }, words('byDefault')) : null,
      ...values.map((value, at) => h('option', { value, selected: String(option.default) === value, ...(isFlag ? { textContent: words(value === 'true' ? 'yes' : 'no') } : gameWords(option.choice_labels?.[at] || value, game)) })));
    select.addEventListener('change', changed);
    return { element: wrap(select), read: () => (select.value === '' ? [] : [[option.name, isFlag ? select.value === 'true' : select.value]]) };
  }
  const isNumber = option.kind === 'integer' || option.kind === 'fraction';
  const input = h('input', {
    type: isNumber ? 'number' : 'text',
    value: option.default === null ? '' : String(option.default),
    placeholder: option.default === null ? words('byDefault') : '',
  });
  if (isNumber) Object.assign(input, { min: String(option.low ?? ''), max: String(option.high ?? ''), step: option.kind === 'integer' ? '1' : 'any' });
  input.addEventListener('change', changed);
  return { element: wrap(input), read: () => (input.value === '' ? [] : [[option.name, isNumber ? Number(input.value) : input.value]]) };
}
