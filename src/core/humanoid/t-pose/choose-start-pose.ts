/** Chooses the pose of a file from which the reference pose is taken or estimated. */
import type { Clip } from '../../animation/clip.ts';
import { DEGREES_PER_RADIAN } from '../../math/euler.ts';
import * as quat from '../../math/quat.ts';
import * as vec3 from '../../math/vec3.ts';
import type { Skeleton } from '../../skeleton/skeleton.ts';
import { BONE, SIDES } from '../bones.ts';
import { bonePositions } from './bone-pose.ts';
import { addUp, estimateFrame, type FrameEstimate, findFileFrame, meanUp } from './estimate-frame.ts';
import { MAX_REST_DEVIATION } from './leg-stance.ts';
import { bindModelPose, frameTimes, type ModelPose, restModelPose, sampleModelPose } from './model-pose.ts';
import { computeMeanPose } from './motion-statistics.ts';
import { deviationFromTPose, distanceFromTPose } from './t-pose-chains.ts';

/** A frame of the motion needs less than this fraction of the error of bind and node pose: those were made as rest poses. */
const FRAME_ADVANTAGE = 0.5;
/** A later candidate must be better by this, radians, so that equal poses keep their order. */
const NOISE = 0.01;
/** A character counts as lying down when its up axis, averaged over the motion, is further than this from the up axis of the pose, radians. */
const LYING_ANGLE = Math.PI / 3;

export interface StartPose {
  /** The pose, model space. */
  readonly pose: ModelPose;
  readonly frame: FrameEstimate;
  /** Distance from a T-pose, radians; see distanceFromTPose. */
  readonly error: number;
  /**
   * Where it comes from. `rest`: the character at rest. `lying`: the same along another up axis than that of its motion. `unrotated`: the joints without rotation, that of the rig
   * at rest, where the root happens to be in the motion. `frame`: a frame of the motion near a T-pose; the trunk may lean. `moving`: the mean over the motion, or a pose of it,
   * because the file has none at rest.
   */
  readonly kind: 'rest' | 'lying' | 'unrotated' | 'frame' | 'moving';
  /** F of the file, where it is not `frame.rotation`: the character faces another way than the rig does at rest. */
  readonly fileFrame?: Float64Array;
  /** The rig at rest, where a `frame` was taken instead: shows its place. */
  readonly atRest?: StartPose;
}

/**
 * Estimates the frame of a pose and its distance from a T-pose. Returns the start pose; null when the character has no breadth or height in it.
 */
export function createStartPose(pose: ModelPose, nodes: Int32Array): StartPose | null {
  const frame = estimateFrame(pose.positions, nodes);
  if (frame === null) return null;
  return {
    pose,
    frame,
    error: distanceFromTPose(bonePositions(pose, nodes, frame.rotation), nodes),
    kind: 'rest',
  };
}

/**
 * Whether a character that is upright in `frame` is lying down on average in a motion. The first frame is tested first, because hardly any motion
 * starts upright and is spent lying down. One that stands along the up axis of its file is right: the motion is one of crawling or lying. `fileUp`:
 * up axis of the file; null where it declares none: then +Y, as programs read BVH.
 */
function isLyingInMotion(
  skeleton: Skeleton,
  nodes: Int32Array,
  motion: Clip,
  first: ModelPose,
  frame: FrameEstimate,
  fileUp: ArrayLike<number> | null,
): boolean {
  if (!isLying(fileUp ?? [0, 1, 0], frame)) return false;
  const up = new Float64Array(3);
  addUp(up, nodes, first);
  return isLying(up, frame) && isLying(meanUp(skeleton, nodes, motion), frame);
}

function isLying(up: ArrayLike<number>, frame: FrameEstimate): boolean {
  const rotated = new Float64Array(3);
  vec3.rotate(rotated, 0, frame.rotation, 0, up, 0);
  return vec3.length(rotated, 0) > 0 && vec3.angleBetween(rotated, 0, [0, 1, 0], 0) > LYING_ANGLE;
}

/** Measures how far the legs of a pose deviate from a T-pose. */
export function legDeviation({ pose, frame }: StartPose, nodes: Int32Array): number {
  const { leftLeg = 0, rightLeg = 0 } = deviationFromTPose(bonePositions(pose, nodes, frame.rotation), nodes);
  return Math.max(leftLeg, rightLeg);
}

/**
 * Greatest angle between a limb and the mirrored limb of the other side in a pose at rest, degrees. Rest poses of the assets, which people or
 * programs make, have at most 2.6° (4.8° at the feet of one captured actor); files that were exported from the middle of a motion 8.7 to 127°.
 */
const MAX_ASYMMETRY = 6;
/** The same for the first frame of a motion where the file has a pose at rest: actors who take a T-pose are up to 7° off, and poses in motion from 8.7° on. */
const MAX_FRAME_ASYMMETRY = 8;
/** Angle between the up axes of two poses up to which they stand alike, radians: up within 15° of an axis of the file is that axis. */
const SAME_UP = (15 * Math.PI) / 180;
/** A pose this near to a T-pose, radians per bone, is a T-pose that an actor took: captured ones are 7° off symmetry, 0.18 rad off a T. */
const CAPTURED_T_POSE = 0.3;

const MIRRORED_LIMBS = [
  ['UpperArm', 'LowerArm'],
  ['LowerArm', 'Hand'],
  ['UpperLeg', 'LowerLeg'],
  ['LowerLeg', 'Foot'],
  ['Foot', 'Toes'],
] as const;

/** Returns the greatest angle between a limb of one side and the mirrored limb of the other, degrees. */
function asymmetry({ pose, frame }: StartPose, nodes: Int32Array): number {
  const positions = bonePositions(pose, nodes, frame.rotation);
  let most = 0;
  for (const [from, to] of MIRRORED_LIMBS) {
    const limbs = SIDES.map((side) => {
      const [start, end] = [BONE[`${side}${from}`], BONE[`${side}${to}`]];
      const limb = new Float64Array(3);
      if (nodes[start] >= 0 && nodes[end] >= 0) vec3.subtract(limb, 0, positions, 3 * end, positions, 3 * start);
      return limb;
    });
    limbs[1][0] *= -1;
    if (limbs.some((limb) => !(vec3.length(limb, 0) > 0))) continue;
    most = Math.max(most, vec3.angleBetween(limbs[0], 0, limbs[1], 0) * DEGREES_PER_RADIAN);
  }
  return most;
}

/** Tells whether a pose is one of a motion: its legs are not those of a pose at rest, or left and right differ. */
function isInMotion(start: StartPose, nodes: Int32Array): boolean {
  if (legDeviation(start, nodes) > MAX_REST_DEVIATION) return true;
  return start.error > CAPTURED_T_POSE && asymmetry(start, nodes) > MAX_ASYMMETRY;
}

/**
 * Tells whether a pose is one at rest. A bind pose is, whatever it looks like, if it is symmetric or a mesh is bound to it: people made it then, and
 * otherwise a program may have written it of any moment.
 */
function isAtRest(start: StartPose, nodes: Int32Array, isBound: () => boolean): boolean {
  if (!isInMotion(start, nodes)) return true;
  return start.pose.from === 'bind' && (asymmetry(start, nodes) <= MAX_ASYMMETRY || isBound());
}

/**
 * Replaces a pose in motion by one at rest: that of the joints without rotation, if rigs of its kind are made in it and not only the axes of bones; else the mean pose
 * of the motion.
 */
function replaceMovingPose(
  start: StartPose,
  skeleton: Skeleton,
  nodes: Int32Array,
  motion: Clip,
  { zeroPose, up, isBound }: Pick<PoseSources, 'zeroPose' | 'up' | 'isBound'>,
): StartPose {
  if (isAtRest(start, nodes, isBound)) return start;
  const times = frameTimes(motion);
  const first = sampleModelPose(skeleton, motion, times[0] ?? 0, 'frame:0');
  const zero = zeroPose === null ? null : createStartPose(zeroPose, nodes);
  if (zero !== null && !isInMotion(zero, nodes) && !isLyingInMotion(skeleton, nodes, motion, first, zero.frame, up))
    return { ...zero, kind: 'unrotated' };
  const mean = times.length < 2 ? null : createStartPose(computeMeanPose(skeleton, nodes, motion, first), nodes);
  return { ...(mean ?? start), kind: 'moving' };
}

function upOf({ frame }: StartPose): Float64Array {
  const toFile = quat.conjugated(frame.rotation);
  const up = new Float64Array(3);
  vec3.rotate(up, 0, toFile, 0, [0, 1, 0], 0);
  return up;
}

/**
 * Takes the first frame of a motion as a pose nearer to a T-pose than one at rest. It must be one that an actor took on purpose. Its front is that of the rig, which is
 * the same in all takes: an actor may stand any way. Returns null for a frame in motion.
 */
function takeFirstFrame(frame: StartPose, atRest: StartPose, nodes: Int32Array): StartPose | null {
  if (legDeviation(frame, nodes) > MAX_REST_DEVIATION || asymmetry(frame, nodes) > MAX_FRAME_ASYMMETRY) return null;
  const standsAlike = vec3.angleBetween(upOf(frame), 0, upOf(atRest), 0) < SAME_UP;
  return { ...frame, kind: 'frame', atRest, ...(standsAlike ? { fileFrame: atRest.frame.rotation } : {}) };
}

export interface PoseSources {
  /** A motion of the character; null without. */
  readonly motion: Clip | null;
  /** Clips that contain a single pose, by their names. */
  readonly poses: readonly Clip[];
  /** The pose in which no node is rotated from its own axes; null without, or where it is the rest pose. */
  readonly zeroPose: ModelPose | null;
  /** Up axis of the file; null where it declares none. */
  readonly up: ArrayLike<number> | null;
  /** Whether a mesh is bound to the skeleton. */
  readonly isBound: () => boolean;
}

/**
 * Chooses the pose that the estimator starts from: of bind pose, node pose, clips with a single pose and the first frame of the motion the one
 * closest to a T-pose, and of nearly equal ones the first. Where a pose is at rest, the first frame must be one that an actor took on
 * purpose, and keeps the front of the rig. A pose in which the character is lying down, compared with its motion and with the up axis of the
 * file (BVH zero poses of rigs made with another up axis), is only taken when there is no other; one at rest then stands up and faces as the
 * file does. A pose in motion is replaced by the pose of
 * the joints without rotation where that is one at rest, else by the mean pose of the motion. Returns the best candidate; null when no pose has a
 * front.
 */
export function chooseStartPose(
  skeleton: Skeleton,
  nodes: Int32Array,
  { motion, poses, zeroPose, up, isBound }: PoseSources,
): StartPose | null {
  const times = motion === null ? [] : frameTimes(motion);
  const first = motion === null || times.length === 0 ? null : sampleModelPose(skeleton, motion, times[0], 'frame:0');
  /** The best pose so far, its error, and whether it is one at rest. */
  let best: { readonly start: StartPose; readonly error: number; readonly isStill: boolean } | null = null;
  const stored = poses.map((clip) => sampleModelPose(skeleton, clip, frameTimes(clip)[0] ?? 0, clip.name));
  for (const pose of [bindModelPose(skeleton), restModelPose(skeleton), ...stored]) {
    const start = pose === null ? null : createStartPose(pose, nodes);
    if (start === null) continue;
    const lies = motion !== null && first !== null && isLyingInMotion(skeleton, nodes, motion, first, start.frame, up);
    // One that stands is preferred to one that lies, because it shows the front.
    const error = lies ? start.error + Math.PI : start.error;
    if (best !== null && error >= best.error - NOISE) continue;
    const isStill = isAtRest(start, nodes, isBound);
    const lying =
      lies && isStill ? { kind: 'lying' as const, fileFrame: findFileFrame(skeleton, nodes, motion, up) } : {};
    best = { start: { ...start, ...lying }, error, isStill };
  }
  let chosen = best?.start ?? null;
  const frame = first === null ? null : createStartPose(first, nodes);
  if (
    frame !== null &&
    (best === null || frame.error < FRAME_ADVANTAGE * (best.isStill ? best.start.error : best.error))
  ) {
    chosen = best?.isStill ? (takeFirstFrame(frame, best.start, nodes) ?? chosen) : { ...frame, kind: 'frame' };
  }
  if (chosen === null || motion === null) return chosen;
  return replaceMovingPose(chosen, skeleton, nodes, motion, { zeroPose, up, isBound });
}
