/**
 * The player's choices: actions, premoves and requests, by pointer, key or text.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./scene.js').Action} Action
 */
import { onBoard } from './geometry.js';
import { ARROW_KEYS, onLetter } from './keys.js';
import { Refused } from './socket.js';
import { isOn, words } from './words.js';

/** Milliseconds before a move that is not stored yet is marked as such. */
const SLOW = 1500;

export class Choices {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    /** The action that the server has not acknowledged. @type {Action | null} */
    this.unsent = null;
    this.isSending = false;
    this.premoveText = '';
  }

  /** @param {Action} action */
  chosen(action) {
    const { game, tray } = this.page;
    if (!game.isYours) {
      if (game.status === 'playing' && game.you !== null) this.setPremove(action);
      return;
    }
    if (isOn('confirm')) tray?.update();
    else this.commit(action);
  }

  /** Play an action; it is kept until the server has acknowledged it. @param {Action} action */
  async commit(action) {
    const { board, connection, game, messages, tray } = this.page;
    this.unsent = action;
    this.isSending = true;
    board.pending = action;
    tray?.update();
    const note = setTimeout(() => messages.say(words('storing'), true), SLOW);
    try {
      await connection.ask('play', { ply: game.ply, action: action.id }, true);
      messages.say('');
    } catch (error) {
      this.failed(error);
    } finally {
      clearTimeout(note);
      this.isSending = false;
      this.unsent = null;
      if (board.pending === action && game.isYours) {
        board.pending = null;
        board.drawMarks();
        tray?.update();
      }
    }
  }

  /** @param {Action | null} action */
  async setPremove(action) {
    const { board, game } = this.page;
    this.premoveText = action?.text || '';
    if (!(await this.request('premove', { action: action && action.id })) || game.isYours) return;
    board.pending = action;
    board.drawMarks();
  }

  /** @param {string} t @param {object} body @returns {Promise<boolean>} whether the server accepted it */
  async request(t, body) {
    try {
      const { page } = this;
      // Offers need the consent of the others, who may sit at the same device.
      await (page.pass && t in page.game.offers ? page.pass.agree(page, t) : page.connection.ask(t, body, true));
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof Refused) {
      if (error.message) this.page.messages.sayText(error.message);
    } else throw error;
  }

  /** Handle a key that the board has not handled. @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { board, game, parts } = this.page;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest('input, select, textarea, dialog')) return;
    const way = ARROW_KEYS[event.key];
    const key = event.key.toLowerCase();
    const step = way && game.isYours ? board.compass?.ways[onBoard(way, board.turn)] : null;
    if (parts.review?.isPast && (way === 'left' || way === 'right')) parts.review.by(way === 'left' ? -1 : 1);
    else if (step) board.choose(step);
    else if (way && game.status === 'over' && (way === 'left' || way === 'right')) parts.withReview((review) => review.by(way === 'left' ? -1 : 1));
    else if (key === 'm') this.page.openMoveBox();
    else if (!board.contains(target) && board.picker.group && onLetter(board, key)) {
      // Handled: the piece in hand is rotated wherever the focus is.
    } else if (event.key === 'Escape' && board.picker.group) board.hand.putBack();
    else if (event.key === 'Enter' && board.ghost && !target.closest('button, a')) board.hand.place();
    else return;
    event.preventDefault();
  }
}
