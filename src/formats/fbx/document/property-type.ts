import type { FbxProperty } from './fbx-tree.ts';

const INT32_MAX = 2 ** 31;

/** Returns the type code of a value: for numbers, the smallest of the common types I, L and D that holds it exactly. */
export function propertyType(value: FbxProperty): string {
  switch (typeof value) {
    case 'number':
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'D';
      return value >= -INT32_MAX && value < INT32_MAX ? 'I' : 'L';
    case 'bigint':
      return 'L';
    case 'boolean':
      return 'C';
    case 'string':
      return 'S';
    default:
      return arrayType(value);
  }
}

function arrayType(value: Exclude<FbxProperty, number | bigint | boolean | string>): string {
  if (value instanceof Int32Array) return 'i';
  if (value instanceof BigInt64Array) return 'l';
  if (value instanceof Float32Array) return 'f';
  return value instanceof Float64Array ? 'd' : 'R';
}
