import type { Clip } from '../animation/clip.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { DEGREES_PER_RADIAN } from '../math/euler.ts';
import { findRootMotion } from './find-root-motion.ts';

/** How a character travels over the ground. */
export interface RootSpeed {
  /** Where its clip has the root motion. */
  readonly where: 'root-bone' | 'armature' | 'hips';
  /** Distance from the first to the last position, meters. */
  readonly distance: number;
  /** The same per second: mean speed, meters per second; 0 for a clip without duration. */
  readonly speed: number;
  /** Direction of travel relative to the front of the character in its reference pose, degrees, positive to the left; 0 for a character that stays. */
  readonly heading: number;
  /** Rotation about the vertical from start to end, degrees, positive to the left. */
  readonly rotation: number;
}

/** Distance of a character that stays, meters. */
const STAYS = 1e-6;

/**
 * Measures the root motion of a clip.
 *
 * @param humanoid The character.
 * @param clip Its clip.
 * @returns Where the root motion is, speed and direction.
 */
export function measureRootSpeed(humanoid: Humanoid, clip: Clip): RootSpeed {
  const { where, motion } = findRootMotion(humanoid, clip);
  const { positions, yaws } = motion;
  const last = positions.length - 2;
  const [x, z] = [positions[last] - positions[0], positions[last + 1] - positions[1]];
  const distance = Math.hypot(x, z);
  return {
    where,
    distance,
    speed: clip.duration > 0 ? distance / clip.duration : 0,
    heading: distance > STAYS ? Math.atan2(x, z) * DEGREES_PER_RADIAN : 0,
    rotation: yaws === null ? 0 : (yaws[yaws.length - 1] - yaws[0]) * DEGREES_PER_RADIAN,
  };
}
