/** Converts UV transforms between UsdTransform2d (v up) and KHR_texture_transform (v down). */
import type { TextureUse } from '../../core/asset/material.ts';

type UvTransform = NonNullable<TextureUse['transform']>;

/** The inputs of UsdTransform2d: `uv · scale · rotation + translation`, v up. */
export interface UsdTransform2d {
  /** Factors of u and v, applied first. */
  readonly scale: readonly [number, number];
  /** Degrees, counter-clockwise. */
  readonly rotation: number;
  /** Offsets of u and v, applied last. */
  readonly translation: readonly [number, number];
}

/*
 * KHR_texture_transform rotates counter-clockwise in the image, v down: u′ = c·su·u + s·sv·v + ou, v′ = −s·su·u + c·sv·v + ov. With w = 1 − v this is
 * u′ = c·su·u − s·sv·w + (ou + s·sv), w′ = s·su·u + c·sv·w + (1 − c·sv − ov): the same scale and angle, but another translation.
 */

/** Converts a KHR_texture_transform (v down, radians) to the equivalent UsdTransform2d. */
export function usdTransform({ offset, rotation, scale }: UvTransform): UsdTransform2d {
  const [u, v] = [scale[1] * Math.sin(rotation), scale[1] * Math.cos(rotation)];
  return { scale, rotation: (rotation * 180) / Math.PI, translation: [offset[0] + u, 1 - v - offset[1]] };
}

/** Converts a UsdTransform2d to the equivalent KHR_texture_transform. */
export function uvTransform({ scale, rotation, translation }: UsdTransform2d): UvTransform {
  const radians = (rotation * Math.PI) / 180;
  const [u, v] = [scale[1] * Math.sin(radians), scale[1] * Math.cos(radians)];
  return { offset: [translation[0] - u, 1 - v - translation[1]], rotation: radians, scale };
}
