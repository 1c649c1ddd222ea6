/**
 * Review of a game: step through its positions; after the game, show an agent's evaluation as a graph and as
 * lines of play.
 * @typedef {import('./table.js').TablePage} TablePage
 * @typedef {import('./wire.js').ChoiceFound} ChoiceFound
 */
import { api, h } from './dom.js';
import { svg } from './drawing.js';
import { sceneOf } from './scene.js';
import { Refused } from './socket.js';
import { gameText, gameWords, sentenceOf, words } from './words.js';

const GRAPH_LEVEL = 3;
const MOST_DEEPER = 3;
const MOST_LINES = 5;
const MOST_FOLLOWING = 4;

/** @param {number} time in milliseconds */
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Ask for an analysis; retries when rate-limited. Resolves to null if there is none.
 * @param {Record<string, unknown>} wish @returns {Promise<import('./wire.js').AnalysisFound | null>} */
async function analysis(wish) {
  for (let tried = 0; tried < 20; tried++) {
    try {
      return await api('/analysis', wish);
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'rate_limited') return null;
      await pause(1100);
    }
  }
  return null;
}

/** The best choices in one position, with values and expected play. The search gets deeper while they are shown;
 * the order changes only for a clearly better choice. */
export class Lines {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.ply = -1;
    this.element = h('ol', { className: 'lines', 'aria-label': words('lines') });
    this.clear();
  }

  clear() {
    this.ply = -1;
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /** Clear the lines of an earlier position. @param {number} ply */
  keepTo(ply) {
    if (this.ply !== ply) this.clear();
  }

  /** @param {number} ply @param {import('./wire.js').AnalysisFound | null} found the first analysis, if there is one */
  async show(ply, found = null) {
    if (ply === this.ply) return;
    this.clear();
    this.ply = ply;
    /** @type {number[]} */
    let shown = [];
    for (let deeper = 0; deeper <= MOST_DEEPER; deeper++) {
      const known = deeper ? null : found;
      const next = known || (await analysis({ table: this.page.id, ply, deeper, shown }));
      if (this.ply !== ply || !next) return;
      this.draw(next.choices);
      if (next.is_final) return;
      shown = next.choices.map((choice) => choice.action);
    }
  }

  /** @param {ChoiceFound[]} choices */
  draw(choices) {
    const focused = [...this.element.children].findIndex((line) => line.contains(document.activeElement));
    this.element.replaceChildren(...choices.slice(0, MOST_LINES).map((choice) => {
      const [first, ...rest] = choice.words;
      const then = rest.slice(0, MOST_FOLLOWING).map((each) => gameText(each)).join(', ') + (rest.length > MOST_FOLLOWING ? ' …' : '');
      return h('li', {},
        h('button', { type: 'button', onclick: () => this.page.board.hint(choice.cells || []) },
          h('b', gameWords(first)), h('span', {}, choice.value_words), h('small', {}, then)));
    }));
    this.element.hidden = false;
    if (focused >= 0) this.element.querySelectorAll('button')[focused]?.focus();
  }
}

export class Review {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.at = -1;
    /** @type {Map<number, import('./scene.js').Scene>} */
    this.scenes = new Map();
    /** @type {(number | null)[]} */
    this.values = [];
    const button = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {() => void} */ act) =>
      h('button', { type: 'button', className: 'icon', 'aria-label': words(key), title: words(key), onclick: act }, sign);
    this.slider = h('input', { type: 'range', min: '0', step: '1', 'aria-label': words('moves'), oninput: () => this.go(Number(this.slider.value)) });
    this.note = h('div', { className: 'past-note' });
    this.row = h('div', { className: 'review-row' },
      button('first', '«', () => this.go(0)), button('previous', '‹', () => this.by(-1)), this.slider,
      button('next', '›', () => this.by(1)), button('last', '»', () => this.go(this.most)));
    this.insight = h('div', {});
    this.lines = new Lines(page);
    this.element = h('section', { className: 'review', 'aria-label': words('moves') }, this.row, this.note, this.insight, this.lines.element);
    page.side?.prepend(this.element);
    this.update();
  }

  get most() {
    return this.page.game.ply;
  }

  get isPast() {
    return this.at >= 0;
  }

  /** @param {number} by */
  by(by) {
    this.go((this.isPast ? this.at : this.most) + by);
  }

  /** Show the position after `ply` actions. @param {number} ply */
  async go(ply) {
    const at = Math.max(0, Math.min(this.most, Number.isFinite(ply) ? Math.floor(ply) : 0));
    const isOver = this.page.game.status === 'over';
    this.at = at === this.most && !isOver ? -1 : at;
    this.update();
    if (!this.isPast) {
      this.page.render(false);
      return;
    }
    let scene = this.scenes.get(at);
    if (!scene) {
      // A slider passes many positions; load only the one where it stops.
      await pause(50);
      if (this.at !== at) return;
      try {
        const found = await api(`/tables/${this.page.id}?ply=${at}`);
        scene = sceneOf(found.scene);
        if (at < this.most) this.scenes.set(at, scene);
      } catch (error) {
        this.page.failed(error);
        return;
      }
    }
    if (this.at !== at) return;
    const played = this.page.game.history.find((event) => event.ply === at);
    this.page.board.show({ ...scene, actions: [] }, { last: played?.cells || [], animate: true });
    this.page.tray?.update();
    if (this.page.live) this.page.live.textContent = played ? sentenceOf(played) : words('start');
    this.showLines();
  }

  /** Show the alternatives in this position, if the player has asked for an analysis. */
  showLines() {
    const acted = this.page.game.history.find((event) => event.ply === this.at + 1);
    if (this.values.length && this.isPast && (acted?.seat ?? -1) >= 0) this.lines.show(this.at);
    else this.lines.clear();
  }

  /** Return to the current position. */
  leave() {
    this.at = -1;
    this.update();
    this.page.render(false);
  }

  update() {
    const { game, history } = this.page;
    const at = this.isPast ? this.at : this.most;
    this.slider.max = String(this.most);
    this.slider.value = String(at);
    this.slider.setAttribute('aria-valuetext', words('past', { at, of: this.most }));
    const isOver = game.status === 'over';
    this.note.replaceChildren(h('span', {}, words('past', { at, of: this.most })));
    if (this.isPast && !isOver) this.note.append(h('button', { type: 'button', className: 'button', onclick: () => this.leave() }, words('now')));
    else if (isOver && !this.values.length) this.note.append(h('button', { type: 'button', className: 'button', onclick: () => this.analyse() }, words('analyse')));
    for (const each of history?.children || []) {
      const button = each.firstElementChild;
      if (Number(/** @type {HTMLElement} */ (each).dataset.ply) === at && this.isPast) {
        button?.setAttribute('aria-current', 'step');
        const { offsetLeft, offsetTop } = /** @type {HTMLElement} */ (each);
        history?.scrollTo(offsetLeft - history.clientWidth / 2, offsetTop - history.clientHeight / 2);
      } else button?.removeAttribute('aria-current');
    }
    this.drawGraph();
  }

  /** Load the evaluation of every position, one after another. */
  async analyse() {
    const { game, id } = this.page;
    this.values = [];
    const actors = new Map(game.history.map((event) => [event.ply - 1, event.seat ?? -1]));
    const seat = game.you ?? 0;
    for (let ply = 0; ply < this.most; ply++) {
      const actor = actors.get(ply) ?? -1;
      /** @type {number | null} */
      let value = null;
      if (actor >= 0) {
        const best = (await analysis({ table: id, ply, level: GRAPH_LEVEL }))?.choices[0]?.value;
        if (best !== undefined) value = game.isPartner(actor, seat) ? best : game.isDuel ? -best : null;
      }
      this.values.push(value);
      this.note.replaceChildren(h('span', { role: 'status' }, words('analysing', { at: ply + 1, of: this.most })));
      this.drawGraph();
    }
    this.values.push(Math.max(-1, Math.min(1, game.ending?.returns[seat] ?? 0)));
    this.update();
    this.showLines();
  }

  drawGraph() {
    if (!this.values.length) return;
    const { game } = this.page;
    const [width, height] = [320, 84];
    const x = (/** @type {number} */ ply) => (ply / Math.max(1, this.most)) * width;
    const y = (/** @type {number} */ value) => height / 2 - (value * (height - 8)) / 2;
    const points = this.values.flatMap((value, ply) => (value === null ? [] : [`${x(ply).toFixed(1)},${y(value).toFixed(1)}`]));
    const label = words('graph', { name: this.page.nameOf(game.you ?? 0) });
    const graph = svg('svg', { class: 'graph', viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
      svg('line', { class: 'zero', x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
    if (points.length) {
      const first = points[0].split(',')[0];
      const last = /** @type {string} */ (points.at(-1)).split(',')[0];
      graph.append(
        svg('polygon', { class: 'area', points: `${first},${height / 2} ${points.join(' ')} ${last},${height / 2}` }),
        svg('polyline', { class: 'line', points: points.join(' '), 'vector-effect': 'non-scaling-stroke' }));
    }
    if (this.isPast) graph.append(svg('line', { class: 'now', x1: x(this.at), x2: x(this.at), y1: 0, y2: height }));
    graph.addEventListener('click', (event) => {
      const box = graph.getBoundingClientRect();
      this.go(Math.round(((event.clientX - box.left) / box.width) * this.most));
    });
    this.insight.replaceChildren(graph);
  }
}
