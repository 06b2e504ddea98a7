import { FormatError } from '../../../core/report/format-error.ts';
import type { JsonObject } from './json-access.ts';
import { GLTF_LIMITS } from './limits.ts';

/**
 * Compares JSON values. The order of members does not matter, 0 and −0 differ, and undefined members count as absent. Throws FormatError
 * JSON_INVALID for values nested deeper than 512 levels.
 */
export function isSameJson(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > GLTF_LIMITS.jsonDepth) {
    throw new FormatError(
      'JSON_INVALID',
      `The JSON is nested deeper than ${GLTF_LIMITS.jsonDepth} levels, which is the limit; the file is damaged or malicious`,
    );
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isSameJson(a[i], b[i] === undefined ? null : b[i], depth + 1)) return false;
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
    // `a[key]` may be inherited: an inherited value never equals JSON, except that `__proto__` looks like an empty object.
    if (!isSameJson(a[key], value, depth) || (key === '__proto__' && !Object.hasOwn(a, key))) return false;
    count++;
  }
  return count === Object.keys(a).length;
}

/** Compares array items: an undefined item of the edited array counts as null. `b`: item of the edited array. */
export function isSameItem(a: unknown, b: unknown): boolean {
  return isSameJson(a, b === undefined ? null : b);
}
