/** Converts colors and vectors between VRM 0.x, in the units and axes of Unity, and VRM 1.0. */
import { linearToSrgb, srgbToLinear } from '../../../core/math/srgb.ts';
import type { JsonObject } from '../document/json-access.ts';
import { numberOf, objectOf } from '../document/loose-json.ts';

/** Limits a number to a range. */
export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** Removes the rounding error of a conversion between units. */
export function tidy(value: number): number {
  return Number(value.toPrecision(9)) + 0;
}

/** Converts a color of a Unity material, which is encoded as sRGB, to a linear one of glTF. */
export function linearColor(color: readonly number[]): number[] {
  return color.map((value, c) => clamp(c === 3 ? value : tidy(srgbToLinear(Math.max(value, 0))), 0, 1));
}

/** Converts a color of glTF to one of a Unity material. */
export function unityColor(color: readonly number[]): number[] {
  return [...color.slice(0, 3).map((value) => tidy(linearToSrgb(Math.max(value, 0)))), color[3] ?? 1];
}

/** Reads a vector of VRM 0.x, an object with the members x, y and z in the axes of Unity. */
export function unityVector(owner: unknown, key: string, otherwise: readonly [number, number, number]): number[] {
  const vector = objectOf(owner, key);
  return ['x', 'y', 'z'].map((axis, i) => numberOf(vector, axis, otherwise[i]));
}

/** Writes a vector of a character that faces +Z as one of VRM 0.x: rotated by 180° about Y, in the axes of Unity. */
export function toUnityVector([x, y, z]: readonly number[]): JsonObject {
  return { x: 0 - x, y, z };
}
