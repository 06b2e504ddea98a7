/**
 * The light around a stage: a small photo studio with soft boxes, which materials reflect. Each level of its mipmap is computed for the roughness that
 * three.js shows it for: to let three.js filter it takes seconds in software rendering.
 */

import {
  CubeTexture,
  DataTexture,
  DataUtils,
  HalfFloatType,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearSRGBColorSpace,
  RGBAFormat,
} from 'three';
import type { Vec3 } from '../../core/math/vec3.ts';

/** Pixels along a face of each level. The lights are soft: more would not be seen. */
const SIZES = [32, 16, 8, 4, 2] as const;
/** Index of the roughest level that is shown. */
const LAST = 3;
/** Spread of a reflection by roughness, radians: that of the cosine lobe at 1. */
const SPREAD = 0.65;
const SPREAD_POWER = 1.8;

/** A soft box: direction to its middle, its spread in radians, its radiance. */
interface Box {
  readonly to: Vec3;
  readonly spread: number;
  readonly radiance: number;
}

/** Turns azimuth (0 in front, positive to the left of the figures) and elevation into a direction; figures face +Z. */
function box(azimuth: number, elevation: number, spread: number, radiance: number): Box {
  const flat = Math.cos(elevation);
  return { to: [flat * Math.sin(azimuth), Math.sin(elevation), flat * Math.cos(azimuth)], spread, radiance };
}

/** Key, fill, and two that draw the outline from behind. Tuned by eye. */
const BOXES: readonly Box[] = [
  box(0.7, 0.75, 0.26, 8),
  box(-1.1, 0.35, 0.3, 2.5),
  box(2.5, 0.6, 0.22, 6.5),
  box(-2.5, 0.6, 0.22, 6.5),
];

/** World direction of a point of a face, −1…1 both, from its upper left corner. three.js looks cube textures up with x reversed. */
const FACES: readonly ((a: number, b: number) => Vec3)[] = [
  (a, b) => [-1, -b, -a],
  (a, b) => [1, -b, a],
  (a, b) => [-a, 1, b],
  (a, b) => [-a, -1, -b],
  (a, b) => [-a, -b, 1],
  (a, b) => [a, -b, -1],
];

/** Radiance from a direction, seen through a roughness. */
function radianceOf([x, y, z]: Vec3, roughness: number): number {
  const blur = SPREAD * roughness ** SPREAD_POWER;
  // A bright ceiling, a wall, a floor that reflects a little; a wide lobe sees less of the difference.
  let sum = 0.6 + (y > 0 ? 0.7 : 0.28) * y * (1 - roughness / 3);
  for (const { to, spread, radiance } of BOXES) {
    const angle = Math.acos(Math.min(Math.max(x * to[0] + y * to[1] + z * to[2], -1), 1));
    const variance = spread * spread + blur * blur;
    sum += radiance * ((spread * spread) / variance) * Math.exp((-angle * angle) / (2 * variance));
  }
  return sum;
}

function levelOf(size: number, roughness: number): CubeTexture {
  const one = DataUtils.toHalfFloat(1);
  const faces = FACES.map((directionAt) => {
    const data = new Uint16Array(4 * size * size);
    for (let pixel = 0; pixel < size * size; pixel++) {
      const at = (k: number): number => (2 * (k + 0.5)) / size - 1;
      const [x, y, z] = directionAt(at(pixel % size), at(Math.floor(pixel / size)));
      const length = Math.hypot(x, y, z);
      const radiance = DataUtils.toHalfFloat(radianceOf([x / length, y / length, z / length], roughness));
      data.set([radiance, radiance, radiance, one], 4 * pixel);
    }
    return new DataTexture(data, size, size, RGBAFormat, HalfFloatType);
  });
  const texture = new CubeTexture(faces);
  texture.format = RGBAFormat;
  texture.type = HalfFloatType;
  texture.colorSpace = LinearSRGBColorSpace;
  return texture;
}

/** Creates the environment. Free it with `dispose`. */
export function createEnvironment(): CubeTexture {
  // The roughness of a level, as `PMREMGenerator.lodToRoughness` has it.
  const levels = SIZES.map((size, level) => levelOf(size, level < LAST ? 1 - Math.sqrt(1 - level / LAST) : 1));
  const [texture, ...others] = levels;
  texture.mipmaps = others as unknown as typeof texture.mipmaps;
  texture.generateMipmaps = false;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  // Other versions of three.js than the present one may filter it once more, which does no harm.
  return Object.assign(texture, { isPMREMTexture: true, needsUpdate: true });
}
