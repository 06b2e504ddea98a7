/** Checks the values of attributes: a binary file can store a value of any type, a text file only one of the declared type. */
import type { FieldValue, Spec } from '../layer/layer.ts';
import { type StoredType, TUPLE_WIDTH } from '../layer/value.ts';
import { namedType } from '../text/type-names.ts';
import { hasOwnNotation, isPropertyReadAgain } from './read-again.ts';

/** Fields of a property that text files write as values. */
const VALUE_FIELDS = ['default', 'timeSamples', 'spline'];
/** What text files declare for attributes without a type. */
const UNDECLARED = 'unknown';

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
  if (value.type === 'block') return true;
  if (stored === null) return 'isArray' in value || value.type === 'dictionary' || value.type === 'unregistered';
  return 'isArray' in value && value.isArray === isArray && isSameKind(value.type as StoredType, stored);
}

/** Leaves out values of an attribute that have another type than it declares; returns the type of the first. */
function fitTypes(fields: Spec['fields'], typeName: string): string | null {
  let found: string | null = null;
  const fallback = fields.get('default');
  if (fallback !== undefined && !fitsType(fallback, typeName)) {
    found = fallback.type;
    fields.delete('default');
  }
  const samples = fields.get('timeSamples');
  if (samples === undefined) return found;
  if (samples.type !== 'timeSamples') {
    fields.delete('timeSamples');
    return found ?? samples.type;
  }
  const misfit = samples.values.find((value) => !fitsType(value, typeName));
  if (misfit === undefined) return found;
  const kept = [...samples.values.keys()].filter((k) => fitsType(samples.values[k], typeName));
  if (kept.length === 0) fields.delete('timeSamples');
  else {
    const times = Float64Array.from(kept, (k) => samples.times[k]);
    fields.set('timeSamples', { type: 'timeSamples', times, values: kept.map((k) => samples.values[k]) });
  }
  return found ?? misfit.type;
}

/** Leaves out values whose text would not be read again; returns the type of the first. Relationships of old files have values, too: paths. */
function fitTexts({ type, fields }: Spec): string | null {
  let found: string | null = null;
  for (const name of VALUE_FIELDS) {
    const value = fields.get(name);
    if (value === undefined || (type === 'attribute' && !hasOwnNotation(value))) continue;
    const alone = new Map([...fields].filter(([one]) => one === 'typeName' || one === name));
    if (isPropertyReadAgain({ type, fields: alone })) continue;
    fields.delete(name);
    found ??= value.type;
  }
  return found;
}

/**
 * Leaves out values of a property that have another type than it declares, or that text files cannot contain.
 *
 * @param spec - The attribute or relationship; changed.
 * @returns Type of the first value that was left out; null if all fit.
 */
export function fitValues(spec: Spec): string | null {
  const { type, fields } = spec;
  const declared = fields.get('typeName');
  const typeName = declared?.type === 'token' ? declared.texts[0] : UNDECLARED;
  const misfit = type === 'attribute' ? fitTypes(fields, typeName) : null;
  const unreadable = fitTexts(spec);
  return misfit ?? unreadable;
}
