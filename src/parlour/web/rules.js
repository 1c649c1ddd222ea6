/**
 * The rules of a game: short sections, each with a small moving picture if the game's guide has one.
 * @typedef {import('./wire.js').GameInfo} GameInfo
 * @typedef {import('./wire.js').GamePreview} GamePreview
 */
import { iconButton } from './controls.js';
import { api, h } from './dom.js';
import { openDialog } from './menu.js';
import { Film, Player, Thumbnail } from './thumbnail.js';
import { gameText, gameWords, loadTexts, words } from './words.js';

/** @param {string} name of the game */
export async function openRules(name) {
  const path = `/games/${encodeURIComponent(name)}`;
  /** @type {[{games: GameInfo[]}, import('./wire.js').GameExamples, void]} */
  const [{ games }, { examples }] = await Promise.all([api('/games'), api(`${path}/examples`).catch(() => ({ examples: [] })), loadTexts(name)]);
  const game = games.find((each) => each.name === name);
  if (!game) return;
  const player = new Player();
  const hasExamples = examples.some(({ cells }) => cells.length);
  const sections = game.rules.map(({ title, text }, at) => {
    const example = examples[at]?.cells.length ? picture(examples[at], player) : null;
    return h('section', { className: example ? 'shown' : '' }, h('div', {}, title ? h('h3', gameWords(title, name)) : null, h('p', gameWords(text, name))), example);
  });
  /** @type {GamePreview | null} */
  const played = hasExamples ? null : await api(`${path}/preview`).catch(() => null);
  const sample = hasExamples ? null : picture(played?.cells.length ? played : { ...game.scene, changes: [] }, player);
  openDialog(`${words('rules')}: ${gameText(game.title, name)}`,
    h('div', { className: 'rules', tabIndex: 0, role: 'region', 'aria-label': words('rules') }, sample, ...sections));
}

/** A picture that plays once when it is first seen; with reduced motion, its last position. @param {GamePreview} example @param {Player} player */
function picture(example, player) {
  const thumbnail = new Thumbnail(example);
  if (!thumbnail.board.rows) return null;
  const film = new Film(thumbnail, example);
  const figure = h('figure', {}, thumbnail.element);
  if (!example.changes.length) return figure;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    film.showLast();
    return figure;
  }
  const again = iconButton('showAgain', 'rotate', () => play());
  const play = () => {
    again.classList.remove('ready');
    player.play(film, () => again.classList.add('ready'));
  };
  figure.append(again);
  player.whenSeen(thumbnail.element, play);
  return figure;
}
