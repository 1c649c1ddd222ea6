/**
 * An agent's best choices in one position, with values and expected play.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./wire.js').ChoiceFound} ChoiceFound
 */
import { api, h } from './dom.js';
import { Refused } from './socket.js';
import { gameText, gameWords, words } from './words.js';

const MOST_DEEPER = 3;
const MOST_LINES = 5;
const MOST_FOLLOWING = 4;

/** @param {number} time in milliseconds */
export const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Ask for an analysis; retries when rate-limited. Resolves to null if there is none.
 * @param {Record<string, unknown>} wish @returns {Promise<import('./wire.js').AnalysisFound | null>} */
export async function analysis(wish) {
  for (let tried = 0; tried < 20; tried++) {
    try {
      return await api('/analysis', wish);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'rate_limited') return null;
      await pause(1100);
    }
  }
  return null;
}

/** A value of an agent as a plain judgement. @param {number} value from -1 to 1 */
export function judgement(value) {
  const size = Math.abs(value);
  if (size < 0.08) return words('even');
  const key = size < 0.3 ? 'slightly' : size < 0.7 ? 'clearly' : 'winning';
  return words(value > 0 ? key : /** @type {Record<string, string>} */ ({ slightly: 'slightlyBehind', clearly: 'clearlyBehind', winning: 'losing' })[key]);
}

/** What a choice leads to, in plain words: an end that is certain, or a judgement. @param {ChoiceFound} choice */
export function valueText({ value, value_words: said }) {
  const n = said.match(/^(?:win|loss|tie) in (\d+)$/)?.[1];
  return n ? words(value > 0 ? 'winIn' : value < 0 ? 'loseIn' : 'drawIn', { n }) : judgement(value);
}

/** The best choices in one position, with values and expected play. The search gets deeper while they are shown;
 * the order changes only for a clearly better choice. */
export class Lines {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.ply = -1;
    this.element = h('ol', { className: 'lines', 'aria-label': words('lines') });
    this.clear();
  }

  clear() {
    this.ply = -1;
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /** Clear the lines of an earlier position. @param {number} ply */
  keepTo(ply) {
    if (this.ply !== ply) this.clear();
  }

  /** @param {number} ply @param {import('./wire.js').AnalysisFound | null} found the first analysis, if there is one */
  async show(ply, found = null) {
    if (ply === this.ply) return;
    this.clear();
    this.ply = ply;
    /** @type {number[]} */
    let shown = [];
    for (let deeper = 0; deeper <= MOST_DEEPER; deeper++) {
      const known = deeper ? null : found;
      const next = known || (await analysis({ table: this.page.id, ply, deeper, shown }));
      if (this.ply !== ply || !next) return;
      this.draw(next.choices);
      if (next.is_final) return;
      shown = next.choices.map((choice) => choice.action);
    }
  }

  /** @param {ChoiceFound[]} choices */
  draw(choices) {
    const focused = [...this.element.children].findIndex((line) => line.contains(document.activeElement));
    this.element.replaceChildren(...choices.slice(0, MOST_LINES).map((choice) => {
      const [first, ...rest] = choice.words;
      const then = rest.slice(0, MOST_FOLLOWING).map((each) => gameText(each)).join(', ') + (rest.length > MOST_FOLLOWING ? ' …' : '');
      return h('li', {},
        h('button', { type: 'button', onclick: () => this.page.board.hint(choice.cells || []) },
          h('b', gameWords(first)), h('span', {}, valueText(choice)), h('small', {}, then)));
    }));
    this.element.hidden = false;
    if (focused >= 0) this.element.querySelectorAll('button')[focused]?.focus();
  }
}
