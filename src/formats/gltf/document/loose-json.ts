/** Reads JSON that nobody validated: what is missing or of another type reads as missing. `json-access.ts` has the readers that throw. */
import { isObject, type JsonObject, memberAt } from './json-access.ts';

/** Follows keys from object to object. */
export function memberOf(owner: unknown, ...keys: readonly string[]): unknown {
  let value = owner;
  for (const key of keys) value = isObject(value) ? memberAt(value, key) : undefined;
  return value;
}

export function extensionOf(owner: unknown, name: string): unknown {
  return memberOf(owner, 'extensions', name);
}

export function objectOf(owner: unknown, ...keys: readonly string[]): JsonObject {
  const value = memberOf(owner, ...keys);
  return isObject(value) ? value : {};
}

export function objectsOf(owner: unknown, ...keys: readonly string[]): JsonObject[] {
  return listOf(owner, ...keys).map((item) => (isObject(item) ? item : {}));
}

export function listOf(owner: unknown, ...keys: readonly string[]): readonly unknown[] {
  const value = memberOf(owner, ...keys);
  return Array.isArray(value) ? value : [];
}

export function textOf(owner: unknown, ...keys: readonly string[]): string {
  const value = memberOf(owner, ...keys);
  return typeof value === 'string' ? value : '';
}

export function numberOf(owner: unknown, key: string, otherwise: number): number {
  const value = memberOf(owner, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** Reads a list of numbers, as colors and vectors are stored. */
export function numbersOf(owner: unknown, key: string, otherwise: readonly number[]): number[] {
  const list = listOf(owner, key);
  return otherwise.map((value, i) => (Number.isFinite(list[i]) ? (list[i] as number) : value));
}

/** Checks whether a value is an integer from 0 to `count`, exclusive. */
export function isIndex(value: unknown, count: number = Number.POSITIVE_INFINITY): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < count;
}
