/** Deforms a bound prim at a time: blend shapes first, then joints, as UsdSkel does. */

import { gatherInfluences } from '../../../../core/deform/edit-influences.ts';
import type { Influences } from '../../../../core/deform/influences.ts';
import { planSkin, type SkinPlan } from '../../../../core/deform/skin-plan.ts';
import type { Vertices } from '../../../../core/deform/vertices.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { createJointMapper, type JointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import { attributeValue, timeSamplesOf } from '../../stage/attribute-values.ts';
import { propertyMetadata } from '../../stage/composed-metadata.ts';
import type { Stage, Time } from '../../stage/stage.ts';
import { type BoundPrim, geomBindTransform, INHERITED_ATTRIBUTES, readInfluences } from '../bound-prim.ts';
import { influenceMismatch } from '../joint-influences.ts';
import { transformsForMesh } from '../joint-transforms.ts';
import { isPointBased } from '../prim-types.ts';
import type { AnimatedSkeleton, SkeletonSample } from '../skeleton-sample.ts';
import { numbersOf, textsOf } from '../typed-values.ts';
import {
  applyShapes,
  blendShapeIssues,
  readBlendShapes,
  type WeightedShape,
  weightedShapes,
  weightsForMesh,
} from './apply-blend-shapes.ts';
import type { BlendShape } from './blend-shape.ts';
import { directionsOnly, isSkinningMethod, poseMesh, skinTransform, skinVertices } from './skin-mesh.ts';

/** A bound prim, with everything that does not change over time. */
export interface PrimDeformer {
  readonly bound: BoundPrim;
  /** From the joints of the skeleton to those of the prim; null if they are the same. */
  readonly jointMap: JointMapper | null;
  /** Number of joints that the influences refer to. */
  readonly jointCount: number;
  /** Blend shapes by target; null for a target that is not an active BlendShape. */
  readonly shapes: readonly (BlendShape | null)[];
  /** From the blend shapes of the animation to those of the prim; null without blend shapes or animation. */
  readonly shapeMap: JointMapper | null;
  /** True if an attribute of the geometry has several time samples. */
  readonly isAnimated: boolean;
  readonly issues: readonly Issue[];
  /** The geometry read last; null before the first read. */
  geometry: RestGeometry | null;
}

const GEOMETRY_ATTRIBUTES = ['points', 'normals', 'faceVertexIndices'] as const;

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
  const { prim, joints, holders, blendShapes, blendShapeTargets } = bound;
  const isAnimatedAt = (path: string, name: string): boolean => timeSamplesOf(stage, path, name).length > 1;
  const isAnimated =
    GEOMETRY_ATTRIBUTES.some((name) => isAnimatedAt(prim, name)) ||
    INHERITED_ATTRIBUTES.some((name) => {
      const holder = holders.get(name);
      return holder !== undefined && (isAnimatedAt(holder, name) || isAnimatedAt(holder, `${name}:indices`));
    });
  const hasShapes = blendShapes !== null && (blendShapeTargets ?? []).length > 0 && animation !== null;
  return {
    bound,
    jointMap: joints === null ? null : createJointMapper(definition.joints, joints),
    jointCount: (joints ?? definition.joints).length,
    shapes: readBlendShapes(stage, bound),
    shapeMap: hasShapes ? createJointMapper(animation.blendShapes, blendShapes) : null,
    isAnimated,
    issues: blendShapeIssues(stage, bound),
    geometry: null,
  };
}

/** Deforms a bound prim at a time. Returns it with the reasons why blend shapes or joints were not applied. */
export function deformPrim(
  stage: Stage,
  deformer: PrimDeformer,
  sample: Pick<SkeletonSample, 'skinning' | 'weights'>,
  time: Time,
): DeformedPrim {
  const { bound, shapeMap } = deformer;
  const rest = geometryAt(stage, deformer, time);
  const { normalsInterpolation } = rest;
  const issues: Issue[] = [];
  const points = Float64Array.from(rest.vertices.positions);
  const normals = rest.normals === null ? null : Float64Array.from(rest.normals);
  const weights = shapeMap === null || sample.weights === null ? null : weightsForMesh(shapeMap, sample.weights);
  const shapes = weights === null ? null : weightedShapes(deformer.shapes, weights);
  if (shapes !== null) {
    const vertices = { positions: points, normals: normalsInterpolation === 'vertex' ? normals : null, tangents: null };
    const mismatch = applyShapes(deformer.shapes, shapes, vertices, vertices);
    if (mismatch !== null) {
      const message = `The blend shapes of ${bound.prim} do not fit its points: ${mismatch}. They are ignored.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: bound.prim }));
    }
  }
  const skinned = bound.influences.hasInfluences ? skin(deformer, rest, sample.skinning, points, normals) : null;
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
  { jointMap, bound: { method, influences: declared } }: PrimDeformer,
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

/** A prim at rest at a time. Arrays may be those of the layer: do not write to them. */
interface RestGeometry {
  readonly time: Time;
  /** Points, and normals if there is one per point. */
  readonly vertices: Vertices;
  /** Normals that deform, one per point or face corner; null without. */
  readonly normals: Floats | null;
  /** One normal per point or per face corner; null without normals. */
  readonly normalsInterpolation: 'vertex' | 'faceVarying' | null;
  /** Valid joint influences; null without. */
  readonly influences: Influences | null;
  /** Why the declared influences are invalid; null if they are valid or none are declared. */
  readonly reason: string | null;
  /** Skin plan of per-vertex influences; null without, and for rigid prims. */
  readonly plan: SkinPlan | null;
  /**
   * Normals of face corners; null if normals are per point or absent.
   *
   * @internal
   */
  readonly corners: { readonly plan: SkinPlan; readonly rest: Vertices } | null;
  /** GeomBindTransform, 16 floats, column-major: from prim space to skeleton space at bind time. */
  readonly geomBind: Float64Array;
}

/** Reads the rest geometry at a time. The geometry read last is reused if the attributes cannot differ. */
export function geometryAt(stage: Stage, deformer: PrimDeformer, time: Time): RestGeometry {
  const { geometry, isAnimated } = deformer;
  if (geometry !== null) {
    const isDefaultTime = time === 'default' || geometry.time === 'default';
    if (geometry.time === time || (!isAnimated && !isDefaultTime)) return geometry;
  }
  deformer.geometry = readGeometry(stage, deformer, time);
  return deformer.geometry;
}

function floats(numbers: Floats | Int32Array | null): Floats {
  return numbers instanceof Float32Array || numbers instanceof Float64Array
    ? numbers
    : Float64Array.from(numbers ?? []);
}

function readGeometry(stage: Stage, { bound, jointCount }: PrimDeformer, time: Time): RestGeometry {
  const { prim, typeName, influences: declared } = bound;
  const isMesh = isPointBased(typeName);
  const positions = floats(isMesh ? numbersOf(attributeValue(stage, prim, 'points', time), 3) : null);
  const { normals, normalsInterpolation } = isMesh
    ? readNormals(stage, bound, positions.length, time)
    : { normals: null, normalsInterpolation: null };
  const count = positions.length / 3;
  const { influences, reason } = declared.hasInfluences
    ? readInfluences(stage, bound, time)
    : { influences: null, reason: null };
  const mismatch = influences === null ? reason : influenceMismatch(influences, count, jointCount);
  const isSkinned = influences !== null && mismatch === null && !declared.isRigid;
  const plan = isSkinned ? planSkin(influences, count, jointCount) : null;
  let corners: RestGeometry['corners'] = null;
  if (isSkinned && normals !== null && normalsInterpolation === 'faceVarying' && count > 0) {
    const indices = numbersOf(attributeValue(stage, prim, 'faceVertexIndices', time), 1) ?? [];
    // A corner with an invalid point index uses point 0.
    const points = Int32Array.from({ length: normals.length / 3 }, (_, corner) =>
      indices[corner] >= 0 && indices[corner] < count ? indices[corner] : 0,
    );
    const plan = planSkin(gatherInfluences(influences, points), points.length, jointCount);
    corners = { plan, rest: directionsOnly(normals) };
  }
  return {
    time,
    vertices: { positions, normals: normalsInterpolation === 'vertex' ? normals : null, tangents: null },
    normals,
    normalsInterpolation,
    influences: mismatch === null ? influences : null,
    reason: mismatch,
    plan,
    corners,
    geomBind: geomBindTransform(stage, bound, time),
  };
}

/** Reads the `normals` attribute if its normals deform: one per point, or one per face corner of a mesh with per-vertex influences. */
function readNormals(
  stage: Stage,
  { prim, typeName, influences }: BoundPrim,
  size: number,
  time: Time,
): Pick<RestGeometry, 'normals' | 'normalsInterpolation'> {
  const none = { normals: null, normalsInterpolation: null };
  const numbers = numbersOf(attributeValue(stage, prim, 'normals', time), 3);
  if (numbers === null) return none;
  const interpolation = textsOf(propertyMetadata(stage, prim, 'normals', 'interpolation'))?.[0] ?? 'vertex';
  if ((interpolation === 'vertex' || interpolation === 'varying') && numbers.length === size) {
    return { normals: floats(numbers), normalsInterpolation: 'vertex' };
  }
  const isSkinned = influences.hasInfluences && !influences.isRigid;
  if (interpolation !== 'faceVarying' || typeName !== 'Mesh' || !isSkinned) return none;
  return { normals: floats(numbers), normalsInterpolation: 'faceVarying' };
}
