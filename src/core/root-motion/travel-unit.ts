import { isHipsHeightUsable } from '../humanoid/hips-height.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';

/**
 * Returns the length by which distances over the ground are judged: the height of the hips, meters; half the height of a character without a usable
 * one.
 */
export function travelUnit({ hipsHeight, height }: Humanoid): number {
  if (isHipsHeightUsable(hipsHeight, height)) return hipsHeight;
  return height > 0 ? height / 2 : 1;
}
