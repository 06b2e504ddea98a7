/**
 * Decompression of zlib data (RFC 1950) whose size is known. It stops at that size, so that no stream can fill the
 * memory, whatever it expands to.
 */

const END_OF_BLOCK = 256;
const LONGEST_CODE = 15;
/** Codes up to this length are found in one look; longer ones are walked bit by bit. */
const LOOK_BITS = 9;

/** Codes of one alphabet (RFC 1951, 3.2.2): canonical, so the lengths say all. */
interface Huffman {
  /** By the next `LOOK_BITS` bits: symbol << 4 | length; 0 where the code is longer or none. */
  readonly look: Uint16Array;
  /** Number of codes of each length. */
  readonly counts: Uint16Array;
  /** Symbols in the order of their codes. */
  readonly symbols: Uint16Array;
}

/** RFC 1951, 3.2.5: lengths of matches for the symbols 257–285 and their extra bits; distances for 0–29. */
const LENGTH_BASE = Uint16Array.of(
  ...[
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ],
);
const LENGTH_EXTRA = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
);
const DISTANCE_BASE = Uint16Array.of(
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097],
  ...[6145, 8193, 12289, 16385, 24577],
);
const DISTANCE_EXTRA = Uint8Array.of(
  ...[0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13],
);
/** RFC 1951, 3.2.7: the order in which the lengths of the code length codes are written. */
const LENGTH_ORDER = Uint8Array.of(16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15);

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >> bit) & 1) << (length - 1 - bit);
  return result;
}

/** The codes that these lengths mean; null where they are too many, or too few and not a single one. */
function huffman(lengths: Uint8Array): Huffman | null {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) counts[length]++;
  const coded = lengths.length - counts[0];
  counts[0] = 0;
  const firstCode = new Uint16Array(LONGEST_CODE + 2);
  const firstSymbol = new Uint16Array(LONGEST_CODE + 2);
  let free = 1;
  for (let length = 1; length <= LONGEST_CODE; length++) {
    free = 2 * free - counts[length];
    if (free < 0) return null;
    firstCode[length + 1] = (firstCode[length] + counts[length]) << 1;
    firstSymbol[length + 1] = firstSymbol[length] + counts[length];
  }
  if (free > 0 && coded > 1) return null;
  const look = new Uint16Array(1 << LOOK_BITS);
  const symbols = new Uint16Array(coded);
  const next = firstSymbol.slice();
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    const code = firstCode[length] + next[length] - firstSymbol[length];
    symbols[next[length]++] = symbol;
    if (length > LOOK_BITS) continue;
    for (let at = reversed(code, length); at < look.length; at += 1 << length) look[at] = (symbol << 4) | length;
  }
  return { look, counts, symbols };
}

/** RFC 1951, 3.2.6. */
function fixedCodes(): { literals: Huffman; distances: Huffman } {
  const lengths = new Uint8Array(288).fill(8);
  lengths.fill(9, 144, 256).fill(7, 256, 280);
  return { literals: huffman(lengths)!, distances: huffman(new Uint8Array(32).fill(5))! };
}

let fixed: { literals: Huffman; distances: Huffman } | null = null;

/** Bits of a stream, the lowest of each byte first. Past the end they are 0, and `overrun` tells. */
class BitReader {
  readonly bytes: Uint8Array;
  at: number;
  private bits = 0;
  private held = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  get overrun(): boolean {
    return this.at - (this.held >> 3) > this.bytes.length;
  }

  private hold(count: number): void {
    while (this.held < count) {
      this.bits |= (this.at < this.bytes.length ? this.bytes[this.at] : 0) << this.held;
      this.at++;
      this.held += 8;
    }
  }

  take(count: number): number {
    this.hold(count);
    const value = this.bits & ((1 << count) - 1);
    this.bits >>>= count;
    this.held -= count;
    return value;
  }

  /** Drops the rest of the byte and gives back bytes that were held. */
  alignToByte(): void {
    this.at -= this.held >> 3;
    this.bits = 0;
    this.held = 0;
  }

  /** The next symbol; −1 where the bits are no code. */
  symbol(codes: Huffman): number {
    this.hold(LONGEST_CODE);
    const found = codes.look[this.bits & ((1 << LOOK_BITS) - 1)];
    if (found !== 0) {
      this.bits >>>= found & 15;
      this.held -= found & 15;
      return found >> 4;
    }
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code |= (this.bits >> (length - 1)) & 1;
      const count = codes.counts[length];
      if (code - first < count) {
        this.bits >>>= length;
        this.held -= length;
        return codes.symbols[index + code - first];
      }
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    return -1;
  }
}

/** RFC 1951, 3.2.7; null where the tables are not valid. */
function readCodes(reader: BitReader): { literals: Huffman; distances: Huffman } | null {
  const literalCount = reader.take(5) + 257;
  const distanceCount = reader.take(5) + 1;
  const orderCount = reader.take(4) + 4;
  if (literalCount > 286 || distanceCount > 30) return null;
  const orderLengths = new Uint8Array(19);
  for (let i = 0; i < orderCount; i++) orderLengths[LENGTH_ORDER[i]] = reader.take(3);
  const lengthCodes = huffman(orderLengths);
  if (lengthCodes === null) return null;
  const lengths = new Uint8Array(literalCount + distanceCount);
  for (let i = 0; i < lengths.length; ) {
    const symbol = reader.symbol(lengthCodes);
    if (symbol < 0) return null;
    if (symbol < 16) {
      lengths[i++] = symbol;
      continue;
    }
    if (symbol === 16 && i === 0) return null;
    const repeated = symbol === 16 ? lengths[i - 1] : 0;
    const times = symbol === 16 ? 3 + reader.take(2) : symbol === 17 ? 3 + reader.take(3) : 11 + reader.take(7);
    if (i + times > lengths.length) return null;
    lengths.fill(repeated, i, i + times);
    i += times;
  }
  if (lengths[END_OF_BLOCK] === 0) return null;
  const literals = huffman(lengths.subarray(0, literalCount));
  const distances = huffman(lengths.subarray(literalCount));
  return literals === null || distances === null ? null : { literals, distances };
}

const BROKEN = 'is damaged';
const TOO_LONG = 'expands to more';

/** One block of literals and matches. How many bytes are written after it, or what is wrong. */
function inflateBlock(
  reader: BitReader,
  codes: { literals: Huffman; distances: Huffman },
  out: Uint8Array,
  from: number,
): number | string {
  let to = from;
  for (;;) {
    const symbol = reader.symbol(codes.literals);
    if (symbol < 0 || reader.overrun) return BROKEN;
    if (symbol < END_OF_BLOCK) {
      if (to === out.length) return TOO_LONG;
      out[to++] = symbol;
      continue;
    }
    if (symbol === END_OF_BLOCK) return to;
    const row = symbol - 257;
    if (row >= LENGTH_BASE.length) return BROKEN;
    const length = LENGTH_BASE[row] + reader.take(LENGTH_EXTRA[row]);
    const far = reader.symbol(codes.distances);
    if (far < 0 || far >= DISTANCE_BASE.length) return BROKEN;
    const distance = DISTANCE_BASE[far] + reader.take(DISTANCE_EXTRA[far]);
    if (distance > to) return BROKEN;
    if (length > out.length - to) return TOO_LONG;
    for (let i = 0; i < length; i++) out[to + i] = out[to + i - distance];
    to += length;
  }
}

function storedBlock(reader: BitReader, out: Uint8Array, from: number): number | string {
  reader.alignToByte();
  const { bytes, at } = reader;
  if (at + 4 > bytes.length) return BROKEN;
  const length = bytes[at] | (bytes[at + 1] << 8);
  const check = bytes[at + 2] | (bytes[at + 3] << 8);
  if (length !== (check ^ 0xffff) || at + 4 + length > bytes.length) return BROKEN;
  if (length > out.length - from) return TOO_LONG;
  out.set(bytes.subarray(at + 4, at + 4 + length), from);
  reader.at = at + 4 + length;
  return from + length;
}

/** RFC 1950, 8.2: two sums modulo 65521. */
function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  // 3800 steps stay far below 2^53, even below 2^32.
  for (let start = 0; start < bytes.length; start += 3800) {
    const end = Math.min(start + 3800, bytes.length);
    for (let i = start; i < end; i++) {
      low += bytes[i];
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return high * 65536 + low;
}

/**
 * Fills `out` with what the zlib stream expands to. Null when all is well: the stream ends with exactly that many
 * bytes, and its checksum holds; else what the stream is or does, to go after "the stream".
 */
export function inflateInto(bytes: Uint8Array, out: Uint8Array): string | null {
  // RFC 1950, 2.2: method 8 (deflate), a window of up to 32 KiB, no preset dictionary, a multiple of 31.
  const isZlib = bytes.length >= 6 && (bytes[0] & 15) === 8 && bytes[0] >> 4 <= 7;
  if (!isZlib || (bytes[1] & 32) !== 0 || (bytes[0] * 256 + bytes[1]) % 31 !== 0) return 'is no zlib stream';
  const reader = new BitReader(bytes, 2);
  let to = 0;
  let isLast = false;
  while (!isLast) {
    isLast = reader.take(1) === 1;
    const kind = reader.take(2);
    if (kind === 3 || reader.overrun) return BROKEN;
    if (kind === 1) fixed ??= fixedCodes();
    const codes = kind === 1 ? fixed : kind === 2 ? readCodes(reader) : null;
    if (kind !== 0 && codes === null) return BROKEN;
    const ended = codes === null ? storedBlock(reader, out, to) : inflateBlock(reader, codes, out, to);
    if (typeof ended === 'string') return ended;
    to = ended;
  }
  reader.alignToByte();
  const { at } = reader;
  if (to < out.length) return `expands to ${to}`;
  if (at + 4 > bytes.length) return BROKEN;
  const sum = bytes[at] * 2 ** 24 + bytes[at + 1] * 2 ** 16 + bytes[at + 2] * 2 ** 8 + bytes[at + 3];
  return sum === adler32(out) ? null : 'has a wrong checksum';
}
