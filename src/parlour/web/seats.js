/**
 * The cards of the seats: player, clock, score, and the pieces that the seat holds or has taken.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { h } from './dom.js';
import { icon, svg } from './drawing.js';
import { cellIcon, pieceIcon, piecesOf } from './pieces.js';
import { seatColours } from './scene.js';
import { gameText, gameWords, words } from './words.js';

/** @type {[import('./wire.js').OfferName, string][]} */
export const BADGES = [['draw', 'drawBadge'], ['takeback', 'takebackBadge'], ['rematch', 'rematchBadge']];

/** The name of a seat's player. @param {import('./game.js').Game} game @param {number} seat */
export function playerName(game, seat) {
  const info = game.seats[seat];
  if (!info) return '';
  if (info.kind === 'agent') return words('computer');
  if (info.name) return info.name;
  return info.kind === 'open' ? words('free') : seat === game.you ? words('me') : words('seat', { n: seat + 1 });
}

/** Draw the cards for the position on the board. @param {TablePage} page */
export function renderSeats(page) {
  const { game, seats } = page;
  const before = /** @type {HTMLElement[]} */ ([...seats.children]);
  const cards = game.seats.map((_, seat) => {
    const key = keyOf(page, seat);
    const made = before[seat]?.dataset.key === key ? before[seat] : card(page, seat);
    made.dataset.key = key;
    return made;
  });
  // Most updates change one or two cards; the pieces in the others are not drawn again.
  if (cards.length !== before.length) seats.replaceChildren(...cards);
  else cards.forEach((made, seat) => made !== before[seat] && before[seat].replaceWith(made));
  seats.classList.toggle('many', game.seats.length > 2);
  page.tick();
}

/** All that a card shows. @param {TablePage} page @param {number} seat */
function keyOf({ game, shown, pass }, seat) {
  const isTurn = game.status === 'playing' && (game.actor === seat || game.actors.includes(seat));
  return JSON.stringify([game.seats[seat], shown?.seats[seat], shown && seatColours(shown, seat), shown?.palette.some(({ piece }) => piece), isTurn, game.winners.includes(seat),
    game.you, game.present[seat], game.present.length, BADGES.map(([name]) => game.offers[name][0] === seat), Boolean(game.clocks), Boolean(pass), game.faces.size]);
}

/** @param {TablePage} page @param {number} seat */
function card(page, seat) {
  const { game, shown } = page;
  const info = game.seats[seat];
  const view = shown?.seats[seat];
  const isTurn = game.status === 'playing' && (game.actor === seat || game.actors.includes(seat));
  const hasWon = game.winners.includes(seat);
  const swatches = h('span', { className: 'swatches', 'aria-hidden': 'true' });
  const hasMarks = shown?.palette.some(({ piece }) => piece);
  for (const colour of shown ? seatColours(shown, seat) : []) swatches.append(swatch(colour, Boolean(hasMarks)));
  const who = h('span', { className: 'who' }, h('b', {}, playerName(game, seat)),
    seat === game.you && info.name && !page.pass ? h('small', {}, ` (${words('you')})`) : null,
    info.kind === 'agent' ? h('small', {}, ` ${words('levelShort', { level: info.level || 1 })}`) : null,
    info.left ? h('small', {}, ` ${words('gone')}`) : null);
  if (hasWon) who.append(h('span', { className: 'crown' }, icon('crown'), h('span', { className: 'quietly' }, words('winner'))));
  if (info.kind === 'person' && seat !== game.you && !page.pass && game.present.length) {
    const text = words(game.present[seat] ? 'present' : 'away');
    who.append(h('i', { className: `presence${game.present[seat] ? ' here' : ''}`, role: 'img', 'aria-label': text, title: text }));
  }
  return h('div', { className: `seat${isTurn ? ' turn' : ''}${seat === game.you ? ' own' : ''}${hasWon ? ' won' : ''}` },
    swatches, who, detail(page, seat),
    score(view?.score || ''),
    game.clocks ? h('time', { className: 'clock', 'aria-label': words('clock') }) : null);
}

/** A colour of a seat, with the mark that its pieces have. @param {string} colour @param {boolean} hasMark */
function swatch(colour, hasMark) {
  const made = svg('svg', { class: `swatch c-${colour}`, viewBox: '0 0 40 40' }, svg('circle', { cx: 20, cy: 20, r: 18 }));
  if (hasMark) made.append(svg('use', { href: `#mark-${colour}`, class: 'mark', width: 40, height: 40 }));
  return made;
}

/** A score; its unit can be left out where there is little room. @param {string} text */
function score(text) {
  const { textContent, lang } = gameWords(text);
  const [, points, unit] = textContent.match(/^([-+−]?[\d.,]+)(\s.*)$/) || [];
  return h('span', { className: 'score', lang }, ...(points ? [points, h('span', { className: 'unit' }, unit)] : [textContent]));
}

/** The second line of a card: an open offer, pieces, or the name of the seat. @param {TablePage} page @param {number} seat */
function detail({ game, shown, parts }, seat) {
  const offer = BADGES.find(([name]) => game.offers[name][0] === seat);
  if (offer) return h('span', { className: 'side-name offer' }, words(offer[1]));
  const view = shown?.seats[seat];
  const name = view?.name ? h('span', gameWords(view.name)) : words('seat', { n: seat + 1 });
  if (!shown || !view?.tray?.length) return h('span', { className: 'side-name' }, name);
  const texts = view.tray.map((item) => gameText(typeof item === 'string' ? item : item.label));
  const pieces = piecesOf(shown, seat);
  if (pieces.length && pieces.every(({ shape }) => shape)) {
    return h('span', { className: 'taken', role: 'img', 'aria-label': words('piecesLeft', { n: pieces.length }), title: words('piecesLeft', { n: pieces.length }) },
      ...pieces.map(({ shape, colour }) => shape && pieceIcon(shape, colour, true)));
  }
  const cells = view.tray.flatMap((item) => (typeof item !== 'string' ? [item] : game.faces.get(item) || []));
  if (cells.length === view.tray.length) {
    return h('span', { className: 'taken discs', role: 'img', 'aria-label': texts.join(', '), title: texts.join(', ') }, ...cells.map(cellIcon));
  }
  parts.learnFaces();
  return h('span', { className: 'side-name' }, texts.join(' '));
}
