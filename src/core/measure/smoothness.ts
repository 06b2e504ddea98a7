/** Measures how smooth a motion is: jerk, flips of knees and elbows, spikes of the angular velocity. */
import type { Clip } from '../animation/clip.ts';
import { BONE, BONE_COUNT, BONES, isFingerBone, SIDES } from '../humanoid/bones.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { createMotionSampler, sampleMotion } from './motion-sampler.ts';

/** Hinge joints and the joints above and below them. */
const HINGES = SIDES.flatMap((side) => [
  [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]],
  [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]],
]);
/** Offset of a knee or elbow from the straight limb, relative to the upper bone, from which on its bend has a direction. */
const BENT_OFFSET = 0.05;

/** How smooth a motion is. */
export interface Smoothness {
  /** Mean third derivative of the joint positions without fingers and face, in heights per second cubed. */
  readonly jerk: number;
  /** Number of times that the bend of a knee or elbow, as seen from the hips, changes by more than 90° from one sample to the next. */
  readonly flips: number;
  /** 99.9th percentile, over bones and samples, of the change of the angular velocity between samples, radians per second. */
  readonly spin: number;
  /** The same: maximum. */
  readonly worstSpin: number;
  /** The same per bone and interval. */
  readonly spins: readonly number[];
}

/** Offset of the middle joint from the line between the others, relative to the upper bone, as seen from the hips: a character that rotates flips no knee; xyz. */
function bendOf(p: Float64Array, hips: Float64Array, [a, b, c]: readonly number[]): Float64Array {
  const at = (bone: number, axis: number): number => p[3 * bone + axis];
  const axis = [0, 1, 2].map((i) => at(c, i) - at(a, i));
  const upper = [0, 1, 2].map((i) => at(b, i) - at(a, i));
  const length = Math.hypot(...axis) || 1;
  const along = axis.reduce((sum, v, i) => sum + (v / length) * upper[i], 0);
  const size = Math.hypot(...upper) || 1;
  const bend = Float64Array.from(upper, (v, i) => (v - (along * axis[i]) / length) / size);
  vec3.rotate(bend, 0, hips, 0, bend, 0);
  return bend;
}

/**
 * Measures the smoothness of a motion.
 *
 * @param humanoid The character.
 * @param clip Its clip.
 * @param fps Samples per second.
 * @returns The measures.
 */
export function measureSmoothness(humanoid: Humanoid, clip: Clip, fps = 60): Smoothness {
  const sampler = createMotionSampler(humanoid, clip);
  const bones = BONES.map((_, bone) => bone).filter(
    (bone) => humanoid.map.nodes[bone] >= 0 && !isFingerBone(BONES[bone]) && !/Eye|jaw/.test(BONES[bone]),
  );
  const count = Math.max(1, Math.floor(clip.duration * fps)) + 1;
  const history: Float64Array[] = [];
  let bends: Float64Array[] = [];
  const fromHips = new Float64Array(4);
  const velocities = new Float64Array(3 * BONE_COUNT);
  const before = new Float64Array(4 * BONE_COUNT);
  const difference = new Float64Array(4);
  const spins: number[] = [];
  let jerk = 0;
  let flips = 0;
  const limbs = HINGES.filter((limb) => limb.every((bone) => humanoid.map.nodes[bone] >= 0));
  for (let frame = 0; frame < count; frame++) {
    sampleMotion(sampler, frame / fps);
    const now = sampler.positions.slice();
    const [p3, p2, p1] = history.slice(-3);
    if (history.length >= 3) {
      for (const bone of bones) {
        const third = [0, 1, 2].map((i) => {
          const at = 3 * bone + i;
          return now[at] - 3 * p1[at] + 3 * p2[at] - p3[at];
        });
        jerk += Math.hypot(...third);
      }
    }
    for (const bone of bones) {
      if (frame > 0) {
        quat.conjugate(difference, 0, before, 4 * bone);
        quat.multiply(difference, 0, sampler.worldDeltas, 4 * bone, difference, 0);
        const sign = difference[3] < 0 ? -1 : 1;
        const sine = Math.hypot(difference[0], difference[1], difference[2]);
        const scale = sine > 0 ? (2 * Math.atan2(sine, Math.abs(difference[3])) * sign * fps) / sine : 0;
        const velocity = [difference[0] * scale, difference[1] * scale, difference[2] * scale];
        if (frame > 1) {
          spins.push(Math.hypot(...velocity.map((v, i) => v - velocities[3 * bone + i])));
        }
        velocities.set(velocity, 3 * bone);
      }
      quat.copy(before, 4 * bone, sampler.worldDeltas, 4 * bone);
    }
    quat.conjugate(fromHips, 0, sampler.worldDeltas, 4 * BONE.hips);
    const previous = bends;
    bends = limbs.map((limb) => bendOf(now, fromHips, limb));
    for (const [k, v] of bends.entries()) {
      const u = previous[k];
      if (u === undefined || !(vec3.length(u, 0) > BENT_OFFSET && vec3.length(v, 0) > BENT_OFFSET)) continue;
      if (vec3.dot(u, 0, v, 0) < 0) flips++;
    }
    history.push(now);
    if (history.length > 3) history.shift();
  }
  const sorted = Float64Array.from(spins).sort();
  return {
    jerk: (jerk * fps ** 3) / Math.max(1, (count - 3) * bones.length) / humanoid.height,
    flips,
    spin: sorted[Math.floor(0.999 * (sorted.length - 1))] ?? 0,
    worstSpin: sorted.at(-1) ?? 0,
    spins,
  };
}

/** Change of the angular velocity between samples, radians per second, below which nothing is seen. */
const VISIBLE_SPIN = 0.2;

/**
 * Counts the samples in which the angular velocity of a bone changes by more than three times the 99.9th percentile of another motion.
 *
 * @param motion Smoothness of the motion.
 * @param usual Smoothness of the other motion, at the same sampling rate.
 * @returns Their number.
 */
export function countSpikes({ spins }: Smoothness, { spin }: Smoothness): number {
  return spins.filter((one) => one > Math.max(VISIBLE_SPIN, 3 * spin)).length;
}
