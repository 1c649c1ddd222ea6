/**
 * Translations of the texts that a game sends. The table maps English texts to another language. A key may be a
 * template with {placeholders}: what a placeholder stands for is looked up in turn, and kept if it is not found.
 * `parlour/translations.py` applies the same rules.
 */

const PLACEHOLDER = /\{(\w+)\}/g;
const DEEPEST = 4;

/** @typedef {{names: string[], literals: string[], length: number, to: string}} Template */

/** @param {string} key @param {string} to @returns {Template | null} null for a text without placeholders */
function template(key, to) {
  const names = [...key.matchAll(PLACEHOLDER)].map(([, name]) => name);
  const literals = key.split(/\{\w+\}/);
  const length = literals.join('').length;
  return names.length && length ? { names, literals, length, to } : null;
}

/**
 * What each placeholder stands for, at least one character each; null where the text does not fit.
 * @param {Template} template @param {string} text
 */
function match({ literals }, text) {
  const last = literals.length - 1;
  if (!text.startsWith(literals[0])) return null;
  const values = [];
  let from = literals[0].length;
  for (let at = 1; at <= last; at++) {
    const found = at < last ? text.indexOf(literals[at], from + 1)
      : text.endsWith(literals[last]) ? text.length - literals[last].length : -1;
    if (found <= from) return null;
    values.push(text.slice(from, found));
    from = found + literals[at].length;
  }
  return values;
}

export class Translator {
  /** @param {Record<string, string>} table */
  constructor(table) {
    this.exact = new Map(Object.entries(table));
    /** The most specific templates come first. */
    this.templates = [...this.exact].flatMap(([key, to]) => template(key, to) ?? []).sort((a, b) => b.length - a.length);
    /** @type {Map<string, string | undefined>} */
    this.known = new Map();
  }

  /** The translation of a text, or undefined. @param {string} text @returns {string | undefined} */
  find(text, depth = 0) {
    if (!this.known.has(text)) this.known.set(text, this.exact.get(text) ?? this.fill(text, depth));
    return this.known.get(text);
  }

  /** @param {string} text @param {number} depth */
  fill(text, depth) {
    if (depth >= DEEPEST) return undefined;
    for (const each of this.templates) {
      const values = match(each, text);
      if (!values) continue;
      const found = Object.fromEntries(each.names.map((name, at) => [name, this.find(values[at], depth + 1) ?? values[at]]));
      return each.to.replace(PLACEHOLDER, (_, name) => found[name] ?? '');
    }
    return undefined;
  }
}
