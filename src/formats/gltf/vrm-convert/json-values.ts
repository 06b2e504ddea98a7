/** Reads values of VRM extensions, which are not validated: a value of a wrong type counts as missing. */
import { isObject, type JsonObject, memberAt } from '../document/json-access.ts';

export function objectOf(owner: unknown, key: string): JsonObject {
  const value = isObject(owner) ? memberAt(owner, key) : undefined;
  return isObject(value) ? value : {};
}

export function objectsOf(owner: unknown, key: string): JsonObject[] {
  return listOf(owner, key).map((item) => (isObject(item) ? item : {}));
}

export function listOf(owner: unknown, key: string): readonly unknown[] {
  const value = isObject(owner) ? memberAt(owner, key) : undefined;
  return Array.isArray(value) ? value : [];
}

export function textOf(owner: unknown, key: string): string {
  const value = isObject(owner) ? memberAt(owner, key) : undefined;
  return typeof value === 'string' ? value : '';
}

/** Reads a list of numbers, as colors and vectors are stored. */
export function numbersOf(owner: unknown, key: string, otherwise: readonly number[]): number[] {
  const list = listOf(owner, key);
  return otherwise.map((value, i) => (Number.isFinite(list[i]) ? (list[i] as number) : value));
}

/** Reads a vector of VRM 0.x, an object with the members x, y and z in the axes of Unity. */
export function unityVector(owner: unknown, key: string, otherwise: readonly [number, number, number]): number[] {
  const vector = objectOf(owner, key);
  return ['x', 'y', 'z'].map((axis, i) => (Number.isFinite(vector[axis]) ? (vector[axis] as number) : otherwise[i]));
}

/** Writes a vector of a character that faces +Z as one of VRM 0.x: rotated by 180° about Y, in the axes of Unity. */
export function toUnityVector([x, y, z]: readonly number[]): JsonObject {
  return { x: 0 - x, y, z };
}

/** Limits a number to a range. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Removes the rounding error of a conversion between units. */
export function tidy(value: number): number {
  return Number(value.toPrecision(9)) + 0;
}
