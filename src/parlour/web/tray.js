/**
 * The tray below the board: pieces, buttons for the piece in hand, direction buttons, and actions without cells.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./scene.js').Action} Action
 */
import { svg } from './drawing.js';
import { h } from './dom.js';
import { handColour } from './scene.js';
import { gameText, gameWords, words } from './words.js';

/** @param {import('./picker.js').Shape} shape @param {string} colour */
function pieceIcon(shape, colour) {
  const rows = 1 + Math.max(...shape.map(([row]) => row));
  const cols = 1 + Math.max(...shape.map(([, col]) => col));
  const size = Math.max(rows, cols, 4);
  const icon = svg('svg', { viewBox: `${(cols - size) / 2 - 0.1} ${(rows - size) / 2 - 0.1} ${size + 0.2} ${size + 0.2}`, class: `c-${colour}`, 'aria-hidden': 'true' });
  for (const [row, col] of shape) icon.append(svg('rect', { x: col + 0.03, y: row + 0.03, width: 0.94, height: 0.94, rx: 0.12 }));
  return icon;
}

const ARROWS = { up: '↑', left: '←', down: '↓', right: '→' };

export class Tray {
  /** @param {ParlourBoard} board @param {() => boolean} isConfirming */
  constructor(board, isConfirming) {
    this.board = board;
    this.isConfirming = isConfirming;
    this.element = h('div', { className: 'tray' });
    this.pieces = h('div', { className: 'pieces', role: 'group', 'aria-label': words('pieces') });
    this.hand = h('div', { className: 'hand' });
    /** @type {unknown} */
    this.actions = null;
    this.premove = false;
    this.handKey = '';
    board.addEventListener('hand', () => this.update());
  }

  /** Show the current actions. */
  update() {
    const { picker, scene } = this.board;
    if (this.actions !== scene.actions || this.premove !== this.board.isPremove) this.rebuild();
    for (const each of this.pieces.children) {
      const isTaken = /** @type {HTMLElement} */ (each).dataset.group === picker.group;
      each.setAttribute('aria-pressed', String(isTaken));
    }
    this.element.classList.toggle('has-pieces', picker.byGroup.size > 0);
    this.showHand();
  }

  rebuild() {
    const { picker, scene } = this.board;
    this.actions = scene.actions;
    this.premove = this.board.isPremove;
    const colour = handColour(scene);
    const scroll = this.pieces.scrollLeft;
    this.pieces.replaceChildren(...picker.groups.map((group) => {
      const places = picker.byGroup.get(group);
      const cells = places ? [...places.values()][0].cells : [];
      const shape = this.board.orientations.get(group) || picker.shapeOf(cells);
      const made = h('button', {
        type: 'button',
        className: 'piece',
        'aria-pressed': 'false',
        'aria-label': words('piece', { name: group, n: cells.length }),
        title: group,
        onclick: () => this.board.take(group),
      });
      made.dataset.group = group;
      made.append(pieceIcon(shape, colour));
      return made;
    }));
    this.pieces.scrollLeft = scroll;
    const compass = picker.compass();
    const parts = [];
    if (picker.byGroup.size) parts.push(this.pieces, this.hand);
    else if (compass) parts.push(this.pad(compass));
    if (picker.byName.length) {
      parts.push(h('div', { className: 'named' }, ...picker.byName.map((view) =>
        h('button', { type: 'button', className: 'button', ...gameWords(view.text), onclick: () => this.board.choose(view) }))));
    }
    if (!picker.byGroup.size) parts.push(this.hand);
    const had = this.element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.way : '';
    this.element.replaceChildren(...parts);
    if (had) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-way="${had}"]`))?.focus();
  }

  /** @param {NonNullable<ReturnType<import('./picker.js').Picker['compass']>>} compass */
  pad(compass) {
    return h('div', { className: 'pad', role: 'group', 'aria-label': words('steps') },
      .../** @type {('up' | 'down' | 'left' | 'right')[]} */ (Object.keys(ARROWS)).map((way) => {
        const view = compass.ways[this.board.seen(way)];
        const made = h('button', {
          type: 'button',
          className: `button way ${way}`,
          'aria-label': gameText(view?.text || way),
          'aria-disabled': String(!view),
          onclick: () => view && this.board.choose(view),
        }, ARROWS[way]);
        made.dataset.way = way;
        return made;
      }));
  }

  /** Show the buttons for the piece in hand, or for a move to confirm. */
  showHand() {
    const { picker, ghost, pending } = this.board;
    const button = (/** @type {string} */ key, /** @type {() => void} */ act, name = '') =>
      h('button', { type: 'button', className: `button ${name}`, onclick: act }, words(key));
    /** @type {HTMLElement[]} */
    let wanted = [];
    if (pending && this.isConfirming()) {
      wanted = [button('confirm', () => this.board.emit('confirm', { action: pending }), 'main'), button('cancel', () => this.board.unchoose())];
    } else if (picker.group) {
      const place = button('place', () => this.board.placeGhost(), 'main');
      place.setAttribute('aria-disabled', String(!ghost?.action));
      wanted = [button('rotate', () => this.board.change('turn')), button('mirror', () => this.board.change('flip')), place, button('cancel', () => this.board.putBack())];
    } else {
      const same = picker.choices();
      wanted = same.map((view) => h('button', { type: 'button', className: 'button', ...gameWords(view.text), onclick: () => this.board.choose(view) }));
    }
    const key = wanted.map((each) => each.textContent).join('|');
    if (key === this.handKey && key) {
      // The buttons are the same: keep the focus and update whether the piece fits.
      wanted.forEach((each, at) => {
        const old = this.hand.children[at];
        if (each.ariaDisabled !== null) old.setAttribute('aria-disabled', String(each.ariaDisabled));
      });
      if (!pending) return;
    }
    this.handKey = key;
    const had = this.hand.contains(document.activeElement);
    this.hand.replaceChildren(...wanted);
    if (had) /** @type {HTMLElement | undefined} */ (wanted[0])?.focus();
  }
}
