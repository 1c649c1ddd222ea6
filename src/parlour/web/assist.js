/**
 * Help during a game: hints, previews, the evaluation bar, step-by-step animation, and spoken answers to keys.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./scene.js').Scene} Scene
 */
import { clockText } from './clock.js';
import { api, h } from './dom.js';
import { placeWords } from './marks.js';
import { playerName } from './seats.js';
import { gameText, sentenceOf, words } from './words.js';

const STEP = 110;
const LONGEST = 1600;
const BAR_LEVEL = 3;

/** Show an action step by step; a press skips the rest.
 * @param {TablePage} page @param {number} v @param {Scene} before @param {number[]} last */
export async function playFrames(page, v, before, last) {
  const answer = await page.connection.ask('frames', { v }).catch(() => null);
  if (!answer) return;
  if (!answer.frames.length) page.playback.hasFrames = false;
  const pause = Math.min(STEP, LONGEST / Math.max(1, answer.frames.length));
  let skipped = page.playback.queued > 2;
  for (const cells of answer.frames) {
    if (skipped || page.parts.review?.isPast) break;
    page.board.show({ ...before, palette: answer.palette, cells, actions: [] }, { last, animate: true });
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      page.playback.skip = () => {
        skipped = true;
        clearTimeout(timer);
        resolve(null);
      };
    });
  }
  page.playback.skip = null;
}

/** How the cells look that an action would change; empty if the server does not say.
 * @param {TablePage} page @param {Action} action @returns {Promise<import('./board.js').Look[]>} */
export async function peek({ board, connection, game }, action) {
  if (!game.isYours || action.group || action.cells.length !== 1 || board.compass) return [];
  const answer = await connection.ask('preview', { action: action.id }).catch(() => null);
  return (answer?.cells || []).map((/** @type {number} */ cell, /** @type {number} */ at) => ({ cell, now: answer.looks[at] }));
}

/** Announce what a key asked for. @param {TablePage} page @param {string} what */
export function answer({ game, messages, status }, what) {
  let { text } = status;
  if (what === 'last') {
    const last = [...game.history].reverse().find((event) => event.sentence);
    text = last ? sentenceOf(last) : words('start');
  }
  if (what === 'clock') {
    text = game.clocks ? game.seats.map((_, seat) => words('clockLeft', { name: playerName(game, seat), time: clockText(game.left(seat) ?? 0) })).join(', ') : words('noClock');
  }
  messages.announce(text);
}

/** Announce the piece in hand: its size, its place, and whether it fits there. @param {TablePage} page */
export function describeHand({ board: { cursor, ghost, picker, scene }, messages }) {
  if (!picker.group) return;
  const rows = 1 + Math.max(...picker.shape.map(([row]) => row));
  const cols = 1 + Math.max(...picker.shape.map(([, col]) => col));
  messages.announce(words(ghost?.action ? 'heldFits' : 'held', { name: picker.group, n: picker.shape.length, rows, cols, place: placeWords(scene.board, cursor) }));
}

/** Explain why an action is not legal. @param {TablePage} page @param {{cells: number[], group: string}} asked */
export async function refuse({ board, connection, game, messages }, { cells, group }) {
  if (!game.isYours) {
    if (game.you !== null && game.status === 'playing') messages.say(words('notYourTurn'));
    return;
  }
  if (!group && board.picker.byGroup.size) {
    messages.say(words('choosePiece'));
    return;
  }
  const found = await connection.ask('why', { cells, group }).catch(() => ({ message: '' }));
  if (found.message) messages.sayText(found.message);
  else if (group) messages.say(words(cells.length ? 'doesNotFit' : 'fitsNowhere'));
  else messages.say(words('nothingHere', { label: gameText(board.scene.palette[board.scene.cells[cells.at(-1) || 0]].label) }));
}

/** Play the typed move, now or as a premove. @param {TablePage} page */
export async function playText(page) {
  const box = page.moveBox;
  const action = box.value.trim();
  if (!action) return;
  try {
    if (page.game.isYours) await page.connection.ask('play', { ply: page.game.ply, action }, true);
    else {
      page.choices.premoveText = action;
      await page.connection.ask('premove', { action }, true);
    }
    box.value = '';
  } catch (error) {
    page.choices.failed(error);
  }
}

/** Show a notification that it is the player's turn, if notifications are allowed. @param {TablePage} page */
export function notify(page) {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const note = new Notification(words('yourTurn'), { body: gameText(page.game.welcome?.title || ''), tag: page.id });
  note.onclick = () => focus();
}

/** Show the best choice in the player's position, and further ones beside the board. @param {TablePage} page */
export async function hint(page) {
  const { board, game, messages, parts } = page;
  messages.say(words('thinkingHint'), true);
  try {
    const found = await api('/analysis', { table: page.id });
    const [best] = found.choices;
    if (!best || found.ply !== game.ply) return;
    const { Lines, valueText } = await import('./lines.js');
    messages.say(words('hintIs', { words: gameText(best.words[0] || best.text), value: valueText(best) }), true);
    const action = board.scene.actions.find((each) => each.id === best.action);
    if (action?.group) board.hand.holdAs(action);
    else board.hint(best.cells || []);
    parts.lines ??= new Lines(page);
    page.side.prepend(parts.lines.element);
    parts.lines.show(found.ply, found);
  } catch (error) {
    messages.say('');
    page.choices.failed(error);
  }
}

let evaluated = '';

/** Show the evaluation of the player's position as a bar beside the board. @param {TablePage} page */
export async function evaluate(page) {
  const { game, stage } = page;
  const position = `${page.id} ${game.ply}`;
  if (!game.isYours || position === evaluated) return;
  evaluated = position;
  const found = await api('/analysis', { table: page.id, level: BAR_LEVEL }).catch(() => null);
  const best = found?.choices[0];
  if (!best) return;
  let bar = stage.querySelector('.bar');
  if (!bar) {
    bar = h('div', { className: 'bar', role: 'img' }, h('i', {}));
    stage.append(bar);
  }
  bar.setAttribute('aria-label', words('evaluation', { name: playerName(game, game.you ?? 0), value: best.value_words }));
  /** @type {HTMLElement} */ (bar.firstElementChild).style.height = `${50 + 50 * best.value}%`;
}
