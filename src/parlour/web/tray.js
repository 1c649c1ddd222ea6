/**
 * The tray below the board: pieces, buttons for the piece in hand, direction buttons, and actions without cells.
 * Pieces that cannot be placed now stay in it, greyed. A piece is taken by a press or dragged to the board.
 * @typedef {import('./board.js').ParlourBoard} ParlourBoard
 * @typedef {import('./game.js').Game} Game
 * @typedef {import('./scene.js').Action} Action
 * @typedef {{name: string, shape: import('./picker.js').Shape | null}} Item
 */
import { button, iconButton } from './controls.js';
import { h } from './dom.js';
import { icon } from './drawing.js';
import { onBoard } from './geometry.js';
import { pieceIcon, piecesOf } from './pieces.js';
import { DRAG_FROM } from './pointer.js';
import { handColour } from './scene.js';
import { gameText, gameWords, words } from './words.js';

const WAYS = /** @type {const} */ (['up', 'left', 'down', 'right']);

export class Tray {
  /** @param {ParlourBoard} board @param {Game} game @param {() => boolean} isConfirming */
  constructor(board, game, isConfirming) {
    this.board = board;
    this.game = game;
    this.isConfirming = isConfirming;
    this.element = h('div', { className: 'tray' });
    this.pieces = h('div', { className: 'pieces', role: 'group', 'aria-label': words('pieces') });
    this.hand = h('div', { className: 'hand' });
    this.pad = h('div', { className: 'pad', role: 'group', 'aria-label': words('steps'), onclick: (/** @type {Event} */ event) => this.onPad(event) },
      ...WAYS.map((way) => {
        const made = h('button', { type: 'button', className: `button way ${way}` }, icon('arrow'));
        made.dataset.way = way;
        return made;
      }));
    this.rotate = button('rotate', 'rotate', () => board.hand.change('turn'));
    this.mirror = button('mirror', 'mirror', () => board.hand.change('flip'));
    this.place = button('place', 'place', () => board.hand.place(), 'main');
    this.back = iconButton('cancel', 'cancel', () => board.hand.putBack());
    this.drawnKey = '';
    this.handKey = '';
    /** A press on a piece that may become a drag. @type {{id: number, x: number, y: number, group: string, drags: boolean} | null} */
    this.press = null;
    /** The piece that was dragged, so that the click after it is ignored. */
    this.dragged = false;
    board.addEventListener('hand', () => this.update());
    this.pieces.addEventListener('click', (event) => this.onClick(event));
    this.pieces.addEventListener('pointerdown', (event) => this.onDown(event));
    this.pieces.addEventListener('pointermove', (event) => this.onMove(event));
    this.pieces.addEventListener('pointerup', (event) => this.onUp(event));
    this.pieces.addEventListener('pointercancel', () => this.stopDrag());
  }

  /** The viewer's pieces: those in its tray, otherwise those that actions place. @returns {Item[]} */
  items() {
    const { picker, scene } = this.board;
    const colour = handColour(scene);
    const own = this.game.you === null ? [] : piecesOf(scene, this.game.you).filter((piece) => piece.shape);
    const sameColour = own.filter((piece) => piece.colour === colour);
    const items = /** @type {Item[]} */ (sameColour.length ? sameColour : own);
    const known = new Set(items.map(({ name }) => name));
    for (const [name, places] of picker.byGroup) {
      if (!known.has(name)) items.push({ name, shape: picker.shapeOf([...places.values()][0].cells) });
    }
    return items;
  }

  /** Show the current actions. */
  update() {
    const { picker, scene } = this.board;
    const items = this.game.status === 'over' ? [] : this.items();
    const colour = handColour(scene);
    const key = JSON.stringify([colour, items.map(({ name }) => name), [...picker.byGroup.keys()], picker.byName.map(({ id }) => id),
      Boolean(this.board.compass), this.board.isPremove]);
    if (key !== this.drawnKey) this.rebuild(items, colour);
    this.drawnKey = key;
    if (this.board.compass) this.updatePad(this.board.compass);
    for (const each of this.pieces.children) {
      each.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (each).dataset.group === picker.group));
    }
    this.element.classList.toggle('has-pieces', items.length > 0);
    this.showHand(items.length > 0);
  }

  /** @param {Item[]} items @param {string} colour */
  rebuild(items, colour) {
    const { board: { picker, hand, compass } } = this;
    const scroll = this.pieces.scrollLeft;
    this.pieces.replaceChildren(...items.map(({ name, shape }) => {
      const fits = picker.byGroup.has(name);
      const drawn = hand.orientations.get(name) || shape || [];
      const label = words(fits ? 'piece' : 'pieceNot', { name, n: drawn.length });
      const made = h('button', { type: 'button', className: 'piece', 'aria-pressed': 'false', 'aria-disabled': String(!fits), 'aria-label': label, title: label });
      made.dataset.group = name;
      made.append(pieceIcon(drawn, colour));
      return made;
    }));
    const parts = [];
    if (items.length) parts.push(this.pieces, this.hand);
    else if (compass) parts.push(this.pad);
    if (picker.byName.length) {
      parts.push(h('div', { className: 'named' }, ...picker.byName.map((view) =>
        h('button', { type: 'button', className: 'button', ...gameWords(view.text), onclick: () => this.board.choose(view) }))));
    }
    if (!items.length) parts.push(this.hand);
    this.element.replaceChildren(...parts);
    this.pieces.scrollLeft = scroll;
  }

  /** Show the steps that are possible on the direction buttons. @param {NonNullable<ParlourBoard['compass']>} compass */
  updatePad(compass) {
    for (const each of this.pad.children) {
      const way = /** @type {import('./geometry.js').Direction} */ (/** @type {HTMLElement} */ (each).dataset.way);
      const view = compass.ways[onBoard(way, this.board.turn)];
      each.setAttribute('aria-label', gameText(view?.text || way));
      each.setAttribute('aria-disabled', String(!view));
    }
  }

  /** Step in the direction of a button. @param {Event} event */
  onPad(event) {
    const way = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('.way'))?.dataset.way;
    const view = way && this.board.compass?.ways[onBoard(/** @type {import('./geometry.js').Direction} */ (way), this.board.turn)];
    if (view) this.board.choose(view);
  }

  /** Show the buttons for the piece in hand, or for a move to confirm. @param {boolean} hasPieces */
  showHand(hasPieces) {
    const { picker, ghost, pending } = this.board;
    /** @type {HTMLElement[]} */
    let wanted = [];
    let key = '';
    if (pending && this.isConfirming() && this.game.isYours) {
      key = `confirm ${pending.id}`;
      wanted = [button('confirm', 'place', () => this.board.emit('confirm', { action: pending }), 'main'), button('cancel', 'cancel', () => this.board.unchoose())];
    } else if (hasPieces) {
      // The buttons stay when nothing is in hand, so that no other button moves to their place.
      key = 'piece';
      for (const each of [this.rotate, this.mirror, this.back]) each.setAttribute('aria-disabled', String(!picker.group));
      this.place.setAttribute('aria-disabled', String(!ghost?.action));
      wanted = [this.rotate, this.mirror, this.place, this.back];
    } else {
      const same = picker.choices();
      key = same.map(({ id }) => id).join(' ');
      wanted = same.map((view) => h('button', { type: 'button', className: 'button', ...gameWords(view.text), onclick: () => this.board.choose(view) }));
    }
    if (key === this.handKey) return;
    this.handKey = key;
    const had = this.hand.contains(document.activeElement);
    this.hand.replaceChildren(...wanted);
    if (had) wanted[0]?.focus();
  }

  // Taking and dragging pieces.

  /** @param {Event} event */
  groupAt(event) {
    return /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest('.piece'))?.dataset.group || '';
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const group = this.groupAt(event);
    if (group && !this.dragged) this.board.hand.take(group);
    this.dragged = false;
  }

  /** @param {PointerEvent} event */
  onDown(event) {
    const group = this.groupAt(event);
    this.dragged = false;
    if (event.button === 0 && this.board.picker.byGroup.has(group)) this.press = { id: event.pointerId, x: event.clientX, y: event.clientY, group, drags: false };
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { board, press } = this;
    if (!press || press.id !== event.pointerId) return;
    if (!press.drags && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 2 * DRAG_FROM) {
      press.drags = true;
      this.dragged = true;
      this.pieces.setPointerCapture(event.pointerId);
      if (board.picker.group !== press.group) {
        board.hand.pick(press.group);
        if (!board.picker.fits()) board.picker.step(board.cursor, 1);
      }
    }
    if (press.drags) board.hand.hold(event);
  }

  /** Drop the piece: a mouse places it, a finger leaves it for a tap on Place. @param {PointerEvent} event */
  onUp(event) {
    const { board, press } = this;
    this.press = null;
    if (!press?.drags || press.id !== event.pointerId) return;
    const box = board.getBoundingClientRect();
    const isOver = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!isOver) board.hand.putBack();
    else if (event.pointerType === 'mouse' && board.ghost?.action) board.hand.place();
  }

  stopDrag() {
    if (this.press?.drags) this.board.hand.putBack();
    this.press = null;
  }
}
