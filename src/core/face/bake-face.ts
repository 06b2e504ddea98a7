/** Weights of the morph targets of a character while it shows the face of a motion. */
import type { Keys } from '../animation/clip.ts';
import { resampleFunction, unionTimes } from '../animation/resample.ts';
import { sampleKeys } from '../animation/sample.ts';
import type { Floats } from '../math/floats.ts';
import { expressionOutputs, outputJumps } from './expression-weights.ts';
import type { FaceRig, MorphNode } from './face-rig.ts';
import { saturate } from './face-tracks.ts';
import { WEIGHT_TOLERANCE } from './gaze.ts';
import type { FacePlan, FaceSource, PlannedMorph } from './plan-face.ts';

/** Keys of all weights of a node. */
export interface BakedMorphs extends Keys {
  /** Index among the morph nodes of the rig. */
  readonly morphNode: number;
}

/** How the weights of one node come about at a time. */
interface NodeBake {
  readonly count: number;
  /** Weights that nothing of the motion changes. */
  readonly base: Float64Array;
  /** Keys that the rest is added to; null without. */
  readonly fixed: Keys | null;
  readonly binds: readonly { readonly expression: number; readonly target: number; readonly weight: number }[];
  readonly morphs: readonly PlannedMorph[];
  /** Targets that are held within 0…1. */
  readonly held: Uint8Array;
}

/** What moves the targets of one node. */
interface Movers {
  readonly binds: NodeBake['binds'][number][];
  readonly morphs: PlannedMorph[];
}

/** What may move the targets of each node; `places` are those of the expressions among the moved ones. */
function moversByNode(plan: FacePlan, rig: FaceRig, places: Int32Array): Map<number, Movers> {
  const movers = new Map<number, Movers>();
  const moversOf = (node: number): Movers => {
    const known = movers.get(node) ?? { binds: [], morphs: [] };
    movers.set(node, known);
    return known;
  };
  for (const [expression, { binds }] of rig.expressions.entries()) {
    for (const { node, target, weight } of binds)
      moversOf(node).binds.push({ expression: places[expression], target, weight });
  }
  for (const morph of plan.morphs) moversOf(morph.node).morphs.push(morph);
  return movers;
}

function bakeOfNode({ weights }: MorphNode, movers: Movers, fixed: Keys | null): NodeBake | null {
  const count = weights.length;
  const base = weights.slice();
  const held = new Uint8Array(count);
  const binds = movers.binds.filter(({ target }) => target < count);
  // A player of VRM sets what any expression is bound to back to 0 before it adds weights up.
  for (const { target } of binds) base[target] = 0;
  const used = binds.filter(({ expression }) => expression >= 0);
  const morphs = movers.morphs.filter(({ target }) => target < count);
  for (const { target } of used) held[target] = 1;
  for (const { target, isSame } of morphs) {
    if (!isSame || held[target] === 1) held[target] = 1;
    base[target] = 0;
  }
  if (used.length === 0 && morphs.length === 0) return null;
  if (fixed !== null) base.fill(0);
  return { count, base, fixed, binds: used, morphs, held };
}

/** Weights of the node of sources and expressions at one time. */
function sumWeights(bake: NodeBake, sources: Floats, outputs: Floats, fixed: Floats, out: Floats, o: number): void {
  const { base, binds, morphs, held, count } = bake;
  for (let c = 0; c < count; c++) out[o + c] = base[c] + fixed[c];
  for (const { expression, target, weight } of binds) out[o + target] += weight * outputs[expression];
  for (const { target, terms } of morphs) {
    for (const { source, factor } of terms) out[o + target] += factor * sources[source];
  }
  for (let c = 0; c < count; c++) if (held[c] === 1) out[o + c] = saturate(out[o + c]);
}

/** Sources that the weights of a node depend on: its own, and of overrides all that move expressions. */
function sourcesOf(bake: NodeBake, plan: FacePlan): number[] {
  const own = bake.morphs.flatMap(({ terms }) => terms);
  const all = bake.binds.length === 0 ? own : [...own, ...plan.expressions.flat()];
  return [...new Set(all.map(({ source }) => source))];
}

function haveSameTimes(a: Keys, b: Keys): boolean {
  if (a.interpolation !== b.interpolation || a.times.length !== b.times.length) return false;
  return a.times === b.times || a.times.every((time, k) => time === b.times[k]);
}

/** Whether any expression that is moved is switched, or overrides others: then weights are no lines between keys. */
function hasRules({ expressions }: FacePlan, rig: FaceRig): boolean {
  return rig.expressions.some(({ isBinary, overrideBlink, overrideLookAt, overrideMouth }, e) => {
    const overrides = [overrideBlink, overrideLookAt, overrideMouth].some((override) => override !== 'none');
    return expressions[e].length > 0 && (isBinary || overrides);
  });
}

/**
 * Keys at the very times of the sources, where that is exact: all have the same times and interpolation, and with STEP anything goes,
 * else nothing may be cut off, switched or overridden. Null where it is not.
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
  const free = { ...bake, held: new Uint8Array(count) };
  const values = new Float64Array(times.length * elements * count);
  for (let k = 0; k < times.length * elements; k++) {
    for (const source of used) weights[source] = sources[source].keys.values[k];
    plainOutputs(plan, weights, outputs);
    // Tangents of weights that rest are 0.
    const isTangent = elements === 3 && k % 3 !== 1;
    sumWeights(isTangent ? { ...free, base: none } : free, weights, outputs, none, linear, 0);
    values.set(linear, k * count);
    if (isTangent) continue;
    expressionOutputs(plan.expressions, rig.expressions, weights, outputs);
    sumWeights(bake, weights, outputs, none, exact, 0);
    if (interpolation === 'STEP') values.set(exact, k * count);
    else if (linear.some((value, c) => Math.abs(value - exact[c]) > 1e-9)) return null;
  }
  return { interpolation, times, values };
}

/** Weights of expressions without limits, switches and overrides. */
function plainOutputs({ expressions }: FacePlan, weights: Floats, outputs: Floats): void {
  for (let e = 0; e < expressions.length; e++) {
    outputs[e] = 0;
    for (const { source, factor } of expressions[e]) outputs[e] += factor * weights[source];
  }
}

/** LINEAR keys, within a ten-thousandth of a weight. */
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
 * Keys of the weights of every node that a plan moves, all targets of a node together. `fixed` are keys of nodes (by index among the morph
 * nodes) that are carried over as they are: what the plan moves is added to them. Weights that the plan moves are within 0…1. An
 * expression that is binary, or overridden by others, is baked as a player of VRM would show it (VRMC_vrm-1.0, expressions.md).
 *
 * Where all that moves a node has the same key times and interpolation, they stay, if they are exact; else the keys are LINEAR, within
 * a ten-thousandth. Nodes that nothing moves have no keys, not even those of `fixed`.
 */
export function bakeFace(
  wholePlan: FacePlan,
  wholeRig: FaceRig,
  sources: readonly FaceSource[],
  fixed: ReadonlyMap<number, Keys>,
): BakedMorphs[] {
  // Expressions that stay at 0 take no part in anything.
  const moved = wholePlan.expressions.flatMap((terms, e) => (terms.length === 0 ? [] : [e]));
  const places = new Int32Array(wholeRig.expressions.length).fill(-1);
  for (const [place, e] of moved.entries()) places[e] = place;
  const movers = moversByNode(wholePlan, wholeRig, places);
  const plan = { ...wholePlan, expressions: moved.map((e) => wholePlan.expressions[e]) };
  const rig = { ...wholeRig, expressions: moved.map((e) => wholeRig.expressions[e]) };
  let jumps: Float64Array | null = null;
  return rig.morphNodes.flatMap((morphNode, k): BakedMorphs[] => {
    const mover = movers.get(morphNode.node);
    const bake = mover === undefined ? null : bakeOfNode(morphNode, mover, fixed.get(k) ?? null);
    if (bake === null) return [];
    const same = sameKeys(bake, plan, rig, sources);
    if (same !== null) return [{ morphNode: k, ...same }];
    jumps ??= outputJumps(plan.expressions, rig.expressions, sources);
    return [{ morphNode: k, ...resampledKeys(bake, plan, rig, sources, jumps) }];
  });
}
