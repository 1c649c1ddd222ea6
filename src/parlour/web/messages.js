/** What the page tells the player: short notes beside the board, and announcements for screen readers. */
import { h } from './dom.js';
import { gameWords, language } from './words.js';

/** How long a note stays, in milliseconds. */
const STAYS = 5000;
/** How many announcements stay in the document. */
const KEPT = 6;

export class Messages {
  constructor() {
    this.toast = h('div', { className: 'toast', role: 'alert' });
    this.live = h('div', { className: 'quietly', role: 'log', 'aria-live': 'polite', 'aria-relevant': 'additions' });
  }

  /** Show a short note. @param {string} text @param {boolean} [stays] @param {string} [lang] */
  say(text, stays = false, lang = language) {
    this.toast.lang = lang;
    this.toast.textContent = text;
    this.toast.classList.toggle('shown', Boolean(text));
    clearTimeout(this.timer);
    if (!stays && text) this.timer = setTimeout(() => this.say(''), STAYS);
  }

  /** Show a text that came from the server. @param {string} text */
  sayText(text) {
    const { textContent, lang } = gameWords(text);
    this.say(textContent, false, lang);
  }

  /** Announce a text to screen readers, after those that are not read yet. @param {string} text */
  announce(text) {
    if (!text) return;
    this.live.append(h('p', {}, text));
    while (this.live.children.length > KEPT) this.live.firstElementChild?.remove();
  }
}
