/** Skeletons of UsdSkel: joints named by paths, their bind and their rest pose. */

import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { parentsFromPaths, validateTopology } from '../../../core/skeleton/topology.ts';
import type { Stage } from '../stage/stage.ts';
import { attributeValue } from '../stage/values.ts';
import { numbersOf, readTokens } from './stage-reading.ts';

/** What a Skeleton prim defines. Plain data. */
export interface SkeletonDefinition {
  /** Joints as paths, parents first. */
  readonly joints: readonly string[];
  /** Parent joint: the nearest ancestor that is in the list; −1 for a root. */
  readonly parents: Int32Array;
  /** Joint matrices in world space at the time of binding, {@link MATRIX_STRIDE} floats a joint; null: no bind pose, no skinning. */
  readonly bind: Float64Array | null;
  /** Their inverses. */
  readonly inverseBind: Float64Array | null;
  /** Joint-local matrices of the rest pose; null: no rest pose, so that every joint must be animated. */
  readonly rest: Float64Array | null;
}

/** A definition, and what is odd about it: sentences. Without a definition nothing is skinned. */
export interface SkeletonReading {
  readonly definition: SkeletonDefinition | null;
  readonly reasons: readonly string[];
}

/**
 * The definition of a skeleton of its attributes (UsdSkelTopology and UsdSkel_SkelDefinition). None where a joint comes before its parent. A
 * pose that has not one matrix per joint is no pose; bind and rest are never derived from each other. A skeleton without joints is
 * one, with both poses.
 */
export function defineSkeleton(
  joints: readonly string[],
  bindTransforms: ArrayLike<number>,
  restTransforms: ArrayLike<number>,
): SkeletonReading {
  const parents = parentsFromPaths(joints);
  const topology = validateTopology(parents, joints);
  if (!topology.valid) {
    const named = topology.reasons.map((reason) =>
      reason.replace(/node (\d+)/g, (_, joint: string) => `joint ${joint} (${joints[Number(joint)]})`),
    );
    return { definition: null, reasons: named };
  }
  const reasons: string[] = [];
  const pose = (name: string, matrices: ArrayLike<number>): Float64Array | null => {
    if (matrices.length === joints.length * MATRIX_STRIDE) return Float64Array.from(matrices);
    reasons.push(
      `${name} has ${matrices.length / MATRIX_STRIDE} matrices for ${joints.length} joints; give one for each`,
    );
    return null;
  };
  const bind = pose('bindTransforms', bindTransforms);
  const rest = pose('restTransforms', restTransforms);
  const inverseBind = bind === null ? null : invertBind(bind, joints, reasons);
  return { definition: { joints, parents, bind, inverseBind, rest }, reasons };
}

/** The inverse of every bind matrix; the identity where there is none. */
function invertBind(bind: Float64Array, joints: readonly string[], reasons: string[]): Float64Array {
  const inverse = new Float64Array(bind.length);
  for (let at = 0; at < bind.length; at += MATRIX_STRIDE) {
    mat4.identity(inverse, at);
    if (mat4.invertAffine(inverse, at, bind, at)) continue;
    reasons.push(`the bind matrix of ${joints[at / MATRIX_STRIDE]} has no inverse; the identity was taken`);
  }
  return inverse;
}

/** The definition of a Skeleton prim; what is odd goes to `issues`. Null where it is not valid. */
export function readSkeleton(stage: Stage, prim: string, issues: Issue[]): SkeletonDefinition | null {
  const matrices = (name: string): ArrayLike<number> =>
    numbersOf(attributeValue(stage, prim, name, 'default'), MATRIX_STRIDE) ?? [];
  const { definition, reasons } = defineSkeleton(
    readTokens(stage, prim, 'joints') ?? [],
    matrices('bindTransforms'),
    matrices('restTransforms'),
  );
  const end = definition === null ? 'nothing is bound to it' : 'what needs it is not computed';
  for (const reason of reasons) {
    issues.push(issue('USD_SKELETON_INVALID', `Skeleton ${prim}: ${reason}; until then ${end}.`, { pointer: prim }));
  }
  return definition;
}
