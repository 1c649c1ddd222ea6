/**
 * The result of a game: who won, by how much, and the score of each seat.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { isMotionReduced } from './board.js';
import { h } from './dom.js';
import { icon } from './drawing.js';
import { seatColours } from './scene.js';
import { playerName } from './seats.js';
import { gameWords, words } from './words.js';

/** How long the result is celebrated, in milliseconds. */
const CELEBRATION = 1600;

/** Show the result. @param {TablePage} page @param {boolean} isNew whether the game has just ended */
export function showEnding(page, isNew) {
  const { game, main } = page;
  main.dataset.outcome = page.pass ? '' : game.outcome;
  page.result.replaceChildren(...(game.seats.length > 1 ? [table(page)] : []));
  if (!isNew || isMotionReduced()) return;
  main.classList.add('just-ended');
  setTimeout(() => main.classList.remove('just-ended'), CELEBRATION);
}

/** The seats in the order of their points. @param {TablePage} page */
function table({ game, pass }) {
  const { ending, scene, winners } = game;
  const seats = game.seats.map((_, seat) => seat).sort((one, two) => (ending?.returns[two] ?? 0) - (ending?.returns[one] ?? 0));
  return h('ol', { className: 'ranking' }, ...seats.map((seat) => {
    const [colour] = scene ? seatColours(scene, seat) : [];
    return h('li', { className: winners.includes(seat) ? 'first' : '' },
      h('i', { className: `dot c-${colour || 'grey'}` }),
      h('span', {}, playerName(game, seat), seat === game.you && game.seats[seat].name && !pass ? ` (${words('you')})` : ''),
      winners.includes(seat) ? icon('crown') : null,
      h('b', gameWords(scene?.seats[seat]?.score || '')));
  }));
}
