/** Measures how smooth a motion is: jerk, flips of knees and elbows, limbs that rotate suddenly. */
import { BONE, BONES, isFingerBone, SIDES } from '../humanoid/bones.ts';
import { DEGREES_PER_RADIAN } from '../math/euler.ts';
import * as vec3 from '../math/vec3.ts';
import { FRAME_STRIDE, type JointFrames } from './joint-frames.ts';

/** Hinge joints and the joints above and below them. */
const HINGES = SIDES.flatMap((side) => [
  [BONE[`${side}UpperLeg`], BONE[`${side}LowerLeg`], BONE[`${side}Foot`]],
  [BONE[`${side}UpperArm`], BONE[`${side}LowerArm`], BONE[`${side}Hand`]],
]);
/** Offset of a knee or elbow from the straight limb, relative to the upper bone, from which on its bend has a direction. */
const BENT_OFFSET = 0.05;

export interface Smoothness {
  /** Mean third derivative of the joint positions without fingers and face, in heights per second cubed. */
  readonly jerk: number;
  /** Number of times that the bend of a knee or elbow, as seen from the hips, changes by more than 90° from one sample to the next. */
  readonly flips: number;
  /** Per frame from the third on, the largest change of the angular velocity of an arm or leg since the frame before, degrees per second. */
  readonly jolts: Float64Array;
}

/** Offset of the middle joint from the line between the others, relative to the upper bone, as seen from the hips: a character that rotates flips no knee. */
function bendOf(p: Float64Array, hips: Float64Array, [a, b, c]: readonly number[]): Float64Array {
  const axis = new Float64Array(3);
  const bend = new Float64Array(3);
  vec3.subtract(axis, 0, p, 3 * c, p, 3 * a);
  vec3.normalize(axis, 0, axis, 0);
  vec3.subtract(bend, 0, p, 3 * b, p, 3 * a);
  const size = vec3.length(bend, 0) || 1;
  vec3.addScaled(bend, 0, bend, 0, axis, 0, -vec3.dot(bend, 0, axis, 0));
  vec3.scale(bend, 0, bend, 0, 1 / size);
  vec3.rotateBack(bend, 0, hips, 0, bend, 0);
  return bend;
}

/** Angular velocity of a direction between two frames, radians: axis times angle. */
function spinBetween(out: Float64Array, before: Float64Array, now: Float64Array): void {
  vec3.cross(out, 0, before, 0, now, 0);
  const sine = vec3.length(out, 0);
  if (sine > 0) vec3.scale(out, 0, out, 0, vec3.angleBetween(before, 0, now, 0) / sine);
}

export function measureSmoothness({ body, positions, times, rotations }: JointFrames): Smoothness {
  const { nodes, height } = body;
  const count = times.length;
  const step = (times[count - 1] - times[0]) / (count - 1) || 1;
  const bones = BONES.map((_, bone) => bone).filter(
    (bone) => nodes[bone] >= 0 && !isFingerBone(BONES[bone]) && !/Eye|jaw/.test(BONES[bone]),
  );
  const at = (frame: number): Float64Array => positions.subarray(FRAME_STRIDE * frame, FRAME_STRIDE * (frame + 1));
  let jerk = 0;
  for (let frame = 3; frame < count; frame++) {
    const [p3, p2, p1, now] = [at(frame - 3), at(frame - 2), at(frame - 1), at(frame)];
    for (const bone of bones) {
      let squares = 0;
      for (let k = 3 * bone; k < 3 * bone + 3; k++) squares += (now[k] - 3 * p1[k] + 3 * p2[k] - p3[k]) ** 2;
      jerk += Math.sqrt(squares);
    }
  }
  const limbs = HINGES.filter((limb) => limb.every((bone) => nodes[bone] >= 0));
  const hips = rotations.get(BONE.hips);
  let flips = 0;
  let bends: Float64Array[] = [];
  if (hips !== undefined) {
    for (let frame = 0; frame < count; frame++) {
      const previous = bends;
      bends = limbs.map((limb) => bendOf(at(frame), hips.subarray(4 * frame, 4 * frame + 4), limb));
      for (const [k, v] of bends.entries()) {
        const u = previous[k];
        if (u === undefined || !(vec3.length(u, 0) > BENT_OFFSET && vec3.length(v, 0) > BENT_OFFSET)) continue;
        if (vec3.dot(u, 0, v, 0) < 0) flips++;
      }
    }
  }
  return {
    jerk: jerk / step ** 3 / Math.max(1, (count - 3) * bones.length) / height,
    flips,
    jolts: joltsOf(limbs, at, count, step),
  };
}

function joltsOf(
  limbs: readonly (readonly number[])[],
  at: (frame: number) => Float64Array,
  count: number,
  step: number,
): Float64Array {
  const jolts = new Float64Array(Math.max(0, count - 2));
  const segments = limbs.flatMap(([a, b, c]) => [
    [a, b],
    [b, c],
  ]);
  for (const [from, to] of segments) {
    let [before, now] = [new Float64Array(3), new Float64Array(3)];
    let [spin, lastSpin] = [new Float64Array(3), new Float64Array(3)];
    for (let frame = 0; frame < count; frame++) {
      [before, now] = [now, before];
      [lastSpin, spin] = [spin, lastSpin];
      vec3.subtract(now, 0, at(frame), 3 * to, at(frame), 3 * from);
      vec3.normalize(now, 0, now, 0);
      if (frame === 0) continue;
      spinBetween(spin, before, now);
      if (frame === 1) continue;
      const jolt = (vec3.distance(spin, 0, lastSpin, 0) / step) * DEGREES_PER_RADIAN;
      jolts[frame - 2] = Math.max(jolts[frame - 2], jolt);
    }
  }
  return jolts;
}

/** Change of the angular velocity between samples, degrees per second, below which nothing is seen. */
const VISIBLE_JOLT = 60;

/** Counts the samples in which a limb rotates much more suddenly than the limbs of another motion do. */
export function countSpikes({ jolts }: Smoothness, usual: Smoothness): number {
  const sorted = usual.jolts.slice().sort();
  const limit = 3 * (sorted[Math.floor(0.999 * (sorted.length - 1))] ?? 0) + VISIBLE_JOLT;
  return jolts.filter((jolt) => jolt > limit).length;
}
