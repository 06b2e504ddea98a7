/** Choosing the pose of a file from which the reference pose is taken or estimated. */
import type { Clip } from '../../animation/clip.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE } from '../bones.ts';
import { type MetricFrame, metricFrame } from './metric-frame.ts';
import { bindModelPose, clipPose, frameTimes, type ModelPose, nodePose } from './model-pose.ts';
import { moments } from './moments.ts';
import { meanPose } from './motion-stance.ts';
import { bonePositions } from './reference-pose.ts';
import { STRIDE_LIMIT } from './stance.ts';
import { deviationFromTPose, poseError } from './t-pose.ts';

/** A frame of the motion must fit a T-pose this much better than bind or node pose: those are drawn to be a rest, it is not. */
const FRAME_ADVANTAGE = 0.5;
/** Among bind and node pose the later one must be better by this, radians: equal poses are told apart by order alone. */
const NOISE = 0.01;
/** A body whose up, over the whole motion, is further from the up of a pose than this lies down in that pose. */
const LIES = Math.PI / 3;
/** Moments of a motion that are looked at to find its up. */
const UP_MOMENTS = 12;

/** A pose and the frame in which it stands. */
export interface StartPose {
  readonly pose: ModelPose;
  readonly frame: MetricFrame;
  /** How far it is from a T-pose, radians (see poseError). */
  readonly error: number;
  /** Whether it comes out of a motion: how a body carries itself there is what it does, not what it is. */
  readonly animated: boolean;
}

/** The pose with its metric frame and error; null when the body has no breadth or height in it. */
export function startPose(pose: ModelPose, nodes: Int32Array): StartPose | null {
  const frame = metricFrame(pose.positions, nodes);
  if (frame === null) return null;
  return { pose, frame, error: poseError(bonePositions(pose, nodes, frame.rotation), nodes), animated: false };
}

/** Adds the up of a body in a pose (hips to shoulders, file axes, of any length) to `up`. */
function addUp(up: Float64Array, nodes: Int32Array, pose: ModelPose): void {
  const line = new Float64Array(3);
  for (const side of ['left', 'right'] as const) {
    const shoulder = nodes[BONE[`${side}UpperArm`]];
    const hip = nodes[BONE[`${side}UpperLeg`]];
    if (shoulder < 0 || hip < 0) continue;
    vec3.subtract(line, 0, pose.positions, 3 * shoulder, pose.positions, 3 * hip);
    vec3.add(up, 0, up, 0, line, 0);
  }
}

/**
 * Whether a body that stands in `frame` lies down in a motion, on the average. Its first frame is asked first: hardly any motion both
 * starts upright and is spent lying.
 */
function liesInMotion(
  skeleton: Skeleton,
  nodes: Int32Array,
  motion: Clip,
  first: ModelPose,
  frame: MetricFrame,
): boolean {
  const up = new Float64Array(3);
  addUp(up, nodes, first);
  if (!lies(up, frame)) return false;
  for (const pose of moments(skeleton, motion, UP_MOMENTS)) addUp(up, nodes, pose);
  return lies(up, frame);
}

/** Whether a body that stands upright in `frame` lies down, on the average, in a motion with this up. */
function lies(up: Float64Array, frame: MetricFrame): boolean {
  const turned = new Float64Array(3);
  vec3.rotate(turned, 0, frame.rotation, 0, up, 0);
  return vec3.length(turned, 0) > 0 && vec3.angleBetween(turned, 0, [0, 1, 0], 0) > LIES;
}

/** The worse of the legs in a pose, degrees off a T-pose. */
export function strideOf({ pose, frame }: StartPose, nodes: Int32Array): number {
  const { leftLeg = 0, rightLeg = 0 } = deviationFromTPose(bonePositions(pose, nodes, frame.rotation), nodes);
  return Math.max(leftLeg, rightLeg);
}

/** In place of a pose of movement the mean pose of the motion, where that stands better. */
function unlessMoving(start: StartPose, skeleton: Skeleton, nodes: Int32Array, motion: Clip): StartPose {
  const stride = strideOf(start, nodes);
  if (stride <= STRIDE_LIMIT) return start;
  const times = frameTimes(motion);
  if (times.length < 2) return start;
  const mean = startPose(meanPose(skeleton, nodes, motion, clipPose(skeleton, motion, times[0], 'frame:0')), nodes);
  return mean !== null && strideOf(mean, nodes) < stride ? { ...mean, animated: true } : start;
}

/** What a choice is made among, beside bind and node pose. */
export interface PoseSources {
  /** The motion that the body plays. */
  readonly motion: Clip | null;
  /** Clips of the file that hold nothing but a pose, by their names. */
  readonly poses: readonly Clip[];
}

/**
 * The best pose to start the estimator from: of bind, node, clips that hold a pose and the first frame of the motion the one nearest to a
 * T-pose, the earlier one when they are about equal. A pose in which the body does not stand the way it stands in its motion
 * (BVH zero poses that lie on the side) is taken only when nothing else is there, the mean of the motion in place of a pose
 * out of the middle of a movement.
 */
export function chooseStartPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  { motion, poses }: PoseSources,
): StartPose | null {
  const times = motion === null ? [] : frameTimes(motion);
  const first = motion === null || times.length === 0 ? null : clipPose(skeleton, motion, times[0], 'frame:0');
  let best: StartPose | null = null;
  const held = poses.map((clip) => clipPose(skeleton, clip, frameTimes(clip)[0] ?? 0, clip.name));
  for (const pose of [bindModelPose(skeleton), nodePose(skeleton), ...held]) {
    let start = pose === null ? null : startPose(pose, nodes);
    if (start === null) continue;
    if (motion !== null && first !== null && liesInMotion(skeleton, nodes, motion, first, start.frame)) {
      start = { ...start, error: start.error + Math.PI };
    }
    if (best === null || start.error < best.error - NOISE) best = start;
  }
  const frame = first === null ? null : startPose(first, nodes);
  if (frame !== null && (best === null || frame.error < FRAME_ADVANTAGE * best.error)) {
    best = { ...frame, animated: true };
  }
  if (best === null || motion === null || best.pose.from === 'bind') return best;
  return unlessMoving(best, skeleton, nodes, motion);
}
