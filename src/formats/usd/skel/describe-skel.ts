/** What a stage has of UsdSkel: skeletons, animations, bindings, and what they come to at a few times. */
import type { Issue } from '../../../core/report/issue.ts';
import { parentsFromPaths } from '../../../core/skeleton/topology.ts';
import type { Stage } from '../stage/stage.ts';
import { type BindingOptions, readBindings, type SkelBinding, skelRoots } from './bindings.ts';
import { type BoundPrim, geomBindTransform, hasBlendShapes } from './bound-prim.ts';
import { planPrim } from './deform-prim.ts';
import {
  countNames,
  countNumbers,
  describeSample,
  makeSampling,
  type Sampling,
  sampledTimes,
} from './describe-sample.ts';
import { distinctIssues } from './instance-issues.ts';
import { mapFlags } from './joint-transforms.ts';
import { issuesOutsideRoots } from './outside-bindings.ts';
import { animationTimes, type SkelAnimation } from './skel-animation.ts';
import type { SkelBindingReport, SkelTargetReport, UsdSkelReport } from './skel-report.ts';
import { type AnimatedSkeleton, readAnimatedSkeleton } from './skeleton-sample.ts';
import { readTokens } from './stage-reading.ts';

export interface DescribeSkelOptions extends BindingOptions {
  /** Name of the file, for the report. */
  readonly file?: string;
  /** Whether skeletons and prims are computed at a few times ({@link sampledTimes}); true when left out. */
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
  const skeleton = readAnimatedSkeleton(stage, prim, anim, issues);
  if (skeleton === null) {
    const joints = readTokens(stage, prim, 'joints') ?? [];
    countNames(sampling, joints);
    const parents = Array.from(parentsFromPaths(joints));
    const nothing = { hasBind: false, hasRest: false, anim, times: [], samples: [] };
    return { skeleton: prim, valid: false, joints, parents, ...nothing, targets };
  }
  const { definition, animation } = skeleton;
  const times = animation === null ? [] : timesOf(sampling, animation);
  countNames(sampling, definition.joints);
  const deformers = hasSamples ? binding.prims.map((bound) => planPrim(stage, bound, skeleton, issues)) : [];
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
 * Every Skeleton below a SkelRoot that something is bound to: joints, animation, what is bound, and the matrices, weights, points and normals
 * at a few times. What is odd on the stage and about its skeletons is in the issues.
 *
 * @throws FormatError USD_LIMIT for more numbers and names than a report can have.
 */
export function describeUsdSkel(stage: Stage, options: DescribeSkelOptions = {}): UsdSkelReport {
  const { file = '', hasSamples = true, ...rules } = options;
  const { upAxis, timeCodesPerSecond, startTimeCode, endTimeCode } = stage.metrics;
  const issues: Issue[] = [...stage.issues];
  const sampling = makeSampling(stage, issues);
  const rootPaths = skelRoots(stage);
  issues.push(...issuesOutsideRoots(stage, rootPaths));
  const roots = rootPaths.map((path) => {
    const read = readBindings(stage, path, rules);
    issues.push(...read.issues);
    return { path, bindings: read.bindings.map((binding) => describeBinding(sampling, binding, hasSamples)) };
  });
  // Many times and instances have the same to tell.
  const told = distinctIssues(stage, issues);
  return {
    file,
    upAxis,
    tcps: timeCodesPerSecond,
    start: startTimeCode ?? 0,
    end: endTimeCode ?? 0,
    roots,
    messages: told.map(({ message }) => message),
    issues: told,
  };
}
