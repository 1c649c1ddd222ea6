/**
 * Help during a game: hints, previews, the evaluation bar, step-by-step animation, and spoken answers to keys.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./scene.js').Action} Action
 * @typedef {import('./scene.js').Scene} Scene
 */
import { clockText } from './clock.js';
import { api, h } from './dom.js';
import { gameText, sentenceOf, words } from './words.js';

const STEP = 110;
const LONGEST = 1600;
const BAR_LEVEL = 3;

/** Show an action step by step; a press skips the rest.
 * @param {TablePage} page @param {number} v @param {Scene} before @param {number[]} last */
export async function playFrames(page, v, before, last) {
  const answer = await page.connection.ask('frames', { v }).catch(() => null);
  if (!answer) return;
  if (!answer.frames.length) page.hasFrames = false;
  const pause = Math.min(STEP, LONGEST / Math.max(1, answer.frames.length));
  let skipped = page.queued > 2;
  for (const cells of answer.frames) {
    if (skipped || page.review?.isPast) break;
    page.board.show({ ...before, palette: answer.palette, cells, actions: [] }, { last, animate: true });
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      page.skip = () => {
        skipped = true;
        clearTimeout(timer);
        resolve(null);
      };
    });
  }
  page.skip = null;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Mark the cells that an action would change. @param {TablePage} page @param {Action | null} action */
export function preview(page, action) {
  clearTimeout(waiting);
  const { board, game } = page;
  if (!action || !game.isYours || action.group || action.cells.length !== 1 || board.picker.compass()) return;
  waiting = setTimeout(async () => {
    const answer = await page.connection.ask('preview', { action: action.id }).catch(() => null);
    if (answer?.cells.length > 1) board.preview(action, answer.cells);
  }, 60);
}

/** Announce what a key asked for. @param {TablePage} page @param {string} what */
export function answer(page, what) {
  const { game, live } = page;
  if (!live) return;
  let text = `${page.turn?.textContent}. ${page.statusWords?.textContent}`;
  if (what === 'last') {
    const last = [...game.history].reverse().find((event) => event.sentence);
    text = last ? sentenceOf(last) : words('start');
  }
  if (what === 'clock') {
    text = game.clocks ? game.seats.map((_, seat) => words('clockLeft', { name: page.nameOf(seat), time: clockText(game.left(seat) ?? 0) })).join(', ') : words('noClock');
  }
  live.textContent = '';
  requestAnimationFrame(() => {
    live.textContent = text;
  });
}

/** Explain why an action is not legal.
 * @param {TablePage} page @param {{cells: number[], group: string, sticksOut?: boolean}} asked */
export async function refuse(page, { cells, group, sticksOut }) {
  const { board, game } = page;
  if (sticksOut) {
    page.say(words('sticksOut'));
    return;
  }
  if (!game.isYours) {
    if (game.you !== null && game.status === 'playing') page.say(words('notYourTurn'));
    return;
  }
  const found = await page.connection.ask('why', { cells, group }).catch(() => ({ message: '' }));
  if (found.message) page.sayText(found.message);
  else if (group) page.say(words('doesNotFit'));
  else page.say(words('nothingHere', { label: gameText(board.scene.palette[board.scene.cells[cells.at(-1) || 0]].label) }));
}

/** Play the typed move, now or as a premove. @param {TablePage} page */
export async function playText(page) {
  const box = /** @type {HTMLInputElement} */ (page.moveBox);
  const action = box.value.trim();
  if (!action) return;
  try {
    if (page.game.isYours) await page.connection.ask('play', { ply: page.game.ply, action }, true);
    else {
      page.premoveText = action;
      await page.connection.ask('premove', { action }, true);
    }
    box.value = '';
  } catch (error) {
    page.failed(error);
  }
}

/** Show a notification that it is the player's turn, if notifications are allowed. @param {TablePage} page */
export function notify(page) {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const note = new Notification(words('yourTurn'), { body: gameText(page.game.welcome?.title || ''), tag: page.id });
  note.onclick = () => focus();
}

/** @param {TablePage} page */
export async function hint(page) {
  page.say(words('thinking', { name: words('hint') }), true);
  try {
    const found = await api('/analysis', { table: page.id });
    const [best] = found.choices;
    if (!best || found.ply !== page.game.ply) return;
    page.say(words('hintIs', { words: gameText(best.words[0] || best.text), value: best.value_words }), true);
    const action = page.board.scene.actions.find((each) => each.id === best.action);
    if (action?.group) page.board.holdAs(action);
    else page.board.hint(best.cells || []);
    const { Lines } = await import('./review.js');
    page.lines ??= new Lines(page);
    page.side?.prepend(page.lines.element);
    page.lines.show(found.ply, found);
  } catch (error) {
    page.failed(error);
  }
}

let evaluated = '';

/** Show the evaluation of the player's position as a bar beside the board. @param {TablePage} page */
export async function evaluate(page) {
  const { game, stage } = page;
  const position = `${page.id} ${game.ply}`;
  if (!game.isYours || !stage || position === evaluated) return;
  evaluated = position;
  const found = await api('/analysis', { table: page.id, level: BAR_LEVEL }).catch(() => null);
  const best = found?.choices[0];
  if (!best) return;
  let bar = stage.querySelector('.bar');
  if (!bar) {
    bar = h('div', { className: 'bar', role: 'img' }, h('i', {}));
    stage.append(bar);
  }
  bar.setAttribute('aria-label', words('evaluation', { name: page.nameOf(game.you ?? 0), value: best.value_words }));
  /** @type {HTMLElement} */ (bar.firstElementChild).style.height = `${50 + 50 * best.value}%`;
}
