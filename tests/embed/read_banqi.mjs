// Compares banqi.js with the vectors of banqi.jsonl: node read_banqi.mjs MODULE VECTORS
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const banqi = await import(pathToFileURL(process.argv[2]));
const KINDS = ['King', 'Guard', 'Minister', 'Rook', 'Horse', 'Cannon', 'Pawn'];

function pieceText(piece) {
  if (piece === null) return '.';
  const sign = 'KGMRHCP'[KINDS.indexOf(piece.kind)];
  const flags = (piece.isRevealed ? '' : '?') + (piece.isDead ? '+' : '');
  return flags + (piece.color === 'red' ? sign : sign.toLowerCase());
}

function matchText({ board, status, currentTurn, winner, redCaptured, blackCaptured }) {
  const [pieces, red, black] = [board, redCaptured, blackCaptured].map((each) =>
    each.map(pieceText).join(''),
  );
  return `${pieces} ${status} ${currentTurn ?? '-'} ${winner ?? '-'} ${red}/${black}`;
}

function frozen(value) {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function check(match, [kind, from, to, error, after]) {
  const indices = kind === 'Flip' ? [from] : [from, to];
  const result = banqi[`validate${kind}`](match, ...indices);
  assert.deepEqual(result, error === null ? { isValid: true } : { isValid: false, error });
  if (error !== null) {
    const wanted = { name: 'IllegalAction', message: error };
    assert.throws(() => banqi[`execute${kind}`](match, ...indices), wanted);
  } else if (after !== null) {
    assert.equal(matchText(banqi[`execute${kind}`](match, ...indices)), after);
  }
}

function next(match, [from, to]) {
  if (to === undefined) return banqi.executeFlip(match, from);
  return match.board[to] === null
    ? banqi.executeMove(match, from, to)
    : banqi.executeCapture(match, from, to);
}

let matches = 0;
let validations = 0;
const errors = new Set();
for (const line of readFileSync(process.argv[3], 'utf8').trimEnd().split('\n')) {
  const { match: start, steps } = JSON.parse(line);
  let match = start;
  if (start.status === 'waiting-first-flip') {
    match = banqi.createMatch(start.board, start.firstFlipPasses);
    assert.deepEqual(match, start);
  }
  for (const { text, legal, win, checks, action } of steps) {
    frozen(match); // a function that changes its argument throws
    assert.equal(matchText(match), text);
    assert.deepEqual(banqi.getLegalMoves(match), legal);
    assert.deepEqual(banqi.checkWinCondition(match), win);
    for (const each of checks) {
      check(match, each);
      if (each[3] !== null) errors.add(each[3]);
    }
    validations += checks.length;
    if (action !== null) match = next(match, action);
  }
  matches += 1;
}
const set = JSON.parse(readFileSync(process.argv[3], 'utf8').split('\n')[0]).match.board;
assert.throws(() => banqi.createMatch(set.slice(1)), RangeError);
assert.throws(() => banqi.createMatch([set[1], ...set.slice(1)]), RangeError);
console.log(JSON.stringify({ matches, validations, errors: [...errors].sort() }));
