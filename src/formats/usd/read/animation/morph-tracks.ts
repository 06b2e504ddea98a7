/** Converts the blend shape weights of a SkelAnimation to morph target weights. */
import type { MorphTrack } from '../../../../core/asset/asset.ts';
import { createJointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import type { BoundPrim } from '../../skel/bound-prim.ts';
import { weightsForMesh } from '../../skel/deform/apply-blend-shapes.ts';
import type { SkelAnimation } from '../../skel/skel-animation.ts';
import type { Stage } from '../../stage/stage.ts';
import type { TimeCodes } from '../../time-codes.ts';
import { type MeshMorphs, morphTargetsOf, morphWeights } from '../meshes/morph-targets.ts';
import { type KeyLimit, takeKeys } from './key-limit.ts';
import { attributeKeys, keyTimes, type SampledKeys } from './sampled-keys.ts';

/** Leaves out samples at infinite time codes: there are no times between them and others. */
function atFiniteTimes({
  interpolation,
  codes,
  samples,
}: SampledKeys<ArrayLike<number>>): SampledKeys<ArrayLike<number>> {
  const isUsed = codes.map(Number.isFinite);
  return { interpolation, codes: codes.filter(Number.isFinite), samples: samples.filter((_, k) => isUsed[k]) };
}

/**
 * Creates the morph track of a mesh. Blend shapes that the animation lacks have weight 0. In-between weights are piecewise linear in the weight of
 * their blend shape, so keys are added wherever an in-between reaches its peak; linear interpolation is then exact. `timeCodes`: converts time
 * codes to seconds. Returns the track; null if the animation has no weights for blend shapes of the mesh.
 */
export function morphTrack(
  stage: Stage,
  animation: SkelAnimation,
  {
    bound,
    sourceNode,
    nodeName,
  }: { readonly bound: BoundPrim; readonly sourceNode: number; readonly nodeName: string },
  timeCodes: TimeCodes,
  keyLimit: KeyLimit,
): MorphTrack | null {
  if (bound.blendShapes === null || animation.blendShapes.length === 0) return null;
  const map = createJointMapper(animation.blendShapes, bound.blendShapes);
  if (map.kind === 'null') return null;
  const morphs = morphTargetsOf(stage, bound);
  const { targets } = morphs;
  if (targets.length === 0) return null;
  const own = atFiniteTimes(attributeKeys(stage, animation.prim, 'blendShapeWeights', 1, timeCodes));
  if (own.samples.every((sample) => sample === null)) return null;
  takeKeys(keyLimit, own.codes.length * targets.length, animation.prim);
  const weights = own.samples.map((sample) => weightsForMesh(map, sample ?? []));
  const { interpolation, codes, samples } = withPeaks({ ...own, samples: weights }, morphs);
  takeKeys(keyLimit, codes.length * targets.length, animation.prim);
  const { times, codeIndices } = keyTimes(timeCodes, codes);
  const values = new Float32Array(times.length * targets.length);
  for (const [key, index] of codeIndices.entries()) {
    morphWeights(values, key * targets.length, morphs, samples[index] ?? []);
  }
  for (const [i, value] of values.entries()) if (!Number.isFinite(value)) values[i] = 0;
  return {
    sourceNode,
    nodeName,
    targetCount: targets.length,
    targetNames: targets.map(({ name }) => name),
    interpolation,
    ...collapseConstantWeights(times, values, targets.length),
  };
}

/** Adds keys where the weight of a blend shape crosses the weight of one of its in-betweens, 0 or 1. */
function withPeaks(keys: SampledKeys<Float32Array>, { blendShapes }: MeshMorphs): SampledKeys<ArrayLike<number>> {
  const { interpolation, codes, samples } = keys;
  const bends = blendShapes.map((blendShape) => blendShape?.plan.weights.subarray(1, -1) ?? []);
  if (interpolation === 'STEP' || bends.every(({ length }) => length === 0)) return keys;
  const all: { code: number; sample: ArrayLike<number> | null }[] = [];
  for (const [k, sample] of samples.entries()) {
    const [left, right] = [samples[k - 1] ?? null, sample];
    if (left !== null && right !== null && codes[k] > codes[k - 1]) {
      for (const part of crossings(left, right, bends)) {
        const between = left.map((weight, shape) => (1 - part) * weight + part * right[shape]);
        all.push({ code: codes[k - 1] + part * (codes[k] - codes[k - 1]), sample: between });
      }
    }
    all.push({ code: codes[k], sample });
  }
  return { interpolation, codes: all.map(({ code }) => code), samples: all.map(({ sample }) => sample) };
}

/** Finds the fractions between two lists of weights at which a weight crosses one of its bends: ascending, exclusive of 0 and 1. */
function crossings(left: ArrayLike<number>, right: ArrayLike<number>, bends: readonly ArrayLike<number>[]): number[] {
  const parts = new Set<number>();
  for (const [shape, weights] of bends.entries()) {
    for (const weight of Array.from(weights)) {
      const part = (weight - left[shape]) / (right[shape] - left[shape]);
      if (part > 0 && part < 1) parts.add(part);
    }
  }
  return [...parts].sort((a, b) => a - b);
}

function collapseConstantWeights(
  times: Float64Array,
  values: Float32Array,
  width: number,
): Pick<MorphTrack, 'times' | 'values'> {
  const isConstant = values.every((value, i) => value === values[i % width]);
  return isConstant ? { times: times.slice(0, 1), values: values.slice(0, width) } : { times, values };
}
