/** Choosing the pose of a file from which the reference pose is taken or estimated. */
import type { Clip } from '../../animation/clip.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, BONE_COUNT } from '../bones.ts';
import { type MetricFrame, metricFrame } from './metric-frame.ts';
import { bindModelPose, clipPose, frameTimes, type ModelPose, nodePose } from './model-pose.ts';
import { poseError } from './t-pose.ts';

/** A frame of the motion must fit a T-pose this much better than bind or node pose: those are drawn to be a rest, it is not. */
const FRAME_ADVANTAGE = 0.5;
/** Among bind and node pose the later one must be better by this, radians: equal poses are told apart by order alone. */
const NOISE = 0.01;
/** A body whose up, over the whole motion, is further from the up of a pose than this lies down in that pose. */
const LIES = Math.PI / 3;
/** Moments of a motion that are looked at to find its ground, and its up. */
const MOMENTS = 48;
const UP_MOMENTS = 12;

/** A pose and the frame in which it stands. */
export interface StartPose {
  readonly pose: ModelPose;
  readonly frame: MetricFrame;
  /** How far it is from a T-pose, radians (see poseError). */
  readonly error: number;
}

/** Positions of the bones of a pose (3 a bone), turned by `frame`. */
export function bonePositions(pose: ModelPose, nodes: Int32Array, frame: Float64Array): Float64Array {
  const points = new Float64Array(3 * BONE_COUNT);
  for (let bone = 0; bone < BONE_COUNT; bone++) {
    if (nodes[bone] >= 0) vec3.rotate(points, 3 * bone, frame, 0, pose.positions, 3 * nodes[bone]);
  }
  return points;
}

/** The pose with its metric frame and error; null when the body has no breadth or height in it. */
export function startPose(pose: ModelPose, nodes: Int32Array): StartPose | null {
  const frame = metricFrame(pose.positions, nodes);
  if (frame === null) return null;
  return { pose, frame, error: poseError(bonePositions(pose, nodes, frame.rotation), nodes) };
}

/** Poses of a clip at up to `most` moments, evenly over its frames. */
export function* moments(skeleton: Skeleton, clip: Clip, most: number = MOMENTS): Generator<ModelPose> {
  const times = frameTimes(clip);
  const step = Math.max(1, Math.ceil(times.length / most));
  for (let frame = 0; frame < times.length; frame += step) {
    yield clipPose(skeleton, clip, times[frame], `frame:${frame}`);
  }
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

/**
 * The best pose to start the estimator from: of bind, node and first frame of the motion the one nearest to a T-pose,
 * bind before node before frame when they are about equal. A pose in which the body does not stand the way it
 * stands in its motion (BVH zero poses that lie on the side) is taken only when nothing else is there.
 */
export function chooseStartPose(skeleton: Skeleton, nodes: Int32Array, motion: Clip | null): StartPose | null {
  const times = motion === null ? [] : frameTimes(motion);
  const first = motion === null || times.length === 0 ? null : clipPose(skeleton, motion, times[0], 'frame:0');
  let best: StartPose | null = null;
  for (const pose of [bindModelPose(skeleton), nodePose(skeleton)]) {
    let start = pose === null ? null : startPose(pose, nodes);
    if (start === null) continue;
    if (motion !== null && first !== null && liesInMotion(skeleton, nodes, motion, first, start.frame)) {
      start = { ...start, error: start.error + Math.PI };
    }
    if (best === null || start.error < best.error - NOISE) best = start;
  }
  const frame = first === null ? null : startPose(first, nodes);
  if (frame !== null && (best === null || frame.error < FRAME_ADVANTAGE * best.error)) return frame;
  return best;
}
