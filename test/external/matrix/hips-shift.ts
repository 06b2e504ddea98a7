/** Measures how far a motion moves the legs against the hips, which the hips of the target follow instead of the hips of the source. */
import type { Clip } from '../../../src/core/animation/clip.ts';
import { BONE } from '../../../src/core/humanoid/bones.ts';
import type { Humanoid } from '../../../src/core/humanoid/humanoid.ts';
import { createMotionSampler, sampleMotion } from '../../support/reference/motion-sampler.ts';
import { minus, plus, read, rotated, times, type Vector } from '../../support/reference/plain.ts';

/** Vector from the hips to the midpoint of both hip joints. */
function toLegs(positions: Float64Array): Vector {
  const [hips, left, right] = [BONE.hips, BONE.leftUpperLeg, BONE.rightUpperLeg].map((bone) =>
    read(positions, 3 * bone, 3),
  );
  return minus(times(plus(left, right), 0.5), hips);
}

/**
 * Returns the largest vertical distance between the hip joints and where the hips of the reference pose would have them, in units of the hips
 * height; 0 without legs.
 */
export function hipsShiftOf(humanoid: Humanoid, clip: Clip, fps: number): number {
  const { map, reference, hipsHeight } = humanoid;
  if (map.nodes[BONE.leftUpperLeg] < 0 || map.nodes[BONE.rightUpperLeg] < 0 || !(hipsHeight > 0)) return 0;
  const sampler = createMotionSampler(humanoid, clip);
  const atRest = toLegs(reference.positions);
  let largest = 0;
  for (let frame = 0; frame <= Math.ceil(clip.duration * fps); frame++) {
    sampleMotion(sampler, Math.min(frame / fps, clip.duration));
    const delta = read(sampler.worldDeltas, 4 * BONE.hips, 4);
    largest = Math.max(largest, Math.abs(minus(toLegs(sampler.positions), rotated(delta, atRest))[1]));
  }
  return largest / hipsHeight;
}
