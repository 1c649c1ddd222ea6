/**
 * QR codes (ISO/IEC 18004) of texts up to 213 bytes: byte mode, error correction M, versions 1 to 10.
 */

/** For each version: error correction codewords per block, then pairs of blocks and data codewords. */
const BLOCKS = [
  [10, 1, 16], [16, 1, 28], [26, 1, 44], [18, 2, 32], [24, 2, 43],
  [16, 4, 27], [18, 4, 31], [22, 2, 38, 2, 39], [22, 3, 36, 2, 37], [26, 4, 43, 1, 44],
];
const ALIGNED = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let at = 0, value = 1; at < 255; at++) {
  EXP[at] = EXP[at + 255] = value;
  LOG[value] = at;
  value = (value << 1) ^ (value & 128 ? 0x11d : 0);
}

/** The error correction codewords. @param {number[]} data @param {number} count */
function correction(data, count) {
  let factors = [1];
  for (let at = 0; at < count; at++) {
    const next = [...factors, 0];
    factors.forEach((factor, place) => {
      if (factor) next[place + 1] ^= EXP[LOG[factor] + at];
    });
    factors = next;
  }
  const rest = [...data, ...new Array(count).fill(0)];
  for (let at = 0; at < data.length; at++) {
    const lead = rest[at];
    if (lead) factors.forEach((factor, place) => (rest[at + place] ^= factor && EXP[LOG[factor] + LOG[lead]]));
  }
  return rest.slice(data.length);
}

/** The codewords to draw, data and error correction interleaved. @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const [count, ...groups] = BLOCKS[version - 1];
  let total = 0;
  for (let at = 0; at < groups.length; at += 2) total += groups[at] * groups[at + 1];
  const bits = [0, 1, 0, 0];
  const push = (/** @type {number} */ value, /** @type {number} */ length) => {
    for (let at = length - 1; at >= 0; at--) bits.push((value >> at) & 1);
  };
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, total * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const words = [];
  for (let at = 0; at < bits.length; at += 8) words.push(parseInt(bits.slice(at, at + 8).join(''), 2));
  for (let pad = 0xec; words.length < total; pad ^= 0xec ^ 0x11) words.push(pad);
  const blocks = [];
  let from = 0;
  for (let at = 0; at < groups.length; at += 2) {
    for (let block = 0; block < groups[at]; block++) blocks.push(words.slice(from, (from += groups[at + 1])));
  }
  const checks = blocks.map((block) => correction(block, count));
  const found = [];
  for (let at = 0; at < Math.max(...blocks.map((block) => block.length)); at++) {
    for (const block of blocks) if (at < block.length) found.push(block[at]);
  }
  for (let at = 0; at < count; at++) for (const block of checks) found.push(block[at]);
  return found;
}

/** @param {number} value @param {number} poly @param {number} length */
function remainder(value, poly, length) {
  let rest = value << length;
  for (let at = 31 - Math.clz32(rest); rest && at >= length; at = 31 - Math.clz32(rest)) rest ^= poly << (at - length);
  return (value << length) | rest;
}

const MASKS = [
  (/** @type {number} */ r, /** @type {number} */ c) => (r + c) % 2 === 0,
  (/** @type {number} */ r) => r % 2 === 0,
  (/** @type {number} */ _, /** @type {number} */ c) => c % 3 === 0,
  (/** @type {number} */ r, /** @type {number} */ c) => (r + c) % 3 === 0,
];

/** The penalty of a mask: long runs, blocks and imbalance. @param {boolean[][]} dark */
function penalty(dark) {
  const size = dark.length;
  let sum = 0;
  let count = 0;
  for (let a = 0; a < size; a++) {
    for (const along of [true, false]) {
      let run = 0;
      for (let b = 0; b < size; b++) {
        const here = along ? dark[a][b] : dark[b][a];
        const before = b > 0 && (along ? dark[a][b - 1] : dark[b - 1][a]) === here;
        run = before ? run + 1 : 1;
        if (run === 5) sum += 3;
        else if (run > 5) sum += 1;
      }
    }
    for (let b = 0; b < size; b++) {
      if (dark[a][b]) count++;
      if (a && b && dark[a][b] === dark[a - 1][b] && dark[a][b] === dark[a][b - 1] && dark[a][b] === dark[a - 1][b - 1]) sum += 3;
    }
  }
  return sum + Math.floor(Math.abs(count / size ** 2 - 0.5) * 20) * 10;
}

/**
 * The dark modules of a text's code, row by row. @param {string} text @returns {boolean[][]}
 */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + BLOCKS.findIndex(([, ...groups], at) => {
    let room = 0;
    for (let each = 0; each < groups.length; each += 2) room += groups[each] * groups[each + 1];
    return bytes.length + (at < 9 ? 2 : 3) <= room;
  });
  if (!version) throw new RangeError('too long for a QR code');
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const base = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (/** @type {number} */ r, /** @type {number} */ c, /** @type {boolean} */ on) => {
    if (r >= 0 && c >= 0 && r < size && c < size) base[r][c] = on;
  };
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]]) {
    for (let a = -4; a <= 4; a++) {
      for (let b = -4; b <= 4; b++) {
        const far = Math.max(Math.abs(a), Math.abs(b));
        set(r + a, c + b, far !== 2 && far !== 4);
      }
    }
  }
  for (const r of ALIGNED[version - 1]) {
    for (const c of ALIGNED[version - 1]) {
      if (base[r][c] !== null && !(r === 6 || c === 6)) continue;
      if ((r === 6 && c === 6) || (r === 6 && c === size - 7) || (r === size - 7 && c === 6)) continue;
      for (let a = -2; a <= 2; a++) for (let b = -2; b <= 2; b++) set(r + a, c + b, Math.max(Math.abs(a), Math.abs(b)) !== 1);
    }
  }
  for (let at = 8; at < size - 8; at++) {
    if (base[6][at] === null) set(6, at, at % 2 === 0);
    if (base[at][6] === null) set(at, 6, at % 2 === 0);
  }
  if (version >= 7) {
    const bits = remainder(version, 0x1f25, 12);
    for (let at = 0; at < 18; at++) {
      const on = Boolean((bits >> at) & 1);
      set(Math.floor(at / 3), size - 11 + (at % 3), on);
      set(size - 11 + (at % 3), Math.floor(at / 3), on);
    }
  }
  const places = [[0, 8], [1, 8], [2, 8], [3, 8], [4, 8], [5, 8], [7, 8], [8, 8], [8, 7], [8, 5], [8, 4], [8, 3], [8, 2], [8, 1], [8, 0]];
  for (const [r, c] of places) set(r, c, false);
  for (let at = 0; at < 8; at++) {
    set(8, size - 1 - at, false);
    if (at < 7) set(size - 1 - at, 8, false);
  }
  set(size - 8, 8, true);
  const words = codewords(bytes, version);
  /** @type {[number, number, number][]} */
  const order = [];
  let at = 0;
  let up = true;
  for (let col = size - 1; col > 0; col -= 2) {
    if (col === 6) col--;
    for (let step = 0; step < size; step++) {
      const row = up ? size - 1 - step : step;
      for (const c of [col, col - 1]) {
        if (base[row][c] === null) {
          order.push([row, c, at < words.length * 8 ? (words[at >> 3] >> (7 - (at & 7))) & 1 : 0]);
          at++;
        }
      }
    }
    up = !up;
  }
  let best = null;
  let least = Infinity;
  for (let mask = 0; mask < MASKS.length; mask++) {
    const dark = base.map((row) => row.map(Boolean));
    for (const [r, c, bit] of order) dark[r][c] = Boolean(bit) !== MASKS[mask](r, c);
    const format = remainder(mask, 0x537, 10) ^ 0x5412;
    places.forEach(([r, c], bit) => (dark[r][c] = Boolean((format >> bit) & 1)));
    for (let bit = 0; bit < 8; bit++) dark[8][size - 1 - bit] = Boolean((format >> bit) & 1);
    for (let bit = 8; bit < 15; bit++) dark[size - 15 + bit][8] = Boolean((format >> bit) & 1);
    dark[size - 8][8] = true;
    const cost = penalty(dark);
    if (cost < least) [best, least] = [dark, cost];
  }
  return /** @type {boolean[][]} */ (best);
}
