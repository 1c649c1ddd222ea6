/**
 * Draw, takeback and rematch offers, with buttons to answer them.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./wire.js').OfferName} OfferName
 */
import { h } from './dom.js';
import { playerName } from './seats.js';
import { words } from './words.js';

/** For each offer, the texts for the others, for its maker, and for its maker when it is declined.
 * @type {[OfferName, string, string, string][]} */
const OFFERS = [
  ['draw', 'drawOffer', 'drawOffered', 'drawDeclined'],
  ['takeback', 'takebackOffer', 'takebackOffered', 'takebackDeclined'],
  ['rematch', 'rematchOffer', 'rematchOffered', 'rematchDeclined'],
];

/** Show the open offers with their buttons. @param {TablePage} page @param {HTMLElement} place */
export function showOffers(page, place) {
  const { game } = page;
  const key = JSON.stringify([game.you, game.offers]);
  if (key === place.dataset.key) return;
  place.dataset.key = key;
  place.replaceChildren(...OFFERS.filter(([name]) => game.offers[name].length).map(([name, theirs, own]) => {
    const isOwn = game.you !== null && game.offers[name].includes(game.you);
    const button = (/** @type {string} */ text, /** @type {() => void} */ act, kind = '') =>
      h('button', { type: 'button', className: `button ${kind}`, onclick: act }, text);
    const answer = async (/** @type {string} */ t, /** @type {object} */ body) => {
      for (const each of answers) each.disabled = true;
      if (!(await page.choices.request(t, body))) for (const each of answers) each.disabled = false;
    };
    const decline = () => answer('decline', { offer: name });
    const answers = game.you === null ? [] : isOwn ? [button(words('withdraw'), decline)]
      : [button(words('accept'), () => answer(name, { accept: true }), 'main'), button(words('decline'), decline)];
    const [maker] = game.offers[name];
    const text = !isOwn ? theirs : maker === game.you ? own : 'agreed';
    return h('div', { className: 'open-offer' }, h('span', {}, words(text, { name: playerName(game, maker) })), ...answers);
  }));
}

/** Announce offers that an event declined or withdrew.
 * @param {TablePage} page @param {import('./wire.js').EventView} event
 * @param {import('./wire.js').Offers} before @param {import('./wire.js').Offers} after */
export function noteOffers(page, event, before, after) {
  const { game } = page;
  const seat = event.seat ?? -1;
  if (seat === game.you || game.you === null) return;
  for (const [name, , , declined] of OFFERS) {
    const [had, has] = [before[name], after[name]];
    if (!had.length && has.length) page.parts.sound(event);
    const isAnswered = event.kind === name || (game.ending && name !== 'rematch');
    if (!had.length || has.length || isAnswered) continue;
    if (had.includes(seat)) page.messages.say(words('withdrew', { name: playerName(game, seat) }));
    else if (had.includes(game.you)) page.messages.say(words(declined, { name: playerName(game, seat) }));
  }
}
