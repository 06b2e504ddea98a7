/** SkelAnimation prims. */

import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { roundToHalf } from '../layer/half.ts';
import type { FieldValue, Layer } from '../layer/layer.ts';
import { authorAttribute } from '../skel/author-property.ts';
import { authorTimeSamples, definePrim } from './author-prims.ts';
import { arrayOf, texts, UNIFORM } from './author-values.ts';
import { type NodeTracks, type Samples, sampleProperty, sampleWeights, type WeightSource } from './linear-animation.ts';
import { type TimeCodes, toCodes } from './time-codes.ts';

/** What a SkelAnimation animates. */
export interface SkelMotion {
  /** Of the Skeleton, in its order; empty where only weights are animated. */
  readonly joints: readonly string[];
  /** Local rest of the joints, `POSE_STRIDE` floats each. */
  readonly rest: ArrayLike<number>;
  /** Linear tracks of each joint; undefined for none. */
  readonly tracks: readonly (NodeTracks | undefined)[];
  readonly blendShapes: readonly string[];
  readonly weights: readonly WeightSource[];
  /** Seconds. */
  readonly duration: number;
}

/** Parts of itself by which a half may miss a scale at rest. */
const HALF_SCALE = 1e-4;

/**
 * Adds a SkelAnimation prim: of all joints of the Skeleton in its order, which is what players understand best, but for those at rest whose scale a half cannot
 * hold; these are left to the rest pose. The weights that shapes have without keys are the default value.
 */
export function writeSkelAnimation(
  layer: Layer,
  path: string,
  displayName: string,
  motion: SkelMotion,
  codes: TimeCodes,
): void {
  definePrim(layer, path, 'SkelAnimation', { displayName });
  // A clip without a length still gets two samples: see sampleProperty.
  const span = motion.duration > 0 ? motion.duration : 1 / codes.perSecond;
  const kept = motion.joints.flatMap((_, j) =>
    motion.tracks[j] !== undefined || isHalfEnough(motion.rest, j) ? [j] : [],
  );
  if (kept.length > 0) {
    const rest = kept.flatMap((j) => Array.from({ length: POSE_STRIDE }, (_, c) => motion.rest[POSE_STRIDE * j + c]));
    const tracks = kept.map((j) => motion.tracks[j]);
    const sample = (property: 'translation' | 'rotation' | 'scale'): Samples =>
      sampleProperty(property, tracks, rest, span);
    authorAttribute(
      layer,
      path,
      'joints',
      'token[]',
      texts(
        'token',
        kept.map((j) => motion.joints[j]),
      ),
      UNIFORM,
    );
    writeSamples(layer, path, 'translations', 'float3', 'float3[]', sample('translation'), codes);
    writeSamples(layer, path, 'rotations', 'quatf', 'quatf[]', sample('rotation'), codes);
    writeSamples(layer, path, 'scales', 'half3', 'half3[]', halves(sample('scale')), codes);
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

function isHalfEnough(rest: ArrayLike<number>, joint: number): boolean {
  for (let c = POSE_STRIDE * joint + 7; c < POSE_STRIDE * joint + 10; c++) {
    if (Math.abs(roundToHalf(rest[c]) - rest[c]) > HALF_SCALE * Math.abs(rest[c])) return false;
  }
  return true;
}

function halves({ times, values }: Samples): Samples {
  return { times, values: values.map((sample) => sample.map(roundToHalf)) };
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
