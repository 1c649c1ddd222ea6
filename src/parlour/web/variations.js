/**
 * A game and its variations: a tree of positions, as text for links, and along the shown line of play.
 * @typedef {import('./wire.js').NodeFound} NodeFound
 * @typedef {import('./wire.js').TreeFound} TreeFound
 */

export class Variation {
  /** @param {NodeFound} found @param {Variation | null} parent */
  constructor(found, parent) {
    this.found = found;
    this.parent = parent;
    /** The first one continues the line. @type {Variation[]} */
    this.children = [];
    this.comment = '';
    /** The evaluation for the first seat, if it is known. @type {number | null} */
    this.value = found.returns?.[0] ?? null;
    /** `?` for a mistake, `??` for a blunder. */
    this.mark = '';
    this.lost = 0;
    /** The number of the move, without chance events. */
    this.number = parent ? parent.next(found) : 0;
  }

  /** The number of a move here. @param {NodeFound} found @returns {number} */
  next(found) {
    return this.number + (found.seat === -1 ? 0 : 1);
  }

  get position() {
    return this.found.position;
  }

  /** The seat that acted; -1 for chance, -2 for the first position. */
  get seat() {
    return this.found.seat ?? -2;
  }

  /** The seat to act; -1 for chance, -2 at the end. */
  get actor() {
    return this.found.actor ?? -2;
  }

  /** The positions from the first one to this one. @returns {Variation[]} */
  get path() {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** The line of play through this position, to its end. @returns {Variation[]} */
  get line() {
    const found = this.path;
    for (let next = this.children[0]; next; next = next.children[0]) found.push(next);
    return found;
  }

  /** The position before the chance events that led here, if it is a decision's. */
  get decision() {
    /** @type {Variation} */
    let found = this;
    while (found.seat === -1 && found.parent) found = found.parent;
    return found;
  }
}

export class Tree {
  /** @param {TreeFound} found */
  constructor(found) {
    this.game = found.game;
    this.title = found.title;
    this.options = found.options;
    this.teams = found.teams;
    this.hasTwoSides = found.has_two_sides;
    this.canSetUp = found.can_set_up;
    this.root = new Variation(found.nodes[0], null);
    /** @type {Variation[]} */
    this.nodes = [this.root];
    for (const node of found.nodes.slice(1)) this.add(this.nodes[node.parent ?? 0], node);
    this.at = this.nodes[found.shown];
  }

  /** Add a position, unless it is there. @param {Variation} parent @param {NodeFound} found */
  add(parent, found) {
    const known = parent.children.find((child) => child.found.action === found.action);
    if (known) return known;
    const made = new Variation(found, parent);
    parent.children.push(made);
    this.nodes.push(made);
    return made;
  }

  /** Where a position's line leaves the line of its parent; null on the main line. @param {Variation} node */
  branch(node) {
    return [...node.path].reverse().find((each) => each.parent && each.parent.children[0] !== each) || null;
  }

  /** Make the variation of a position the line of its parent. @param {Variation} node */
  promote(node) {
    const branch = this.branch(node);
    const siblings = branch?.parent?.children;
    if (branch && siblings) siblings.unshift(...siblings.splice(siblings.indexOf(branch), 1));
  }

  /** Delete a position with all that follows. @param {Variation} node */
  remove(node) {
    const { parent } = node;
    if (!parent) return;
    parent.children.splice(parent.children.indexOf(node), 1);
    this.at = parent;
    this.nodes = this.flat();
  }

  /** All positions, each after its parent. */
  flat() {
    const found = [this.root];
    for (let at = 0; at < found.length; at++) found.push(...found[at].children);
    return found;
  }

  /** What a request needs to know. */
  get source() {
    return { game: this.game, options: this.options };
  }

  /** The tree as text for a link. @returns {Promise<string>} */
  toText() {
    const nodes = this.flat();
    const places = new Map(nodes.map((node, at) => [node, at]));
    return packed({
      ...this.source,
      position: this.root.position,
      moves: nodes.slice(1).map((node) => [places.get(/** @type {Variation} */ (node.parent)), node.found.action]),
      comments: nodes.flatMap((node, at) => (node.comment ? [[at, node.comment]] : [])),
      shown: places.get(this.at),
    });
  }

  /** @param {[number, string][]} comments the numbers of positions, and what is said about them */
  comment(comments) {
    for (const [at, text] of comments) if (this.nodes[at]) this.nodes[at].comment = String(text);
  }
}

/** @param {ReadableStream | Blob | Uint8Array<ArrayBuffer>} data @param {CompressionStream | DecompressionStream} through */
const piped = async (data, through) => new Uint8Array(await new Response(new Blob([/** @type {any} */ (data)]).stream().pipeThrough(/** @type {any} */ (through))).arrayBuffer());

/** A value as text for the fragment of an address. @param {object} value */
async function packed(value) {
  const bytes = await piped(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream('deflate-raw'));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The value of such a text; null if it is damaged. @param {string} text @returns {Promise<any>} */
export async function unpacked(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream('deflate-raw'))));
  } catch {
    return null;
  }
}
