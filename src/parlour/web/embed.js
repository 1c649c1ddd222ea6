/**
 * A table embedded in another site: the board and a status line. The fragment may hold a seat's token, which stays
 * in memory; without a token the page watches.
 */
import { ParlourBoard } from './board.js';
import { h, showPage } from './dom.js';
import { Game } from './game.js';
import { Connection, Refused } from './socket.js';
import { Tray } from './tray.js';
import { applyTheme, gameText, language, loadTexts, needsTexts, words } from './words.js';

const table = location.pathname.split('/').at(-1) || '';
const token = new URLSearchParams(location.hash.slice(1)).get('token') || '';
history.replaceState(null, '', location.pathname);
document.documentElement.lang = language;
applyTheme();

const game = new Game();
const board = new ParlourBoard();
const tray = new Tray(board, game, () => false);
const line = h('p', { className: 'message', role: 'status' }, words('loading'));
showPage(h('main', { className: 'embedded' }, h('div', { className: 'stage' }, board), line, tray.element));

function render(animate = false) {
  if (!game.scene) {
    line.textContent = words('waiting');
    return;
  }
  board.show(game.scene, { last: game.lastCells, animate });
  tray.update();
  line.textContent = `${game.isYours ? `${words('yourTurn')}. ` : ''}${gameText(game.ending?.words || game.scene.status)}`;
}

const connection = new Connection(() => ({ table, token }), (message) => {
  if (message.t === 'welcome') {
    game.applyWelcome(message);
    render();
    if (needsTexts(message.game)) loadTexts(message.game).then(() => render());
  } else if (message.t === 'update') {
    if (game.applyUpdate(message)) render(true);
    else connection.sendHello();
  } else if (message.t === 'error') line.textContent = message.code === 'not_found' ? words('noTable') : gameText(message.message);
}, (state) => {
  if (state === 'lost') line.textContent = words('noServer');
});

/** @param {Promise<any>} asked */
async function showAnswer(asked) {
  try {
    const answer = await asked;
    if (answer.t === 'why' && answer.message) line.textContent = gameText(answer.message);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.message) line.textContent = gameText(error.message);
  }
}

board.addEventListener('choose', (event) => showAnswer(connection.ask('play', { ply: game.ply, action: /** @type {CustomEvent} */ (event).detail.action.id }, true)));
board.addEventListener('refuse', (event) => {
  const { cells, group } = /** @type {CustomEvent} */ (event).detail;
  if (game.isYours) showAnswer(connection.ask('why', { cells, group }));
});
