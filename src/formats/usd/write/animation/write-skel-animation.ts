import { PATH_WIDTH, TRACK_PATHS, type TrackPath } from '../../../../core/animation/clip.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import * as quat from '../../../../core/math/quat.ts';
import { MATRIX_STRIDE, PATH_OFFSET, POSE_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import { authorTimeSamples, definePrim } from '../../author/author-prims.ts';
import { authorAttribute } from '../../author/author-property.ts';
import { arrayOf, texts, UNIFORM } from '../../author/author-values.ts';
import {
  type NodeTracks,
  type Samples,
  sampleProperty,
  sampleTimes,
  sampleWeights,
  type WeightSource,
} from '../../author/sample-tracks.ts';
import { roundToHalf } from '../../layer/half.ts';
import type { FieldValue, Layer } from '../../layer/layer.ts';
import { type TimeCodes, toCodes } from '../../time-codes.ts';

/** Offset of the scale in a pose. */
const SCALE = PATH_OFFSET.scale;

export function halfRoundingError(value: number): number {
  return value === 0 ? 0 : Math.abs(roundToHalf(value) / value - 1);
}

/**
 * Rounds the scales of a pose to half precision, as SkelAnimation stores them (11 significant bits instead of 24), and adjusts the local transforms
 * so that every joint keeps its position in model space. The only remaining error is that of a joint's own scale; the error of its ancestors' scales
 * does not add up. `pose`: local pose, `POSE_STRIDE` floats per joint, changed in place.
 */
export function roundScalesToHalf(pose: Float64Array, parents: ArrayLike<number>, kept: ArrayLike<number>): void {
  const count = parents.length;
  const wanted = new Float64Array(MATRIX_STRIDE * count);
  const written = new Float64Array(MATRIX_STRIDE * count);
  const local = new Float64Array(MATRIX_STRIDE);
  const trs = new Float64Array(POSE_STRIDE);
  for (let joint = 0; joint < count; joint++) {
    const at = POSE_STRIDE * joint;
    const o = MATRIX_STRIDE * joint;
    const parent = parents[joint] * MATRIX_STRIDE;
    mat4.compose(wanted, o, pose, at);
    if (parent >= 0) mat4.multiply(wanted, o, wanted, parent, wanted, o);
    const canAdjust = kept[joint] === 1 && (parent < 0 || mat4.invertAffine(local, 0, written, parent));
    if (canAdjust && parent >= 0) {
      mat4.multiply(local, 0, local, 0, wanted, o);
      decomposeLike(trs, local, pose, at);
      // A matrix with zero scale does not determine the rotation.
      const isFlat = pose[at + SCALE] * pose[at + SCALE + 1] * pose[at + SCALE + 2] === 0;
      pose.set(isFlat ? trs.subarray(0, 3) : trs, at);
    }
    if (kept[joint] === 1) for (let c = at + SCALE; c < at + POSE_STRIDE; c++) pose[c] = roundToHalf(pose[c]);
    mat4.compose(written, o, pose, at);
    if (parent >= 0) mat4.multiply(written, o, written, parent, written, o);
  }
}

/** Decomposes a matrix that is close to the pose at `at`, with negative scales on the same axes. */
function decomposeLike(out: Float64Array, matrix: Float64Array, pose: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    if (pose[at + SCALE + axis] >= 0) continue;
    for (let row = 0; row < 3; row++) matrix[4 * axis + row] *= -1;
  }
  mat4.decompose(out, 0, matrix, 0);
  for (let axis = 0; axis < 3; axis++) if (pose[at + SCALE + axis] < 0) out[SCALE + axis] *= -1;
  quat.normalize(out, PATH_OFFSET.rotation, out, PATH_OFFSET.rotation);
}

export interface SkelMotion {
  /** Joints of the Skeleton, in its order; empty if only weights are animated. */
  readonly joints: readonly string[];
  /** Parent joint of each joint; −1 for a root. */
  readonly parents: ArrayLike<number>;
  /** Local rest pose, `POSE_STRIDE` floats per joint. */
  readonly rest: ArrayLike<number>;
  /** Linear tracks of each joint; undefined for none. */
  readonly tracks: readonly (NodeTracks | undefined)[];
  readonly blendShapes: readonly string[];
  readonly weights: readonly WeightSource[];
  readonly duration: number;
}

/** Maximum relative half-precision error of the rest scale of an unanimated joint in the animation. */
const REST_SCALE_TOLERANCE = 1e-4;
/** Half-precision error of scales that is not compensated: over a chain of ten joints it stays below the error of float32 keys. */
const ANIMATED_SCALE_TOLERANCE = 1e-5;

/**
 * Adds a SkelAnimation prim. It contains all joints of the Skeleton in its order, which renderers support best, except unanimated joints whose rest
 * scale half precision cannot store; these keep their rest pose. Translations and rotations compensate for rounded scales. The static blend shape
 * weights are the default value. `layer` is changed in place; it has a spec of the parent prim. `codes`: converts seconds to time codes.
 */
export function writeSkelAnimation(
  layer: Layer,
  path: string,
  displayName: string,
  motion: SkelMotion,
  codes: TimeCodes,
): void {
  definePrim(layer, path, 'SkelAnimation', { displayName });
  const write = (
    name: string,
    type: 'float3' | 'quatf' | 'half3' | 'float',
    { times, values }: Samples,
    metadata: Readonly<Record<string, FieldValue>> = {},
  ): void => {
    const samples = { times: toCodes(codes, times), values: values.map((numbers) => arrayOf(type, numbers)) };
    authorTimeSamples(layer, path, name, `${type}[]`, samples, metadata);
  };
  // A clip without a duration still gets two samples: see timesOf.
  const span = motion.duration > 0 ? motion.duration : 1 / codes.perSecond;
  const kept = Int32Array.from(motion.joints, (_, j) =>
    motion.tracks[j] !== undefined || isHalfEnough(motion, j) ? 1 : 0,
  );
  if (kept.includes(1)) {
    const { translation, rotation, scale } = sampleJoints(motion, kept, span);
    const joints = motion.joints.filter((_, j) => kept[j] === 1);
    authorAttribute(layer, path, 'joints', 'token[]', texts('token', joints), UNIFORM);
    write('translations', 'float3', translation);
    write('rotations', 'quatf', rotation);
    write('scales', 'half3', scale);
  }
  if (motion.blendShapes.length === 0) return;
  authorAttribute(layer, path, 'blendShapes', 'token[]', texts('token', motion.blendShapes), UNIFORM);
  const samples = sampleWeights(motion.weights, span);
  const rest = arrayOf(
    'float',
    motion.weights.map(({ weight }) => weight),
  );
  if (samples === null) authorAttribute(layer, path, 'blendShapeWeights', 'float[]', rest);
  else write('blendShapeWeights', 'float', samples, { default: rest });
}

function isHalfEnough({ rest }: SkelMotion, joint: number): boolean {
  const first = POSE_STRIDE * joint + PATH_OFFSET.scale;
  return [0, 1, 2].every((axis) => halfRoundingError(rest[first + axis]) <= REST_SCALE_TOLERANCE);
}

/** Samples the kept joints, each property at its own times. If scales must be rounded, all properties are sampled at the same times and adjusted. */
function sampleJoints(motion: SkelMotion, kept: Int32Array, span: number): Readonly<Record<TrackPath, Samples>> {
  const { rest, parents } = motion;
  const list = Array.from(kept.keys()).filter((joint) => kept[joint] === 1);
  const tracks = list.map((joint) => motion.tracks[joint]);
  const keptRest = list.flatMap((joint) =>
    Array.from({ length: POSE_STRIDE }, (_, c) => rest[POSE_STRIDE * joint + c]),
  );
  const sample = (property: TrackPath): Samples => {
    const own = tracks.map((of) => of?.[property]);
    return sampleProperty(property, tracks, keptRest, sampleTimes(own, span));
  };
  const plain = { translation: sample('translation'), rotation: sample('rotation'), scale: sample('scale') };
  if (!plain.scale.values.some((sizes) => sizes.some((size) => halfRoundingError(size) > ANIMATED_SCALE_TOLERANCE))) {
    return { ...plain, scale: { ...plain.scale, values: plain.scale.values.map((sizes) => sizes.map(roundToHalf)) } };
  }
  const times = sampleTimes(
    tracks.flatMap((of) => [of?.translation, of?.rotation, of?.scale]),
    span,
  );
  const at = (property: TrackPath): readonly Float32Array[] => sampleProperty(property, tracks, keptRest, times).values;
  const samples = { translation: at('translation'), rotation: at('rotation'), scale: at('scale') };
  for (const time of times.keys()) {
    const pose = Float64Array.from(rest);
    copyPose(list, samples, time, (o, numbers, i) => {
      pose[o] = numbers[i];
    });
    roundScalesToHalf(pose, parents, kept);
    copyPose(list, samples, time, (o, numbers, i) => {
      numbers[i] = pose[o];
    });
  }
  const samplesOf = (property: TrackPath): Samples => ({ times, values: samples[property] });
  for (const [k, rotations] of samples.rotation.entries()) {
    if (k > 0) keepHemisphere(samples.rotation[k - 1], rotations);
  }
  return { translation: samplesOf('translation'), rotation: samplesOf('rotation'), scale: samplesOf('scale') };
}

/** Calls `copy` for each number of a pose, with its offset in the pose (`POSE_STRIDE` floats per joint) and its offset in the samples. */
function copyPose(
  joints: readonly number[],
  samples: Readonly<Record<TrackPath, readonly Float32Array[]>>,
  time: number,
  copy: (o: number, numbers: Float32Array, i: number) => void,
): void {
  for (const [k, joint] of joints.entries()) {
    const o = POSE_STRIDE * joint;
    for (const path of TRACK_PATHS) {
      const width = PATH_WIDTH[path];
      for (let c = 0; c < width; c++) copy(o + PATH_OFFSET[path] + c, samples[path][time], width * k + c);
    }
  }
}

function keepHemisphere(previous: Float32Array, rotations: Float32Array): void {
  for (let at = 0; at < rotations.length; at += 4) {
    if (quat.dot(previous, at, rotations, at) < 0) {
      for (let c = at; c < at + 4; c++) rotations[c] = -rotations[c];
    }
  }
}
