/**
 * Finds the text ranges of values in JSON without parsing them. The text must be valid JSON (`JSON.parse` accepted it):
 * the scanner does not check it. No function is recursive, so deep nesting cannot overflow the stack.
 */
import { FormatError } from '../../../core/report/format-error.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Text range of an array item: [start, end). */
export interface ItemSpan {
  /** Index of the first character of the value. */
  readonly start: number;
  /** Index after the last character of the value. */
  readonly end: number;
}

export interface MemberSpan extends ItemSpan {
  /** Index of the opening quote of the key. */
  readonly keyStart: number;
  /** Index after the closing quote of the key. */
  readonly keyEnd: number;
}

/** Byte kinds that matter for nesting: 1 a quote, 2 an opening bracket, 3 a closing bracket. */
const KINDS = new Uint8Array(256);
KINDS[QUOTE] = 1;
KINDS[OPEN_ARRAY] = 2;
KINDS[OPEN_OBJECT] = 2;
KINDS[CLOSE_ARRAY] = 3;
KINDS[CLOSE_OBJECT] = 3;

/**
 * Checks the nesting of JSON before it is parsed. `fileOffset`: offset of the text in the file, in bytes, for errors. Throws FormatError
 * JSON_INVALID with the byte offset of the first bracket past the limit.
 */
export function checkDepth(utf8: Uint8Array, limit: number, fileOffset = 0): void {
  let depth = 0;
  for (let at = 0; at < utf8.length; at++) {
    const kind = KINDS[utf8[at]!];
    if (kind === 0) continue;
    if (kind === 3) {
      depth--;
    } else if (kind === 2) {
      if (++depth <= limit) continue;
      const message = `The JSON is nested deeper than ${limit} levels, which is the limit; the file is damaged or malicious`;
      throw new FormatError('JSON_INVALID', message, { offset: fileOffset + at });
    } else {
      for (at++; at < utf8.length && utf8[at] !== QUOTE; at++) if (utf8[at] === BACKSLASH) at++;
    }
  }
}

export function skipBlank(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

/** Characters of a string to check one by one: most strings are short, and a call of indexOf costs more. */
const SHORT = 48;

/** Skips whitespace backwards. */
export function trimBlank(text: string, end: number): number {
  for (; end > 0; end--) {
    const code = text.charCodeAt(end - 1);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return end;
}

/** Index after the string whose opening quote is at `at`; the end of the text when the string is not closed. */
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

/** Skips a number, true, false or null: up to whitespace, a comma or a closing bracket. */
function skipWord(text: string, at: number): number {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT) break;
  }
  return at;
}

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

/** Start of the next item or member, or the index of the closing bracket. */
function nextEntry(text: string, end: number): number {
  const at = skipBlank(text, end);
  return text.charCodeAt(at) === COMMA ? skipBlank(text, at + 1) : at;
}
