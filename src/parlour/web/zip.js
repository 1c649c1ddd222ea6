/** Files in a ZIP archive, uncompressed. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {Uint8Array} bytes */
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 255];
  return (value ^ 0xffffffff) >>> 0;
}

/** Numbers of two bytes, or of four if they end with `n`. @param {(number | bigint)[]} fields */
function packed(...fields) {
  const size = fields.reduce((/** @type {number} */ sum, field) => sum + (typeof field === 'bigint' ? 4 : 2), 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  for (const field of fields) {
    if (typeof field === 'bigint') view.setUint32(at, Number(field), true);
    else view.setUint16(at, field, true);
    at += typeof field === 'bigint' ? 4 : 2;
  }
  return new Uint8Array(view.buffer);
}

/** @param {[string, string][]} files names and texts @returns {Blob} */
export function zipOf(files) {
  const encoder = new TextEncoder();
  const UTF8 = 0x800;
  const DATE = 0x21; // the first day that the format has: the records have no dates
  /** @type {Uint8Array[]} */
  const parts = [];
  /** @type {Uint8Array[]} */
  const directory = [];
  let at = 0;
  for (const [name, text] of files) {
    const [title, data] = [encoder.encode(name), encoder.encode(text)];
    const about = packed(20, UTF8, 0, 0, DATE, BigInt(crc(data)), BigInt(data.length), BigInt(data.length), title.length, 0);
    directory.push(packed(0x02014b50n, 20), about, packed(0, 0, 0, 0n, BigInt(at)), title);
    const local = [packed(0x04034b50n), about, title, data];
    parts.push(...local);
    at += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = packed(0x06054b50n, 0, 0, files.length, files.length, BigInt(size), BigInt(at), 0);
  return new Blob(/** @type {BlobPart[]} */ ([...parts, ...directory, end]), { type: 'application/zip' });
}
