/** Deforms a bound prim at a time: blend shapes first, then joints, as UsdSkel does. */
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { createJointMapper, type JointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import type { Stage, Time } from '../../stage/stage.ts';
import type { BoundPrim } from '../bound-prim.ts';
import { transformsForMesh } from '../joint-transforms.ts';
import type { AnimatedSkeleton, SkeletonSample } from '../skeleton-sample.ts';
import {
  applyShapes,
  blendShapeIssues,
  readBlendShapes,
  type WeightedShape,
  weightedShapes,
  weightsForMesh,
} from './apply-blend-shapes.ts';
import { createRestMesh, geometryAt, type RestGeometry, type RestMesh } from './rest-mesh.ts';
import { directionsOnly, isSkinningMethod, poseMesh, skinTransform, skinVertices } from './skin-mesh.ts';

/** A bound prim, with everything that does not change over time. */
export interface PrimDeformer {
  readonly bound: BoundPrim;
  readonly mesh: RestMesh;
  /** From the blend shapes of the animation to those of the prim; null without blend shapes or animation. */
  readonly shapeMap: JointMapper | null;
  readonly issues: readonly Issue[];
}

export interface DeformedPrim {
  /** Blend shape weights in the order of the prim; null if the animation has none for it. */
  readonly weights: Float32Array | null;
  readonly shapes: readonly WeightedShape[] | null;
  /** Points, 3 floats each: in skeleton space if joints deform them, else in the space of the prim. */
  readonly points: Float64Array;
  /** Normals, 3 floats each, in the same space as the points; null without normals that deform. */
  readonly normals: Float64Array | null;
  /** One normal per point or per face corner; null without normals. */
  readonly normalsInterpolation: 'vertex' | 'faceVarying' | null;
  /** Matrix of a rigidly skinned prim to skeleton space, 16 floats; its points stay unchanged. Null for other prims. */
  readonly transform: Float64Array | null;
  /** False if the prim declares influences that cannot be applied. */
  readonly isSkinned: boolean;
  /** Why blend shapes or joints were not applied. */
  readonly issues: readonly Issue[];
}

/**
 * Plans the deformation of a bound prim by a skeleton.
 *
 * @param bound The prim, from {@link readBindings}.
 * @param skeleton The skeleton of the binding, from {@link readAnimatedSkeleton}.
 * @example
 * ```ts
 * const [root] = skelRoots(stage);
 * for (const { skeleton, animation, prims } of readBindings(stage, root).bindings) {
 *   const { skeleton: animated } = readAnimatedSkeleton(stage, skeleton, animation);
 *   if (animated === null) continue;
 *   const deformers = prims.map((bound) => planPrim(stage, bound, animated));
 *   const sample = sampleSkeleton(stage, animated, 12);
 *   const points = deformers.map((deformer) => deformPrim(stage, deformer, sample, 12).points);
 * }
 * ```
 */
export function planPrim(stage: Stage, bound: BoundPrim, { definition, animation }: AnimatedSkeleton): PrimDeformer {
  const { blendShapes, blendShapeTargets } = bound;
  const hasShapes = blendShapes !== null && (blendShapeTargets ?? []).length > 0 && animation !== null;
  return {
    bound,
    mesh: createRestMesh(stage, bound, definition.joints, readBlendShapes(stage, bound)),
    shapeMap: hasShapes ? createJointMapper(animation.blendShapes, blendShapes) : null,
    issues: blendShapeIssues(stage, bound),
  };
}

/**
 * Deforms a bound prim at a time.
 *
 * @param deformer Result of {@link planPrim}.
 * @param time Time code, or `default` for default values.
 * @returns The deformed prim, with the reasons why blend shapes or joints were not applied.
 */
export function deformPrim(
  stage: Stage,
  { bound, mesh, shapeMap }: PrimDeformer,
  sample: Pick<SkeletonSample, 'skinning' | 'weights'>,
  time: Time,
): DeformedPrim {
  const rest = geometryAt(stage, mesh, time);
  const { normalsInterpolation } = rest;
  const issues: Issue[] = [];
  const points = Float64Array.from(rest.vertices.positions);
  const normals = rest.normals === null ? null : Float64Array.from(rest.normals);
  const weights = shapeMap === null || sample.weights === null ? null : weightsForMesh(shapeMap, sample.weights);
  const shapes = weights === null ? null : weightedShapes(mesh.shapes, weights);
  if (shapes !== null) {
    const vertices = { positions: points, normals: normalsInterpolation === 'vertex' ? normals : null, tangents: null };
    const mismatch = applyShapes(mesh.shapes, shapes, vertices, vertices);
    if (mismatch !== null) {
      const message = `The blend shapes of ${bound.prim} do not fit its points: ${mismatch}. They are ignored.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: bound.prim }));
    }
  }
  const skinned = bound.influences.hasInfluences ? skin(mesh, bound, rest, sample.skinning, points, normals) : null;
  const isSkinned = typeof skinned !== 'string';
  if (!isSkinned) {
    const message = `${bound.prim} is not skinned: ${skinned}.`;
    issues.push(issue('USD_INFLUENCES_INVALID', message, { pointer: bound.prim }));
  }
  const transform = isSkinned ? skinned : null;
  return { weights, shapes, points, normals, normalsInterpolation, transform, isSkinned, issues };
}

/**
 * Skins points and normals of a prim in place. Returns the transform of a rigidly skinned prim, whose points stay unchanged; null for other prims;
 * the reason if the prim cannot be skinned.
 */
function skin(
  { jointMap }: RestMesh,
  { method, influences: declared }: BoundPrim,
  { influences, reason, plan, corners, geomBind }: RestGeometry,
  skinning: Float64Array | null,
  points: Float64Array,
  normals: Float64Array | null,
): Float64Array | string | null {
  if (!isSkinningMethod(method)) {
    return `its skinning method is ${method}; expected classicLinear or dualQuaternion`;
  }
  if (skinning === null)
    return 'the skeleton lacks its bind pose, or the rest pose of a joint without animation; author bindTransforms and restTransforms';
  if (influences === null) return `${reason}`;
  const matrices = transformsForMesh(jointMap, skinning);
  if (declared.isRigid || plan === null) return skinTransform(influences, method, matrices, geomBind);
  const pose = poseMesh(method, matrices, geomBind);
  const vertices = { positions: points, normals: corners === null ? normals : null, tangents: null };
  skinVertices(plan, pose, vertices, vertices);
  if (corners !== null && normals !== null) skinVertices(corners.plan, pose, corners.rest, directionsOnly(normals));
  return null;
}
