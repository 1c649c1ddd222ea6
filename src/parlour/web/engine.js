/**
 * The best choices in a position of the analysis board. The search gets deeper while they are shown, and the played
 * move is among them.
 * @typedef {import('./variations.js').Variation} Variation
 * @typedef {import('./wire.js').ChoiceFound} ChoiceFound
 */
import { h } from './dom.js';
import { analysis } from './lines.js';
import { gameText, gameWords, isOn, setSwitch, words } from './words.js';

const MOST_DEEPER = 3;
const MOST_LINES = 4;
const MOST_FOLLOWING = 5;

/** A value for the seat to act: how many moves to a certain end, or a number from -1 to 1. @param {ChoiceFound} choice */
function figure({ value, value_words: said }) {
  const n = said.match(/^(?:win|loss|tie) in (\d+)$/)?.[1];
  if (n) return words(value > 0 ? 'aWinIn' : value < 0 ? 'aLossIn' : 'drawIn', { n });
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
}

export class Engine {
  /** @param {{source: () => object, choose: (action: number) => void, hint: (cells: number[]) => void}} page */
  constructor(page) {
    this.page = page;
    /** @type {Variation | null} */
    this.node = null;
    this.run = 0;
    this.box = h('input', { type: 'checkbox', role: 'switch', checked: isOn('engine'), onchange: () => {
      setSwitch('engine', this.box.checked);
      this.show(this.node, true);
    } });
    this.note = h('small', { role: 'status' });
    this.list = h('ol', { className: 'lines', 'aria-label': words('lines') });
    this.element = h('section', { className: 'engine', 'aria-label': words('engine') },
      h('header', {}, h('label', { className: 'switch' }, this.box, h('b', {}, words('engine'))), this.note), this.list);
  }

  /** Analyse a position; deeper and deeper until another one is shown. @param {Variation | null} node @param {boolean} [again] */
  async show(node, again = false) {
    if (node === this.node && !again) return;
    this.node = node;
    this.run += 1;
    const { run } = this;
    this.list.replaceChildren();
    this.note.textContent = '';
    if (!node || node.actor < 0 || !this.box.checked) return;
    this.note.textContent = words('thinkingHint');
    /** @type {number[]} */
    let shown = [];
    for (let deeper = 0; deeper <= MOST_DEEPER; deeper++) {
      const played = node.children[0]?.found.action;
      const found = await analysis({ ...this.page.source(), position: node.position, deeper, shown, ...(played === undefined ? {} : { played }) });
      if (run !== this.run) return;
      if (!found) {
        if (!deeper) this.note.textContent = words('noAnalysis');
        return;
      }
      this.draw(found);
      this.note.textContent = words('depth', { n: deeper + 1, of: MOST_DEEPER + 1 });
      if (found.is_final) break;
      shown = found.choices.map((choice) => choice.action);
    }
    if (run === this.run) this.note.textContent = words('analysisDone');
  }

  /** @param {import('./wire.js').AnalysisFound} found */
  draw({ choices, played }) {
    const focused = [...this.list.children].findIndex((line) => line.contains(document.activeElement));
    const own = played?.choice;
    const best = choices.slice(0, MOST_LINES).map((each) => (each.action === own?.action ? { ...each, ...own, words: each.words } : each));
    const shown = own && !best.some(({ action }) => action === own.action) ? [...best, own] : best;
    this.list.replaceChildren(...shown.map((choice) => this.line(choice, choice.action === own?.action ? played?.mark || '' : null)));
    if (focused >= 0) this.list.querySelectorAll('button')[focused]?.focus();
  }

  /** @param {ChoiceFound} choice @param {string | null} mark of the played move; null for others */
  line(choice, mark) {
    const [first, ...rest] = choice.words;
    const then = rest.slice(0, MOST_FOLLOWING).map((each) => gameText(each)).join(', ') + (rest.length > MOST_FOLLOWING ? ' …' : '');
    const point = () => this.page.hint(choice.cells || []);
    return h('li', {}, h('button', { type: 'button', className: mark === null ? '' : 'played', onclick: () => this.page.choose(choice.action), onpointerenter: point, onfocus: point },
      h('b', gameWords(first)), mark === null ? null : h('i', {}, `${words('playedHere')}${mark ? ` ${mark}` : ''}`), h('span', { title: words('valueHelp') }, figure(choice)), h('small', {}, then)));
  }
}
