/** Colors of Unity materials, which are encoded as sRGB, and linear colors of glTF. */
import { linearToSrgb, srgbToLinear } from '../../../core/math/srgb.ts';
import { clamp, tidy } from './json-values.ts';

/** Converts a color of a Unity material to glTF. */
export function linearColor(color: readonly number[]): number[] {
  return color.map((value, c) => clamp(c === 3 ? value : tidy(srgbToLinear(Math.max(value, 0))), 0, 1));
}

/** Converts a color of glTF to one of a Unity material. */
export function unityColor(color: readonly number[]): number[] {
  return [...color.slice(0, 3).map((value) => tidy(linearToSrgb(Math.max(value, 0)))), color[3] ?? 1];
}
