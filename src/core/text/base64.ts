/** Base64 with the standard alphabet (RFC 4648 section 4), for browsers and Node alike. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 0xff;
const PAD = 0x3d;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Decodes base64 text. Padding may be missing; whitespace is not allowed. Returns the decoded bytes, or null when the text is not valid base64. */
export function decodeBase64(text: string, start = 0): Uint8Array | null {
  let end = text.length;
  let pads = 0;
  while (pads < 2 && end > start && text.charCodeAt(end - 1) === PAD) {
    end--;
    pads++;
  }
  const length = end - start;
  if (length % 4 === 1 || (pads > 0 && (length + pads) % 4 !== 0)) return null;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let wrong = 0;
  let out = 0;
  for (let i = start; i < end; i += 4) {
    const a = sextet(text, i, end);
    const b = sextet(text, i + 1, end);
    const c = sextet(text, i + 2, end);
    const d = sextet(text, i + 3, end);
    wrong |= a | b | c | d;
    bytes[out++] = (a << 2) | (b >> 4);
    bytes[out++] = (b << 4) | (c >> 2);
    bytes[out++] = (c << 6) | d;
  }
  return (wrong & 0x80) === 0 ? bytes : null;
}

function sextet(text: string, i: number, end: number): number {
  if (i >= end) return 0;
  const code = text.charCodeAt(i);
  return code < 128 ? VALUES[code]! : INVALID;
}

/** Encodes bytes as base64, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  // fromCharCode takes its characters as arguments, so a long array is encoded in slices.
  for (let start = 0; start < bytes.length; start += SLICE) {
    pieces.push(encodeSlice(bytes, start, Math.min(start + SLICE, bytes.length)));
  }
  return pieces.join('');
}

/** Bytes encoded per slice: a multiple of 3, so that only the last slice needs padding. */
const SLICE = 6144;

function encodeSlice(bytes: Uint8Array, start: number, end: number): string {
  const codes = new Uint8Array(Math.ceil((end - start) / 3) * 4).fill(PAD);
  let out = 0;
  for (let i = start; i < end; i += 3) {
    // Bytes past the end count as zero; their characters keep the padding that the array was filled with.
    const triple = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    codes[out++] = ALPHABET.charCodeAt(triple >> 18);
    codes[out++] = ALPHABET.charCodeAt((triple >> 12) & 63);
    if (i + 1 < end) codes[out++] = ALPHABET.charCodeAt((triple >> 6) & 63);
    if (i + 2 < end) codes[out++] = ALPHABET.charCodeAt(triple & 63);
  }
  return String.fromCharCode(...codes);
}
