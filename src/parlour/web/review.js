/**
 * Review of a game: step through its positions; after the game, show an agent's evaluation as a graph and as
 * lines of play.
 * @typedef {import('./table.js').TablePage} TablePage
 */
import { iconButton } from './controls.js';
import { h } from './dom.js';
import { graphOf, positionAt } from './graph.js';
import { Lines, analysis, pause } from './lines.js';
import { playerName, renderSeats } from './seats.js';
import { sentenceOf, words } from './words.js';

const GRAPH_LEVEL = 3;

export class Review {
  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.at = -1;
    /** @type {(number | null)[]} */
    this.values = [];
    /** The position that is shown. @type {import('./scene.js').Scene | null} */
    this.scene = null;
    this.slider = h('input', { type: 'range', min: '0', step: '1', 'aria-label': words('moves'), oninput: () => this.go(this.stops[Number(this.slider.value)]) });
    this.note = h('div', { className: 'past-note' });
    this.row = h('div', { className: 'review-row' },
      iconButton('first', 'first', () => this.go(0)), iconButton('previous', 'previous', () => this.by(-1)), this.slider,
      iconButton('next', 'next', () => this.by(1)), iconButton('last', 'last', () => this.go(this.most)));
    this.insight = h('div', { onclick: (/** @type {MouseEvent} */ event) => this.go(positionAt(event, this.insight, this.most)) });
    this.lines = new Lines(page);
    this.element = h('section', { className: 'review', 'aria-label': words('moves') }, this.row, this.note, this.insight, this.lines.element);
    page.side.prepend(this.element);
    this.update();
  }

  get most() {
    return this.page.game.ply;
  }

  get stops() {
    return this.page.game.stops;
  }

  /** The number of the position that is shown. */
  get index() {
    return this.isPast ? this.stops.findIndex((ply) => ply >= this.at) : this.stops.length - 1;
  }

  get isPast() {
    return this.at >= 0;
  }

  /** @param {number} by */
  by(by) {
    this.go(this.stops[Math.max(0, Math.min(this.stops.length - 1, this.index + by))]);
  }

  /** Show the position after `ply` actions. @param {number} ply */
  async go(ply) {
    const at = this.stops.find((stop) => stop >= ply) ?? (ply > 0 ? this.most : 0);
    const isOver = this.page.game.status === 'over';
    this.at = at === this.most && !isOver ? -1 : at;
    this.update();
    if (!this.isPast) {
      this.leave();
      return;
    }
    const positions = await this.page.parts.positions();
    // A slider passes many positions; load only the one where it stops.
    if (!positions.known.has(at)) await pause(50);
    if (this.at !== at) return;
    const scene = await positions.at(at).catch((error) => this.page.choices.failed(error));
    if (!scene || this.at !== at) return;
    this.scene = scene;
    const played = this.page.game.entries.find((entry) => entry.ply === at)?.events || [];
    this.page.board.show({ ...scene, actions: [] }, { last: played.flatMap(({ cells }) => cells || []), animate: true });
    this.page.tray?.update();
    renderSeats(this.page);
    this.page.messages.announce(played.map(sentenceOf).join(' ') || words('start'));
    this.showLines();
    const trail = await positions.trailOf(at, scene).catch(() => []);
    if (this.scene === scene) this.page.board.showTrail(trail);
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
    this.scene = null;
    this.update();
    this.page.render(false);
  }

  update() {
    const { game, moves } = this.page;
    const [at, of] = [this.index, this.stops.length - 1];
    this.slider.max = String(of);
    this.slider.value = String(at);
    this.slider.setAttribute('aria-valuetext', words('past', { at, of }));
    const isOver = game.status === 'over';
    this.note.replaceChildren(h('span', {}, words('past', { at, of })));
    if (this.isPast && !isOver) this.note.append(h('button', { type: 'button', className: 'button', onclick: () => this.leave() }, words('now')));
    else if (isOver && !this.values.length) this.note.append(h('button', { type: 'button', className: 'button', onclick: () => this.analyse() }, words('analyse')));
    moves.mark(this.isPast ? this.at : -1);
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
    // While positions are analysed, the rest of the graph is empty.
    const values = Array.from({ length: this.most + 1 }, (_, ply) => this.values[ply] ?? null);
    const label = words('graph', { name: playerName(game, game.you ?? 0) });
    this.insight.replaceChildren(graphOf(values, { label, at: this.isPast ? this.at : -1 }));
  }
}
