/** Equal rows of a table found. */

/** Which rows are different, and which of them each row is. */
export interface WeldedRows {
  /** For every row the number of the different row that it is. */
  readonly ids: Int32Array;
  /** For every different row where it comes first, rising. */
  readonly firsts: Int32Array;
}

/** Finds the different rows of `width` integers each among `rows`. Numbers are given in the order in which rows come first. */
export function weldRows(rows: Int32Array, width: number): WeldedRows {
  const count = width > 0 ? Math.floor(rows.length / width) : 0;
  let size = 4;
  while (size < 2 * count) size *= 2;
  /** Open addressing: the number of a different row, −1 where there is none. */
  const table = new Int32Array(size).fill(-1);
  const ids = new Int32Array(count);
  const firsts = new Int32Array(count);
  let different = 0;
  for (let row = 0; row < count; row++) {
    let slot = hash(rows, row * width, width) & (size - 1);
    while (table[slot] >= 0 && !equals(rows, firsts[table[slot]] * width, row * width, width)) {
      slot = (slot + 1) & (size - 1);
    }
    if (table[slot] < 0) {
      firsts[different] = row;
      table[slot] = different++;
    }
    ids[row] = table[slot];
  }
  return { ids, firsts: firsts.slice(0, different) };
}

/** {@link weldRows} of one number each, from 0 up to, without, `limit`. */
export function weldNumbers(numbers: Int32Array, limit: number): WeldedRows {
  const known = new Int32Array(limit).fill(-1);
  const ids = new Int32Array(numbers.length);
  const firsts = new Int32Array(Math.min(limit, numbers.length));
  let different = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (known[number] < 0) {
      firsts[different] = i;
      known[number] = different++;
    }
    ids[i] = known[number];
  }
  return { ids, firsts: firsts.slice(0, different) };
}

/** MurmurHash3 of 32 bits (Appleby 2011), by words. */
function hash(rows: Int32Array, start: number, width: number): number {
  let h = 0;
  for (let i = start; i < start + width; i++) {
    let k = Math.imul(rows[i], 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
    h = (h << 13) | (h >>> 19);
    h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function equals(rows: Int32Array, a: number, b: number, width: number): boolean {
  for (let c = 0; c < width; c++) if (rows[a + c] !== rows[b + c]) return false;
  return true;
}
