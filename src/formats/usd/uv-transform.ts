/** UsdTransform2d and KHR_texture_transform: the same moves of uv, with v upwards and with v downwards. */
import type { TextureUse } from '../../core/asset/material.ts';

type UvTransform = NonNullable<TextureUse['transform']>;

/** `uv · scale · rotation + translation`, v upwards, degrees counter-clockwise. */
export interface UsdTransform2d {
  readonly scale: readonly [number, number];
  readonly rotation: number;
  readonly translation: readonly [number, number];
}

/*
 * KHR_texture_transform turns counter-clockwise as an image is seen, v downwards: u′ = c·su·u + s·sv·v + ou, v′ = −s·su·u + c·sv·v + ov. With w = 1 − v
 * that is u′ = c·su·u − s·sv·w + (ou + s·sv), w′ = s·su·u + c·sv·w + (1 − c·sv − ov): the same scale and angle, another translation.
 */

/** A transform of uvs with v downwards, as the one of USD that shows the same. */
export function usdTransform({ offset, rotation, scale }: UvTransform): UsdTransform2d {
  const [u, v] = [scale[1] * Math.sin(rotation), scale[1] * Math.cos(rotation)];
  return { scale, rotation: (rotation * 180) / Math.PI, translation: [offset[0] + u, 1 - v - offset[1]] };
}

/** A transform of USD, for uvs with v downwards. */
export function uvTransform({ scale, rotation, translation }: UsdTransform2d): UvTransform {
  const radians = (rotation * Math.PI) / 180;
  const [u, v] = [scale[1] * Math.sin(radians), scale[1] * Math.cos(radians)];
  return { offset: [translation[0] - u, 1 - v - translation[1]], rotation: radians, scale };
}
