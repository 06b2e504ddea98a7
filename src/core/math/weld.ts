/** Finds equal rows in a table. */

export interface WeldedRows {
  /** Index of the unique row for every row. */
  readonly ids: Int32Array;
  /** First occurrence of every unique row, ascending. */
  readonly firsts: Int32Array;
}

/** Welds equal rows: finds unique rows, numbered in order of first occurrence. */
export function weldRows(rows: Int32Array, width: number): WeldedRows {
  const count = width > 0 ? Math.floor(rows.length / width) : 0;
  let size = 4;
  while (size < 2 * count) size *= 2;
  /** Hash table of unique rows, open addressing; −1 for an empty slot. */
  const table = new Int32Array(size).fill(-1);
  const ids = new Int32Array(count);
  const firsts = new Int32Array(count);
  let uniqueCount = 0;
  for (let row = 0; row < count; row++) {
    let slot = hash(rows, row * width, width) & (size - 1);
    while (table[slot] >= 0 && !equals(rows, firsts[table[slot]] * width, row * width, width)) {
      slot = (slot + 1) & (size - 1);
    }
    if (table[slot] < 0) {
      firsts[uniqueCount] = row;
      table[slot] = uniqueCount++;
    }
    ids[row] = table[slot];
  }
  return { ids, firsts: firsts.slice(0, uniqueCount) };
}

/** Welds equal numbers from a known range: {@link weldRows} with one number per row, without hashing. */
export function weldNumbers(numbers: Int32Array, limit: number): WeldedRows {
  const known = new Int32Array(limit).fill(-1);
  const ids = new Int32Array(numbers.length);
  const firsts = new Int32Array(Math.min(limit, numbers.length));
  let uniqueCount = 0;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    if (known[number] < 0) {
      firsts[uniqueCount] = i;
      known[number] = uniqueCount++;
    }
    ids[i] = known[number];
  }
  return { ids, firsts: firsts.slice(0, uniqueCount) };
}

/** 32-bit MurmurHash3 (Appleby 2011) over 32-bit words. */
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
