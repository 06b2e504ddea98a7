import type { Keys } from '../animation/clip.ts';
import { resampleFunction, unionTimes } from '../animation/resample.ts';
import { WEIGHT_TOLERANCE } from '../animation/resample-tolerance.ts';
import { sampleKeys } from '../animation/sample.ts';
import { clamp01, type Floats } from '../math/floats.ts';
import { expressionOutputs, findOutputJumps } from './expression-weights.ts';
import type { FaceRig, MorphNode } from './face-rig.ts';
import type { FacePlan, FaceSource, PlannedMorph } from './plan-face.ts';

/** Keys of the weights of one node: one float per morph target in every value. */
interface BakedMorphs extends Keys {
  readonly morphNode: number;
}

interface NodeBake {
  readonly count: number;
  /** Default weights of the targets that the motion does not change; 0 for all others. */
  readonly base: Float64Array;
  /** Keys to which all other inputs are added; null without. */
  readonly fixed: Keys | null;
  readonly binds: readonly { readonly expression: number; readonly target: number; readonly weight: number }[];
  readonly morphs: readonly PlannedMorph[];
  /** 1 for targets whose weight is clamped to 0…1. */
  readonly clamped: Uint8Array;
}

interface NodeInputs {
  readonly binds: NodeBake['binds'][number][];
  readonly morphs: PlannedMorph[];
}

/** Collects the inputs of each node. `activeIndices` maps an expression to its index among the active ones, or to −1. */
function inputsByNode(plan: FacePlan, rig: FaceRig, activeIndices: Int32Array): Map<number, NodeInputs> {
  const inputs = new Map<number, NodeInputs>();
  const inputsOf = (node: number): NodeInputs => {
    const known = inputs.get(node) ?? { binds: [], morphs: [] };
    inputs.set(node, known);
    return known;
  };
  for (const [expression, { binds }] of rig.expressions.entries()) {
    for (const { node, target, weight } of binds)
      inputsOf(node).binds.push({ expression: activeIndices[expression], target, weight });
  }
  for (const morph of plan.morphs) inputsOf(morph.node).morphs.push(morph);
  return inputs;
}

function createNodeBake({ weights }: MorphNode, inputs: NodeInputs, fixed: Keys | null): NodeBake | null {
  const count = weights.length;
  const base = weights.slice();
  const clamped = new Uint8Array(count);
  const binds = inputs.binds.filter(({ target }) => target < count);
  // A VRM player resets every target that an expression is bound to before it adds up the weights.
  for (const { target } of binds) base[target] = 0;
  const used = binds.filter(({ expression }) => expression >= 0);
  const morphs = inputs.morphs.filter(({ target }) => target < count);
  for (const { target } of used) clamped[target] = 1;
  for (const { target, isSame } of morphs) {
    if (!isSame) clamped[target] = 1;
    base[target] = 0;
  }
  if (used.length === 0 && morphs.length === 0) return null;
  if (fixed !== null) base.fill(0);
  return { count, base, fixed, binds: used, morphs, clamped };
}

/** Adds up the weights of a node at one time, from weights of sources and expressions. */
function sumWeights(bake: NodeBake, sources: Floats, outputs: Floats, fixed: Floats, out: Floats, o: number): void {
  const { base, binds, morphs, clamped, count } = bake;
  for (let c = 0; c < count; c++) out[o + c] = base[c] + fixed[c];
  for (const { expression, target, weight } of binds) out[o + target] += weight * outputs[expression];
  for (const { target, terms } of morphs) {
    for (const { source, factor } of terms) out[o + target] += factor * sources[source];
  }
  for (let c = 0; c < count; c++) if (clamped[c] === 1) out[o + c] = clamp01(out[o + c]);
}

/** Returns the sources on which the weights of a node depend. Expressions may override each other, so a node with binds depends on all their sources. */
function sourcesOf(bake: NodeBake, plan: FacePlan): number[] {
  const own = bake.morphs.flatMap(({ terms }) => terms);
  const all = bake.binds.length === 0 ? own : [...own, ...plan.expressions.flat()];
  return [...new Set(all.map(({ source }) => source))];
}

function haveSameTimes(a: Keys, b: Keys): boolean {
  if (a.interpolation !== b.interpolation || a.times.length !== b.times.length) return false;
  return a.times === b.times || a.times.every((time, k) => time === b.times[k]);
}

/** Returns whether any active expression is binary or overrides others: weights are then nonlinear between keys. */
function hasRules({ expressions }: FacePlan, rig: FaceRig): boolean {
  return rig.expressions.some(({ isBinary, overrideBlink, overrideLookAt, overrideMouth }, e) => {
    const overrides = [overrideBlink, overrideLookAt, overrideMouth].some((override) => override !== 'none');
    return expressions[e].length > 0 && (isBinary || overrides);
  });
}

/**
 * Bakes to keys at the key times of the sources, where that is exact: all sources must share times and interpolation. LINEAR and CUBICSPLINE
 * keys are exact only without clamping, binary expressions and overrides; STEP keys always are. Returns null where the result is not exact.
 */
function sameKeys(bake: NodeBake, plan: FacePlan, rig: FaceRig, sources: readonly FaceSource[]): Keys | null {
  if (bake.fixed !== null) return null;
  const used = sourcesOf(bake, plan);
  const [first, ...others] = used.map((source) => sources[source].keys);
  if (!others.every((keys) => haveSameTimes(first, keys))) return null;
  const { times, interpolation } = first;
  if (interpolation !== 'STEP' && bake.binds.length > 0 && hasRules(plan, rig)) return null;
  const elements = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const { count } = bake;
  const none = new Float64Array(count);
  const weights = new Float64Array(sources.length);
  const outputs = new Float64Array(rig.expressions.length);
  const linear = new Float64Array(count);
  const exact = new Float64Array(count);
  const unclamped = { ...bake, clamped: new Uint8Array(count) };
  const values = new Float64Array(times.length * elements * count);
  for (let k = 0; k < times.length * elements; k++) {
    for (const source of used) weights[source] = sources[source].keys.values[k];
    plainOutputs(plan, weights, outputs);
    // Tangents of constant weights are 0.
    const isTangent = elements === 3 && k % 3 !== 1;
    sumWeights(isTangent ? { ...unclamped, base: none } : unclamped, weights, outputs, none, linear, 0);
    values.set(linear, k * count);
    if (isTangent) continue;
    expressionOutputs(plan.expressions, rig.expressions, weights, outputs);
    sumWeights(bake, weights, outputs, none, exact, 0);
    if (interpolation === 'STEP') values.set(exact, k * count);
    else if (linear.some((value, c) => Math.abs(value - exact[c]) > 1e-9)) return null;
  }
  return { interpolation, times, values };
}

/** Computes the weights of expressions without clamping, binary switching and overrides. */
function plainOutputs({ expressions }: FacePlan, weights: Floats, outputs: Floats): void {
  for (let e = 0; e < expressions.length; e++) {
    outputs[e] = 0;
    for (const { source, factor } of expressions[e]) outputs[e] += factor * weights[source];
  }
}

/** Bakes to LINEAR keys with an error of at most 1e-4. */
function resampledKeys(
  bake: NodeBake,
  plan: FacePlan,
  rig: FaceRig,
  sources: readonly FaceSource[],
  jumps: Floats,
): Keys {
  const used = sourcesOf(bake, plan);
  const keys = used.map((source) => sources[source].keys);
  const { fixed, count } = bake;
  if (fixed !== null) keys.push(fixed);
  const weights = new Float64Array(sources.length);
  const outputs = new Float64Array(rig.expressions.length);
  const added = new Float64Array(count);
  const cursors = new Int32Array(keys.length);
  const steps = keys.filter(({ interpolation }) => interpolation === 'STEP').map(({ times }) => times);
  const resampled = resampleFunction({
    width: count,
    isRotation: false,
    keyTimes: unionTimes(keys.map(({ times }) => times)),
    stepTimes: unionTimes([...steps, ...(bake.binds.length === 0 ? [] : [jumps])]),
    tolerance: WEIGHT_TOLERANCE,
    evaluate: (time, out, o) => {
      for (let u = 0; u < used.length; u++) {
        cursors[u] = sampleKeys(keys[u], 1, false, time, weights, used[u], cursors[u]);
      }
      if (fixed !== null) cursors[used.length] = sampleKeys(fixed, count, false, time, added, 0, cursors[used.length]);
      expressionOutputs(plan.expressions, rig.expressions, weights, outputs);
      sumWeights(bake, weights, outputs, added, out, o);
    },
  });
  return { interpolation: 'LINEAR', ...resampled };
}

/**
 * Bakes a face plan to keys of morph target weights. Animated weights are clamped to 0…1. Binary and overridden expressions are baked as a VRM
 * player shows them (VRMC_vrm-1.0, expressions.md).
 *
 * If all inputs of a node share key times and interpolation, and the result is exact, the keys keep both. Otherwise keys are LINEAR with an
 * error of at most 1e-4. Nodes that the plan does not animate are left out, even if `fixed` has keys for them.
 *
 * @param sources Weights of the motion for which the plan was made.
 * @param fixed Keys that are copied from the motion unchanged, by index in `FaceRig.morphNodes`; the plan's weights are added to them.
 * @returns Keys per animated node, in the order of `FaceRig.morphNodes`.
 * @example
 * const sources = faceSources(clip.expressions ?? [], clip.morphs);
 * const baked = bakeFace(planFace(sources, rig), rig, sources, new Map());
 * const animatedNodes = baked.map(({ morphNode }) => rig.morphNodes[morphNode].name);
 */
export function bakeFace(
  wholePlan: FacePlan,
  wholeRig: FaceRig,
  sources: readonly FaceSource[],
  fixed: ReadonlyMap<number, Keys>,
): BakedMorphs[] {
  // Expressions that stay at 0 have no effect.
  const active = wholePlan.expressions.flatMap((terms, e) => (terms.length === 0 ? [] : [e]));
  const activeIndices = new Int32Array(wholeRig.expressions.length).fill(-1);
  for (const [index, e] of active.entries()) activeIndices[e] = index;
  const inputs = inputsByNode(wholePlan, wholeRig, activeIndices);
  const plan = { ...wholePlan, expressions: active.map((e) => wholePlan.expressions[e]) };
  const rig = { ...wholeRig, expressions: active.map((e) => wholeRig.expressions[e]) };
  let jumps: Float64Array | null = null;
  return rig.morphNodes.flatMap((morphNode, k): BakedMorphs[] => {
    const input = inputs.get(morphNode.node);
    const bake = input === undefined ? null : createNodeBake(morphNode, input, fixed.get(k) ?? null);
    if (bake === null) return [];
    const same = sameKeys(bake, plan, rig, sources);
    if (same !== null) return [{ morphNode: k, ...same }];
    jumps ??= findOutputJumps(plan.expressions, rig.expressions, sources);
    return [{ morphNode: k, ...resampledKeys(bake, plan, rig, sources, jumps) }];
  });
}
