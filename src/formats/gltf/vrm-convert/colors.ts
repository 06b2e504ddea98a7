/** Colors of Unity materials, which are encoded as sRGB, and linear colors of glTF. IEC 61966-2-1. */
import { clamp, tidy } from './json-values.ts';

/** Converts a component of sRGB to linear. */
function toLinear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Converts a color of a Unity material to glTF. */
export function linearColor(color: readonly number[]): number[] {
  return color.map((value, c) => clamp(c === 3 ? value : tidy(toLinear(Math.max(value, 0))), 0, 1));
}

/** Converts a linear component to sRGB. */
function toSrgb(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

/** Converts a color of glTF to one of a Unity material. */
export function unityColor(color: readonly number[]): number[] {
  return [...color.slice(0, 3).map((value) => tidy(toSrgb(Math.max(value, 0)))), color[3] ?? 1];
}
