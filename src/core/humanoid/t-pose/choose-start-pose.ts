/** Chooses the pose of a file from which the reference pose is taken or estimated. */
import type { Clip } from '../../animation/clip.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, SIDES } from '../bones.ts';
import { bonePositions } from './bone-pose.ts';
import { estimateFrame, type FrameEstimate } from './estimate-frame.ts';
import { MAX_REST_DEVIATION } from './leg-stance.ts';
import { bindModelPose, frameTimes, type ModelPose, restModelPose, sampleModelPose } from './model-pose.ts';
import { computeMeanPose } from './motion-statistics.ts';
import { samplePoses } from './sample-poses.ts';
import { deviationFromTPose, distanceFromTPose } from './t-pose-chains.ts';

/**
 * A frame of the motion needs less than this fraction of the error of bind and node pose: those were made as rest
 * poses.
 */
const FRAME_ADVANTAGE = 0.5;
/** A later candidate must be better by this, radians, so that equal poses keep their order. */
const NOISE = 0.01;
/**
 * A character counts as lying down when its up axis, averaged over the motion, is further than this from the up axis of the pose,
 * radians.
 */
const LYING_ANGLE = Math.PI / 3;
/** Number of poses of a motion that are averaged for its up axis. */
const UP_SAMPLES = 12;

/** A pose that the estimator can start from. */
export interface StartPose {
  /** The pose, model space. */
  readonly pose: ModelPose;
  /** The estimated canonical frame of the pose. */
  readonly frame: FrameEstimate;
  /** Distance from a T-pose, radians; see distanceFromTPose. */
  readonly error: number;
  /** Whether the pose comes from a motion, in which the trunk may lean because of the movement. */
  readonly animated: boolean;
}

/**
 * Estimates the frame of a pose and its distance from a T-pose.
 *
 * @param pose The pose, model space.
 * @param nodes Node per bone, −1 where the bone is absent.
 * @returns The start pose; null when the character has no breadth or height in it.
 */
export function createStartPose(pose: ModelPose, nodes: Int32Array): StartPose | null {
  const frame = estimateFrame(pose.positions, nodes);
  if (frame === null) return null;
  return { pose, frame, error: distanceFromTPose(bonePositions(pose, nodes, frame.rotation), nodes), animated: false };
}

/** Adds the up axis of a pose (hips to shoulders, axes of the file, any length) to `up`. */
function addUp(up: Float64Array, nodes: Int32Array, pose: ModelPose): void {
  const line = new Float64Array(3);
  for (const side of SIDES) {
    const shoulder = nodes[BONE[`${side}UpperArm`]];
    const hip = nodes[BONE[`${side}UpperLeg`]];
    if (shoulder < 0 || hip < 0) continue;
    vec3.subtract(line, 0, pose.positions, 3 * shoulder, pose.positions, 3 * hip);
    vec3.add(up, 0, up, 0, line, 0);
  }
}

/**
 * Whether a character that is upright in `frame` is lying down on average in a motion. The first frame is tested first,
 * because hardly any motion starts upright and is spent lying down.
 */
function isLyingInMotion(
  skeleton: Skeleton,
  nodes: Int32Array,
  motion: Clip,
  first: ModelPose,
  frame: FrameEstimate,
): boolean {
  const up = new Float64Array(3);
  addUp(up, nodes, first);
  if (!isLying(up, frame)) return false;
  for (const pose of samplePoses(skeleton, motion, UP_SAMPLES)) addUp(up, nodes, pose);
  return isLying(up, frame);
}

/** Whether an up axis is far from the up axis of a frame. */
function isLying(up: Float64Array, frame: FrameEstimate): boolean {
  const rotated = new Float64Array(3);
  vec3.rotate(rotated, 0, frame.rotation, 0, up, 0);
  return vec3.length(rotated, 0) > 0 && vec3.angleBetween(rotated, 0, [0, 1, 0], 0) > LYING_ANGLE;
}

/**
 * Measures how far the legs of a pose deviate from a T-pose.
 *
 * @param start The pose.
 * @param nodes Node per bone, −1 where the bone is absent.
 * @returns Degrees of the worse leg; 0 without legs.
 */
export function legDeviation({ pose, frame }: StartPose, nodes: Int32Array): number {
  const { leftLeg = 0, rightLeg = 0 } = deviationFromTPose(bonePositions(pose, nodes, frame.rotation), nodes);
  return Math.max(leftLeg, rightLeg);
}

/** Replaces a pose with legs in motion by the mean pose of the motion where that has straighter legs. */
function replaceMovingPose(start: StartPose, skeleton: Skeleton, nodes: Int32Array, motion: Clip): StartPose {
  const deviation = legDeviation(start, nodes);
  if (deviation <= MAX_REST_DEVIATION) return start;
  const times = frameTimes(motion);
  if (times.length < 2) return start;
  const mean = createStartPose(
    computeMeanPose(skeleton, nodes, motion, sampleModelPose(skeleton, motion, times[0], 'frame:0')),
    nodes,
  );
  return mean !== null && legDeviation(mean, nodes) < deviation ? { ...mean, animated: true } : start;
}

/** Candidates beside bind and node pose. */
export interface PoseSources {
  /** A motion of the character; null without. */
  readonly motion: Clip | null;
  /** Clips that contain a single pose, by their names. */
  readonly poses: readonly Clip[];
}

/**
 * Chooses the pose that the estimator starts from: of bind pose, node pose, clips with a single pose and the first
 * frame of the motion the one closest to a T-pose, and of nearly equal ones the first. A pose in which the character
 * is lying down, compared with its motion (BVH zero poses that lie on their side), is only taken when there is no other. A
 * pose in motion is replaced by the mean pose of the motion.
 *
 * @param skeleton The skeleton of the character.
 * @param nodes Node per bone, −1 where the bone is absent.
 * @param sources The motion and the clips with a single pose.
 * @returns The best candidate; null when no pose has a front.
 */
export function chooseStartPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  { motion, poses }: PoseSources,
): StartPose | null {
  const times = motion === null ? [] : frameTimes(motion);
  const first = motion === null || times.length === 0 ? null : sampleModelPose(skeleton, motion, times[0], 'frame:0');
  let best: StartPose | null = null;
  const stored = poses.map((clip) => sampleModelPose(skeleton, clip, frameTimes(clip)[0] ?? 0, clip.name));
  for (const pose of [bindModelPose(skeleton), restModelPose(skeleton), ...stored]) {
    let start = pose === null ? null : createStartPose(pose, nodes);
    if (start === null) continue;
    if (motion !== null && first !== null && isLyingInMotion(skeleton, nodes, motion, first, start.frame)) {
      start = { ...start, error: start.error + Math.PI };
    }
    if (best === null || start.error < best.error - NOISE) best = start;
  }
  const frame = first === null ? null : createStartPose(first, nodes);
  if (frame !== null && (best === null || frame.error < FRAME_ADVANTAGE * best.error)) {
    best = { ...frame, animated: true };
  }
  if (best === null || motion === null || best.pose.from === 'bind') return best;
  return replaceMovingPose(best, skeleton, nodes, motion);
}
