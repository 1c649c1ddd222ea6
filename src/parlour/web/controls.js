/**
 * The buttons below the board: hints, offers, resignation, and the next steps after a game.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { h } from './dom.js';
import { icon } from './drawing.js';
import { words } from './words.js';

/** A button, with an icon if `sign` names one. @param {string} key @param {string} sign @param {() => void} act */
export const button = (key, sign, act, name = '') =>
  h('button', { type: 'button', className: `button ${name}`, onclick: act }, sign ? icon(sign) : null, words(key));

/** A button that is only an icon. @param {string} key @param {string} sign @param {() => void} act */
export const iconButton = (key, sign, act) =>
  h('button', { type: 'button', className: 'icon', 'aria-label': words(key), title: words(key), onclick: act }, icon(sign));

/** @typedef {{key: string, sign: string, act: () => void, name?: string, href?: string}} Control */

export class Controls {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.element = h('div', { className: 'controls' });
    this.shown = '';
  }

  render() {
    const { page, page: { game } } = this;
    const wanted = game.status === 'over' ? this.afterGame() : game.you !== null && game.status === 'playing' ? this.duringGame() : [];
    if (game.scene && game.you !== null && !game.isAlone && !page.pass && game.welcome?.chat && !page.parts.talk) {
      wanted.push({ key: 'talk', sign: 'talk', act: () => page.parts.withTalk((talk) => talk.box.focus()) });
    }
    const shown = wanted.map(({ key, href = '' }) => key + href).join('|');
    if (shown === this.shown) return;
    this.shown = shown;
    this.element.replaceChildren(...wanted.map(({ key, sign, act, name = '', href }) => (href === undefined ? button(key, sign, act, name)
      : h('a', { className: `button ${name}`, href, onclick: (/** @type {Event} */ event) => {
        event.preventDefault();
        act();
      } }, words(key)))));
  }

  /** @param {string} t */
  ask(t) {
    return () => {
      this.page.choices.request(t, {});
    };
  }

  /** @returns {Control[]} */
  duringGame() {
    const { page, page: { game } } = this;
    /** @type {Control[]} */
    const made = [];
    if (game.premove !== null && !game.isYours) made.push({ key: 'cancelPremove', sign: 'cancel', act: () => page.choices.setPremove(null), name: 'main' });
    if (game.isAlone) made.push({ key: 'hint', sign: 'hint', act: () => page.parts.withAssist((assist) => assist.hint(page)) });
    if (!game.offers.takeback.length && game.history.some((event) => event.seat === game.you || (page.pass && event.seat in page.pass.tokens))) made.push({ key: 'takeback', sign: 'undo', act: this.ask('takeback') });
    if (!game.offers.draw.length && !game.isAlone && game.welcome?.can_draw) made.push({ key: 'draw', sign: 'draw', act: this.ask('draw') });
    made.push({ key: 'resign', sign: 'flag', act: () => confirm(words('resignSure')) && this.ask('resign')() });
    return made;
  }

  /** @returns {Control[]} */
  afterGame() {
    const { page, page: { game } } = this;
    /** @type {Control[]} */
    const made = [];
    if (game.rematch) made.push({ key: 'nextGame', sign: '', act: () => page.parts.follow(), name: 'main', href: `/t/${game.rematch}` });
    else if (game.you !== null && !game.offers.rematch.length) made.push({ key: 'rematch', sign: 'rematch', act: this.ask('rematch'), name: 'main' });
    made.push({ key: 'review', sign: 'review', act: () => page.parts.withReview((review) => review.go(0)) });
    if (game.ply && !(page.pass?.hides)) {
      const href = `/analysis?table=${page.id}`;
      made.push({ key: 'analysisBoard', sign: '', act: () => location.assign(`${href}&ply=${page.parts.review?.isPast ? page.parts.review.at : 0}`), href });
    }
    made.push({ key: 'newGame', sign: '', act: () => location.assign('/'), href: '/' });
    return made;
  }
}
