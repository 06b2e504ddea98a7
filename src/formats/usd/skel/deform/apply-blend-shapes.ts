import { inBetweenWeights } from '../../../../core/deform/in-betweens.ts';
import { type MorphTarget, morph, normalizeDirections, validateMorphTargets } from '../../../../core/deform/morph.ts';
import type { Vertices } from '../../../../core/deform/vertices.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { type JointMapper, mapJoints } from '../../../../core/skeleton/joint-mapper.ts';
import type { Stage } from '../../stage/stage.ts';
import type { BoundPrim } from '../bound-prim.ts';
import { isInactive, typeNameAt } from '../typed-values.ts';
import { type BlendShape, inBetweenIssues, readBlendShape } from './blend-shape.ts';

/** Smaller absolute weights count as 0, as in OpenUSD. */
const MIN_WEIGHT = 1e-6;

/** A primary shape or in-between of a blend shape target, with its weight. */
export interface WeightedShape {
  /** Index among the blend shape targets of the mesh. */
  readonly target: number;
  /**
   * Index among the shapes of all targets, in the order of UsdSkelBlendShapeQuery: per target the null shape, the primary shape and the in-betweens,
   * sorted by weight.
   */
  readonly subShape: number;
  /** 0: the primary shape; i + 1: in-between i. */
  readonly shape: number;
  readonly weight: number;
}

export function blendShapeIssues(stage: Stage, { prim, blendShapeTargets }: BoundPrim): Issue[] {
  const issues: Issue[] = [];
  for (const target of blendShapeTargets ?? []) {
    if (typeNameAt(stage, target) === 'BlendShape') issues.push(...inBetweenIssues(stage, target));
    else if (!isInactive(stage, target)) {
      const message = `skel:blendShapeTargets of ${prim} targets ${target}, which is not a BlendShape; the target is ignored.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
    }
  }
  return issues;
}

/**
 * Reads the blend shapes of a mesh. {@link blendShapeIssues} reports invalid targets. Returns one blend shape per target, in target order; null for a
 * target that is not an active BlendShape.
 */
export function readBlendShapes(stage: Stage, { blendShapeTargets }: BoundPrim): (BlendShape | null)[] {
  return (blendShapeTargets ?? []).map((target) =>
    typeNameAt(stage, target) === 'BlendShape' ? readBlendShape(stage, target) : null,
  );
}

export function weightsForMesh(map: JointMapper, weights: ArrayLike<number>): Float32Array {
  const out = new Float32Array(map.targetCount);
  mapJoints(map, weights, 1, out);
  return out;
}

/**
 * Resolves weights of targets to weights of their shapes (UsdSkelBlendShapeQuery::ComputeSubShapeWeights): the primary shape of a target without
 * in-betweens, else the one or two shapes next to the weight. `targets`: blend shapes of the mesh; null targets add nothing.
 */
export function weightedShapes(targets: readonly (BlendShape | null)[], weights: ArrayLike<number>): WeightedShape[] {
  const out: WeightedShape[] = [];
  let first = 0;
  for (const [target, blendShape] of targets.entries()) {
    if (blendShape === null) continue;
    const { plan } = blendShape;
    const byShape = new Float64Array(plan.inBetweenCount + 1);
    inBetweenWeights(byShape, 0, plan, weights[target]);
    for (const [index, shape] of plan.shapes.entries()) {
      if (shape < 0) continue;
      const weight = byShape[shape];
      // A lone primary shape is listed even with weight 0, as in OpenUSD.
      const isLone = plan.shapes.length === 2;
      if (isLone || Math.abs(weight) >= MIN_WEIGHT) out.push({ target, subShape: first + index, shape, weight });
    }
    first += plan.shapes.length;
  }
  return out;
}

/**
 * Adds the weighted offsets of shapes to points and normals, and normalizes changed normals. `out` receives points and normals; may be `base`.
 * Returns why a shape does not fit the mesh, in which case `out` is unchanged; else null.
 */
export function applyShapes(
  targets: readonly (BlendShape | null)[],
  shapes: readonly WeightedShape[],
  base: Vertices,
  out: Vertices,
): string | null {
  const used = shapes.filter(({ weight }) => Math.abs(weight) >= MIN_WEIGHT);
  const morphs = used.map(({ target, shape }) => (targets[target] as BlendShape).shapes[shape]);
  const { valid, reasons } = validateMorphTargets(morphs.map(withoutUnusedIndices), base.positions.length / 3);
  if (!valid) return reasons[0].replace(/^target (\d+)/, (_, i: string) => `${targets[used[Number(i)].target]?.prim}`);
  const weights = used.map(({ weight }) => weight);
  morph(morphs, weights, base, out);
  const changesNormals = morphs.some(({ normals }) => normals !== null);
  if (changesNormals && out.normals !== null && base.normals !== null) normalizeDirections(out.normals, out.normals);
  return null;
}

/** Removes the indices of a shape without offsets, so that they are not validated. */
function withoutUnusedIndices(target: MorphTarget): MorphTarget {
  return target.positions === null && target.normals === null ? { ...target, vertices: null } : target;
}
