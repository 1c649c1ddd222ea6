/** What this browser remembers of how its user likes it. */
import { store, stored } from './words.js';

/** @typedef {'sounds' | 'confirm' | 'premoves' | 'evaluation' | 'notices'} Switch */

/** @type {Record<Switch, boolean>} */
const DEFAULTS = { sounds: true, confirm: false, premoves: true, evaluation: false, notices: false };

/** @param {Switch} name */
export function isOn(name) {
  const kept = stored(name);
  return kept ? kept === 'on' : DEFAULTS[name];
}

/** @param {Switch} name @param {boolean} on */
export const turn = (name, on) => store(name, on ? 'on' : 'off');

/** Put the chosen appearance onto the page. */
export function dress() {
  const root = document.documentElement;
  root.dataset.theme = stored('theme') || 'auto';
  root.dataset.board = stored('board') || 'paper';
}
