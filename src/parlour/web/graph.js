/** The evaluation of a game as a graph. */
import { svg } from './drawing.js';

const WIDTH = 320;
const HEIGHT = 84;

/**
 * @param {(number | null)[]} values of each position, from -1 to 1; null if unknown
 * @param {{label: string, at?: number, marks?: {at: number, mark: string}[]}} options `at` is the shown position
 */
export function graphOf(values, { label, at = -1, marks = [] }) {
  const last = Math.max(1, values.length - 1);
  const x = (/** @type {number} */ ply) => (ply / last) * WIDTH;
  const y = (/** @type {number} */ value) => HEIGHT / 2 - (value * (HEIGHT - 8)) / 2;
  const points = values.flatMap((value, ply) => (value === null ? [] : [`${x(ply).toFixed(1)},${y(value).toFixed(1)}`]));
  const graph = svg('svg', { class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    svg('line', { class: 'zero', x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  if (points.length) {
    const first = points[0].split(',')[0];
    const end = /** @type {string} */ (points.at(-1)).split(',')[0];
    graph.append(
      svg('polygon', { class: 'area', points: `${first},${HEIGHT / 2} ${points.join(' ')} ${end},${HEIGHT / 2}` }),
      svg('polyline', { class: 'line', points: points.join(' '), 'vector-effect': 'non-scaling-stroke' }));
  }
  for (const { at: ply, mark } of marks) {
    graph.append(svg('line', { class: mark === '??' ? 'blunder' : 'mistake', x1: x(ply), x2: x(ply), y1: 3, y2: HEIGHT - 3, 'vector-effect': 'non-scaling-stroke' }));
  }
  if (at >= 0) graph.append(svg('line', { class: 'now', x1: x(at), x2: x(at), y1: 0, y2: HEIGHT }));
  return graph;
}

/** The position at a point of the graph. @param {MouseEvent} event @param {HTMLElement} element that holds the graph
 * @param {number} last the last position */
export function positionAt(event, element, last) {
  const box = element.getBoundingClientRect();
  return Math.round(((event.clientX - box.left) / box.width) * last);
}
