/**
 * A small picture of a board, and films that play positions in it.
 * @typedef {import('./wire.js').Board} Board
 * @typedef {import('./wire.js').Cell} Cell
 */
import { UNIT, drawCell, outline, pieceLines, svg } from './drawing.js';
import { h } from './dom.js';
import { centre, extent, isHex, isPoints, realCells } from './geometry.js';
import { pointLines } from './grid.js';
import { NO_BOARD, colourOf } from './scene.js';

/** Between two positions, in milliseconds. */
const STEP = 1100;
/** The first picture is of the middle of the game. */
const FIRST = 0.4;
/** Pieces on boards with more columns are drawn larger. */
const MOST_COLUMNS = 12;

export class Thumbnail {
  /** @param {{board?: Board, palette: Cell[], cells: number[]}} position */
  constructor({ board = NO_BOARD, palette, cells }) {
    if (cells.length !== board.rows * board.cols || cells.some((at) => !palette[at])) throw new Error('bad scene');
    this.board = board;
    this.element = h('div', { className: 'shot' });
    this.drawn = svg('svg', { 'aria-hidden': 'true' });
    /** @type {Map<number, SVGElement>} */
    this.figures = new Map();
    this.element.append(board.rows ? this.drawn : h('span', { className: 'suits', 'aria-hidden': 'true' }, '♣ ♦ ♥ ♠'));
    if (board.rows) this.show(palette, cells);
  }

  /** Draw a whole position. @param {Cell[]} palette @param {number[]} cells */
  show(palette, cells) {
    const { board } = this;
    const [width, height] = extent(board);
    this.drawn.setAttribute('viewBox', `-3 -3 ${width * UNIT + 6} ${height * UNIT + 6}`);
    this.element.style.setProperty('--ratio', String(width / height));
    let squares = '';
    const base = svg('g');
    for (const cell of realCells(board)) {
      const [x, y] = centre(board, cell, false);
      if (isHex(board)) base.append(svg('polygon', { class: 'hex', points: outline(board, 0), transform: this.at(cell) }));
      else if (!isPoints(board)) squares += `M${(x - 0.5) * UNIT} ${(y - 0.5) * UNIT}h${UNIT}v${UNIT}h${-UNIT}z`;
    }
    if (isPoints(board)) base.append(svg('rect', { class: 'squares', width: width * UNIT, height: height * UNIT }), pointLines(board, false));
    else base.append(svg('path', { class: 'squares', d: squares }));
    this.pieces = svg('g');
    this.lines = svg('g', { class: 'layer-lines' });
    this.figures.clear();
    this.drawn.replaceChildren(base, this.pieces, this.lines);
    this.put(palette, cells, realCells(board), false);
  }

  /** @param {number} cell */
  at(cell) {
    const [x, y] = centre(this.board, cell, false);
    return `translate(${x * UNIT} ${y * UNIT})`;
  }

  /** Frame some cells. @param {number[]} cells */
  mark(cells) {
    for (const name of ['trail back', 'trail']) {
      for (const cell of new Set(cells)) this.lines?.append(svg('polygon', { class: name, points: outline(this.board, 0.06), transform: this.at(cell) }));
    }
  }

  /** Draw some cells. @param {Cell[]} palette @param {number[]} cells @param {Iterable<number>} changed @param {boolean} fades */
  put(palette, cells, changed, fades) {
    /** @type {Map<number, number[]>} */
    const pieces = new Map();
    for (const cell of changed) {
      const content = palette[cells[cell]];
      if (content.piece) pieces.set(content.piece, [...(pieces.get(content.piece) || []), cell]);
      const { ground, figure } = drawCell(this.board, content, false);
      this.figures.get(cell)?.remove();
      this.figures.delete(cell);
      if (!ground && !figure) continue;
      const made = svg('g', { transform: this.at(cell) }, svg('g', { class: fades ? 'fresh' : '' }, ...[ground, figure].flatMap((part) => part || [])));
      if (content.face && !content.piece && extent(this.board)[0] > MOST_COLUMNS) figure?.setAttribute('transform', `scale(${extent(this.board)[0] / MOST_COLUMNS})`);
      this.figures.set(cell, made);
      this.pieces?.append(made);
    }
    for (const members of pieces.values()) {
      const edge = svg('path', { class: `edge c-${colourOf(palette[cells[members[0]]])}`, d: pieceLines(this.board, members, false).outer });
      this.lines?.append(svg('g', { class: fades ? 'fresh' : '' }, edge));
    }
  }
}

/** Plays the positions of a preview in a picture, one after another. */
export class Film {
  /** @param {Thumbnail} thumbnail @param {import('./wire.js').GamePreview} preview @param {number} [first] the first position to show */
  constructor(thumbnail, preview, first = 0) {
    this.thumbnail = thumbnail;
    this.preview = preview;
    this.first = first;
    this.at = first;
    this.run = 0;
    this.cells = preview.cells.slice();
  }

  /** Show the position after some changes. @param {number} at */
  show(at) {
    const { thumbnail, preview: { palette, changes, board } } = this;
    thumbnail.board = board || NO_BOARD;
    this.cells = this.preview.cells.slice();
    for (const [cell, index] of changes.slice(0, at).flat()) this.cells[cell] = index;
    this.at = at;
    thumbnail.show(palette, this.cells);
  }

  /** Show the last position, with all cells that have changed. */
  showLast() {
    const { thumbnail, preview: { changes } } = this;
    this.show(changes.length);
    thumbnail.mark(changes.flat().map(([cell]) => cell));
  }

  /** Play once from the first position: nothing moves for ever. @param {() => boolean} isSeen @param {() => void} [done] */
  play(isSeen, done = () => {}) {
    const { thumbnail, preview: { palette, changes } } = this;
    this.run += 1;
    const { run } = this;
    this.show(this.first);
    thumbnail.drawn.animate({ opacity: [0.25, 1] }, { duration: 700 });
    const step = () => {
      if (run !== this.run || !thumbnail.element.isConnected) return;
      if (document.hidden || !isSeen()) {
        setTimeout(step, STEP);
        return;
      }
      const change = changes[this.at++];
      for (const [cell, index] of change) this.cells[cell] = index;
      thumbnail.put(palette, this.cells, change.map(([cell]) => cell), true);
      if (this.at < changes.length) setTimeout(step, STEP);
      else done();
    };
    setTimeout(step, STEP);
  }
}

/** Plays films in pictures that can be seen, each loaded when it is first seen. */
export class Player {
  constructor() {
    /** @type {Map<Element, () => void>} what starts each picture */
    this.starts = new Map();
    /** @type {WeakSet<Element>} */
    this.visible = new WeakSet();
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.visible.add(target);
        else this.visible.delete(target);
        if (!isIntersecting) continue;
        this.starts.get(target)?.();
        this.starts.delete(target);
      }
    });
  }

  /** @param {Thumbnail} thumbnail @param {() => Promise<import('./wire.js').GamePreview>} load
   * @param {number} delay so that pictures do not change together */
  add(thumbnail, load, delay) {
    if (thumbnail.board.rows) this.whenSeen(thumbnail.element, async () => {
      const preview = await load().catch(() => null);
      if (preview?.changes.length) setTimeout(() => this.play(new Film(thumbnail, preview, Math.floor(preview.changes.length * FIRST))), delay);
    });
  }

  /** @param {Element} element @param {() => void} start */
  whenSeen(element, start) {
    this.starts.set(element, start);
    this.observer.observe(element);
  }

  /** @param {Film} film @param {() => void} [done] */
  play(film, done) {
    film.play(() => this.visible.has(film.thumbnail.element), done);
  }
}
