/** Applying the blend shapes of a mesh: weights of targets to weights of their shapes, and these to points and normals. */
import { inBetweenWeights } from '../../../core/deform/in-betweens.ts';
import { type MorphTarget, morph, normalizeDirections, validateMorphTargets } from '../../../core/deform/morph.ts';
import type { Vertices } from '../../../core/deform/vertices.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type OrderMap, remap } from '../../../core/skeleton/order-map.ts';
import type { Stage } from '../stage/stage.ts';
import { type BlendShape, readBlendShape, tellInBetweens } from './blend-shape.ts';
import type { BoundPrim } from './bound-prim.ts';
import { isInactive, typeNameAt } from './stage-reading.ts';

/** Weights below count as none, as in OpenUSD. */
const NO_WEIGHT = 1e-6;

/** A shape of a target (primary or in-between) and its weight. */
export interface WeightedShape {
  /** Place of the target among those of the mesh. */
  readonly target: number;
  /** Place of the shape among the shapes of all targets: of each the null shape, the primary shape and the in-betweens, by weight. */
  readonly subShape: number;
  /** 0: the primary shape; i + 1: in-between i. */
  readonly shape: number;
  readonly weight: number;
}

/** Tells of what is odd about the blend shapes of a mesh: targets that are none, and in-betweens that do not count. */
export function tellBlendShapes(stage: Stage, { prim, blendShapeTargets }: BoundPrim, issues: Issue[]): void {
  for (const target of blendShapeTargets ?? []) {
    if (typeNameAt(stage, target) === 'BlendShape') tellInBetweens(stage, target, issues);
    else if (!isInactive(stage, target)) {
      const message = `skel:blendShapeTargets of ${prim} leads to ${target}, which is no BlendShape; it adds nothing.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
    }
  }
}

/** The blend shapes of a mesh in the order of its targets; null for what is no active BlendShape. {@link tellBlendShapes} says what is odd. */
export function readBlendShapes(stage: Stage, { blendShapeTargets }: BoundPrim): (BlendShape | null)[] {
  return (blendShapeTargets ?? []).map((target) =>
    typeNameAt(stage, target) === 'BlendShape' ? readBlendShape(stage, target, []) : null,
  );
}

/** Weights in the order of the blend shapes of a mesh; 0 for those that the animation lacks. */
export function weightsForMesh(map: OrderMap, weights: ArrayLike<number>): Float32Array {
  const out = new Float32Array(map.targetCount);
  remap(map, weights, 1, out);
  return out;
}

/**
 * The shapes that targets with given weights come to, one weight a target (UsdSkelBlendShapeQuery::ComputeSubShapeWeights): of a target without in-betweens
 * the primary shape, of others the one or two shapes around the weight. A target that is null (not there, no BlendShape, inactive) adds nothing.
 */
export function weightedShapes(targets: readonly (BlendShape | null)[], weights: ArrayLike<number>): WeightedShape[] {
  const out: WeightedShape[] = [];
  let first = 0;
  for (const [target, blendShape] of targets.entries()) {
    if (blendShape === null) continue;
    const { plan } = blendShape;
    const byShape = new Float64Array(plan.inBetweenCount + 1);
    inBetweenWeights(byShape, 0, plan, weights[target]);
    for (const [place, shape] of plan.shapes.entries()) {
      if (shape < 0) continue;
      const weight = byShape[shape];
      // A lone primary shape has its weight even where that is 0.
      const isLone = plan.shapes.length === 2;
      if (isLone || Math.abs(weight) >= NO_WEIGHT) out.push({ target, subShape: first + place, shape, weight });
    }
    first += plan.shapes.length;
  }
  return out;
}

/**
 * Applies shapes to points and normals: offsets times weights are added, normals get length 1. Shapes without weight or offsets add nothing.
 * Returns why shapes do not fit the mesh, which `out` then has as it was; else null. `out` may be `base`.
 */
export function applyShapes(
  targets: readonly (BlendShape | null)[],
  shapes: readonly WeightedShape[],
  base: Vertices,
  out: Vertices,
): string | null {
  const used = shapes.filter(({ weight }) => Math.abs(weight) >= NO_WEIGHT);
  const morphs = used.map(({ target, shape }) => (targets[target] as BlendShape).shapes[shape]);
  const { valid, reasons } = validateMorphTargets(morphs.map(withoutAbsent), base.positions.length / 3);
  if (!valid) return reasons[0].replace(/^target (\d+)/, (_, i: string) => `${targets[used[Number(i)].target]?.prim}`);
  const weights = used.map(({ weight }) => weight);
  morph(morphs, weights, base, out);
  const turns = morphs.some(({ normals }) => normals !== null);
  if (turns && out.normals !== null && base.normals !== null) normalizeDirections(out.normals, out.normals);
  return null;
}

/** A shape without offsets needs no indices that fit. */
function withoutAbsent(target: MorphTarget): MorphTarget {
  return target.positions === null && target.normals === null ? { ...target, vertices: null } : target;
}
