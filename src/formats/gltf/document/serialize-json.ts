/** Serializes new JSON values in the layout of the text around them. */

/** Nesting above which a value is assumed to contain itself. */
const MAX_DEPTH = 1000;

/** Whitespace and separators of a container: `[` open entry between entry close `]`. */
export interface JsonLayout {
  /** Whitespace before the first entry. */
  readonly open: string;
  /** Separator of entries: a comma and whitespace. */
  readonly between: string;
  /** Whitespace after the last entry. */
  readonly close: string;
  /** Separator of key and value: a colon and whitespace. */
  readonly colon: string;
  /** Indentation of one level; empty when everything is on one line. */
  readonly unit: string;
}

/** Layout without whitespace, as JSON.stringify writes it. */
export const COMPACT: JsonLayout = { open: '', between: ',', close: '', colon: ':', unit: '' };

/** Returns the layout of containers one level deeper. */
export function nestedLayout(layout: JsonLayout): JsonLayout {
  if (!layout.open.includes('\n')) return layout;
  const open = layout.open + layout.unit;
  return { ...layout, open, between: `,${open}`, close: layout.open };
}

/**
 * Serializes a value as JSON. Unlike JSON.stringify it keeps −0 and infinities (as 1e999, which parses to infinity). Undefined members are omitted;
 * undefined items become null. Throws TypeError for NaN, typed arrays and other values that JSON cannot express. Throws RangeError for values that
 * contain themselves.
 */
export function serializeJson(value: unknown, layout: JsonLayout = COMPACT, depth = 0): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'object')
    throw new TypeError(`printJson: the value is a ${typeof value}, which JSON cannot express`);
  if (ArrayBuffer.isView(value))
    throw new TypeError('printJson: the value is a typed array; convert it with Array.from');
  if (depth > MAX_DEPTH) throw new RangeError('printJson: the value is nested too deeply or contains itself');

  const inner = nestedLayout(layout);
  if (Array.isArray(value)) {
    const items = Array.from(value, (item: unknown) => serializeJson(item, inner, depth + 1));
    return wrap('[', items, ']', layout);
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined)
      members.push(JSON.stringify(key) + layout.colon + serializeJson(member, inner, depth + 1));
  }
  return wrap('{', members, '}', layout);
}

function wrap(start: string, entries: string[], end: string, layout: JsonLayout): string {
  if (entries.length === 0) return start + end;
  return start + layout.open + entries.join(layout.between) + layout.close + end;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) throw new TypeError('printJson: the value is NaN, which JSON cannot express');
  if (value === Number.POSITIVE_INFINITY) return '1e999';
  if (value === Number.NEGATIVE_INFINITY) return '-1e999';
  return Object.is(value, -0) ? '-0' : String(value);
}
