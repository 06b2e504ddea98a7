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

/** FormatError JSON_INVALID, with the offset in the text, when arrays and objects are nested deeper than `limit`. */
export function checkDepth(text: string, limit: number): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at) - 1;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > limit) {
        const message = `The JSON is nested deeper than ${limit} levels, which no real file is`;
        throw new FormatError('JSON_INVALID', message, { offset: at });
      }
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth--;
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

/** Position after the string whose opening quote is at `at`; the end of the text when it is not closed. */
function skipString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
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
