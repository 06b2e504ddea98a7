/** Lowers the hips where planted legs are too short. */
import * as vec3 from '../../math/vec3.ts';
import type { LegFrames } from '../frames/character-frames.ts';

/**
 * Computes how far a leg is stretched in one frame. Returns distance from hip to ankle relative to the length of the leg; 0 for a leg without
 * length.
 */
export function extensionAt({ hip, knee, ankle }: LegFrames, frame: number): number {
  const at = 3 * frame;
  const length = vec3.distance(hip, at, knee, at) + vec3.distance(knee, at, ankle, at);
  return length > 0 ? vec3.distance(hip, at, ankle, at) / length : 0;
}

/** Computes how far the hips must be lowered in one frame so that a foot is within reach. Returns meters, at least 0. */
export function neededDrop(hip: ArrayLike<number>, goal: ArrayLike<number>, reach: number): number {
  const horizontal = Math.min((hip[0] - goal[0]) ** 2 + (hip[2] - goal[2]) ** 2, reach * reach);
  return Math.max(0, hip[1] - goal[1] - Math.sqrt(reach * reach - horizontal));
}
