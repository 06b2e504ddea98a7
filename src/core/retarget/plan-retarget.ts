/** Plans, once per pair of humanoids, how the target follows the source. The formula is derived in `plan-rotations.ts`. */
import { BONE, BONES } from '../humanoid/bones.ts';
import { type ReferencePair, selectReferencePoses } from '../humanoid/declared-pose.ts';
import type { Humanoid } from '../humanoid/humanoid.ts';
import { straightHumanoid } from '../humanoid/straight-humanoid.ts';
import { findDetachedJoints } from './detached/find-detached-joints.ts';
import { planCircularBones, planDetachedBones, planDetachedJoints } from './detached/plan-detached-joints.ts';
import { helperNames } from './helper-names.ts';
import { hipsFactor } from './hips-scale.ts';
import { HIPS_SCALES, type HipsScale, RETARGET_DEFAULTS, type RetargetOptions } from './options.ts';
import { planBasePose, restWithChannels } from './plan-base-pose.ts';
import { planScales, planTranslations } from './plan-channels.ts';
import { planHips } from './plan-hips.ts';
import { reportDetachedJoints, reportImmovableHips, reportMissingBones } from './plan-issues.ts';
import { planRotations } from './plan-rotations.ts';
import type { DetachedJointPlan, RetargetPlan } from './plan-types.ts';
import { planTwists } from './twist/plan-twist.ts';

interface OrderedJoints {
  /** Every constraint whose result depends only on constraints before it; otherwise in the order of the input. */
  readonly ordered: DetachedJointPlan[];
  /** Constraints that depend on each other in a circle, and those that depend on these. */
  readonly circular: DetachedJointPlan[];
}

/** Orders the constraints of detached joints so that each one reads only transforms that are already written. */
export function orderDetachedJoints(plans: readonly DetachedJointPlan[]): OrderedJoints {
  const pending = new Set(plans);
  const unwritten = new Set(plans.map(({ targetNode }) => targetNode));
  const isUnwritten = (node: number): boolean => unwritten.has(node);
  const ordered: DetachedJointPlan[] = [];
  for (let count = -1; count < ordered.length; ) {
    count = ordered.length;
    for (const plan of pending) {
      if (plan.boneChain.some(isUnwritten) || plan.parentChain.some(isUnwritten)) continue;
      pending.delete(plan);
      unwritten.delete(plan.targetNode);
      ordered.push(plan);
    }
  }
  return { ordered, circular: [...pending] };
}

function checkArguments(source: Humanoid, target: Humanoid, hipsScale: HipsScale): void {
  for (const [role, { map }] of Object.entries({ source, target })) {
    if (!(map.nodes[BONE.hips] >= 0)) {
      throw new RangeError(
        `planRetarget: the ${role} has no hips. Expected a humanoid with the bone hips: map one of its joints to hips.`,
      );
    }
  }
  if (typeof hipsScale === 'number' ? !Number.isFinite(hipsScale) : !HIPS_SCALES.includes(hipsScale)) {
    throw new RangeError(
      `planRetarget: hipsScale is ${JSON.stringify(hipsScale)}. Expected a finite number, or one of ${HIPS_SCALES.join(', ')}.`,
    );
  }
}

/**
 * Plans how any motion of `source` is retargeted to `target`. The plan is reused for all clips and poses of the pair.
 *
 * @param source The humanoid that moves.
 * @param target The humanoid that follows.
 * @param options What to retarget; omitted options have their defaults.
 * @returns The plan, with issues for bones and joints that could not be mapped one to one.
 * @throws RangeError If a humanoid has no hips, or `hipsScale` is neither a finite number nor one of its names.
 * @example
 * const plan = planRetarget(source, target);
 * const walk = retargetClip(plan, clip);
 */
export function planRetarget(source: Humanoid, target: Humanoid, options: RetargetOptions = {}): RetargetPlan {
  const chosen = { ...RETARGET_DEFAULTS, ...options };
  checkArguments(source, target, chosen.hipsScale);
  const pair = selectReferencePoses(source, target);
  const [from, to] = [straightHumanoid(pair.source), straightHumanoid(pair.target)];
  const plan = planStraightPair({ ...pair, source: from.humanoid, target: to.humanoid }, chosen);
  return { ...plan, sourceSigns: from.signs, targetSigns: to.signs };
}

/** Plans a pair without reflections whose reference poses are selected. */
function planStraightPair(
  pair: ReferencePair,
  chosen: Required<RetargetOptions>,
): Omit<RetargetPlan, 'sourceSigns' | 'targetSigns'> {
  const { source, target } = pair;
  const issues = reportMissingBones(source.map.nodes, target.map.nodes);
  const hipsScale = hipsFactor(pair, chosen.hipsScale);
  const constantChannels = chosen.rotation ? planBasePose(target) : [];
  // What a player shows where nothing else moves a node: the rest pose with the constant channels.
  const rest = restWithChannels(target, constantChannels);
  const shown: Humanoid = { ...target, skeleton: { ...target.skeleton, rest } };
  const { rotation, translation: legs } = chosen;
  const hips = chosen.hipsTranslation
    ? planHips(source, shown, hipsScale, { rotation, legs, joint: pair.hips === 'joint' })
    : null;
  if (chosen.hipsTranslation && hips === null) issues.push(reportImmovableHips());
  const matched = BONES.flatMap((_, bone) =>
    source.map.nodes[bone] >= 0 && target.map.nodes[bone] >= 0 ? [bone] : [],
  );
  const rotations = planRotations(source, shown);
  const names = helperNames(target.skeleton);
  const twists = chosen.rotation ? planTwists(shown, rotations.bones, names, chosen) : [];
  const driven = new Set(twists.map(({ targetNode }) => targetNode));
  const joints = chosen.rotation ? findDetachedJoints(shown, driven, names) : [];
  issues.push(...reportDetachedJoints(target, joints));
  const { ordered, circular } = orderDetachedJoints(
    chosen.rotation ? [...planDetachedBones(shown), ...planDetachedJoints(shown, joints)] : [],
  );
  const detachedJoints = [...ordered, ...planCircularBones(shown, circular)];
  const detached = new Set(detachedJoints.map(({ targetNode }) => targetNode));
  const others = matched.filter((bone) => bone !== BONE.hips && !detached.has(target.map.nodes[bone]));
  return {
    sourceParents: source.skeleton.parents,
    sourceRest: Float64Array.from(source.skeleton.rest),
    targetRest: Float64Array.from(target.skeleton.rest),
    ...rotations,
    rotation: chosen.rotation,
    hips,
    translations: chosen.translation ? planTranslations(source, shown, others, hipsScale) : [],
    scales: chosen.scale ? planScales(source, shown, matched) : [],
    constantChannels,
    twists,
    detachedJoints,
    hipsScale,
    issues,
  };
}
