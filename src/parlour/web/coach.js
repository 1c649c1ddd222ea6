/**
 * The first steps of a new player, once for each game: sentences beside the board, and the cells they are about.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {{text: string, cells?: number[]}} Step
 */
import { iconButton } from './controls.js';
import { h } from './dom.js';
import { gameWords, store, words } from './words.js';

/** Start the coach, if the game has one. @param {TablePage} page */
export async function startCoach(page) {
  const answer = await page.connection.ask('coach', {}).catch(() => null);
  if (answer?.steps.length && !page.main.querySelector('.coach')) new Coach(page, answer.steps, `coached:${page.game.welcome?.game}`);
}

class Coach {
  /** @param {TablePage} page @param {Step[]} steps @param {string} name under which it is remembered */
  constructor(page, steps, name) {
    this.page = page;
    this.steps = steps;
    this.name = name;
    this.at = 0;
    this.text = h('p', { 'aria-live': 'polite' });
    this.dots = h('span', { className: 'dots', 'aria-hidden': 'true' }, ...steps.map(() => h('i', {})));
    this.back = h('button', { type: 'button', className: 'button', onclick: () => this.go(this.at - 1) }, words('stepBack'));
    this.next = h('button', { type: 'button', className: 'button main', onclick: () => this.go(this.at + 1) });
    this.element = h('section', { className: 'coach', 'aria-label': words('coach') },
      this.text, iconButton('skipCoach', 'cancel', () => this.end()),
      h('div', { className: 'row' }, this.dots, this.back, this.next));
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation(); // it would put a piece back, too
      this.end();
    });
    this.onChoose = () => this.end();
    page.board.addEventListener('choose', this.onChoose);
    page.main.append(this.element);
    this.go(0);
    // Beside the board, or at the lower edge of the screen if the board ends above it.
    const room = innerHeight - page.stage.getBoundingClientRect().bottom;
    this.element.classList.toggle('docked', room > this.element.offsetHeight);
  }

  /** Show a step; after the last one, end. @param {number} at */
  go(at) {
    if (at >= this.steps.length) {
      this.end();
      return;
    }
    this.at = at;
    const { text, cells } = this.steps[at];
    Object.assign(this.text, gameWords(text));
    [...this.dots.children].forEach((dot, each) => dot.classList.toggle('on', each <= at));
    this.back.hidden = at === 0;
    this.next.textContent = words(at === this.steps.length - 1 ? 'stepPlay' : 'stepNext');
    this.page.board.light(cells || []);
  }

  end() {
    store(this.name, 'yes');
    this.page.board.removeEventListener('choose', this.onChoose);
    this.page.board.light([]);
    const { board } = this.page;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    if (hadFocus) board.cellElements.get(board.cursor)?.focus({ preventScroll: true });
  }
}
