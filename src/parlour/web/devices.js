/** A link that carries the player's seats to another browser: made here, and taken there. */
import { api, h } from './dom.js';
import { linkField, qrPicture } from './invite.js';
import { Refused } from './socket.js';
import { gameText, store, stored, words } from './words.js';

/** @typedef {{code: string, url: string, seats: number, until: number}} Offer */

/** The link that this browser has made and that still works. @returns {Offer | null} */
function openOffer() {
  /** @type {Offer | null} */
  const found = JSON.parse(stored('seatsLink') || 'null');
  return found && found.until > Date.now() ? found : null;
}

/** @param {HTMLElement} place */
export async function offerSeats(place) {
  const note = h('p', { role: 'status', className: 'wrong' });
  const act = (/** @type {() => Promise<void>} */ work) => async (/** @type {Event} */ event) => {
    /** @type {HTMLButtonElement} */ (event.currentTarget).disabled = true;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      note.textContent = gameText(error.message) || words('noServer');
    }
    offerSeats(place);
  };
  const head = [h('h2', {}, words('otherDevice')), h('p', { className: 'none' }, words('otherDeviceHelp'))];
  const offer = openOffer();
  if (!offer) {
    place.replaceChildren(...head, h('button', { type: 'button', className: 'button main', onclick: act(async () => {
      const made = await api('/seats/link', {});
      store('seatsLink', JSON.stringify({ ...made, until: Date.now() + made.seconds * 1000 }));
    }) }, words('makeLink')), note);
    return;
  }
  const minutes = Math.max(1, Math.round((offer.until - Date.now()) / 60_000));
  place.replaceChildren(...head, h('div', { className: 'offered' }, await qrPicture(offer.url),
    h('div', {}, h('p', {}, words('seatsCarried', { n: offer.seats, minutes })), h('div', { className: 'row' }, ...linkField(offer.url, words('otherDevice'))),
      h('button', { type: 'button', className: 'button', onclick: act(async () => {
        store('seatsLink', '');
        await api('/seats/revoke', { code: offer.code });
      }) }, words('revokeLink')))), note);
}

/** Ask whether to take the seats of a link to this browser. Resolves when that is decided.
 * @param {string} code @param {HTMLElement} main */
export function takeSeats(code, main) {
  return new Promise((resolve) => {
    const note = h('p', { role: 'alert', className: 'wrong' });
    const done = () => {
      history.replaceState(null, '', location.pathname);
      resolve(null);
    };
    const take = h('button', { type: 'button', className: 'button main', onclick: async () => {
      take.disabled = true;
      try {
        await api('/seats/claim', { code });
        done();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        note.textContent = gameText(error.message) || words('noServer');
        take.disabled = error.code === 'used';
      }
    } }, words('takeSeats'));
    main.replaceChildren(h('h1', {}, words('otherDevice')), h('section', { className: 'device taking' }, h('p', {}, words('takeSeatsHelp')), note,
      h('div', { className: 'menu-row' }, take, h('button', { type: 'button', className: 'button', onclick: done }, words('notNow')))));
    take.focus();
  });
}
