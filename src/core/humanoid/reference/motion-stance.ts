/** What a motion shows about the body that moves when none of its poses is a rest: how it stands on the average, and on flat feet. */
import type { Clip } from '../../animation/clip.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import { POSE_STRIDE, type Skeleton } from '../../skeleton/skeleton.ts';
import { BONE } from '../bones.ts';
import { type ModelPose, modelPose } from './model-pose.ts';
import { moments } from './moments.ts';
import { bonePositions, lowestFoot } from './reference-pose.ts';

/** Share of the moments of a motion in which a foot is taken to stand flat: those with ankle and toes lowest. */
const PLANTED_SHARE = 0.15;
/** The share of the lowest foot heights of a motion that may lie below its ground: noise and sunk frames. */
const GROUND_PERCENTILE = 0.05;

/** Half-angle cosine of how far rotations of a motion spread about their mean at most for the mean to be a bearing: about 25°. */
const STEADY = 0.975;

/**
 * The pose of a body whose joints are bent as they are on the average of a motion, its hips where `pose` (one of its frames) has them:
 * what left and right do in turn cancels out, the carriage of trunk and head stays. The hips turn as on the average too where
 * the motion goes one way.
 */
export function meanPose(skeleton: Skeleton, nodes: Int32Array, motion: Clip, pose: ModelPose): ModelPose {
  const local = Float64Array.from(pose.local);
  const count = skeleton.parents.length;
  const sums = new Float64Array(4 * count);
  let seen = 0;
  for (const { local: moment } of moments(skeleton, motion)) {
    seen++;
    for (let node = 0; node < count; node++) {
      const at = POSE_STRIDE * node + 3;
      const sign = quat.dot(moment, at, pose.local, at) < 0 ? -1 : 1;
      for (let c = 0; c < 4; c++) sums[4 * node + c] += sign * moment[at + c];
    }
  }
  const below = new Uint8Array(count);
  for (let node = 0; node < count; node++) {
    const parent = skeleton.parents[node];
    below[node] = parent >= 0 && (parent === nodes[BONE.hips] || below[parent] === 1) ? 1 : 0;
    const length = quat.normalize(sums, 4 * node, sums, 4 * node);
    const counts = below[node] === 1 ? length > 0 : length > STEADY * seen;
    if (counts) quat.copy(local, POSE_STRIDE * node + 3, sums, 4 * node);
  }
  return modelPose('mean pose of the motion', skeleton.parents, local);
}

/** Slopes of the way from ankle to toes (radians below the horizontal) in the moments in which a foot is lowest. `frame` stands the body up. */
function slopesOfFoot(skeleton: Skeleton, motion: Clip, frame: Float64Array, ankle: number, toes: number): number[] {
  const seen: { readonly height: number; readonly slope: number }[] = [];
  const way = new Float64Array(3);
  const low = new Float64Array(3);
  for (const { positions } of moments(skeleton, motion)) {
    vec3.add(low, 0, positions, 3 * ankle, positions, 3 * toes);
    vec3.rotate(low, 0, frame, 0, low, 0);
    vec3.subtract(way, 0, positions, 3 * toes, positions, 3 * ankle);
    vec3.rotate(way, 0, frame, 0, way, 0);
    seen.push({ height: low[1], slope: Math.atan2(-way[1], Math.hypot(way[0], way[2])) });
  }
  seen.sort((a, b) => a.height - b.height);
  return seen.slice(0, Math.ceil(PLANTED_SHARE * seen.length)).map(({ slope }) => slope);
}

/** How steeply ankle and toes slope while the feet stand flat, radians below the horizontal: the median of both feet; null without toes. */
export function plantedSlope(skeleton: Skeleton, nodes: Int32Array, motion: Clip, frame: Float64Array): number | null {
  const slopes = (['left', 'right'] as const).flatMap((side) => {
    const ankle = nodes[BONE[`${side}Foot`]];
    const toes = nodes[BONE[`${side}Toes`]];
    return ankle < 0 || toes < 0 ? [] : slopesOfFoot(skeleton, motion, frame, ankle, toes);
  });
  slopes.sort((a, b) => a - b);
  return slopes[Math.floor(slopes.length / 2)] ?? null;
}

/**
 * Height of the ground that a motion walks on, canonical frame, units of the file: a low percentile of its lowest foot.
 */
export function groundOfMotion(skeleton: Skeleton, nodes: Int32Array, motion: Clip, frame: Float64Array): number {
  const heights: number[] = [];
  for (const pose of moments(skeleton, motion)) heights.push(lowestFoot(bonePositions(pose, nodes, frame), nodes));
  heights.sort((a, b) => a - b);
  return heights[Math.floor(GROUND_PERCENTILE * heights.length)] ?? 0;
}
