/**
 * Puzzles: positions of real games in which one action is clearly the best. The browser keeps the streak.
 * @typedef {{options: Record<string, unknown>, position: string, best: number}} Puzzle
 * @typedef {import('./scene.js').Scene} Scene
 */
import { ParlourBoard } from './board.js';
import { button } from './controls.js';
import { api, h, showPage } from './dom.js';
import { loadPieces, logo } from './drawing.js';
import { Messages } from './messages.js';
import { sceneOf } from './scene.js';
import { Refused } from './socket.js';
import { Tray } from './tray.js';
import { applyTheme, gameText, gameWords, language, loadTexts, store, stored, words } from './words.js';

class Puzzles {
  constructor() {
    document.documentElement.lang = language;
    /** @type {Puzzle[]} */
    this.puzzles = [];
    this.at = 0;
    this.isFirst = true;
    this.isSolved = false;
    this.player = /** @type {any} */ ({ you: null, status: 'playing', isYours: true });
    this.board = new ParlourBoard();
    this.tray = new Tray(this.board, this.player, () => false);
    this.messages = new Messages();
    this.select = h('select', { 'aria-label': words('chooseOne'), onchange: () => this.choose() });
    this.status = h('p', { className: 'message' });
    this.place = h('p', { className: 'verdicts' });
    this.verdict = h('p', { className: 'verdict', role: 'status' });
    this.solution = button('showSolution', 'hint', () => this.solve());
    this.next = button('nextPuzzle', '', () => this.go(this.at + 1), 'main');
    this.analyse = h('a', { className: 'button' }, words('analysisBoard'));
    this.main = h('main', { className: 'table analysis puzzles ready' },
      h('header', { className: 'top' }, h('a', { href: '/', className: 'home', 'aria-label': words('toLobby'), title: words('toLobby') }, logo(28)), h('h1', {}, words('puzzles')), this.select),
      h('section', { className: 'stage', 'aria-label': words('board') }, this.board),
      h('section', { className: 'play', 'aria-label': words('status') }, h('div', { className: 'line' }, this.status, this.messages.toast), this.tray.element),
      h('aside', { className: 'side', 'aria-label': words('puzzles') }, this.place, this.verdict),
      h('div', { className: 'controls' }, this.next, this.solution, this.analyse));
    this.board.addEventListener('choose', (event) => this.answer(/** @type {CustomEvent} */ (event).detail.action.id));
    this.load();
  }

  get game() {
    return this.select.value;
  }

  get streak() {
    return Number(stored(`streak:${this.game}`) || 0);
  }

  async load() {
    try {
      /** @type {{games: import('./wire.js').GameInfo[]}} */
      const { games } = await api('/games');
      const known = games.filter(({ puzzles }) => puzzles);
      await loadTexts(...known.map(({ name }) => name));
      if (!known.length) {
        showPage(h('main', { className: 'alone' }, h('h1', {}, words('puzzles')), h('p', { role: 'status' }, words('noPuzzles')), h('a', { href: '/', className: 'button' }, words('toLobby'))));
        return;
      }
      const wanted = new URLSearchParams(location.search).get('game') || stored('puzzles');
      this.select.replaceChildren(...known.map(({ name, title }) => h('option', { value: name, selected: name === wanted }, gameText(title, name))));
      showPage(this.main, this.messages.live);
      await this.choose();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Show the puzzles of the chosen game, from where the player left. */
  async choose() {
    store('puzzles', this.game);
    const { puzzles } = await api(`/games/${encodeURIComponent(this.game)}/puzzles`);
    this.puzzles = puzzles;
    await this.go(Number(stored(`puzzle:${this.game}`) || 0));
  }

  /** @param {number} number */
  async go(number) {
    this.at = number % this.puzzles.length;
    store(`puzzle:${this.game}`, String(this.at));
    this.isFirst = true;
    this.isSolved = false;
    const { options, position } = this.puzzles[this.at];
    this.analyse.href = `/analysis?${new URLSearchParams({ game: this.game, options: JSON.stringify(options), position })}`;
    await this.show(position);
    this.say('findBest', '');
  }

  /** @param {string} position @param {[number, number][]} [moves] */
  async show(position, moves = []) {
    const { options } = this.puzzles[this.at];
    try {
      /** @type {import('./wire.js').TreeFound} */
      const found = await api('/positions', { game: this.game, options, position, moves });
      const scene = sceneOf(found.scene);
      this.player.you = scene.actor >= 0 ? scene.actor : null;
      this.board.show(this.isSolved ? { ...scene, actions: [] } : scene, { last: found.nodes.at(-1)?.cells || [], animate: this.isSolved });
      this.tray.update();
      Object.assign(this.status, gameWords(scene.status, this.game));
    } catch (error) {
      this.failed(error);
    }
  }

  /** @param {string} key @param {string} how */
  say(key, how) {
    this.place.textContent = `${words('puzzleNumber', { at: this.at + 1, of: this.puzzles.length })} · ${words('streak', { n: this.streak })}`;
    this.verdict.textContent = words(key);
    this.verdict.dataset.how = how;
    this.solution.hidden = this.isSolved;
    this.analyse.hidden = !this.isSolved;
  }

  /** @param {number} action */
  async answer(action) {
    const { best, position } = this.puzzles[this.at];
    if (action === best) {
      if (this.isFirst) store(`streak:${this.game}`, String(this.streak + 1));
      this.isSolved = true;
      this.say('rightMove', 'right');
      await this.show(position, [[0, action]]);
      this.next.focus();
    } else {
      this.fail();
      this.say('wrongMove', 'wrong');
      await this.show(position);
    }
  }

  fail() {
    this.isFirst = false;
    store(`streak:${this.game}`, '');
  }

  /** Show the best action. */
  async solve() {
    const { best, position } = this.puzzles[this.at];
    this.fail();
    this.isSolved = true;
    this.say('thisIsBest', '');
    await this.show(position, [[0, best]]);
  }

  /** @param {unknown} error */
  failed(error) {
    if (!(error instanceof Refused)) throw error;
    this.messages.sayText(error.message || words('noServer'));
    if (!this.main.isConnected) showPage(this.main, this.messages.live);
  }
}

applyTheme();
loadPieces();
new Puzzles();
