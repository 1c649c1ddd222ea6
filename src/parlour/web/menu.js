/**
 * The menu of a table: share, export, rules and settings.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { iconButton } from './controls.js';
import { h } from './dom.js';
import { linkField } from './invite.js';
import { LANGUAGES, applyTheme, isOn, language, setSwitch, store, stored, words } from './words.js';

/** @param {string} title @param {(Node | string)[]} content */
export function openDialog(title, ...content) {
  const dialog = h('dialog', { 'aria-label': title, onclose: () => dialog.remove() },
    h('header', {}, h('h2', { tabIndex: -1 }, title), iconButton('close', 'cancel', () => dialog.close())),
    h('div', { className: 'content' }, ...content));
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('h2')?.focus();
  return dialog;
}

/** The volume of the sounds; a change plays one. */
function volumeField() {
  const range = h('input', { type: 'range', min: '5', max: '100', step: '5', value: stored('volume') || '60', 'aria-label': words('volume'), onchange: async () => {
    store('volume', range.value);
    const { playSound } = await import('./sound.js');
    playSound('own');
  } });
  return h('label', { className: 'field' }, words('volume'), range);
}

/** The settings that this browser stores. */
export function settingsFields() {
  const flag = (/** @type {import('./words.js').Switch} */ name, /** @type {string} */ key) => {
    const box = h('input', { type: 'checkbox', checked: isOn(name), onchange: () => change(name, box) });
    return h('label', { className: 'switch' }, box, words(key));
  };
  const choice = (/** @type {string} */ name, /** @type {string} */ key, /** @type {[string, string][]} */ values, /** @type {() => void} */ done) => {
    const select = h('select', { 'aria-label': words(key), onchange: () => {
      store(name, select.value);
      done();
    } }, ...values.map(([value, text]) => h('option', { value, selected: (stored(name) || values[0][0]) === value }, text)));
    return h('label', { className: 'field' }, words(key), select);
  };
  const languages = Object.entries(LANGUAGES).sort(([one], [other]) => Number(other === language) - Number(one === language));
  return h('div', { className: 'fields' },
    flag('sounds', 'sounds'), volumeField(), flag('confirm', 'confirmMoves'), flag('premoves', 'premoves'), flag('evaluation', 'showEvaluation'), flag('notices', 'notices'), flag('coach', 'coachSwitch'),
    choice('theme', 'appearance', [['auto', words('auto')], ['light', words('light')], ['dark', words('dark')]], applyTheme),
    choice('board', 'boardColours', [['paper', words('paper')], ['wood', words('wood')], ['slate', words('slate')]], applyTheme),
    choice('language', 'language', languages, () => location.reload()));
}

/** @param {import('./words.js').Switch} name @param {HTMLInputElement} box */
async function change(name, box) {
  if (name === 'notices' && box.checked) {
    const allowed = 'Notification' in window && (await Notification.requestPermission()) === 'granted';
    if (!allowed) {
      box.checked = false;
      box.parentElement?.append(` ${words('noNotices')}`);
    }
  }
  setSwitch(name, box.checked);
}

/** @param {TablePage} page */
export function openMenu(page) {
  const { game, id } = page;
  const at = page.parts.review?.isPast ? page.parts.review.at : game.ply;
  const here = `${location.origin}/t/${id}?ply=${at}`;
  const save = (/** @type {string} */ key, /** @type {string} */ url, /** @type {string} */ name) => h('a', { className: 'button', href: url, download: name }, words(key));
  const parts = [];
  if (game.you !== null && !page.pass) parts.push(h('div', { className: 'menu-row' }, h('a', { className: 'button', href: '/games' }, words('otherDevice'))));
  if (game.scene) {
    const act = (/** @type {string} */ key, /** @type {() => void} */ run) => h('button', { type: 'button', className: 'button', onclick: () => {
      dialog.close();
      run();
    } }, words(key));
    const isPlaying = game.you !== null && game.status === 'playing';
    parts.push(h('div', { className: 'menu-row' },
      act('rules', () => import('./rules.js').then(({ openRules }) => openRules(game.welcome?.game || '')).catch((error) => page.choices.failed(error))),
      ...(isPlaying ? [act('coach', () => import('./coach.js').then(({ startCoach }) => startCoach(page))), act('moveBox', () => page.openMoveBox())] : [])));
    parts.push(h('h3', {}, words('share')), h('div', { className: 'share' }, ...linkField(here, words('shareThis'))));
    parts.push(h('h3', {}, words('export')), h('div', { className: 'menu-row' },
      ...(game.status === 'over' ? [save('record', `/api/v1/tables/${id}/record`, `${id}.parlour`), save('film', `/api/v1/tables/${id}/film`, `${id}.gif`)] : []),
      // The cookie belongs to one of the people at this device, whose secrets the picture would show.
      ...(page.pass?.hides ? [] : [save('picture', `/api/v1/tables/${id}/picture?ply=${at}`, `${id}-${at}.svg`)]),
      act('print', print)));
  }
  parts.push(h('h3', {}, words('settings')), settingsFields(), h('p', { className: 'none' }, `${words('keys')}. ${words('pieceKeys')}.`));
  const dialog = openDialog(words('more'), ...parts);
  dialog.addEventListener('close', () => page.render(false));
}
