import type { Floats } from '../../../core/math/floats.ts';
import type { FbxProperty, FbxRecord } from './fbx-tree.ts';

export function recordIn(records: readonly FbxRecord[], name: string): FbxRecord | undefined {
  return records.find((record) => record.name === name);
}

/** Returns a value as text; undefined for values of other types. */
export function textOf(value: FbxProperty | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns a value as a finite number. 64-bit integers are rounded to float64; booleans become 0 and 1. The number; undefined for other types, NaN
 * and infinities.
 */
export function numberOf(value: FbxProperty | undefined): number | undefined {
  const number = typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Rounds 64-bit integers to float64 as `Number` does; a bigint per integer would take several times as long. */
function roundIntegers(integers: BigInt64Array): Float64Array {
  const halves = new Uint32Array(integers.buffer, integers.byteOffset, 2 * integers.length);
  const out = new Float64Array(integers.length);
  for (let k = 0; k < out.length; k++) out[k] = (halves[2 * k + 1] | 0) * 2 ** 32 + halves[2 * k];
  return out;
}

/** Returns the numbers of a record that holds either one array or single values. */
export function numbersOf({ properties }: FbxRecord, most: number): Float64Array {
  const first = properties[0];
  if (first instanceof BigInt64Array) return roundIntegers(first.subarray(0, most));
  if (first instanceof Int32Array || first instanceof Float32Array || first instanceof Float64Array) {
    const numbers = new Float64Array(first.subarray(0, most));
    for (let k = 0; k < numbers.length; k++) if (!Number.isFinite(numbers[k])) numbers[k] = Number.NaN;
    return numbers;
  }
  const values = typeof first === 'object' ? first : properties;
  const count = Math.min(values.length, most);
  const out = new Float64Array(count);
  for (let k = 0; k < count; k++) out[k] = numberOf(values[k] as FbxProperty) ?? Number.NaN;
  return out;
}

/** Returns the numbers of the first record with a name; none without it. */
export function numbersIn(records: readonly FbxRecord[], name: string, most = Number.POSITIVE_INFINITY): Float64Array {
  const record = recordIn(records, name);
  return record === undefined ? new Float64Array(0) : numbersOf(record, most);
}

/** Returns the numbers of the first record with a name, those of a float array without a copy, even if they are not finite. */
export function floatsIn(records: readonly FbxRecord[], name: string, most: number): Floats {
  const record = recordIn(records, name);
  const first = record?.properties[0];
  if (first instanceof Float32Array || first instanceof Float64Array) return first.subarray(0, most);
  return record === undefined ? new Float64Array(0) : numbersOf(record, most);
}
