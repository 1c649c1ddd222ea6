/**
 * Where an analysis begins: a game's start, a position as text, or a record.
 * @typedef {import('./wire.js').GameInfo} GameInfo
 */
import { h } from './dom.js';
import { openDialog } from './menu.js';
import { recordArea } from './records.js';
import { optionField } from './setup.js';
import { gameText, words } from './words.js';

/** A form for a new analysis. @param {GameInfo[]} games @param {(wish: object) => Promise<string>} open answers what was wrong */
export function sourceForm(games, open) {
  const note = h('p', { role: 'alert', className: 'wrong' });
  const options = h('div', { className: 'fields' });
  /** @type {{element: HTMLElement, read: () => [string, unknown][]}[]} */
  let fields = [];
  const select = h('select', { onchange: () => showOptions() }, ...games.map(({ name, title }) => h('option', { value: name }, gameText(title, name))));
  const showOptions = () => {
    const game = games.find(({ name }) => name === select.value);
    fields = (game?.options || []).map((option) => optionField(select.value, option, () => {}));
    options.replaceChildren(...fields.map(({ element }) => element));
  };
  showOptions();
  const send = async (/** @type {object} */ wish) => {
    note.textContent = '';
    note.textContent = await open(wish);
  };
  const form = h('form', { className: 'setup', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    if (form.reportValidity()) send({ game: select.value, options: Object.fromEntries(fields.flatMap(({ read }) => read())) });
  } },
  h('label', { className: 'field' }, words('chooseOne'), select),
  options.childElementCount ? h('details', {}, h('summary', {}, words('options')), options) : null,
  h('div', { className: 'go' }, h('button', { className: 'button main' }, words('startPosition'))));
  return h('main', { className: 'source wide' }, h('p', {}, h('a', { href: '/' }, words('toLobby'))), h('h1', {}, words('analysisBoard')), h('p', { className: 'about-source' }, words('analysisLead')), note,
    h('section', { className: 'begin', 'aria-label': words('startPosition') }, form), recordArea((record) => send({ record })));
}

/** A dialog to write a position. @param {string} position @param {(position: string) => Promise<string>} open answers what was wrong */
export function openEditor(position, open) {
  const note = h('p', { role: 'alert', className: 'wrong' });
  const rows = Math.min(24, position.split('\n').length + 1);
  const box = h('textarea', { className: 'position', value: position, rows, spellcheck: false, 'aria-label': words('positionText') });
  const dialog = openDialog(words('setUp'), h('form', { className: 'editor', onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    note.textContent = await open(box.value);
    if (!note.textContent) dialog.close();
  } }, h('p', { className: 'none' }, words('setUpHelp')), box, note, h('button', { className: 'button main' }, words('showPosition'))));
}
