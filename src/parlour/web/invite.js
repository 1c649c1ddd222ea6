/**
 * Before the game: invitations as links and QR codes, free seats at an open table, and joining by a link.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { loadPieces, svg } from './drawing.js';
import { api, h, longest, randomText, showPage } from './dom.js';
import { nextSeat } from './game.js';
import { Refused } from './socket.js';
import { gameText, gameWords, loadTexts, store, stored, words } from './words.js';

/** A text as a QR code. @param {string} text */
export async function qrPicture(text) {
  const { qrCode } = await import('./qr.js');
  const dark = qrCode(text);
  let path = '';
  dark.forEach((row, r) => row.forEach((on, c) => on && (path += `M${c} ${r}h1v1h-1z`)));
  return svg('svg', { class: 'qr', viewBox: `0 0 ${dark.length} ${dark.length}`, role: 'img', 'aria-label': words('qr'), 'shape-rendering': 'crispEdges' }, svg('path', { d: path, fill: '#000' }));
}

/** A link with a copy button. @param {string} url @param {string} label */
export function linkField(url, label) {
  const field = h('input', { className: 'link', type: 'text', readOnly: true, value: url, 'aria-label': label, onfocus: () => field.select() });
  const button = h('button', { type: 'button', className: 'button main' }, words('copy'));
  button.addEventListener('click', async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(url);
      button.textContent = words('copied');
    } catch {
      field.focus(); // The link is selected, so the player can copy it by key.
    }
  });
  return [field, button];
}

/** Show invitations and free seats while the table waits for players. @param {TablePage} page */
export async function showWaiting(page) {
  const { game, main, id } = page;
  const old = main.querySelector('.waiting-card');
  if (game.status !== 'waiting') {
    old?.remove();
    return;
  }
  const free = game.seats.flatMap((seat, at) => (seat.kind === 'open' ? [at] : []));
  /** @type {import('./wire.js').Invitation[]} */
  const own = JSON.parse(stored(`invites:${id}`) || '[]').filter((/** @type {import('./wire.js').Invitation} */ each) => free.includes(each.seat));
  const key = `${game.you}|${free}|${own.length}`;
  if (old && /** @type {HTMLElement} */ (old).dataset.key === key) return;
  const card = h('section', { className: 'waiting-card', 'aria-label': words('invite') }, h('h2', {}, words(own.length ? 'invite' : 'waiting')),
    own.length ? h('p', {}, words('inviteHelp')) : null);
  card.dataset.key = key;
  for (const [at, { seat, url }] of own.entries()) {
    if (at === 0) card.append(await qrPicture(url));
    const label = words('inviteFor', { n: seat + 1 });
    card.append(h('div', { className: 'row' }, own.length > 1 ? h('b', {}, label) : null, ...linkField(url, label)));
  }
  if (game.you !== null) {
    if (!own.length) card.append(h('p', {}, words('inviteElsewhere')));
    const button = h('button', { type: 'button', className: 'button quiet', onclick: () => {
      button.disabled = true;
      api(`/tables/${id}/seats/${game.you}/cancel`, {}).then(() => {
        store(`invites:${id}`, '');
        location.href = '/';
      }, (error) => {
        button.disabled = false;
        page.choices.failed(error);
      });
    } }, words('cancelTable'));
    card.append(button);
  }
  if (game.you === null) {
    const info = await api(`/tables/${id}`).catch(() => null);
    if (info?.listed) {
      const name = nameField();
      card.append(name.label, h('div', { className: 'row' }, ...free.map((seat) =>
        h('button', { type: 'button', className: 'button main', onclick: () => claim(id, seat, '', name.value()).then(() => location.reload(), (error) => page.choices.failed(error)) }, words('takeSeat', { n: seat + 1 })))));
    } else card.append(h('p', {}, words('inviteElsewhere')));
  }
  main.querySelector('.waiting-card')?.remove();
  main.append(card);
}

/** A field for the player's name, stored in this browser. */
export function nameField() {
  const input = h('input', { type: 'text', maxLength: longest('name'), value: stored('name'), autocomplete: 'nickname', id: 'name' });
  return {
    label: h('label', { className: 'field', for: 'name' }, words('name'), input),
    value: () => {
      store('name', input.value.trim());
      return input.value.trim();
    },
  };
}

/** @param {string} table @param {number} seat @param {string} secret @param {string} name */
async function claim(table, seat, secret, name) {
  return api(`/tables/${table}/seats/${seat}/claim`, { claim: secret, name, nonce: randomText() });
}

/** Ask an invited player for a name, then open the table. @param {() => void} open */
export async function join(open) {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const table = location.pathname.split('/').at(-1) || '';
  const seat = Number(fragment.get('seat'));
  const secret = fragment.get('claim') || '';
  const info = await api(`/tables/${table}`).catch(() => null);
  if (!info) {
    open();
    return;
  }
  const enter = () => {
    history.replaceState(null, '', location.pathname);
    showPage();
    open();
  };
  if (info.you !== undefined) {
    // The player already has a seat; the invitation stays valid for another player.
    enter();
    return;
  }
  const [sample] = await Promise.all([picture(info.game), loadTexts(info.game)]);
  const host = info.seats.find((/** @type {import('./wire.js').SeatInfo} */ each) => each.name)?.name;
  const name = nameField();
  const note = h('p', { role: 'status' });
  const form = h('form', { className: 'joining', onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await claim(table, seat, secret, name.value());
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      note.textContent = error.code === 'lost' ? words('noServer') : gameText(error.message) || words('claimUsed');
      return;
    }
    enter();
  } }, sample, h('p', {}, host ? words('invitedBy', { name: host }) : words('invited')), h('h1', gameWords(info.title, info.game)), name.label,
  h('button', { className: 'button main' }, words('join')), h('button', { type: 'button', className: 'button quiet', onclick: enter }, words('watch')), note);
  showPage(h('main', { className: 'alone' }, form));
  form.querySelector('input')?.focus();
}

/** A picture of a game. @param {string} name */
async function picture(name) {
  const [{ Thumbnail }, { games }] = await Promise.all([import('./thumbnail.js'), api('/games').catch(() => ({ games: [] })), loadPieces()]);
  const game = games.find((/** @type {import('./wire.js').GameInfo} */ each) => each.name === name);
  return game && new Thumbnail(game.scene).element;
}

/** Claim this player's seat in the rematch and open it. @param {TablePage} page */
export async function followRematch(page) {
  const { game, id, pass } = page;
  try {
    if (pass) await pass.sitAgain(game.rematch, game.seats.length);
    else if (game.you !== null) await api(`/tables/${game.rematch}/seats/${nextSeat(game.you, game.seats.length)}/claim`, { from: id });
  } catch (error) {
    page.choices.failed(error);
    return;
  }
  location.href = `/t/${game.rematch}`;
}
