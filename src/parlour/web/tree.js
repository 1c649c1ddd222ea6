/**
 * The moves of an analysis: the main line, and its variations as nested lists.
 * @typedef {import('./variations.js').Variation} Variation
 */
import { h } from './dom.js';
import { gameText, gameWords, words } from './words.js';

export class MoveTree {
  /** @param {(node: Variation) => void} go */
  constructor(go) {
    this.go = go;
    /** @type {Map<Variation, HTMLElement>} */
    this.buttons = new Map();
    this.element = h('div', { className: 'tree', role: 'group', 'aria-label': words('moves') });
  }

  /** @param {import('./variations.js').Tree} tree */
  render({ root, at }) {
    const had = this.element.contains(document.activeElement);
    this.buttons.clear();
    this.element.replaceChildren(...(root.children.length ? [this.line(root)] : [h('p', { className: 'none' }, words('noMovesYet'))]));
    if (root.comment) this.element.prepend(h('p', { className: 'comment' }, root.comment));
    this.mark(at);
    if (had) this.buttons.get(at)?.focus({ preventScroll: true });
  }

  /** Mark the position that is shown. @param {Variation} node */
  mark(node) {
    for (const [each, button] of this.buttons) {
      if (each === node) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
    }
    const button = this.buttons.get(node);
    if (button) this.element.scrollTo({ top: button.offsetTop - this.element.clientHeight / 2 });
    else if (!node.parent) this.element.scrollTo({ top: 0 });
  }

  /** The line that starts with a child of a position. @param {Variation} parent @param {Variation} [first] */
  line(parent, first = parent.children[0]) {
    const list = h('ol', {});
    /** @type {Variation | undefined} */
    let node = first;
    for (; node; node = node.children[0]) {
      const item = h('li', {}, this.button(node));
      if (node.comment) item.append(h('span', { className: 'comment' }, node.comment));
      const others = node.parent?.children[0] === node ? node.parent.children.slice(1) : [];
      for (const other of others) {
        item.append(h('div', { className: 'variation', role: 'group', 'aria-label': words('variation') }, this.line(parent, other)));
      }
      list.append(item);
    }
    return list;
  }

  /** @param {Variation} node */
  button(node) {
    const { found: { words: said = '', text = '' }, mark, number, seat } = node;
    const isChance = seat === -1;
    const made = h('button', { type: 'button', className: isChance ? 'chance' : '', onclick: () => this.go(node) },
      isChance ? null : h('small', {}, `${number}.`),
      isChance ? h('small', {}, gameText(said).slice(gameText(said).lastIndexOf(': ') + 1).trim()) : h('span', gameWords(said || text)));
    if (mark) made.append(h('b', { className: mark === '??' ? 'blunder' : 'mistake', title: words(mark === '??' ? 'blunder' : 'mistake') }, mark));
    this.buttons.set(node, made);
    return made;
  }
}
