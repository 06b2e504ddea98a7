/** Decodes and encodes texts that may contain invalid UTF-8 without losing a byte. */

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ENCODER = new TextEncoder();

/** An invalid byte becomes the lone surrogate with this code plus the byte. */
const BYTE_SURROGATE = 0xdc00;

const BYTE_SURROGATES = /[\udc80-\udcff]+/gu;

/** Decodes the character at a byte offset; −1 for invalid UTF-8. */
function codePointAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first < 0x80) return first;
  const more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
  if (more === 0 || at + more >= bytes.length) return -1;
  let code = first & (0x3f >> more);
  for (let k = 1; k <= more; k++) {
    if ((bytes[at + k] & 0xc0) !== 0x80) return -1;
    code = (code << 6) | (bytes[at + k] & 0x3f);
  }
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  return code < MIN_CODE_POINT[more] || isSurrogate || code > 0x10ffff ? -1 : code;
}

/** Smallest code point by the number of bytes after the first. */
const MIN_CODE_POINT = [0, 0x80, 0x800, 0x10000];

/** Code units per call of `String.fromCharCode`, whose argument count is limited. */
const CHUNK = 0x2000;

/** Decodes UTF-8. Invalid bytes become lone surrogates, U+DC80 for 0x80 and so on; {@link encodeLooseUtf8} restores them. */
export function decodeLooseUtf8(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    const units = new Uint16Array(bytes.length);
    let size = 0;
    for (let at = 0; at < bytes.length; ) {
      const code = codePointAt(bytes, at);
      if (code >= 0x10000) {
        units[size++] = 0xd800 + ((code - 0x10000) >> 10);
        units[size++] = 0xdc00 + (code & 0x3ff);
      } else units[size++] = code < 0 ? BYTE_SURROGATE + bytes[at] : code;
      at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    }
    let text = '';
    for (let at = 0; at < size; at += CHUNK) {
      text += String.fromCharCode(...units.subarray(at, Math.min(at + CHUNK, size)));
    }
    return text;
  }
}

/** Encodes text as UTF-8. Lone surrogates from U+DC80 to U+DCFF become the bytes that they stand for. */
export function encodeLooseUtf8(text: string): Uint8Array {
  const runs = [...text.matchAll(BYTE_SURROGATES)];
  if (runs.length === 0) return ENCODER.encode(text);
  const out = new Uint8Array(3 * text.length);
  let size = 0;
  let from = 0;
  for (const { 0: bytes, index } of runs) {
    size += ENCODER.encodeInto(text.slice(from, index), out.subarray(size)).written;
    for (let i = 0; i < bytes.length; i++) out[size++] = bytes.charCodeAt(i) - BYTE_SURROGATE;
    from = index + bytes.length;
  }
  size += ENCODER.encodeInto(text.slice(from), out.subarray(size)).written;
  return out.slice(0, size);
}
