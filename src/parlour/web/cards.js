/**
 * The cards of the games: a picture that moves, what the game is, and the ways to play it.
 * @typedef {import('./wire.js').GameInfo} GameInfo
 * @typedef {'now' | 'friend' | 'find' | 'pass' | 'customise' | 'rules'} Way
 */
import { h } from './dom.js';
import { icon } from './drawing.js';
import { Thumbnail } from './thumbnail.js';
import { gameText, gameWords, words } from './words.js';

/** The texts of the ways to play. @type {Record<Way, string>} */
const NAMES = { now: 'playNow', friend: 'playFriend', find: 'findOpponent', pass: 'passAndPlay', customise: 'customise', rules: 'rules' };

/** The numbers of people that can play, over all options. @param {GameInfo} game */
export function counts(game) {
  const found = [game.seats, ...(game.options || []).flatMap(({ seats }) => Object.values(seats || {}).map((names) => names.length))];
  return [Math.min(...found), Math.max(...found)];
}

/** The options for a game of two, if the usual one is for more. @param {GameInfo} game @returns {Record<string, unknown>} */
export function optionsForTwo(game) {
  if (game.seats <= 2) return {};
  for (const option of game.options || []) {
    for (const [text, names] of Object.entries(option.seats || {})) {
      if (names.length === 2) return { [option.name]: option.kind === 'integer' ? Number(text) : option.kind === 'flag' ? text === 'true' : text };
    }
  }
  return {};
}

/** The names of the seats with these options. @param {GameInfo} game @param {Record<string, unknown>} options */
export function seatNames(game, options) {
  for (const option of game.options || []) {
    const found = option.seats?.[String(options[option.name])];
    if (found) return found;
  }
  return game.scene.seats.map(({ name }) => name);
}

/** One line of what a game is: its summary, otherwise the first sentence of its rules. @param {GameInfo} game */
function summaryOf(game) {
  if (game.summary) return gameWords(game.summary, game.name);
  const { textContent, lang } = gameWords(game.rules[0]?.text || '', game.name);
  return { textContent: textContent.match(/^.{1,90}?[.!?](?=\s|$)/s)?.[0] || '', lang };
}

/** @param {GameInfo} game @param {(way: Way, button: HTMLButtonElement) => void} choose */
export function card(game, choose) {
  const title = gameText(game.title, game.name);
  const [least, most] = counts(game);
  const players = most === 1 ? words('onePlayer') : least === most ? words('players', { n: most }) : words('playersRange', { least, most });
  const thumbnail = new Thumbnail(game.scene);
  const button = (/** @type {Way} */ way, /** @type {string} */ name, /** @type {(Node | string | null)[]} */ ...content) => {
    const made = h('button', { type: 'button', className: name, 'aria-label': `${words(NAMES[way])}: ${title}`, onclick: () => choose(way, made) }, ...content);
    made.dataset.way = way;
    return made;
  };
  const element = h('article', { className: 'game', 'aria-label': title },
    thumbnail.element,
    h('div', { className: 'about' },
      h('h2', gameWords(game.title, game.name)),
      h('p', { className: 'facts' }, `${players}${game.minutes ? ` · ${words('aboutMinutes', { n: game.minutes })}` : ''}`, button('rules', 'subtle', words('rules'))),
      h('p', { className: 'summary', ...summaryOf(game) })),
    h('div', { className: 'ways' },
      button('now', 'button main', words('playNow')),
      most > 1 ? h('div', { className: 'with' }, ...(/** @type {Way[]} */ (['friend', 'find', 'pass']).map((way) => button(way, 'way-to', icon(way), h('span', {}, words(NAMES[way])))))) : null,
      button('customise', 'subtle customise', icon('customise'), words('customise'))));
  element.dataset.game = game.name;
  return { element, thumbnail };
}
