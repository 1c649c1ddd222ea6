/**
 * The review of a whole line: its evaluation as a graph, and the moves that lost something.
 * @typedef {import('./variations.js').Variation} Variation
 */
import { button } from './controls.js';
import { h } from './dom.js';
import { graphOf, positionAt } from './graph.js';
import { analysis } from './lines.js';
import { gameText, words } from './words.js';

export class Mistakes {
  /** @param {{tree: import('./variations.js').Tree, moves: import('./tree.js').MoveTree, go: (node: Variation) => void, board: import('./board.js').ParlourBoard}} page */
  constructor(page) {
    this.page = page;
    this.run = 0;
    this.isReviewing = false;
    /** The decisions that are judged. @type {WeakSet<Variation>} */
    this.judged = new WeakSet();
    this.note = h('p', { className: 'verdicts', role: 'status' });
    this.graph = h('div', { onclick: (/** @type {MouseEvent} */ event) => {
      const { line } = page.tree.at;
      page.go(line[positionAt(event, this.graph, line.length - 1)]);
    } });
    this.find = button('findMistakes', 'review', () => this.review());
    this.worst = button('worstMove', '', () => this.goWorst());
    this.following = button('nextMistake', '', () => this.next());
    this.element = h('section', { className: 'mistakes', 'aria-label': words('mistakes') }, this.graph, this.note, h('div', { className: 'branch' }, this.find, this.worst, this.following));
    this.clear();
  }

  /** Forget a review. */
  clear() {
    this.run += 1;
    this.isReviewing = false;
    this.note.textContent = '';
    this.graph.replaceChildren();
    for (const each of [this.worst, this.following]) each.hidden = true;
  }

  /** Judge every decision on the shown line. */
  async review() {
    this.clear();
    const { run } = this;
    this.isReviewing = true;
    this.find.hidden = true;
    const { tree } = this.page;
    const { line } = tree.at;
    const decisions = line.filter((node, at) => node.actor >= 0 && line[at + 1]);
    for (const [done, node] of decisions.entries()) {
      this.note.textContent = words('analysing', { at: done + 1, of: decisions.length });
      const next = line[line.indexOf(node) + 1];
      const found = await analysis({ ...tree.source, position: node.position, brief: true, played: next.found.action });
      if (run !== this.run) return;
      if (!found) {
        this.note.textContent = words('noAnalysis');
        this.isReviewing = false;
        this.draw();
        return;
      }
      const isFirst = tree.teams[node.actor] === tree.teams[0];
      const best = found.choices[0]?.value ?? 0;
      node.value = isFirst ? best : tree.hasTwoSides ? -best : null;
      this.judged.add(next);
      next.mark = found.played?.mark || '';
      next.lost = found.played?.lost || 0;
      this.draw();
    }
    this.page.moves.render(tree);
    this.describe(line);
    this.draw();
  }

  /** @param {Variation[]} line */
  describe(line) {
    const seats = this.page.board.scene.seats.map(({ name }, seat) => {
      const own = line.filter((node) => node.seat === seat).map(({ mark }) => mark);
      return words('verdict', { name: gameText(name), much: own.filter((mark) => mark === '??').length, some: own.filter((mark) => mark === '?').length });
    });
    this.note.textContent = seats.join(' ');
    this.worst.hidden = this.following.hidden = !line.some(({ mark }) => mark);
    this.isReviewing = false;
  }

  /** Go to the move that lost most. */
  goWorst() {
    const [worst] = [...this.page.tree.at.line].sort((a, b) => b.lost - a.lost);
    if (worst?.lost) this.page.go(worst);
  }

  /** Go to the next marked move, or to the first one. */
  next() {
    const { at } = this.page.tree;
    const marked = at.line.filter(({ mark }) => mark);
    const next = marked.find((node) => at.line.indexOf(node) > at.line.indexOf(at)) || marked[0];
    if (next) this.page.go(next);
  }

  draw() {
    const { at } = this.page.tree;
    const { line } = at;
    this.find.hidden = this.isReviewing || !line.some((node) => node.seat >= 0 && !this.judged.has(node));
    if (!line.some((node) => node.value !== null && node.actor >= 0)) {
      this.graph.replaceChildren();
      return;
    }
    const marks = line.flatMap(({ mark }, place) => (mark ? [{ at: place, mark }] : []));
    const name = gameText(this.page.board.scene.seats[0]?.name || '');
    this.graph.replaceChildren(graphOf(line.map(({ value }) => value), { label: words('graph', { name }), at: line.indexOf(at), marks }));
  }
}
