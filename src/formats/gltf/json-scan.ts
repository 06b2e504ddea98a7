/**
 * Finds values in JSON text without building them. The text must be JSON that JSON.parse takes: the scanner trusts it
 * and only skips. Nothing recurses: nesting costs a counter.
 */
import { FormatError } from '../../core/report/format-error.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where an item of an array stands in the text: [start, end). */
export interface ItemSpan {
  readonly start: number;
  readonly end: number;
}

/** Where a member of an object stands in the text. */
export interface MemberSpan extends ItemSpan {
  /** The key with its quotes: [keyStart, keyEnd). */
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** Kinds of bytes that tell how deep JSON is nested. */
const KINDS = new Uint8Array(256);
KINDS[QUOTE] = 1;
KINDS[OPEN_ARRAY] = 2;
KINDS[OPEN_OBJECT] = 2;
KINDS[CLOSE_ARRAY] = 3;
KINDS[CLOSE_OBJECT] = 3;

/** FormatError JSON_INVALID, with the offset in the bytes, when arrays and objects are nested deeper than `limit`. */
export function checkDepth(utf8: Uint8Array, limit: number, fileOffset = 0): void {
  let depth = 0;
  for (let at = 0; at < utf8.length; at++) {
    const kind = KINDS[utf8[at]!];
    if (kind === 0) continue;
    if (kind === 3) {
      depth--;
    } else if (kind === 2) {
      if (++depth <= limit) continue;
      const message = `The JSON is nested deeper than ${limit} levels, which no real file is`;
      throw new FormatError('JSON_INVALID', message, { offset: fileOffset + at });
    } else {
      for (at++; at < utf8.length && utf8[at] !== QUOTE; at++) if (utf8[at] === BACKSLASH) at++;
    }
  }
}

/** First position at or after `at` that is not blank. */
export function skipBlank(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

/** Characters of a string that are looked at one by one: most strings are short, and a call of indexOf costs more. */
const SHORT = 48;

/** Position after the last character before `end` that is not blank. */
export function trimBlank(text: string, end: number): number {
  for (; end > 0; end--) {
    const code = text.charCodeAt(end - 1);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return end;
}

/** Position after the string whose opening quote is at `at`; the end of the text when it is not closed. */
function skipString(text: string, at: number): number {
  const short = Math.min(at + SHORT, text.length);
  let i = at + 1;
  while (i < short) {
    const code = text.charCodeAt(i++);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  // i is never the second half of an escape here, so counting backslashes back to it is enough.
  for (let quote = text.indexOf('"', i); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslash = quote - 1;
    while (backslash >= i && text.charCodeAt(backslash) === BACKSLASH) backslash--;
    if ((quote - backslash) % 2 === 1) return quote + 1;
  }
  return text.length;
}

/** Position after the value that starts at `at`. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at);
  if (first !== OPEN_ARRAY && first !== OPEN_OBJECT) return skipWord(text, at);
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at++;
    if (code === OPEN_ARRAY || code === OPEN_OBJECT) depth++;
    else if ((code === CLOSE_ARRAY || code === CLOSE_OBJECT) && --depth === 0) break;
  }
  return at;
}

/** A number, true, false or null: up to a blank, a comma or a bracket. */
function skipWord(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT) break;
  }
  return at;
}

/** Spans of the items of the array whose `[` is at `at`. */
export function scanItems(text: string, at: number): ItemSpan[] {
  const spans: ItemSpan[] = [];
  at = skipBlank(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValue(text, at);
    spans.push({ start: at, end });
    at = nextEntry(text, end);
  }
  return spans;
}

/** Spans of the members of the object whose `{` is at `at`, in the order of the text, repeated keys too. */
export function scanMembers(text: string, at: number): MemberSpan[] {
  const spans: MemberSpan[] = [];
  at = skipBlank(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_OBJECT) {
    const keyEnd = skipString(text, at);
    const start = skipBlank(text, skipBlank(text, keyEnd) + 1);
    const end = skipValue(text, start);
    spans.push({ keyStart: at, keyEnd, start, end });
    at = nextEntry(text, end);
  }
  return spans;
}

/** Start of the next item or member, or the position of the closing bracket. */
function nextEntry(text: string, end: number): number {
  const at = skipBlank(text, end);
  return text.charCodeAt(at) === COMMA ? skipBlank(text, at + 1) : at;
}
