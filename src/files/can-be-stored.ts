import type { Clip } from '../core/animation/clip.ts';

const FLOAT32_MAX = 3.4028234663852886e38;

/** Whether all keys can be stored as float32: files with absurd numbers give others that are past it. Rotations are unit. */
export function canBeStored({ tracks }: Clip): boolean {
  for (const { path, values } of tracks) {
    if (path === 'rotation') continue;
    for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) <= FLOAT32_MAX)) return false;
  }
  return true;
}
