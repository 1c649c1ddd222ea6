/** The chat of a table. Names and messages are inserted as text, never as markup. */
import { h, longest } from './dom.js';
import { words } from './words.js';

export class Talk {
  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    this.list = h('ol', { className: 'said', 'aria-live': 'polite', 'aria-label': words('talk'), tabIndex: 0 });
    this.box = h('input', { type: 'text', maxLength: longest('chat'), placeholder: words('sayBox'), 'aria-label': words('sayBox'), autocomplete: 'off' });
    this.element = h('section', { className: 'talk', 'aria-label': words('talk') }, this.list,
      h('form', { className: 'move-form', onsubmit: (/** @type {Event} */ event) => this.say(event) }, this.box, h('button', { className: 'button' }, words('say'))));
    page.side.append(this.element);
  }

  /** @param {import('./wire.js').Spoken} spoken */
  receive(spoken) {
    this.add(spoken);
    const isSeen = this.list.getBoundingClientRect().bottom < innerHeight;
    if (!isSeen && spoken.seat !== this.page.game.you) this.page.messages.say(`${spoken.name}: ${spoken.text}`);
  }

  /** @param {import('./wire.js').Spoken} spoken */
  add(spoken) {
    this.list.append(h('li', {}, h('b', {}, `${spoken.name}: `), spoken.text));
    this.list.scrollTop = this.list.scrollHeight;
  }

  /** @param {import('./wire.js').Spoken[]} said */
  all(said) {
    this.list.replaceChildren();
    for (const each of said) this.add(each);
  }

  /** @param {Event} event */
  async say(event) {
    event.preventDefault();
    const text = this.box.value.trim();
    if (!text) return;
    this.box.value = '';
    if (!(await this.page.choices.request('say', { text }))) this.box.value ||= text;
  }
}
