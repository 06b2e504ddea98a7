/** Printing of new JSON values in the layout of the text they go into. */

/** Nesting at which a value is taken for one that contains itself. */
const DEEPEST = 1000;

/** How the entries of a container stand in text: `[` open entry between entry close `]`. */
export interface JsonLayout {
  /** Blanks before the first entry. */
  readonly open: string;
  /** From the end of an entry to the next: a comma and blanks. */
  readonly between: string;
  /** Blanks after the last entry. */
  readonly close: string;
  /** From a key to its value: a colon and blanks. */
  readonly colon: string;
  /** What one level more indents; empty when everything stands on one line. */
  readonly unit: string;
}

/** No blanks at all, as JSON.stringify prints. */
export const COMPACT: JsonLayout = { open: '', between: ',', close: '', colon: ':', unit: '' };

/** Layout of the containers inside one that has this layout. */
export function nestedLayout(layout: JsonLayout): JsonLayout {
  if (!layout.open.includes('\n')) return layout;
  const open = layout.open + layout.unit;
  return { ...layout, open, between: `,${open}`, close: layout.open };
}

/**
 * Prints a value as JSON whose containers have `layout`. Unlike JSON.stringify it keeps −0 and infinities (as 1e999,
 * which parses to infinity). Members that are undefined are left out, items that are undefined become null. TypeError
 * for NaN, typed arrays and other values that JSON has no form for; RangeError for values that contain themselves.
 */
export function printJson(value: unknown, layout: JsonLayout = COMPACT, depth = 0): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return printNumber(value);
  if (typeof value !== 'object') throw new TypeError(`printJson: JSON has no form for a ${typeof value}`);
  if (ArrayBuffer.isView(value)) throw new TypeError('printJson: put Array.from(…) of a typed array into the JSON');
  if (depth > DEEPEST) throw new RangeError('printJson: the value is nested too deeply or contains itself');

  const inner = nestedLayout(layout);
  if (Array.isArray(value)) {
    const items = Array.from(value, (item: unknown) => printJson(item, inner, depth + 1));
    return wrap('[', items, ']', layout);
  }
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(JSON.stringify(key) + layout.colon + printJson(member, inner, depth + 1));
  }
  return wrap('{', members, '}', layout);
}

function wrap(start: string, entries: string[], end: string, layout: JsonLayout): string {
  if (entries.length === 0) return start + end;
  return start + layout.open + entries.join(layout.between) + layout.close + end;
}

function printNumber(value: number): string {
  if (Number.isNaN(value)) throw new TypeError('printJson: JSON has no form for NaN');
  if (value === Number.POSITIVE_INFINITY) return '1e999';
  if (value === Number.NEGATIVE_INFINITY) return '-1e999';
  return Object.is(value, -0) ? '-0' : String(value);
}
