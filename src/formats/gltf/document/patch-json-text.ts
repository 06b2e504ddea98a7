/**
 * Writes edits into JSON text. Parsing and serializing a whole file would lose number forms, escapes, member order,
 * repeated keys and whitespace. Instead the original text is copied, and only the ranges of changed values are replaced:
 *
 * 1. The original text is parsed and compared with the edited value (`isSameJson`). Equal subtrees keep their text.
 * 2. For a changed container, the scanner finds the text ranges of its entries. Object members are matched by key, array
 *    items by content (`alignItems`). Changed entries are patched recursively.
 * 3. New values are serialized with the whitespace of their neighbors (`layoutOf`).
 */
import { isObject, type JsonObject } from './json-access.ts';
import { isSameItem, isSameJson } from './json-equal.ts';
import {
  type ItemSpan,
  type MemberSpan,
  scanItems,
  scanMembers,
  skipBlank,
  skipValue,
  trimBlank,
} from './scan-json.ts';
import { COMPACT, type JsonLayout, nestedLayout, serializeJson } from './serialize-json.ts';

/** The original item that an edited item corresponds to. */
interface ItemOrigin {
  /** Index of the original item; −1 for a new item. */
  readonly origin: number;
  /** True when the item is unchanged. */
  readonly same: boolean;
}

/**
 * Matches edited array items to original items: first equal items, then the unmatched items between equal neighbors, in
 * order. Arrays of the same length are matched index by index.
 */
function alignItems(source: readonly unknown[], edited: readonly unknown[]): ItemOrigin[] {
  if (source.length === edited.length) {
    return edited.map((value, i) => ({ origin: i, same: isSameItem(source[i], value) }));
  }
  const indices = new Map<string, number>();
  source.forEach((value, i) => {
    const key = JSON.stringify(value);
    if (!indices.has(key)) indices.set(key, i);
  });
  const origins = edited.map((value): ItemOrigin => {
    const origin = indices.get(JSON.stringify(value === undefined ? null : value)) ?? -1;
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

/**
 * Replaces the changed values in JSON text. Unchanged values keep their text: number forms, escapes, repeated keys,
 * order and whitespace. New and changed values are formatted like their neighbors.
 *
 * @param json Edited value. Undefined members count as absent.
 * @returns Text that parses to `json`; `sourceText` itself when nothing changed.
 * @throws FormatError JSON_INVALID when `sourceText` is nested deeper than 512 levels.
 * @throws SyntaxError When `sourceText` is not JSON.
 * @throws TypeError For values that JSON cannot express.
 * @throws RangeError For values that contain themselves.
 * @example
 * patchJsonText('{ "a": 1.0, "b": [2] }', { a: 1, b: [2, 3] }); // '{ "a": 1.0, "b": [2, 3] }'
 */
export function patchJsonText(sourceText: string, json: unknown): string {
  const source: unknown = JSON.parse(sourceText);
  if (isSameJson(source, json)) return sourceText;
  const start = skipBlank(sourceText, 0);
  const end = trimBlank(sourceText, sourceText.length);
  const out = [sourceText.slice(0, start)];
  patchValue(out, sourceText, { start, end }, source, json, COMPACT);
  out.push(sourceText.slice(end));
  return out.join('');
}

/** Pushes the text of `edited`. `span` is the range of the original value `source` in the text. */
function patchValue(
  out: string[],
  text: string,
  span: ItemSpan,
  source: unknown,
  edited: unknown,
  outer: JsonLayout,
): void {
  if (Array.isArray(source) && Array.isArray(edited)) {
    patchArray(out, text, span, source, edited, outer);
  } else if (isObject(source) && isObject(edited) && !ArrayBuffer.isView(edited)) {
    patchObject(out, text, span, source, edited, outer);
  } else {
    out.push(serializeJson(edited, nestedLayout(outer)));
  }
}

/** An entry of the patched container: an original entry, kept or replaced, or a new one. */
interface PatchedEntry {
  /** Index of the original entry in the text; −1 for a new entry. */
  readonly entry: number;
  /** New text in pieces; null keeps the original entry. */
  readonly pieces: string[] | null;
}

function patchObject(
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
  // The last of repeated keys counts (RFC 8259 section 4, glTF 2.0 section 2.7.4).
  const last = new Map(keys.map((key, i) => [key, i]));
  const patched: PatchedEntry[] = [];
  for (let i = 0; i < members.length; i++) {
    const key = keys[i]!;
    const value = Object.hasOwn(edited, key) ? edited[key] : undefined;
    if (value === undefined) continue;
    if (last.get(key) !== i || isSameJson(source[key], value)) {
      patched.push({ entry: i, pieces: null });
      continue;
    }
    const member = members[i]!;
    const pieces = [text.slice(member.keyStart, member.start)];
    patchValue(pieces, text, member, source[key], value, layout);
    patched.push({ entry: i, pieces });
  }
  const inner = nestedLayout(layout);
  for (const [key, value] of Object.entries(edited)) {
    if (value === undefined || last.has(key)) continue;
    patched.push({ entry: -1, pieces: [JSON.stringify(key), layout.colon, serializeJson(value, inner)] });
  }
  const entries = members.map(({ keyStart, end }) => ({ start: keyStart, end }));
  assemble(out, text, span, entries, patched, layout);
}

function keyOf(text: string, { keyStart, keyEnd }: MemberSpan): string {
  const inner = text.slice(keyStart + 1, keyEnd - 1);
  return inner.includes('\\') ? (JSON.parse(text.slice(keyStart, keyEnd)) as string) : inner;
}

function patchArray(
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
  const patched: PatchedEntry[] = [];
  for (let i = 0; i < first; i++) patched.push({ entry: i, pieces: null });
  const origins = alignItems(source.slice(first, source.length - tail), edited.slice(first, edited.length - tail));
  origins.forEach(({ origin, same }, i) => {
    if (same) {
      patched.push({ entry: first + origin, pieces: null });
      return;
    }
    const pieces: string[] = [];
    const value = edited[first + i];
    if (origin < 0) pieces.push(serializeJson(value, nestedLayout(layout)));
    else patchValue(pieces, text, items[first + origin]!, source[first + origin], value, layout);
    patched.push({ entry: origin < 0 ? -1 : first + origin, pieces });
  });
  for (let i = source.length - tail; i < source.length; i++) patched.push({ entry: i, pieces: null });
  assemble(out, text, span, items, patched, layout);
}

/** Pushes an array whose original items are unchanged: one slice of the text, then the new items. */
function appendItems(out: string[], text: string, span: ItemSpan, added: readonly unknown[], outer: JsonLayout): void {
  // The layout follows from the first two items, so the others are not scanned.
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
  for (const value of added) out.push(layout.between, serializeJson(value, inner));
  out.push(text.slice(last, span.end));
}

/**
 * Derives the layout of a container from its text. `entries` are its first entries; the last of them must end where the
 * last entry of the container ends.
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

/** Pushes a container. Each run of unchanged entries is one slice of the text. */
function assemble(
  out: string[],
  text: string,
  span: ItemSpan,
  entries: readonly ItemSpan[],
  patched: readonly PatchedEntry[],
  layout: JsonLayout,
): void {
  const bracket = text[span.start]!;
  const closing = text[span.end - 1]!;
  if (patched.length === 0) {
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
  patched.forEach(({ entry, pieces }, i) => {
    // The text before an entry includes its comma, unless it is the first entry in the text.
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
