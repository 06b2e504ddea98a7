/** SkelAnimation prims. */

import type { TrackPath } from '../../../core/animation/clip.ts';
import * as quat from '../../../core/math/quat.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { roundToHalf } from '../layer/half.ts';
import type { FieldValue, Layer } from '../layer/layer.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { authorTimeSamples, definePrim } from './author-prims.ts';
import { arrayOf, texts, UNIFORM } from './author-values.ts';
import { halfError, roundScales } from './half-scales.ts';
import {
  type NodeTracks,
  type Samples,
  sampleProperty,
  sampleWeights,
  timesOf,
  type WeightSource,
} from './linear-animation.ts';
import { type TimeCodes, toCodes } from './time-codes.ts';

/** What a SkelAnimation animates. */
export interface SkelMotion {
  /** Of the Skeleton, in its order; empty where only weights are animated. */
  readonly joints: readonly string[];
  /** Parent joint of every joint; −1 for a root. */
  readonly parents: ArrayLike<number>;
  /** Local rest of the joints, `POSE_STRIDE` floats each. */
  readonly rest: ArrayLike<number>;
  /** Linear tracks of each joint; undefined for none. */
  readonly tracks: readonly (NodeTracks | undefined)[];
  readonly blendShapes: readonly string[];
  readonly weights: readonly WeightSource[];
  /** Seconds. */
  readonly duration: number;
}

/** Parts of itself by which a half may miss the scale of a joint at rest. */
const HALF_AT_REST = 1e-4;
/**
 * Parts of itself by which a half may miss a scale without anything done about it: down a chain of ten joints that is less than what float32 keys of
 * files miss.
 */
const HALF_IN_MOTION = 1e-5;

/**
 * Adds a SkelAnimation prim: of all joints of the Skeleton in its order, which is what players understand best, but for those at rest whose scale a half cannot
 * hold; these are left to the rest pose. Where scales are rounded, positions make up for it. The weights that shapes have without keys are the default value.
 */
export function writeSkelAnimation(
  layer: Layer,
  path: string,
  displayName: string,
  motion: SkelMotion,
  codes: TimeCodes,
): void {
  definePrim(layer, path, 'SkelAnimation', { displayName });
  // A clip without a length still gets two samples: see timesOf.
  const span = motion.duration > 0 ? motion.duration : 1 / codes.perSecond;
  const kept = Int32Array.from(motion.joints, (_, j) =>
    motion.tracks[j] !== undefined || isHalfEnough(motion, j) ? 1 : 0,
  );
  if (kept.includes(1)) {
    const { translation, rotation, scale } = sampleJoints(motion, kept, span);
    const joints = motion.joints.filter((_, j) => kept[j] === 1);
    authorAttribute(layer, path, 'joints', 'token[]', texts('token', joints), UNIFORM);
    writeSamples(layer, path, 'translations', 'float3', 'float3[]', translation, codes);
    writeSamples(layer, path, 'rotations', 'quatf', 'quatf[]', rotation, codes);
    writeSamples(layer, path, 'scales', 'half3', 'half3[]', scale, codes);
  }
  if (motion.blendShapes.length === 0) return;
  authorAttribute(layer, path, 'blendShapes', 'token[]', texts('token', motion.blendShapes), UNIFORM);
  const samples = sampleWeights(motion.weights, span);
  const rest = arrayOf(
    'float',
    motion.weights.map(({ weight }) => weight),
  );
  if (samples === null) authorAttribute(layer, path, 'blendShapeWeights', 'float[]', rest);
  else writeSamples(layer, path, 'blendShapeWeights', 'float', 'float[]', samples, codes, { default: rest });
}

function isHalfEnough({ rest }: SkelMotion, joint: number): boolean {
  const first = POSE_STRIDE * joint + 7;
  return [0, 1, 2].every((axis) => halfError(rest[first + axis]) <= HALF_AT_REST);
}

type JointSamples = Readonly<Record<TrackPath, Samples>>;

/** What the joints that are kept do, each property at its own times; with scales that halves cannot hold all at the same. */
function sampleJoints(motion: SkelMotion, kept: Int32Array, span: number): JointSamples {
  const { rest, parents } = motion;
  const list = Array.from(kept.keys()).filter((joint) => kept[joint] === 1);
  const tracks = list.map((joint) => motion.tracks[joint]);
  const keptRest = list.flatMap((joint) =>
    Array.from({ length: POSE_STRIDE }, (_, c) => rest[POSE_STRIDE * joint + c]),
  );
  const sample = (property: TrackPath): Samples => {
    const own = tracks.map((of) => of?.[property]);
    return sampleProperty(property, tracks, keptRest, timesOf(own, span));
  };
  const plain = { translation: sample('translation'), rotation: sample('rotation'), scale: sample('scale') };
  if (!plain.scale.values.some((sizes) => sizes.some((size) => halfError(size) > HALF_IN_MOTION))) {
    return { ...plain, scale: { ...plain.scale, values: plain.scale.values.map((sizes) => sizes.map(roundToHalf)) } };
  }
  const times = timesOf(
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
    roundScales(pose, parents, kept);
    copyPose(list, samples, time, (o, numbers, i) => {
      numbers[i] = pose[o];
    });
  }
  const made = (property: TrackPath): Samples => ({ times, values: samples[property] });
  for (const [k, turns] of samples.rotation.entries()) if (k > 0) keepHemisphere(samples.rotation[k - 1], turns);
  return { translation: made('translation'), rotation: made('rotation'), scale: made('scale') };
}

/** Calls for every number of the pose of joints at a time: its place among `POSE_STRIDE` floats a joint, and among the samples. */
function copyPose(
  joints: readonly number[],
  samples: Readonly<Record<TrackPath, readonly Float32Array[]>>,
  time: number,
  copy: (o: number, numbers: Float32Array, i: number) => void,
): void {
  for (const [k, joint] of joints.entries()) {
    const o = POSE_STRIDE * joint;
    for (let c = 0; c < 3; c++) copy(o + c, samples.translation[time], 3 * k + c);
    for (let c = 0; c < 4; c++) copy(o + 3 + c, samples.rotation[time], 4 * k + c);
    for (let c = 0; c < 3; c++) copy(o + 7 + c, samples.scale[time], 3 * k + c);
  }
}

function keepHemisphere(former: Float32Array, turns: Float32Array): void {
  for (let at = 0; at < turns.length; at += 4) {
    if (quat.dot(former, at, turns, at) < 0) for (let c = at; c < at + 4; c++) turns[c] = -turns[c];
  }
}

function writeSamples(
  layer: Layer,
  path: string,
  name: string,
  type: 'float3' | 'quatf' | 'half3' | 'float',
  typeName: string,
  { times, values }: Samples,
  codes: TimeCodes,
  metadata: Readonly<Record<string, FieldValue>> = {},
): void {
  const samples = values.map((numbers) => arrayOf(type, numbers));
  authorTimeSamples(layer, path, name, typeName, toCodes(codes, times), samples, metadata);
}
