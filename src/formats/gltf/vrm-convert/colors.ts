/** Colors of Unity materials, which are encoded as sRGB, and linear colors of glTF. IEC 61966-2-1. */
import { clamp, tidy } from './json-values.ts';

/** Converts a component of sRGB to linear. */
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/**
 * Converts a color of a Unity material to glTF.
 *
 * @param color Components as sRGB; a fourth one is alpha, which is linear in both.
 * @returns Linear components within 0…1.
 */
export function linearColor(color: readonly number[]): number[] {
  return color.map((value, c) => clamp(c === 3 ? value : tidy(toLinear(Math.max(value, 0))), 0, 1));
}
