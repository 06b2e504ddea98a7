/** A bound prim at a time: blend shapes first, then joints, as players of UsdSkel do it. */

import type { Influences } from '../../../core/deform/influences.ts';
import { planSkin, type SkinPlan } from '../../../core/deform/skin-plan.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type OrderMap, planOrderMap } from '../../../core/skeleton/order-map.ts';
import { propertyMetadata } from '../stage/metadata.ts';
import type { Stage, Time } from '../stage/stage.ts';
import { attributeValue } from '../stage/values.ts';
import type { BlendShape } from './blend-shape.ts';
import { applyShapes, readBlendShapes, type WeightedShape, weightedShapes, weightsForMesh } from './blend-shapes.ts';
import { type BoundPrim, geomBindTransform, readInfluences } from './bound-prim.ts';
import { reasonAgainstInfluences } from './joint-influences.ts';
import { transformsForMesh } from './joint-transforms.ts';
import { isPointBased } from './prim-types.ts';
import type { AnimatedSkeleton, SkeletonSample } from './skeleton-sample.ts';
import { isSkinningMethod, poseMesh, skinCornerNormals, skinTransform, skinVertices } from './skin-mesh.ts';
import { numbersOf, textsOf } from './stage-reading.ts';

/** A bound prim with all that does not change over time. */
export interface PrimDeformer {
  readonly bound: BoundPrim;
  /** From the joints of the skeleton to those of the prim; null where they are the same. */
  readonly jointMap: OrderMap | null;
  readonly jointCount: number;
  /** From the blend shapes of the animation to those of the prim; null without blend shapes or animation. */
  readonly shapeMap: OrderMap | null;
  /** By target; null for what is no active BlendShape. */
  readonly shapes: readonly (BlendShape | null)[];
  /** The plan of the influences that it was made of; made again where these change over time. */
  skin: { readonly influences: Influences; readonly plan: SkinPlan } | null;
}

/** What a prim looks like at a time. */
export interface DeformedPrim {
  /** Weights in the order of its blend shapes; null where no weights reach it. */
  readonly weights: Float32Array | null;
  /** The shapes that these come to; null with them. */
  readonly shapes: readonly WeightedShape[] | null;
  /** Points, 3 floats each: in the space of the skeleton where joints have moved them, else of the prim. */
  readonly points: Float64Array;
  /** Normals of the same space; null without any that deform. */
  readonly normals: Float64Array | null;
  readonly normalsInterpolation: 'vertex' | 'faceVarying' | null;
  /** Of a rigid prim: its matrix into the space of the skeleton, in place of moved points. */
  readonly transform: Float64Array | null;
  /** Whether joints have done what the prim asks for; true also where it asks for nothing. */
  readonly isSkinned: boolean;
}

/** A bound prim, planned for a skeleton. What is odd goes to `issues`. */
export function planPrim(stage: Stage, bound: BoundPrim, skeleton: AnimatedSkeleton, issues: Issue[]): PrimDeformer {
  const { joints, blendShapes } = bound;
  const { definition, animation } = skeleton;
  const shapes = readBlendShapes(stage, bound, issues);
  const hasShapes = blendShapes !== null && shapes.length > 0 && animation !== null;
  return {
    bound,
    jointMap: joints === null ? null : planOrderMap(definition.joints, joints),
    jointCount: (joints ?? definition.joints).length,
    shapeMap: hasShapes ? planOrderMap(animation.blendShapes, blendShapes) : null,
    shapes,
    skin: null,
  };
}

/** The prim at a time, with the skeleton at the same time. */
export function deformPrim(
  stage: Stage,
  deformer: PrimDeformer,
  sample: SkeletonSample,
  time: Time,
  issues: Issue[],
): DeformedPrim {
  const { prim, typeName, influences: declared } = deformer.bound;
  const isMesh = isPointBased(typeName);
  const points = Float64Array.from(isMesh ? (numbersOf(attributeValue(stage, prim, 'points', time), 3) ?? []) : []);
  const { normals, interpolation } = isMesh
    ? readNormals(stage, deformer, points.length, time)
    : { normals: null, interpolation: null };
  const vertices = { positions: points, normals: interpolation === 'vertex' ? normals : null, tangents: null };
  const { shapeMap } = deformer;
  const weights = shapeMap === null || sample.weights === null ? null : weightsForMesh(shapeMap, sample.weights);
  const shapes = weights === null ? null : weightedShapes(deformer.shapes, weights);
  const misfit = shapes === null ? null : applyShapes(deformer.shapes, shapes, vertices, vertices);
  if (misfit !== null) {
    const message = `Blend shapes of ${prim} do not fit: ${misfit}. They are left out.`;
    issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: prim }));
  }
  const blended = { weights, shapes, points, normals, normalsInterpolation: interpolation };
  if (!declared.hasInfluences) return { ...blended, transform: null, isSkinned: true };
  const skinned = skin(stage, deformer, sample, time, blended);
  if (typeof skinned !== 'string') return { ...blended, ...skinned, isSkinned: true };
  const message = `Joints do not move ${prim}: ${skinned}.`;
  issues.push(issue('USD_INFLUENCES_INVALID', message, { pointer: prim }));
  return { ...blended, transform: null, isSkinned: false };
}

type Blended = Pick<DeformedPrim, 'points' | 'normals' | 'normalsInterpolation'>;

/** What joints make of a prim, its points written over; or why they do not. */
function skin(
  stage: Stage,
  deformer: PrimDeformer,
  sample: SkeletonSample,
  time: Time,
  { points, normals, normalsInterpolation }: Blended,
): Pick<DeformedPrim, 'normals' | 'transform'> | string {
  const { bound, jointMap, jointCount } = deformer;
  if (!isSkinningMethod(bound.method)) {
    return `its skinning method is ${bound.method}, expected classicLinear or dualQuaternion`;
  }
  if (sample.skinning === null) return 'the skeleton lacks a bind pose, or a rest pose that it needs';
  const { influences, reason } = readInfluences(stage, bound, time);
  if (influences === null) return `${reason}`;
  const misfit = reasonAgainstInfluences(influences, points.length / 3, jointCount);
  if (misfit !== null) return misfit;
  const skinning = transformsForMesh(jointMap, sample.skinning);
  const geomBind = geomBindTransform(stage, bound, time);
  if (bound.influences.isRigid) {
    return { normals, transform: skinTransform(influences, bound.method, skinning, geomBind) };
  }
  const pose = poseMesh(bound.method, skinning, geomBind);
  const plan = planFor(deformer, influences, points.length / 3);
  let moved = normals;
  if (normals !== null && normalsInterpolation === 'faceVarying') {
    const corners = numbersOf(attributeValue(stage, bound.prim, 'faceVertexIndices', time), 1) ?? [];
    moved = skinCornerNormals(plan, pose, corners, normals);
  }
  const vertices = { positions: points, normals: normalsInterpolation === 'vertex' ? normals : null, tangents: null };
  skinVertices(plan, pose, vertices, vertices);
  return { normals: moved, transform: null };
}

function planFor(deformer: PrimDeformer, influences: Influences, pointCount: number): SkinPlan {
  const { skin: former, jointCount } = deformer;
  const isSame =
    former !== null &&
    former.plan.vertexCount === pointCount &&
    former.influences.jointsPerVertex === influences.jointsPerVertex &&
    haveSameNumbers(former.influences.indices, influences.indices) &&
    haveSameNumbers(former.influences.weights, influences.weights);
  if (isSame) return former.plan;
  const plan = planSkin(influences, pointCount, jointCount);
  deformer.skin = { influences, plan };
  return plan;
}

function haveSameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

interface Normals {
  readonly normals: Float64Array | null;
  readonly interpolation: 'vertex' | 'faceVarying' | null;
}

/** Those of the `normals` attribute that deform: one a point, or one a face corner of a mesh that joints bend. */
function readNormals(stage: Stage, deformer: PrimDeformer, size: number, time: Time): Normals {
  const none = { normals: null, interpolation: null };
  const { prim, typeName, influences } = deformer.bound;
  const numbers = numbersOf(attributeValue(stage, prim, 'normals', time), 3);
  if (numbers === null) return none;
  const said = textsOf(propertyMetadata(stage, prim, 'normals', 'interpolation'))?.[0] ?? 'vertex';
  if ((said === 'vertex' || said === 'varying') && numbers.length === size) {
    return { normals: Float64Array.from(numbers), interpolation: 'vertex' };
  }
  const bends = influences.hasInfluences && !influences.isRigid;
  if (said !== 'faceVarying' || typeName !== 'Mesh' || !bends) return none;
  return { normals: Float64Array.from(numbers), interpolation: 'faceVarying' };
}
