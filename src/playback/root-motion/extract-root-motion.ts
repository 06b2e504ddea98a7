import type { Clip, Track } from '../../core/animation/clip.ts';
import { frameTimeOf, frameTimes } from '../../core/animation/frame-times.ts';
import type { ModelTransform, RootMotionNode } from '../../core/animation/loop-clip.ts';
import { clipWithoutReflections, reflectClip } from '../../core/animation/reflect-clip.ts';
import { sampleClip } from '../../core/animation/sample.ts';
import * as mat4 from '../../core/math/mat4.ts';
import * as quat from '../../core/math/quat.ts';
import * as vec3 from '../../core/math/vec3.ts';
import { findReflections, withoutReflections } from '../../core/skeleton/reflections.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { invertMotion, ROOT_MOTION_STRIDE, type RootMotion } from './root-motion.ts';

const ROTATION = PATH_OFFSET.rotation;
/** Heading and translation (relative to the hips height) below which a clip has no root motion. */
const NO_MOTION = 1e-9;
const LEAST_RATE = 30;

/** A clip in place, and its root motion. */
interface ExtractedMotion {
  /** The clip without its root motion: the hips stay above the point, and face the direction, where the clip starts. */
  readonly clip: Clip;
  /** The root motion: applied to the clip in place, it gives the original poses. */
  readonly rootMotion: RootMotion;
}

/** Composes the transforms of a chain of nodes, root first. */
function composeChain(out: ModelTransform, pose: Float64Array, chain: readonly number[]): void {
  quat.identity(out.rotation, 0);
  mat4.identity(out.matrix, 0);
  for (const node of chain) {
    quat.multiply(out.rotation, 0, out.rotation, 0, pose, node * POSE_STRIDE + ROTATION);
    mat4.multiplyTransform(out.matrix, 0, out.matrix, 0, pose, node * POSE_STRIDE);
  }
  quat.normalize(out.rotation, 0, out.rotation, 0);
}

function createTransform(): ModelTransform {
  return { rotation: new Float64Array(4), matrix: new Float64Array(MATRIX_STRIDE) };
}

function chainTo(parents: Int32Array, node: number): number[] {
  const chain: number[] = [];
  for (let at = node; at >= 0; at = parents[at]) chain.push(at);
  return chain.reverse();
}

/** Returns the frame rate of the keys of a clip, or a multiple of it that is at least {@link LEAST_RATE}. */
function motionRate(clip: Clip): number {
  const own = 1 / (frameTimeOf(clip) ?? 1 / LEAST_RATE);
  return own * Math.max(1, Math.ceil(LEAST_RATE / own - 1e-3));
}

/** Measures the root motion: the horizontal position of the hips, and their rotation about the vertical since the start. */
function measureSamples(hips: readonly ModelTransform[], up: Float64Array): Float64Array {
  const samples = new Float64Array(hips.length * ROOT_MOTION_STRIDE);
  const toStart = new Float64Array(4);
  const rotated = new Float64Array(4);
  const swing = new Float64Array(4);
  const origin = new Float64Array(3);
  const point = new Float64Array(3);
  quat.conjugate(toStart, 0, hips[0].rotation, 0);
  vec3.copy(origin, 0, hips[0].matrix, 12);
  vec3.addScaled(origin, 0, origin, 0, up, 0, -vec3.dot(origin, 0, up, 0));
  let heading = 0;
  hips.forEach(({ rotation, matrix }, k) => {
    quat.multiply(rotated, 0, rotation, 0, toStart, 0);
    quat.swingTwist(swing, 0, rotated, 0, rotated, 0, up, 0);
    const angle = 2 * Math.atan2(vec3.dot(rotated, 0, up, 0), rotated[3]);
    // Continuous: the angle closest to that before.
    heading += angle - heading - 2 * Math.PI * Math.round((angle - heading) / (2 * Math.PI));
    vec3.rotate(point, 0, rotated, 0, origin, 0);
    vec3.subtract(point, 0, matrix, 12, point, 0);
    vec3.addScaled(point, 0, point, 0, up, 0, -vec3.dot(point, 0, up, 0));
    const o = k * ROOT_MOTION_STRIDE;
    samples.set(point, o);
    samples[o + 3] = heading;
  });
  return samples;
}

/** Returns whether any sample differs from the identity. */
function isMoving(samples: Float64Array, hipsHeight: number): boolean {
  return samples.some(
    (value, k) => Math.abs(value) > (k % ROOT_MOTION_STRIDE === 3 ? NO_MOTION : NO_MOTION * hipsHeight),
  );
}

/**
 * Separates a clip into its root motion and a clip in place. Root motion is the horizontal translation of the hips and their rotation about the
 * vertical, since the start of the clip; height and tilt stay in the pose. It is removed from the topmost node that carries it: the hips or
 * an animated ancestor.
 *
 * @param skeleton Skeleton of the clip.
 * @param clip The clip; it is not changed.
 * @param node The hips, from findRootMotionNode.
 * @returns The clip in place, with new keys on one node, and the root motion.
 * @example
 * const { clip, rootMotion } = extractRootMotion(humanoid.skeleton, walk, findRootMotionNode(humanoid));
 */
export function extractRootMotion(skeleton: Skeleton, clip: Clip, node: RootMotionNode): ExtractedMotion {
  const signs = findReflections(skeleton);
  const straight = withoutReflections(skeleton, signs);
  const motion = clipWithoutReflections(clip, signs, straight.rest);
  const extracted = extractStraightRootMotion(straight, motion, node);
  return { ...extracted, clip: extracted.clip === motion ? clip : reflectClip(extracted.clip, signs) };
}

/** Separates a clip of a rig without reflections. */
function extractStraightRootMotion(skeleton: Skeleton, clip: Clip, node: RootMotionNode): ExtractedMotion {
  const frameRate = motionRate(clip);
  const times = frameTimes(clip, 1 / frameRate);
  if (times.length > 1) times[times.length - 1] = clip.duration;
  const chain = chainTo(skeleton.parents, node.hips);
  const carries = new Set(clip.tracks.filter(({ path }) => path !== 'scale').map(({ target }) => target));
  const carrier = chain.find((at) => carries.has(at)) ?? node.hips;
  const up = Float64Array.from(node.up);
  const pose = Float64Array.from(skeleton.rest);
  const cursors = new Int32Array(clip.tracks.length);
  const hips: ModelTransform[] = [];
  const carried = new Float64Array(times.length * POSE_STRIDE);
  times.forEach((time, k) => {
    sampleClip(clip, time, pose, cursors);
    const transform = createTransform();
    composeChain(transform, pose, chain);
    hips.push(transform);
    carried.set(pose.subarray(carrier * POSE_STRIDE, (carrier + 1) * POSE_STRIDE), k * POSE_STRIDE);
  });
  const samples = measureSamples(hips, up);
  const { duration } = clip;
  const rootMotion: RootMotion = { hips: node.hips, duration, frameRate, frameCount: times.length, up, samples };
  if (!isMoving(rootMotion.samples, node.hipsHeight)) return { clip, rootMotion };
  const above = createTransform();
  composeChain(above, pose, chain.slice(0, chain.indexOf(carrier)));
  removeMotion(carried, rootMotion, above);
  const others = clip.tracks.filter(({ target, path }) => target !== carrier || path === 'scale');
  return { clip: { ...clip, tracks: [...others, ...carrierTracks(carrier, times, carried)] }, rootMotion };
}

/** Changes local transforms, below a constant parent, to those without root motion: `P⁻¹ · M⁻¹ · P · L`. */
function removeMotion(carried: Float64Array, { samples, up }: RootMotion, parent: ModelTransform): void {
  const toLocal = new Float64Array(MATRIX_STRIDE);
  if (!mat4.invertAffine(toLocal, 0, parent.matrix, 0)) mat4.identity(toLocal, 0);
  const inverse = new Float64Array(ROOT_MOTION_STRIDE);
  const yaw = new Float64Array(4);
  const toParent = quat.conjugated(parent.rotation);
  for (let k = 0; k * POSE_STRIDE < carried.length; k++) {
    const at = k * POSE_STRIDE;
    invertMotion(inverse, samples.subarray(k * ROOT_MOTION_STRIDE), up);
    quat.fromAxisAngle(yaw, 0, up, 0, inverse[3]);
    mat4.transformPoint(carried, at, parent.matrix, 0, carried, at);
    vec3.rotate(carried, at, yaw, 0, carried, at);
    vec3.add(carried, at, carried, at, inverse, 0);
    mat4.transformPoint(carried, at, toLocal, 0, carried, at);
    quat.multiply(yaw, 0, yaw, 0, parent.rotation, 0);
    quat.multiply(yaw, 0, toParent, 0, yaw, 0);
    quat.multiply(carried, at + ROTATION, yaw, 0, carried, at + ROTATION);
  }
}

/** Returns LINEAR tracks of the translations and rotations of a node. */
function carrierTracks(target: number, times: Float64Array, carried: Float64Array): Track[] {
  const values = (offset: number, width: number): Float64Array =>
    Float64Array.from({ length: times.length * width }, (_, i) => {
      return carried[Math.floor(i / width) * POSE_STRIDE + offset + (i % width)];
    });
  return [
    { target, path: 'translation', interpolation: 'LINEAR', times, values: values(PATH_OFFSET.translation, 3) },
    { target, path: 'rotation', interpolation: 'LINEAR', times, values: values(ROTATION, 4) },
  ];
}
