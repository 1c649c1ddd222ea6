/**
 * The list of moves. An entry is one move with the chance events that it caused.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./game.js').Entry} Entry
 */
import { h } from './dom.js';
import { gameText, gameWords, words } from './words.js';

export class MoveList {
  /** @param {(ply: number) => void} go shows the position after a ply */
  constructor(go) {
    this.element = h('ol', { className: 'history', 'aria-label': words('moves'), onclick: (/** @type {Event} */ event) => {
      const entry = /** @type {HTMLElement} */ (event.target).closest('li');
      if (entry) go(Number(entry.dataset.ply));
    } });
    /** The entry that is shown, or -1 for the current position. */
    this.at = -1;
    new ResizeObserver(() => this.scroll()).observe(this.element);
  }

  /** @param {Entry[]} entries @param {string[]} colours of the seats; empty for a seat of several colours */
  render(entries, colours) {
    const { element } = this;
    while (element.children.length > entries.length) element.lastElementChild?.remove();
    entries.forEach((entry, at) => {
      const key = entry.events.map(({ v, words: said, text }) => `${v} ${said || text || ''}`).join(' ') + colours[entry.seat];
      const old = /** @type {HTMLElement | undefined} */ (element.children[at]);
      if (old?.dataset.key === key) return;
      const made = item(entry, colours[entry.seat]);
      made.dataset.key = key;
      made.dataset.ply = String(entry.ply);
      if (entry.seat >= 0) made.dataset.seat = String(entry.seat);
      if (old) old.replaceWith(made);
      else element.append(made);
    });
    this.scroll();
  }

  /** Mark the entry of the position that is shown. @param {number} ply -1 for the current position */
  mark(ply) {
    this.at = -1;
    for (const [at, each] of [...this.element.children].entries()) {
      const isShown = Number(/** @type {HTMLElement} */ (each).dataset.ply) === ply;
      if (isShown) {
        this.at = at;
        each.firstElementChild?.setAttribute('aria-current', 'step');
      } else each.firstElementChild?.removeAttribute('aria-current');
    }
    this.scroll();
  }

  /** Scroll to the entry that is shown. */
  scroll() {
    const { element } = this;
    const shown = /** @type {HTMLElement | undefined} */ (element.children[this.at]);
    if (shown) element.scrollTo(shown.offsetLeft - element.clientWidth / 2, shown.offsetTop - element.clientHeight / 2);
    else element.scrollTo(element.scrollWidth, element.scrollHeight);
  }
}

/** @param {Entry} entry @param {string | undefined} colour */
function item({ events: [first, ...then] }, colour) {
  // In `c2xc3: captures the red pawn` the move comes first, and what follows explains it.
  const { textContent, lang } = gameWords(first.words || first.text || '…');
  const [move, ...more] = textContent.split(': ');
  const button = h('button', { type: 'button', title: textContent }, colour ? h('i', { className: `dot c-${colour}`, 'aria-hidden': 'true' }) : null,
    h('span', { lang }, move, more.length ? h('small', {}, ` ${more.join(': ')}`) : null));
  for (const { words: text } of then) {
    // `flipped c2: red pawn` repeats the move before the colon.
    const said = gameText(text);
    button.append(' ', h('small', {}, said.slice(said.lastIndexOf(': ') + 1).trim()));
  }
  return h('li', {}, button);
}
