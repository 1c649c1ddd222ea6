/** Synthesised sounds: a wooden knock for each move, two notes at the end. */

import { stored } from './words.js';

/** @type {AudioContext | null} */
let context = null;

/** @param {number} pitch @param {number} at @param {number} length @param {number} loud @param {OscillatorType} type */
function tone(pitch, at, length, loud, type) {
  if (!context) return;
  const begin = context.currentTime + at;
  const source = context.createOscillator();
  const volume = context.createGain();
  source.type = type;
  source.frequency.setValueAtTime(pitch, begin);
  source.frequency.exponentialRampToValueAtTime(pitch * 0.6, begin + length);
  volume.gain.setValueAtTime(loud * (Number(stored('volume') || 60) / 60), begin);
  volume.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  source.connect(volume).connect(context.destination);
  source.start(begin);
  source.stop(begin + length);
}

/** @param {'own' | 'other' | 'end'} what */
export function playSound(what) {
  // Browsers block sound, with a warning, before the first click or key.
  if (!('AudioContext' in window) || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (what === 'end') {
    tone(523, 0, 0.35, 0.12, 'sine');
    tone(784, 0.14, 0.5, 0.12, 'sine');
  } else tone(what === 'own' ? 330 : 250, 0, 0.09, 0.16, 'triangle');
}
