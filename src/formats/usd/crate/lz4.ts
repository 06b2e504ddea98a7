/**
 * Encodes and decodes LZ4 blocks without a frame: literals, and copies of earlier bytes.
 * Source: the LZ4 block format description (lz4_Block_format.md).
 */

const MIN_MATCH = 4;
/** The last 5 bytes of a block are literals, and no match starts in the last 12. */
const LAST_LITERALS = 5;
const NO_MATCH_START = 12;
const MAX_DISTANCE = 65535;

export function decodeLz4Block(block: Uint8Array, out: Uint8Array): number {
  const size = block.length;
  const room = out.length;
  let from = 0;
  let to = 0;
  while (from < size) {
    const token = block[from++];
    let literals = token >>> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255) {
        if (from >= size) return -1;
        more = block[from++];
        literals += more;
      }
    }
    if (literals > size - from || literals > room - to) return -1;
    if (literals > 32) {
      out.set(block.subarray(from, from + literals), to);
      from += literals;
      to += literals;
    } else for (let k = 0; k < literals; k++) out[to++] = block[from++];
    if (from === size) return to;
    if (size - from < 2) return -1;
    const distance = block[from] | (block[from + 1] << 8);
    from += 2;
    let length = token & 15;
    if (length === 15) {
      let more = 255;
      while (more === 255) {
        if (from >= size) return -1;
        more = block[from++];
        length += more;
      }
    }
    length += MIN_MATCH;
    if (distance === 0 || distance > to || length > room - to) return -1;
    if (distance === 1) out.fill(out[to - 1], to, to + length);
    else if (distance >= length && length > 32) out.copyWithin(to, to - distance, to - distance + length);
    else for (let k = 0; k < length; k++) out[to + k] = out[to + k - distance];
    to += length;
  }
  // A block ends with literals; only an empty block gets here.
  return size === 0 ? 0 : -1;
}

function worstSize(size: number): number {
  return size + Math.ceil(size / 255) + 16;
}

function hashAt(bytes: Uint8Array, at: number, shift: number): number {
  const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  return Math.imul(word, 0x9e3779b1) >>> shift;
}

/** Encodes bytes as a block: greedily, with a hash table of the last offset of four bytes. */
export function encodeLz4Block(bytes: Uint8Array): Uint8Array {
  const size = bytes.length;
  const out = new Uint8Array(worstSize(size));
  const tableBits = size < 4096 ? 10 : 15;
  // Offsets plus one: zero means "no entry".
  const table = new Int32Array(1 << tableBits);
  const shift = 32 - tableBits;
  const lastStart = size - NO_MATCH_START;
  const lastMatched = size - LAST_LITERALS;
  let to = 0;
  let anchor = 0;
  let at = 0;
  let misses = 0;

  const putLength = (rest: number): void => {
    let left = rest;
    for (; left >= 255; left -= 255) out[to++] = 255;
    out[to++] = left;
  };
  const putSequence = (end: number, distance: number, length: number): void => {
    const literals = end - anchor;
    const matched = length - MIN_MATCH;
    out[to++] = (Math.min(literals, 15) << 4) | (length === 0 ? 0 : Math.min(matched, 15));
    if (literals >= 15) putLength(literals - 15);
    out.set(bytes.subarray(anchor, end), to);
    to += literals;
    if (length === 0) return;
    out[to++] = distance & 0xff;
    out[to++] = distance >>> 8;
    if (matched >= 15) putLength(matched - 15);
  };

  while (at <= lastStart) {
    const slot = hashAt(bytes, at, shift);
    const before = table[slot] - 1;
    table[slot] = at + 1;
    const isMatch =
      before >= 0 &&
      at - before <= MAX_DISTANCE &&
      bytes[before] === bytes[at] &&
      bytes[before + 1] === bytes[at + 1] &&
      bytes[before + 2] === bytes[at + 2] &&
      bytes[before + 3] === bytes[at + 3];
    if (!isMatch) {
      // Steps grow where nothing repeats.
      at += 1 + (misses++ >>> 6);
      continue;
    }
    misses = 0;
    let length = MIN_MATCH;
    while (at + length < lastMatched && bytes[before + length] === bytes[at + length]) length++;
    putSequence(at, at - before, length);
    at += length;
    anchor = at;
  }
  putSequence(size, 0, 0);
  return out.slice(0, to);
}
