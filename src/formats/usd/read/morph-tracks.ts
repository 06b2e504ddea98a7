/** The weights of blend shapes that a SkelAnimation moves, as weights of morph targets. */
import type { MorphTrack } from '../../../core/asset/asset.ts';
import { planOrderMap } from '../../../core/skeleton/order-map.ts';
import { weightsForMesh } from '../skel/blend-shapes.ts';
import type { BoundPrim } from '../skel/bound-prim.ts';
import type { SkelAnimation } from '../skel/skel-animation.ts';
import type { Stage } from '../stage/stage.ts';
import { type KeyBudget, spend } from './key-budget.ts';
import { type MeshMorphs, morphTargetsOf, morphWeights } from './morph-targets.ts';
import { attributeKeys, type Clock, keyTimes, type Numbers, type SampledKeys } from './sampled-keys.ts';

/** The node of a mesh. */
export interface MorphedNode {
  readonly bound: BoundPrim;
  readonly sourceNode: number;
  readonly nodeName: string;
}

/**
 * The morph track of a mesh that an animation has blend shapes of; null where it has none. Names that the animation lacks have weight 0. Weights of
 * in-betweens are piecewise linear in the weight of their blend shape: there are keys wherever one of them comes to its peak, so that linear keys are
 * exact.
 */
export function morphTrack(
  stage: Stage,
  animation: SkelAnimation,
  { bound, sourceNode, nodeName }: MorphedNode,
  clock: Clock,
  budget: KeyBudget,
): MorphTrack | null {
  if (bound.blendShapes === null || animation.blendShapes.length === 0) return null;
  const map = planOrderMap(animation.blendShapes, bound.blendShapes);
  if (map.kind === 'null') return null;
  const morphs = morphTargetsOf(stage, bound);
  const { targets } = morphs;
  if (targets.length === 0) return null;
  const own = attributeKeys(stage, animation.prim, 'blendShapeWeights', 1, clock);
  if (own.samples.every((sample) => sample === null)) return null;
  spend(budget, own.codes.length * targets.length, animation.prim);
  const weights = own.samples.map((sample) => weightsForMesh(map, sample ?? []));
  const { interpolation, codes, samples } = withPeaks({ ...own, samples: weights }, morphs);
  spend(budget, codes.length * targets.length, animation.prim);
  const { times, places } = keyTimes(clock, codes);
  const values = new Float32Array(times.length * targets.length);
  for (const [key, place] of places.entries()) {
    morphWeights(values, key * targets.length, morphs, samples[place] ?? []);
  }
  for (const [i, value] of values.entries()) if (!Number.isFinite(value)) values[i] = 0;
  return {
    sourceNode,
    nodeName,
    targetCount: targets.length,
    targetNames: targets.map(({ name }) => name),
    interpolation,
    ...settledWeights(times, values, targets.length),
  };
}

/** Adds keys where the weight of a blend shape passes the weight of one of its in-betweens, or 0 or 1 beside one. */
function withPeaks(keys: SampledKeys<Float32Array>, { blendShapes }: MeshMorphs): SampledKeys<Numbers> {
  const { interpolation, codes, samples } = keys;
  const bends = blendShapes.map((blendShape) => blendShape?.plan.weights.subarray(1, -1) ?? []);
  if (interpolation === 'STEP' || bends.every(({ length }) => length === 0)) return keys;
  const all: { code: number; sample: Numbers | null }[] = [];
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

/** Parts of the way from one list of weights to another at which one of them passes one of its bends, rising, without the ends. */
function crossings(left: Numbers, right: Numbers, bends: readonly Numbers[]): number[] {
  const parts = new Set<number>();
  for (const [shape, weights] of bends.entries()) {
    for (const weight of Array.from(weights)) {
      const part = (weight - left[shape]) / (right[shape] - left[shape]);
      if (part > 0 && part < 1) parts.add(part);
    }
  }
  return [...parts].sort((a, b) => a - b);
}

/** One key where all are the same. */
function settledWeights(
  times: Float64Array,
  values: Float32Array,
  width: number,
): Pick<MorphTrack, 'times' | 'values'> {
  const isConstant = values.every((value, i) => value === values[i % width]);
  return isConstant ? { times: times.slice(0, 1), values: values.slice(0, width) } : { times, values };
}
