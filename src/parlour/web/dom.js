/** Helpers for elements and requests. Text is never parsed as markup. */
import { Refused } from './socket.js';

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, any>} [properties] `on...` are listeners; names with `-` are attributes
 * @param {(Node | string | null | undefined | false)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name.includes('-') || name === 'role' || name === 'lang' || name === 'list' || name === 'for') made.setAttribute(name, value);
    else /** @type {any} */ (made)[name] = value;
  }
  made.append(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
  return made;
}

/** The most characters of a text that the server accepts. @param {'name' | 'chat' | 'action'} name */
export const longest = (name) => Number(document.documentElement.dataset[`${name}Length`]);

/** Replace the content of the page, except the sprite of the pieces and the search for an opponent. @param {Node[]} content */
export function showPage(...content) {
  document.body.replaceChildren(...document.querySelectorAll('.sprite, .seek'), ...content);
}

/** 128 random bits as text, also on pages over plain HTTP, which have no `randomUUID`. */
export function randomText() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string} path below /api/v1 @param {object} [body] sent as POST
 * @param {Record<string, string>} [headers] @returns {Promise<any>} the answer; rejects with `Refused` */
export async function api(path, body, headers = {}) {
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, body === undefined ? { headers } : {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Refused('lost', '');
  }
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(found.code || 'lost', found.message || '');
  return found;
}
