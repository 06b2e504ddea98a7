/** Looking into records. */
import type { FbxProperty, FbxRecord } from './tree.ts';

/** The first record of that name inside another. */
export function recordIn(records: readonly FbxRecord[], name: string): FbxRecord | undefined {
  return records.find((record) => record.name === name);
}

/** A value as text; undefined when it is something else. */
export function textOf(value: FbxProperty | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A value as a finite number; undefined when it is something else. 64-bit integers are rounded to float64. */
export function numberOf(value: FbxProperty | undefined): number | undefined {
  const number = typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * The numbers behind the name of a record, whether they stand there as one array or one by one. What is no number becomes
 * NaN. Not more than `most` are looked at.
 */
export function numbersOf({ properties }: FbxRecord, most: number): Float64Array {
  const first = properties[0];
  const values = typeof first === 'object' ? first : properties;
  const count = Math.min(values.length, most);
  const out = new Float64Array(count);
  for (let k = 0; k < count; k++) out[k] = numberOf(values[k] as FbxProperty) ?? Number.NaN;
  return out;
}
