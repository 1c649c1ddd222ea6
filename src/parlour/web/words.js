/**
 * The page's texts in the reader's language, the translated texts of games, and this browser's settings.
 * The server puts the texts of one language into the page; `languages/` has a file for each language.
 */

/** The languages of the page, each with its own name for itself. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

/** @returns {string} */
function preferred() {
  const kept = stored('language');
  if (kept in LANGUAGES) return kept;
  const wanted = navigator.languages?.find((each) => each.slice(0, 2) in LANGUAGES);
  return wanted ? wanted.slice(0, 2) : 'en';
}

/** A setting that this browser, or only this tab, has stored; or an empty string.
 * @param {string} name @param {boolean} [inTab] */
export function stored(name, inTab = false) {
  try {
    return (inTab ? sessionStorage : localStorage).getItem(`parlour:${name}`) || '';
  } catch {
    return '';
  }
}

/** @param {string} name @param {string} value @param {boolean} [inTab] */
export function store(name, value, inTab = false) {
  try {
    const place = inTab ? sessionStorage : localStorage;
    if (value) place.setItem(`parlour:${name}`, value);
    else place.removeItem(`parlour:${name}`);
  } catch {
    // Storage is blocked: the setting lasts until the page is closed.
  }
}

export const language = preferred();

/** @param {string} name @returns {Promise<Record<string, string>>} */
const fetched = (name) => fetch(new URL(`./languages/${name}.json`, import.meta.url)).then((answer) => answer.json()).catch(() => ({}));

/** The page's texts: from the document if they are in the right language, otherwise from a file. */
async function loadWords() {
  const given = document.querySelector('#words');
  const known = given ? JSON.parse(given.textContent || '{}') : await fetched('en');
  return (given?.getAttribute('lang') || 'en') === language ? known : { ...known, ...(await fetched(language)) };
}

/** @type {Record<string, string>} */
const WORDS = await loadWords();

/**
 * A text of the page. @param {string} key @param {Record<string, string | number>} [values]
 */
export function words(key, values = {}) {
  return (WORDS[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

// Texts of games.

/** The translations of each game. @type {Map<string, import('./translate.js').Translator>} */
const translators = new Map();

/** Whether the texts of games need translations that are not loaded yet. @param {string} game */
export const needsTexts = (game) => language !== 'en' && !translators.has(game);

/** Load the translations of these games. Those that do not arrive stay in English. @param {string[]} games */
export async function loadTexts(...games) {
  const missing = games.filter(needsTexts);
  if (!missing.length) return;
  const { Translator } = await import('./translate.js');
  await Promise.all(missing.map(async (game) => {
    /** @type {{texts?: Record<string, string>}} */
    const found = await fetch(`/api/v1/games/${encodeURIComponent(game)}/languages/${language}`)
      .then((answer) => (answer.ok ? answer.json() : {}))
      .catch(() => ({}));
    translators.set(game, new Translator(found.texts || {}));
  }));
}

/** @param {string} text @param {string} game */
function translated(text, game) {
  const translator = translators.get(game) ?? translators.values().next().value;
  return text ? translator?.find(text) : undefined;
}

/** A game's text in the reader's language, or in English. @param {string} text @param {string} [game] on a page with
 * several games: the name of this one */
export const gameText = (text, game = '') => translated(text, game) ?? text;

/** The same as the properties of an element. @param {string} text @param {string} [game] */
export function gameWords(text, game = '') {
  const found = translated(text, game);
  return { textContent: found ?? text, lang: found === undefined ? 'en' : language };
}

/** The same for an element that exists. @param {HTMLElement | null | undefined} element @param {string} text */
export function putText(element, text) {
  if (element) Object.assign(element, gameWords(text));
}

/** An event as a sentence. @param {import('./wire.js').EventView} event */
export function sentenceOf({ kind, name, words: said, sentence }) {
  if (language === 'en') return sentence;
  if (kind === 'takeback') return words('takenBack', { words: said.split(', ').map((each) => gameText(each)).join(', ') });
  return sentence === `${name}: ${said}` ? `${name}: ${gameText(said)}` : gameText(sentence);
}

// Settings.

/** @typedef {'sounds' | 'confirm' | 'premoves' | 'evaluation' | 'notices' | 'coach' | 'engine'} Switch */

/** @type {Record<Switch, boolean>} */
const DEFAULTS = { sounds: true, confirm: false, premoves: true, evaluation: false, notices: false, coach: true, engine: true };

/** @param {Switch} name */
export function isOn(name) {
  const kept = stored(name);
  return kept ? kept === 'on' : DEFAULTS[name];
}

/** @param {Switch} name @param {boolean} on */
export const setSwitch = (name, on) => store(name, on ? 'on' : 'off');

/** Apply the chosen appearance to the page. */
export function applyTheme() {
  const root = document.documentElement;
  root.dataset.theme = stored('theme') || 'auto';
  root.dataset.board = stored('board') || 'paper';
}
