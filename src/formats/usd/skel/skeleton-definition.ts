/** Reads Skeleton prims: joint paths, bind pose and rest pose. */
import * as mat4 from '../../../core/math/mat4.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import { parentsFromPaths, validateTopology } from '../../../core/skeleton/topology.ts';
import { attributeValue } from '../stage/attribute-values.ts';
import type { Stage } from '../stage/stage.ts';
import { numbersOf, readTokens } from './typed-values.ts';

/** The data of a Skeleton prim. Plain data. */
export interface SkeletonDefinition {
  /** Joint paths, parents first. */
  readonly joints: readonly string[];
  /** Parent joint per joint: the nearest ancestor in the list; −1 for a root. */
  readonly parents: Int32Array;
  /** World-space joint matrices at bind time, {@link MATRIX_STRIDE} floats per joint; null: no bind pose, so nothing can be skinned. */
  readonly bind: Float64Array | null;
  /** Inverses of the bind matrices; null without a bind pose. */
  readonly inverseBind: Float64Array | null;
  /** Joint-local matrices of the rest pose, {@link MATRIX_STRIDE} floats per joint; null: no rest pose, so every joint must be animated. */
  readonly rest: Float64Array | null;
}

/** Result of {@link defineSkeleton}. */
interface SkeletonReading {
  /** The definition; null if the joints are invalid, in which case nothing is skinned. */
  readonly definition: SkeletonDefinition | null;
  /** What is invalid, as clauses without a final period. */
  readonly reasons: readonly string[];
}

/**
 * Validates the attributes of a skeleton (UsdSkelTopology and UsdSkel_SkelDefinition). Joints are invalid if one comes before its parent. A pose
 * without one matrix per joint is dropped; bind and rest poses are never derived from each other. A skeleton without joints is valid and has both
 * poses.
 *
 * @param joints Joint paths, parents first.
 * @param bindTransforms World-space matrices, 16 floats per joint.
 * @param restTransforms Joint-local matrices, 16 floats per joint.
 * @returns The definition and what is invalid.
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
      `${name} has ${matrices.length / MATRIX_STRIDE} matrices for ${joints.length} joints; author one per joint`,
    );
    return null;
  };
  const bind = pose('bindTransforms', bindTransforms);
  const rest = pose('restTransforms', restTransforms);
  const inverseBind = bind === null ? null : invertBind(bind, joints, reasons);
  return { definition: { joints, parents, bind, inverseBind, rest }, reasons };
}

/** Inverts the bind matrices; a singular matrix gets the identity as its inverse. */
function invertBind(bind: Float64Array, joints: readonly string[], reasons: string[]): Float64Array {
  const inverse = new Float64Array(bind.length);
  for (let at = 0; at < bind.length; at += MATRIX_STRIDE) {
    mat4.identity(inverse, at);
    if (mat4.invertAffine(inverse, at, bind, at)) continue;
    reasons.push(`the bind matrix of ${joints[at / MATRIX_STRIDE]} has no inverse; the identity was used`);
  }
  return inverse;
}

/** Reads and validates a Skeleton prim. Returns the definition, or null if it is invalid, and what is invalid. */
export function readSkeleton(
  stage: Stage,
  prim: string,
): { definition: SkeletonDefinition | null; issues: readonly Issue[] } {
  const matrices = (name: string): ArrayLike<number> =>
    numbersOf(attributeValue(stage, prim, name, 'default'), MATRIX_STRIDE) ?? [];
  const { definition, reasons } = defineSkeleton(
    readTokens(stage, prim, 'joints') ?? [],
    matrices('bindTransforms'),
    matrices('restTransforms'),
  );
  const effect = definition === null ? 'Its bindings are ignored' : 'Transforms that need this data are not computed';
  const issues = reasons.map((reason) =>
    issue('USD_SKELETON_INVALID', `Skeleton ${prim}: ${reason}. ${effect}.`, { pointer: prim }),
  );
  return { definition, issues };
}
