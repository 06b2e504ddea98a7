import type { Clip } from '../../core/animation/clip.ts';
import { FLOAT32_MAX } from '../../core/math/floats.ts';

/** Checks that translations and scales fit into float32. Extreme input values can scale past it; rotations have unit length. */
export function fitsFloat32({ tracks }: Clip): boolean {
  for (const { path, values } of tracks) {
    if (path === 'rotation') continue;
    for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) <= FLOAT32_MAX)) return false;
  }
  return true;
}
