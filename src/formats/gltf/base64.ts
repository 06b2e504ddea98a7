/** Base64 with the standard alphabet (RFC 4648 section 4), for browsers and Node alike. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const INVALID = 0xff;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

/** Bytes of the base64 text from `start` on; null when it is none. The padding may be missing, blanks may not be there. */
export function decodeBase64(text: string, start = 0): Uint8Array | null {
  let end = text.length;
  let pads = 0;
  while (pads < 2 && end > start && text.charCodeAt(end - 1) === 0x3d) {
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

/** Base64 of the bytes of all parts, one after the other, with padding. */
export function encodeBase64(parts: readonly Uint8Array[]): string {
  const pieces: string[] = [];
  let rest = new Uint8Array(0);
  for (const part of parts) {
    const start = rest.length === 0 ? 0 : Math.min(3 - rest.length, part.length);
    if (start > 0) {
      const joined = new Uint8Array(rest.length + start);
      joined.set(rest);
      joined.set(part.subarray(0, start), rest.length);
      rest = joined;
      if (rest.length < 3) continue;
      pieces.push(encodeTriples(rest, 0, 3));
    }
    const whole = start + Math.floor((part.length - start) / 3) * 3;
    // In slices: fromCharCode takes its characters as arguments.
    for (let i = start; i < whole; i += 6144) pieces.push(encodeTriples(part, i, Math.min(i + 6144, whole)));
    rest = part.slice(whole);
  }
  if (rest.length > 0) {
    const padded = new Uint8Array(3);
    padded.set(rest);
    pieces.push(encodeTriples(padded, 0, 3).slice(0, rest.length + 1), '='.repeat(3 - rest.length));
  }
  return pieces.join('');
}

function encodeTriples(bytes: Uint8Array, start: number, end: number): string {
  const codes = new Uint8Array(((end - start) / 3) * 4);
  let out = 0;
  for (let i = start; i < end; i += 3) {
    const triple = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!;
    codes[out++] = ALPHABET.charCodeAt(triple >> 18);
    codes[out++] = ALPHABET.charCodeAt((triple >> 12) & 63);
    codes[out++] = ALPHABET.charCodeAt((triple >> 6) & 63);
    codes[out++] = ALPHABET.charCodeAt(triple & 63);
  }
  return String.fromCharCode(...codes);
}
