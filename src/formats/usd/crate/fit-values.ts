/** Checks the values of attributes: a binary file can store a value of any type, a text file only one of the declared type. */
import type { FieldValue, Spec } from '../layer/layer.ts';
import { type StoredType, TUPLE_WIDTH } from '../layer/value.ts';
import { namedType } from '../text/type-names.ts';

const FLOATING = /^(?:half|float|double|timecode|quat|matrix)/;

/** Tests whether the text of a value of one type is a value of another type, too. */
function isSameKind(type: StoredType, stored: StoredType): boolean {
  if (type === stored) return true;
  const areTexts = [type, stored].every((one) => one === 'string' || one === 'token');
  if (areTexts || !FLOATING.test(type) || !FLOATING.test(stored)) return areTexts;
  // The real part of a quaternion comes first in text; the numbers of a matrix are in rows.
  const shapeOf = (one: string): string => /^(?:quat|matrix)/.exec(one)?.[0] ?? '';
  const width = (one: StoredType): number => TUPLE_WIDTH[one as keyof typeof TUPLE_WIDTH];
  return shapeOf(type) === shapeOf(stored) && width(type) === width(stored);
}

/**
 * Tests whether a value has the type that a type name declares.
 *
 * @param value - The value.
 * @param typeName - Name of the type, such as `point3f[]`.
 * @returns True also for types without a name that is known, and for value blocks.
 */
export function fitsType(value: FieldValue, typeName: string): boolean {
  const { stored, isArray } = namedType(typeName);
  if (stored === null || value.type === 'block') return true;
  return 'isArray' in value && value.isArray === isArray && isSameKind(value.type as StoredType, stored);
}

/**
 * Leaves out the default and the time samples of an attribute that have another type than it declares.
 *
 * @param spec - The attribute; changed.
 * @returns Type of the first value that was left out; null if all have the declared type.
 */
export function fitValues({ fields }: Spec): string | null {
  const typeName = fields.get('typeName');
  if (typeName?.type !== 'token') return null;
  const [name] = typeName.texts;
  let found: string | null = null;
  const fallback = fields.get('default');
  if (fallback !== undefined && !fitsType(fallback, name)) {
    found = fallback.type;
    fields.delete('default');
  }
  const samples = fields.get('timeSamples');
  if (samples?.type !== 'timeSamples') return found;
  const misfit = samples.values.find((value) => !fitsType(value, name));
  if (misfit === undefined) return found;
  const kept = [...samples.values.keys()].filter((k) => fitsType(samples.values[k], name));
  if (kept.length === 0) fields.delete('timeSamples');
  else {
    const times = Float64Array.from(kept, (k) => samples.times[k]);
    fields.set('timeSamples', { type: 'timeSamples', times, values: kept.map((k) => samples.values[k]) });
  }
  return found ?? misfit.type;
}
