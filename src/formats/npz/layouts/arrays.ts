import { FormatError } from '../../../core/report/format-error.ts';
import { countOf, isNumeric, type NumpyArray, readNumbers, readTexts } from '../container/numpy-array.ts';
import type { NumpyValues } from '../container/parse-numpy.ts';
import { isArray } from '../container/pickle-objects.ts';

const MOST_NAMED = 12;

export function numericArray(values: NumpyValues, key: string): NumpyArray | null {
  const value = values.get(key);
  return isArray(value) && isNumeric(value) ? value : null;
}

/** Returns the first of several names under which there is an array of numbers. */
export function firstArray(values: NumpyValues, keys: readonly string[]): { key: string; array: NumpyArray } | null {
  for (const key of keys) {
    const array = numericArray(values, key);
    if (array !== null) return { key, array };
  }
  return null;
}

/** Reads a number: one of Python, or an array with one element. Null without. */
export function numberAt(values: NumpyValues, keys: readonly string[]): number | null {
  for (const key of keys) {
    const value = values.get(key);
    if (typeof value === 'number') return value;
    if (isArray(value) && isNumeric(value) && countOf(value.shape) === 1) return readNumbers(value)[0];
  }
  return null;
}

export function textAt(values: NumpyValues, key: string): string | null {
  const value = values.get(key);
  if (typeof value === 'string') return value;
  const isText = isArray(value) && (value.type.kind === 'U' || value.type.kind === 'S') && countOf(value.shape) === 1;
  return isText ? readTexts(value as NumpyArray)[0] : null;
}

/** Formats a shape as Python does: `(150, 3)`, `(9,)`. */
export function formatShape(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
}

function describeValue(value: unknown): string {
  if (isArray(value)) return formatShape(value.shape);
  if (value instanceof Map) return 'dict';
  if (Array.isArray(value)) return 'list';
  const { kind, name } = (value ?? {}) as { kind?: unknown; name?: unknown };
  return kind === 'foreign' || kind === 'name' ? String(name).slice(0, 60) : typeof value;
}

/** Lists the values of a file for a message: `poses (150, 156), trans (150, 3)`. */
export function describeValues(values: NumpyValues): string {
  const all = [...values].map(
    ([key, value]) => `${key === '' ? 'an array' : key.slice(0, 60)} ${describeValue(value)}`,
  );
  const more = all.length > MOST_NAMED ? [`and ${all.length - MOST_NAMED} more`] : [];
  return all.length === 0 ? 'nothing' : [...all.slice(0, MOST_NAMED), ...more].join(', ');
}

/** Creates the error for arrays that are no motion, or an incomplete one. */
export function layoutError(message: string): FormatError {
  return new FormatError('NPZ_LAYOUT', message);
}
