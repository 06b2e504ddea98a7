import type { Clip } from '../../core/animation/clip.ts';

const FLOAT32_MAX = 3.4028234663852886e38;

/** Checks that translations and scales fit into float32. Extreme input values can scale past it; rotations have unit length. */
export function fitsFloat32({ tracks }: Clip): boolean {
  for (const { path, values } of tracks) {
    if (path === 'rotation') continue;
    for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) <= FLOAT32_MAX)) return false;
  }
  return true;
}
