/** Makes clips loop: the last pose is changed to match the first. Root motion is kept, so that a walk still ends further on than it began. */
import type { Floats } from '../math/floats.ts';
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import * as vec3 from '../math/vec3.ts';
import { findReflections, withoutReflections } from '../skeleton/reflections.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../skeleton/skeleton.ts';
import { type Clip, lastKeyTime, PATH_WIDTH, type Track } from './clip.ts';
import { distributeOffset } from './distribute-offset.ts';
import { clipWithoutReflections, reflectClip } from './reflect-clip.ts';
import { sampleClip } from './sample.ts';
import { isJump } from './separate-times.ts';

const ROTATION = PATH_OFFSET.rotation;

/** The node with the root motion of a skeleton, and the measures to recognize root motion. */
export interface RootMotionNode {
  /** Index of the hips; root motion is on this node or on its ancestors. */
  readonly hips: number;
  /** The direction up: unit vector, axes of the file. */
  readonly up: Floats;
  /** Height of the hips above the ground, units of the file. */
  readonly hipsHeight: number;
}

/** Least horizontal distance from start to end that is root motion, relative to the height of the hips; less is drift. */
const LEAST_DISTANCE = 0.25;
/** Least rotation about the vertical from start to end that is root motion, radians: 15°; less is drift. */
const LEAST_YAW = Math.PI / 12;
/** Difference of first and last value that counts as a few roundings: radians, or relative to the length. */
const CLOSED = 1e-9;

/** A rigid motion in model space, in the axes and units of a file: `p ↦ rotation · p + translation`. */
export interface ModelMotion {
  /** Unit quaternion xyzw. */
  readonly rotation: Float64Array;
  readonly translation: Float64Array;
}

/**
 * Makes a clip loop: changes the last pose to equal the first one, and distributes the difference linearly over the whole clip.
 * Apart from root motion, the model-space poses then match to float32 rounding.
 *
 * Root motion is kept where `rootMotion` is passed. On the hips and their ancestors this is
 *
 * - horizontal translation of at least a quarter of the hips height, and
 * - rotation about the vertical of at least 15°.
 *
 * Smaller values are drift and are removed, like all changes of height and tilt. Each of these nodes is judged by its own track, so root
 * motion stays on the node that has it. A jump at the very end, which only the last instant shows, is left out. Tracks that already loop are unchanged. Other tracks get keys at both ends; their CUBICSPLINE
 * rotations are resampled within 0.005°.
 *
 * @param skeleton Skeleton of the clip.
 * @param clip The clip; it is not changed. A clip of duration 0 is returned as it is.
 * @param rootMotion Node whose root motion is kept; without it, all motion is closed.
 * @returns The looping clip.
 * @example
 * const inPlace = loopClip(humanoid.skeleton, clip);
 */
export function loopClip(skeleton: Skeleton, clip: Clip, rootMotion?: RootMotionNode): Clip {
  if (!(clip.duration > 0)) return clip;
  const signs = findReflections(skeleton);
  const straight = withoutReflections(skeleton, signs);
  return reflectClip(closeLoop(straight, clipWithoutReflections(clip, signs, straight.rest), rootMotion), signs);
}

function closeLoop(skeleton: Skeleton, whole: Clip, rootMotion: RootMotionNode | undefined): Clip {
  const first = poseAt(skeleton, whole, 0);
  const end = poseAt(skeleton, whole, whole.duration);
  const clip = { ...whole, tracks: whole.tracks.map((track) => withoutEndJump(track, first, end, whole.duration)) };
  const last = poseAt(skeleton, clip, clip.duration);
  const wanted = first.slice();
  if (rootMotion !== undefined) keepRootMotion(wanted, first, last, skeleton, clip, rootMotion);
  const tracks = clip.tracks.map((track) => closedTrack(track, last, wanted, clip.duration));
  // New keys are float32, so the last one may be one rounding after the end.
  return { ...clip, duration: Math.max(clip.duration, lastKeyTime(tracks)), tracks };
}

function poseAt(skeleton: Skeleton, clip: Clip, time: number): Float64Array {
  const pose = Float64Array.from(skeleton.rest);
  sampleClip(clip, time, pose);
  return pose;
}

/** Gives the last key of a track that jumps at the end of the clip, and not to its first value, the value before the jump. */
function withoutEndJump(track: Track, first: Float64Array, end: Float64Array, duration: number): Track {
  const { times, target, path, interpolation } = track;
  const last = times.length - 1;
  const width = PATH_WIDTH[path];
  const jumps = interpolation !== 'STEP' && times[last] >= duration && isJump(times[last - 1], times[last]);
  if (!jumps || isClosed(end, first, target * POSE_STRIDE + PATH_OFFSET[path], width)) return track;
  const stride = interpolation === 'CUBICSPLINE' ? 3 * width : width;
  const at = last * stride + (stride - width) / 2;
  const values = track.values.slice();
  values.copyWithin(at, at - stride, at - stride + width);
  return { ...track, values };
}

function closedTrack(track: Track, last: Float64Array, wanted: Float64Array, duration: number): Track {
  const at = track.target * POSE_STRIDE + PATH_OFFSET[track.path];
  const width = PATH_WIDTH[track.path];
  if (track.times.length === 0 || isClosed(last, wanted, at, width)) return track;
  return distributeOffset(track, wanted.subarray(at, at + width), duration);
}

function isClosed(a: Float64Array, b: Float64Array, at: number, width: number): boolean {
  if (width === 4) return quat.angleBetween(a, at, b, at) <= CLOSED;
  return vec3.distance(a, at, b, at) <= CLOSED * vec3.length(b, at);
}

/** Adds the root motion to the wanted last pose, from the root down to the hips. */
function keepRootMotion(
  wanted: Float64Array,
  first: Float64Array,
  last: Float64Array,
  { parents }: Skeleton,
  clip: Clip,
  { hips, up, hipsHeight }: RootMotionNode,
): void {
  const chain: number[] = [];
  for (let node = hips; node >= 0; node = parents[node]) chain.push(node);
  const tracks = new Set(clip.tracks.map(({ target, path }) => `${target} ${path}`));
  const before: ModelTransform = { rotation: new Float64Array([0, 0, 0, 1]), matrix: identity() };
  const after: ModelTransform = { rotation: new Float64Array([0, 0, 0, 1]), matrix: identity() };
  let motion: ModelMotion = { rotation: new Float64Array([0, 0, 0, 1]), translation: new Float64Array(3) };
  for (const node of chain.reverse()) {
    const at = node * POSE_STRIDE;
    const moments: LoopEnds = { before, after, motion };
    const yaw = tracks.has(`${node} rotation`) ? ownYaw(first, last, at, moments, up) : null;
    descend(before, first, at);
    const distance = tracks.has(`${node} translation`)
      ? ownTranslation(last, at, moments, up, LEAST_DISTANCE * hipsHeight)
      : null;
    if (yaw !== null || distance !== null) {
      const total: ModelMotion = { rotation: motion.rotation.slice(), translation: new Float64Array(3) };
      if (yaw !== null) quat.multiply(total.rotation, 0, yaw, 0, total.rotation, 0);
      const point = movedOrigin(before, motion);
      if (distance !== null) vec3.add(point, 0, point, 0, distance, 0);
      if (yaw !== null) {
        quat.multiply(wanted, at + ROTATION, total.rotation, 0, before.rotation, 0);
        modelToLocalRotation(wanted, at + ROTATION, after.rotation);
      }
      if (distance !== null && mat4.invertAffine(scratch, 0, after.matrix, 0)) {
        mat4.transformPoint(wanted, at, scratch, 0, point, 0);
      }
      const rotated = new Float64Array(3);
      vec3.rotate(rotated, 0, total.rotation, 0, before.matrix, 12);
      vec3.subtract(total.translation, 0, point, 0, rotated, 0);
      motion = total;
    }
    descend(after, wanted, at);
  }
}

/** Model-space transform of a node. */
export interface ModelTransform {
  /** Product of the local rotations. */
  readonly rotation: Float64Array;
  /** 16 floats, column-major. */
  readonly matrix: Float64Array;
}

const scratch = new Float64Array(MATRIX_STRIDE);

function identity(): Float64Array {
  const matrix = new Float64Array(MATRIX_STRIDE);
  mat4.identity(matrix, 0);
  return matrix;
}

/** Changes a model transform from a node to its child, whose local pose is at `at`. */
function descend({ rotation, matrix }: ModelTransform, local: Float64Array, at: number): void {
  quat.multiply(rotation, 0, rotation, 0, local, at + ROTATION);
  quat.normalize(rotation, 0, rotation, 0);
  mat4.multiplyTransform(matrix, 0, matrix, 0, local, at);
}

function modelToLocalRotation(out: Float64Array, o: number, parentRotation: Float64Array): void {
  const inverse = quat.conjugated(parentRotation);
  quat.multiply(out, o, inverse, 0, out, o);
}

function movedOrigin({ matrix }: ModelTransform, { rotation, translation }: ModelMotion): Float64Array {
  const point = new Float64Array(3);
  vec3.rotate(point, 0, rotation, 0, matrix, 12);
  vec3.add(point, 0, point, 0, translation, 0);
  return point;
}

/** Transforms above a node at the first and the last moment, and the root motion of the nodes above. */
interface LoopEnds {
  readonly before: ModelTransform;
  readonly after: ModelTransform;
  readonly motion: ModelMotion;
}

/** Returns the rotation about the vertical that a node's own track adds from the first to the last moment; null when it is drift. */
function ownYaw(
  first: Float64Array,
  last: Float64Array,
  at: number,
  { before, after, motion: { rotation } }: LoopEnds,
  up: Floats,
): Float64Array | null {
  const end = new Float64Array(4);
  quat.multiply(end, 0, after.rotation, 0, last, at + ROTATION);
  const start = new Float64Array(4);
  quat.multiply(start, 0, before.rotation, 0, first, at + ROTATION);
  quat.multiply(start, 0, rotation, 0, start, 0);
  quat.conjugate(start, 0, start, 0);
  quat.multiply(end, 0, end, 0, start, 0);
  const swing = new Float64Array(4);
  const twist = new Float64Array(4);
  quat.swingTwist(swing, 0, twist, 0, end, 0, up, 0);
  return 2 * Math.acos(Math.min(1, twist[3])) >= LEAST_YAW ? twist : null;
}

/** Returns the horizontal translation that a node's own track adds; null when it is drift. `before` is the node's own transform. */
function ownTranslation(
  last: Float64Array,
  at: number,
  { before, after, motion }: LoopEnds,
  up: Floats,
  least: number,
): Float64Array | null {
  const translation = new Float64Array(3);
  mat4.transformPoint(translation, 0, after.matrix, 0, last, at);
  vec3.subtract(translation, 0, translation, 0, movedOrigin(before, motion), 0);
  vec3.addScaled(translation, 0, translation, 0, up, 0, -vec3.dot(translation, 0, up, 0));
  return vec3.length(translation, 0) >= least ? translation : null;
}
