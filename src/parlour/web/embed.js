/**
 * A table in somebody else's page: the board and one line of words. A seat's token comes in the
 * fragment and stays in memory; without one it watches.
 */
import { ParlourBoard } from './board.js';
import { h, showPage } from './dom.js';
import { Game } from './game.js';
import { Connection, Refused } from './socket.js';
import { Tray } from './tray.js';
import { dress, language, words } from './words.js';

const table = location.pathname.split('/').at(-1) || '';
const token = new URLSearchParams(location.hash.slice(1)).get('token') || '';
history.replaceState(null, '', location.pathname);
document.documentElement.lang = language;
dress();

const game = new Game();
const board = new ParlourBoard();
const tray = new Tray(board, () => false);
const line = h('p', { className: 'message', role: 'status', lang: 'en' }, words('loading'));
showPage(h('main', { className: 'embedded' }, h('div', { className: 'stage' }, board), line, tray.element));

function render(animate = false) {
  if (!game.scene) {
    line.textContent = words('waiting');
    return;
  }
  board.show(game.scene, { last: game.lastCells, animate });
  tray.update();
  line.textContent = `${game.isYours ? `${words('yourTurn')}. ` : ''}${game.ending?.words || game.scene.status}`;
}

const connection = new Connection(() => ({ table, token }), (message) => {
  if (message.t === 'welcome') {
    game.greet(message);
    render();
  } else if (message.t === 'update') {
    if (game.happen(message)) render(true);
    else connection.greet();
  } else if (message.t === 'error') line.textContent = message.code === 'not_found' ? words('noTable') : message.message;
}, (state) => {
  if (state === 'lost') line.textContent = words('noServer');
});

/** @param {Promise<any>} asked */
async function told(asked) {
  try {
    const answer = await asked;
    if (answer.t === 'why' && answer.message) line.textContent = answer.message;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.message) line.textContent = error.message;
  }
}

board.addEventListener('choose', (event) => told(connection.ask('play', { ply: game.ply, action: /** @type {CustomEvent} */ (event).detail.action.id }, true)));
board.addEventListener('refuse', (event) => {
  const { cells, group } = /** @type {CustomEvent} */ (event).detail;
  if (game.isYours) told(connection.ask('why', { cells, group }));
});
