/** Describes the UsdSkel content of a stage: skeletons, animations, bindings, and their values at a few times. */

import { type Issue, issue } from '../../../../core/report/issue.ts';
import { parentsFromPaths } from '../../../../core/skeleton/topology.ts';
import { parentPath } from '../../layer/paths.ts';
import type { Stage } from '../../stage/stage.ts';
import { createBindingRules, usesBindingProperties } from '../binding-rules.ts';
import { type BindingOptions, readBindings, type SkelBinding, skelRoots } from '../bindings.ts';
import { type BoundPrim, geomBindTransform, hasBlendShapes } from '../bound-prim.ts';
import { planPrim } from '../deform/deform-prim.ts';
import { distinctIssues } from '../distinct-issues.ts';
import { mapFlags } from '../joint-transforms.ts';
import { animationTimes, type SkelAnimation } from '../skel-animation.ts';
import { type AnimatedSkeleton, readAnimatedSkeleton } from '../skeleton-sample.ts';
import { childrenReversed, readTokens, typeNameAt } from '../typed-values.ts';
import {
  countNames,
  countNumbers,
  createSampling,
  describeSample,
  type Sampling,
  sampledTimes,
} from './describe-skel-sample.ts';
import type { SkelBindingReport, SkelTargetReport, UsdSkelReport } from './usd-skel-report.ts';

/** Options of {@link describeUsdSkel}. */
export interface DescribeSkelOptions extends BindingOptions {
  /** File name in the report. */
  readonly file?: string;
  /** Computes skeletons and prims at a few times: default values, samples of the animation, and times between them. Default: true. */
  readonly hasSamples?: boolean;
}

function flag(is: boolean): 0 | 1 {
  return is ? 1 : 0;
}

function describeTarget(sampling: Sampling, bound: BoundPrim): SkelTargetReport {
  const { prim, influences, method, joints, blendShapes } = bound;
  countNames(sampling, [prim, ...(joints ?? []), ...(blendShapes ?? [])]);
  return {
    prim,
    hasInfluences: flag(influences.hasInfluences),
    rigid: flag(influences.isRigid),
    n: influences.jointsPerVertex,
    method,
    geomBind: Array.from(geomBindTransform(sampling.stage, bound, 'default')),
    hasBlendShapes: flag(hasBlendShapes(bound)),
    ...(joints === null ? {} : { joints }),
    ...(blendShapes === null ? {} : { blendShapes }),
  };
}

function describeAnimation(sampling: Sampling, { animation, map }: AnimatedSkeleton): Partial<SkelBindingReport> {
  if (animation === null || map === null) return {};
  countNames(sampling, [...animation.joints, ...animation.blendShapes]);
  const flags = mapFlags(map);
  return {
    animJoints: animation.joints,
    blendShapes: animation.blendShapes,
    mapper: { identity: flag(flags.identity), sparse: flag(flags.sparse), null: flag(flags.null) },
  };
}

function timesOf(sampling: Sampling, animation: SkelAnimation): readonly number[] {
  const known = sampling.times.get(animation.prim);
  const times = known ?? Array.from(animationTimes(sampling.stage, animation));
  sampling.times.set(animation.prim, times);
  countNumbers(sampling, times.length);
  return times;
}

function describeBinding(sampling: Sampling, binding: SkelBinding, hasSamples: boolean): SkelBindingReport {
  const { stage, issues } = sampling;
  const targets = binding.prims.map((bound) => describeTarget(sampling, bound));
  const { skeleton: prim, animation: anim } = binding;
  const { skeleton, issues: found } = readAnimatedSkeleton(stage, prim, anim);
  issues.push(...found);
  if (skeleton === null) {
    const joints = readTokens(stage, prim, 'joints') ?? [];
    countNames(sampling, joints);
    const parents = Array.from(parentsFromPaths(joints));
    const noSamples = { hasBind: false, hasRest: false, anim, times: [], samples: [] };
    return { skeleton: prim, valid: false, joints, parents, ...noSamples, targets };
  }
  const { definition, animation } = skeleton;
  const times = animation === null ? [] : timesOf(sampling, animation);
  countNames(sampling, definition.joints);
  const deformers = hasSamples ? binding.prims.map((bound) => planPrim(stage, bound, skeleton)) : [];
  for (const deformer of deformers) issues.push(...deformer.issues);
  const sampled = hasSamples ? sampledTimes(times) : [];
  return {
    skeleton: prim,
    valid: true,
    joints: definition.joints,
    parents: Array.from(definition.parents),
    hasBind: definition.bind !== null,
    hasRest: definition.rest !== null,
    anim,
    ...describeAnimation(sampling, skeleton),
    times,
    targets,
    samples: sampled.map((time) => describeSample(sampling, skeleton, deformers, time)),
  };
}

/**
 * Describes every Skeleton that has bindings below a SkelRoot: joints, animation, bound prims, and the matrices, weights, points and normals at a few
 * times. The issues include those of the stage.
 *
 * @param stage The composed stage.
 * @param options File name, binding rules, and whether values are sampled.
 * @returns The report, plain JSON data with the keys of OpenUSD's tools.
 * @throws FormatError USD_LIMIT if the report would have too many numbers and names.
 * @example
 * ```ts
 * const stage = openStage(readUsdLayer(bytes));
 * const { roots, issues } = describeUsdSkel(stage, { file: 'hero.usda' });
 * for (const { skeleton, joints, anim } of roots[0].bindings) console.log(skeleton, joints.length, anim);
 * ```
 */
export function describeUsdSkel(stage: Stage, options: DescribeSkelOptions = {}): UsdSkelReport {
  const { file = '', hasSamples = true, ...rules } = options;
  const { upAxis, timeCodesPerSecond, startTimeCode, endTimeCode } = stage.metrics;
  const issues: Issue[] = [...stage.issues];
  const sampling = createSampling(stage, issues);
  const rootPaths = skelRoots(stage);
  issues.push(...bindingsOutsideRoots(stage, rootPaths));
  const roots = rootPaths.map((path) => {
    const read = readBindings(stage, path, rules);
    issues.push(...read.issues);
    return { path, bindings: read.bindings.map((binding) => describeBinding(sampling, binding, hasSamples)) };
  });
  // Many times and instances have the same problems.
  const distinct = distinctIssues(stage, issues);
  return {
    file,
    upAxis,
    tcps: timeCodesPerSecond,
    start: startTimeCode ?? 0,
    end: endTimeCode ?? 0,
    roots,
    messages: distinct.map(({ message }) => message),
    issues: distinct,
  };
}

/**
 * Reports prims with bindings that have no SkelRoot among their ancestors and descendants, by the rules of usdchecker: one issue for all prims with
 * SkelBindingAPI, and one per prim with binding properties but without the API.
 */
export function bindingsOutsideRoots(stage: Stage, roots: readonly string[]): Issue[] {
  const aboveRoots = new Set<string>();
  for (const root of roots) for (let at = root; at !== '/' && at !== ''; at = parentPath(at)) aboveRoots.add(at);
  const rules = createBindingRules(stage, true);
  const found: string[] = [];
  const open = childrenReversed(stage, '/');
  for (let prim = open.pop(); prim !== undefined; prim = open.pop()) {
    if (typeNameAt(stage, prim) === 'SkelRoot') continue;
    if (!aboveRoots.has(prim) && usesBindingProperties(rules, prim)) found.push(prim);
    open.push(...childrenReversed(stage, prim));
  }
  const issues = [...rules.issues.values()];
  if (found.length === 0) return issues;
  const [first] = found;
  const which = found.length === 1 ? `${first} has bindings` : `${first} and ${found.length - 1} more have bindings`;
  const message = `${which} but no SkelRoot ancestor, so they have no effect. Change the type of a common ancestor of skeleton and meshes to SkelRoot.`;
  return [...issues, issue('USD_BINDING_INVALID', message, { pointer: first })];
}
