/** Statistics of a motion that replace a rest pose when no single frame is one: the mean pose, the slope of planted feet, the ground. */
import type { Clip } from '../../animation/clip.ts';
import { upperMedian } from '../../math/median.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, SIDES } from '../bones.ts';
import { bonePositions, lowestFootHeight } from './bone-pose.ts';
import { type ModelPose, toModelPose } from './model-pose.ts';
import { samplePoses } from './sample-poses.ts';
import { midpoint } from './trunk-lines.ts';

/** A foot counts as planted in this fraction of the samples: those with the lowest ankle and toes. */
const PLANTED_FRACTION = 0.15;
/** Fraction of the lowest-foot heights that may be below the ground: noise and penetrating frames. */
const GROUND_PERCENTILE = 0.05;

/** Minimum length of the mean of unit quaternions for which the mean is a stable orientation. 0.975 is a spread of about 25°. */
const STEADY = 0.975;

/** Returns the distance from the middle of both feet to that of both shoulders: greatest where the character stands upright with straight legs. */
function uprightness({ positions }: ModelPose, nodes: Int32Array): number {
  const [feet, shoulders] = [new Float64Array(3), new Float64Array(3)];
  const isKnown =
    midpoint(feet, positions, nodes, 'leftFoot', 'rightFoot') &&
    midpoint(shoulders, positions, nodes, 'leftUpperArm', 'rightUpperArm');
  return isKnown ? vec3.distance(feet, 0, shoulders, 0) : 0;
}

function markBelow({ parents }: Skeleton, tops: readonly number[]): Uint8Array {
  const marks = new Uint8Array(parents.length);
  for (let node = 0; node < parents.length; node++) {
    marks[node] = tops.includes(node) || (parents[node] >= 0 && marks[parents[node]] === 1) ? 1 : 0;
  }
  return marks;
}

/**
 * Computes the mean pose of a motion. Alternating movements of left and right cancel out; the carriage of spine and head remains. Of all bones but
 * the arms, whose bent elbows show their roll, it is the mean over the half of the motion in which the character is most upright: crouching bends
 * neck and shoulders too. The hips keep their transform of `pose`, except for a mean rotation that is stable over the motion.
 */
export function computeMeanPose(skeleton: Skeleton, nodes: Int32Array, motion: Clip, pose: ModelPose): ModelPose {
  const local = Float64Array.from(pose.local);
  const count = skeleton.parents.length;
  const sums = new Float64Array(4 * count);
  const poses = Array.from(samplePoses(skeleton, motion), (one) => ({ one, height: uprightness(one, nodes) }));
  const usual = upperMedian(poses.map(({ height }) => height)) ?? 0;
  const isArm = markBelow(
    skeleton,
    SIDES.map((side) => nodes[BONE[`${side}UpperArm`]]),
  );
  let samples = 0;
  for (const { one, height } of poses) {
    const sample = one.local;
    const isUpright = height >= usual;
    if (isUpright) samples++;
    for (let node = 0; node < count; node++) {
      if (!isUpright && isArm[node] === 0) continue;
      const at = POSE_STRIDE * node + PATH_OFFSET.rotation;
      const sign = quat.dot(sample, at, pose.local, at) < 0 ? -1 : 1;
      for (let c = 0; c < 4; c++) sums[4 * node + c] += sign * sample[at + c];
    }
  }
  const below = new Uint8Array(count);
  for (let node = 0; node < count; node++) {
    const parent = skeleton.parents[node];
    below[node] = parent >= 0 && (parent === nodes[BONE.hips] || below[parent] === 1) ? 1 : 0;
    const length = quat.normalize(sums, 4 * node, sums, 4 * node);
    const counts = below[node] === 1 ? length > 0 : length > STEADY * samples;
    if (counts) quat.copy(local, POSE_STRIDE * node + PATH_OFFSET.rotation, sums, 4 * node);
  }
  return toModelPose('mean pose of the motion', skeleton.parents, local);
}

/** Slopes from ankle to toes, radians below the horizontal, in the samples in which the foot is lowest. `frame` rotates into the canonical frame. */
function slopesOfFoot(skeleton: Skeleton, motion: Clip, frame: Float64Array, ankle: number, toes: number): number[] {
  const samples: { readonly height: number; readonly slope: number }[] = [];
  const line = new Float64Array(3);
  const low = new Float64Array(3);
  for (const { positions } of samplePoses(skeleton, motion)) {
    vec3.add(low, 0, positions, 3 * ankle, positions, 3 * toes);
    vec3.rotate(low, 0, frame, 0, low, 0);
    vec3.subtract(line, 0, positions, 3 * toes, positions, 3 * ankle);
    vec3.rotate(line, 0, frame, 0, line, 0);
    samples.push({ height: low[1], slope: Math.atan2(-line[1], Math.hypot(line[0], line[2])) });
  }
  samples.sort((a, b) => a.height - b.height);
  return samples.slice(0, Math.ceil(PLANTED_FRACTION * samples.length)).map(({ slope }) => slope);
}

/**
 * Finds the slope from ankle to toes while the feet are flat on the ground. `frame`: rotation into the canonical frame, xyzw. Returns median over
 * both feet, radians below the horizontal; null without toes.
 */
export function findPlantedSlope(
  skeleton: Skeleton,
  nodes: Int32Array,
  motion: Clip,
  frame: Float64Array,
): number | null {
  const slopes = SIDES.flatMap((side) => {
    const ankle = nodes[BONE[`${side}Foot`]];
    const toes = nodes[BONE[`${side}Toes`]];
    return ankle < 0 || toes < 0 ? [] : slopesOfFoot(skeleton, motion, frame, ankle, toes);
  });
  return upperMedian(slopes) ?? null;
}

/**
 * Finds the height of the ground under a motion: a low percentile of the height of its lowest foot. `frame`: rotation into the canonical frame,
 * xyzw. Returns height in the canonical frame, units of the file.
 */
export function findMotionGround(skeleton: Skeleton, nodes: Int32Array, motion: Clip, frame: Float64Array): number {
  const heights: number[] = [];
  for (const pose of samplePoses(skeleton, motion))
    heights.push(lowestFootHeight(bonePositions(pose, nodes, frame), nodes));
  heights.sort((a, b) => a - b);
  return heights[Math.floor(GROUND_PERCENTILE * heights.length)] ?? 0;
}
