/** Printing of edited JSON that leaves alone what was not edited. */
import { FormatError } from '../../core/report/format-error.ts';
import {
  type ItemSpan,
  type MemberSpan,
  scanItems,
  scanMembers,
  skipBlank,
  skipValue,
  trimBlank,
} from './json-scan.ts';
import { GLTF_LIMITS } from './limits.ts';
import { COMPACT, type JsonLayout, nestedLayout, printJson } from './print-json.ts';
import { isObject, type JsonObject } from './schema.ts';

/**
 * Prints `json` so that every value that is still what `sourceText` says keeps its text: number forms, escapes,
 * repeated keys, order, blanks. Only new and changed values are printed, laid out like their neighbors. Nothing
 * changed: `sourceText` itself. Parsing the result gives `json` (members that are undefined left out). FormatError
 * JSON_INVALID when `sourceText` is nested deeper than 512 levels, SyntaxError when it is not JSON, TypeError or
 * RangeError for values that JSON has no form for.
 */
export function reprint(sourceText: string, json: unknown): string {
  const source: unknown = JSON.parse(sourceText);
  if (isSame(source, json)) return sourceText;
  const start = skipBlank(sourceText, 0);
  const end = trimBlank(sourceText, sourceText.length);
  const out = [sourceText.slice(0, start)];
  reprintValue(out, sourceText, { start, end }, source, json, COMPACT);
  out.push(sourceText.slice(end));
  return out.join('');
}

/** Whether JSON values are equal: order of members does not matter, 0 and −0 differ, an undefined member is none. */
function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > GLTF_LIMITS.jsonDepth) {
    throw new FormatError('JSON_INVALID', `The JSON is nested deeper than ${GLTF_LIMITS.jsonDepth} levels`);
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i] === undefined ? null : b[i], depth + 1)) return false;
    return true;
  }
  return !Array.isArray(b) && isSameObject(a as JsonObject, b as JsonObject, depth + 1);
}

function isSameObject(a: JsonObject, b: JsonObject, depth: number): boolean {
  const keys = Object.keys(b);
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const value = b[key];
    if (value === undefined) continue;
    // What is inherited is never JSON, so it is never the same; but the prototype itself looks like an empty object.
    if (!isSame(a[key], value, depth) || (key === '__proto__' && !Object.hasOwn(a, key))) return false;
    count++;
  }
  return count === Object.keys(a).length;
}

/** Pushes the text of `edited`, of which the span in the text held `source`. */
function reprintValue(
  out: string[],
  text: string,
  span: ItemSpan,
  source: unknown,
  edited: unknown,
  outer: JsonLayout,
): void {
  if (Array.isArray(source) && Array.isArray(edited)) {
    reprintArray(out, text, span, source, edited, outer);
  } else if (isObject(source) && isObject(edited) && !ArrayBuffer.isView(edited)) {
    reprintObject(out, text, span, source, edited, outer);
  } else {
    out.push(printJson(edited, nestedLayout(outer)));
  }
}

/** What comes out at one place of a container: an entry of the text, as it is or with another value, or a new one. */
interface Placed {
  /** Index of the entry in the text, −1 for a new one. */
  readonly entry: number;
  /** Pieces that replace the entry or are the new one; null keeps the entry. */
  readonly pieces: string[] | null;
}

function reprintObject(
  out: string[],
  text: string,
  span: ItemSpan,
  source: JsonObject,
  edited: JsonObject,
  outer: JsonLayout,
): void {
  const members = scanMembers(text, span.start);
  const keys = members.map((member) => keyOf(text, member));
  const layout = layoutOf(text, span, members, outer);
  // Of repeated keys the last one counts (RFC 8259 section 4, glTF 2.0 section 2.7.4).
  const last = new Map(keys.map((key, i) => [key, i]));
  const placed: Placed[] = [];
  for (let i = 0; i < members.length; i++) {
    const key = keys[i]!;
    const value = Object.hasOwn(edited, key) ? edited[key] : undefined;
    if (value === undefined) continue;
    if (last.get(key) !== i || isSame(source[key], value)) {
      placed.push({ entry: i, pieces: null });
      continue;
    }
    const member = members[i]!;
    const pieces = [text.slice(member.keyStart, member.start)];
    reprintValue(pieces, text, member, source[key], value, layout);
    placed.push({ entry: i, pieces });
  }
  const inner = nestedLayout(layout);
  for (const [key, value] of Object.entries(edited)) {
    if (value === undefined || last.has(key)) continue;
    placed.push({ entry: -1, pieces: [JSON.stringify(key), layout.colon, printJson(value, inner)] });
  }
  const entries = members.map(({ keyStart, end }) => ({ start: keyStart, end }));
  assemble(out, text, span, entries, placed, layout);
}

function keyOf(text: string, { keyStart, keyEnd }: MemberSpan): string {
  const inner = text.slice(keyStart + 1, keyEnd - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(keyStart, keyEnd)) as string) : inner;
}

function reprintArray(
  out: string[],
  text: string,
  span: ItemSpan,
  source: readonly unknown[],
  edited: readonly unknown[],
  outer: JsonLayout,
): void {
  const shared = Math.min(source.length, edited.length);
  let first = 0;
  while (first < shared && isSameItem(source[first], edited[first])) first++;
  if (first === source.length && first > 0) {
    appendItems(out, text, span, edited.slice(first), outer);
    return;
  }
  let tail = 0;
  while (tail < shared - first && isSameItem(source.at(-1 - tail), edited.at(-1 - tail))) tail++;

  const items = scanItems(text, span.start);
  const layout = layoutOf(text, span, items, outer);
  const placed: Placed[] = [];
  for (let i = 0; i < first; i++) placed.push({ entry: i, pieces: null });
  const origins = originsOf(source.slice(first, source.length - tail), edited.slice(first, edited.length - tail));
  origins.forEach(({ origin, same }, i) => {
    if (same) {
      placed.push({ entry: first + origin, pieces: null });
      return;
    }
    const pieces: string[] = [];
    const value = edited[first + i];
    if (origin < 0) pieces.push(printJson(value, nestedLayout(layout)));
    else reprintValue(pieces, text, items[first + origin]!, source[first + origin], value, layout);
    placed.push({ entry: origin < 0 ? -1 : first + origin, pieces });
  });
  for (let i = source.length - tail; i < source.length; i++) placed.push({ entry: i, pieces: null });
  assemble(out, text, span, items, placed, layout);
}

function isSameItem(a: unknown, b: unknown): boolean {
  return isSame(a, b === undefined ? null : b);
}

/** Which old item a new one comes from: −1 for none; `same` when it is unchanged. */
interface Origin {
  readonly origin: number;
  readonly same: boolean;
}

/**
 * Finds for every edited item the old one it comes from: one that is equal; else, where none is, an old item that is
 * left over between those of its neighbors. Lists of the same length are taken to be edited in place.
 */
function originsOf(source: readonly unknown[], edited: readonly unknown[]): Origin[] {
  if (source.length === edited.length) {
    return edited.map((value, i) => ({ origin: i, same: isSameItem(source[i], value) }));
  }
  const places = new Map<string, number>();
  source.forEach((value, i) => {
    const key = JSON.stringify(value);
    if (!places.has(key)) places.set(key, i);
  });
  const origins = edited.map((value): Origin => {
    const origin = places.get(JSON.stringify(value === undefined ? null : value)) ?? -1;
    const same = origin >= 0 && isSameItem(source[origin], value);
    return { origin: same ? origin : -1, same };
  });

  let end = source.length;
  for (let i = origins.length - 1; i >= 0; ) {
    if (origins[i]!.same) {
      end = origins[i--]!.origin;
      continue;
    }
    let start = i;
    while (start >= 0 && !origins[start]!.same) start--;
    const free = start < 0 ? 0 : origins[start]!.origin + 1;
    for (let k = start + 1; k <= i && free + k - start - 1 < end; k++) {
      origins[k] = { origin: free + k - start - 1, same: false };
    }
    i = start;
  }
  return origins;
}

/** An array whose old items all stay: one slice of the text, then the new items. */
function appendItems(out: string[], text: string, span: ItemSpan, added: readonly unknown[], outer: JsonLayout): void {
  // Two items at most are looked at: how they are laid out is all that is asked.
  const start = skipBlank(text, span.start + 1);
  const end = skipValue(text, start);
  const comma = skipBlank(text, end);
  const second = skipBlank(text, comma + 1);
  const last = trimBlank(text, span.end - 1);
  const items = [{ start, end }];
  if (text[comma] === ',') items.push({ start: second, end: last });
  const layout = layoutOf(text, span, items, outer);
  const inner = nestedLayout(layout);
  out.push(text.slice(span.start, last));
  for (const value of added) out.push(layout.between, printJson(value, inner));
  out.push(text.slice(last, span.end));
}

/**
 * Reads off the layout of a container; `entries` are its first ones, the last of them ending where the last one ends.
 */
function layoutOf(
  text: string,
  span: ItemSpan,
  entries: readonly (ItemSpan | MemberSpan)[],
  outer: JsonLayout,
): JsonLayout {
  const first = entries[0];
  if (first === undefined) return nestedLayout(outer);
  const open = text.slice(span.start + 1, startOf(first));
  const close = text.slice(entries.at(-1)!.end, span.end - 1);
  const colon = 'keyEnd' in first ? text.slice(first.keyEnd, first.start) : outer.colon;
  const second = entries[1];
  if (!open.includes('\n')) {
    const oneLine = outer.unit === '' ? outer.between : colon.endsWith(' ') ? ', ' : ',';
    return { open, between: second ? text.slice(first.end, startOf(second)) : oneLine, close, colon, unit: '' };
  }
  const indent = open.slice(open.lastIndexOf('\n') + 1);
  const outerIndent = close.slice(close.lastIndexOf('\n') + 1);
  const unit = indent.startsWith(outerIndent) ? indent.slice(outerIndent.length) : outer.unit;
  return { open, between: second ? text.slice(first.end, startOf(second)) : `,${open}`, close, colon, unit };
}

function startOf(entry: ItemSpan | MemberSpan): number {
  return 'keyStart' in entry ? entry.keyStart : entry.start;
}

/** Pushes a container; runs of entries that stay are one slice. */
function assemble(
  out: string[],
  text: string,
  span: ItemSpan,
  entries: readonly ItemSpan[],
  placed: readonly Placed[],
  layout: JsonLayout,
): void {
  const bracket = text[span.start]!;
  const closing = text[span.end - 1]!;
  if (placed.length === 0) {
    out.push(bracket, closing);
    return;
  }
  out.push(bracket);
  let run = -1;
  let runEnd = -1;
  const flush = (): void => {
    if (run >= 0) out.push(text.slice(run, runEnd));
    run = -1;
  };
  placed.forEach(({ entry, pieces }, i) => {
    // The text in front of an entry: with a comma, unless it is the first in the text.
    const lead = entry > 0 && i > 0 ? entries[entry - 1]!.end : -1;
    const start = lead >= 0 ? lead : entry >= 0 ? entries[entry]!.start : -1;
    if (run >= 0 && start !== runEnd) flush();
    if (i === 0) out.push(entries.length > 0 ? text.slice(span.start + 1, entries[0]!.start) : layout.open);
    else if (lead < 0) out.push(layout.between);
    if (pieces === null) {
      if (run < 0) run = start;
      runEnd = entries[entry]!.end;
      return;
    }
    flush();
    if (lead >= 0) out.push(text.slice(lead, entries[entry]!.start));
    for (const piece of pieces) out.push(piece);
  });
  flush();
  out.push(entries.length > 0 ? text.slice(entries.at(-1)!.end, span.end - 1) : layout.close, closing);
}
