/** Deforms a bound prim at a time: blend shapes first, then joints, as UsdSkel does. */

import type { Vertices } from '../../../../core/deform/vertices.ts';
import { type Issue, issue } from '../../../../core/report/issue.ts';
import { createJointMapper, type JointMapper } from '../../../../core/skeleton/joint-mapper.ts';
import { MATRIX_STRIDE } from '../../../../core/skeleton/skeleton.ts';
import type { Stage, Time } from '../../stage/stage.ts';
import { type BoundPrim, INHERITED_ATTRIBUTES } from '../bound-prim.ts';
import { transformsForMesh } from '../joint-transforms.ts';
import { sharedPath } from '../shared-path.ts';
import type { AnimatedSkeleton, SkeletonSample } from '../skeleton-sample.ts';
import {
  applyShapes,
  blendShapeIssues,
  readBlendShapes,
  type WeightedShape,
  weightedShapes,
  weightsForMesh,
} from './apply-blend-shapes.ts';
import { createRestMesh, GEOMETRY_ATTRIBUTES, geometryAt, type RestGeometry, type RestMesh } from './rest-mesh.ts';
import { createMeshPose, isSkinningMethod, type MeshPose, poseMesh, skinTransform, skinVertices } from './skin-mesh.ts';

/** A bound prim, with everything that does not change over time. */
export interface PrimDeformer {
  /** The prim and its bindings. */
  readonly bound: BoundPrim;
  /** The mesh at rest; one shared object for all instances with the same data. */
  readonly mesh: RestMesh;
  /** From the blend shapes of the animation to those of the prim; null without blend shapes or animation. */
  readonly shapeMap: JointMapper | null;
  /** Problems of the blend shapes. Empty if another prim was planned with the same mesh before. */
  readonly issues: readonly Issue[];
}

/** Rest meshes of a stage by a key of their data. Pass one map to all calls of {@link planPrim} to share meshes between instances. */
export type RestMeshes = Map<string, RestMesh>;

/** A bound prim at a time. */
export interface DeformedPrim {
  /** Blend shape weights in the order of the prim; null if the animation has none for it. */
  readonly weights: Float32Array | null;
  /** The weighted shapes; null if `weights` is. */
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

/** Reusable buffers of {@link deformPrim} for one prim. The prim keeps no reference to them. */
export interface PrimBuffers {
  /**
   * The deformed prim; overwritten by the next call.
   *
   * @internal
   */
  readonly result: { -readonly [Key in Exclude<keyof DeformedPrim, 'issues'>]: DeformedPrim[Key] } & {
    readonly issues: Issue[];
  };
  /** The arrays of `result` as vertices. */
  vertices: Vertices;
  /** Normals of face corners as vertices; null without. */
  cornerNormals: Vertices | null;
  /** Skinning matrices in the joint order of the prim; null until they are needed. */
  skinning: Float64Array | null;
  /**
   * Prepared skinning matrices; null until they are needed.
   *
   * @internal
   */
  pose: MeshPose | null;
}

/**
 * Creates the buffers for one prim.
 *
 * @returns Empty buffers; {@link deformPrim} sizes them.
 */
export function createPrimBuffers(): PrimBuffers {
  const points = new Float64Array(0);
  const none = { weights: null, shapes: null, normals: null, normalsInterpolation: null, transform: null };
  return {
    result: { ...none, points, isSkinned: true, issues: [] },
    vertices: { positions: points, normals: null, tangents: null },
    cornerNormals: null,
    skinning: null,
    pose: null,
  };
}

/**
 * Plans the deformation of a bound prim by a skeleton. Prims planned with the same `meshes` share points, normals, influences, skin plans and blend
 * shapes if they are instances of one prototype with the same bindings.
 *
 * @param stage - The composed stage.
 * @param bound - The prim, from {@link readBindings}.
 * @param skeleton - The skeleton of the binding, from {@link readAnimatedSkeleton}.
 * @param meshes - Rest meshes planned before; new ones are added.
 * @returns The plan, with the issues of the blend shapes.
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
export function planPrim(
  stage: Stage,
  bound: BoundPrim,
  skeleton: AnimatedSkeleton,
  meshes: RestMeshes = new Map(),
): PrimDeformer {
  const { blendShapes, blendShapeTargets } = bound;
  const { definition, animation } = skeleton;
  const key = meshKey(stage, bound, skeleton);
  let mesh = meshes.get(key);
  let issues: readonly Issue[] = [];
  if (mesh === undefined) {
    issues = blendShapeIssues(stage, bound);
    mesh = createRestMesh(stage, bound, definition.joints, readBlendShapes(stage, bound));
    meshes.set(key, mesh);
  }
  const hasShapes = blendShapes !== null && (blendShapeTargets ?? []).length > 0 && animation !== null;
  return { bound, mesh, shapeMap: hasShapes ? createJointMapper(animation.blendShapes, blendShapes) : null, issues };
}

/** Returns a key that is equal for prims with the same rest mesh. */
function meshKey(stage: Stage, { prim, holders, blendShapeTargets }: BoundPrim, skeleton: AnimatedSkeleton): string {
  const own = [...GEOMETRY_ATTRIBUTES, 'skel:blendShapes', 'skel:blendShapeTargets'];
  const inherited = INHERITED_ATTRIBUTES.map((name) => {
    const holder = holders.get(name);
    return holder === undefined ? '' : sharedPath(stage, holder, [name, `${name}:indices`]);
  });
  const shapes = (blendShapeTargets ?? []).map((target) =>
    sharedPath(stage, target, ['offsets', 'normalOffsets', 'pointIndices']),
  );
  const joints = sharedPath(stage, skeleton.prim, ['joints']);
  return [sharedPath(stage, prim, own), joints, ...inherited, ...shapes].join('\n');
}

/**
 * Deforms a bound prim at a time. With `buffers`, meshes without blend shapes, with per-vertex influences and constant geometry are skinned without
 * allocation.
 *
 * @param stage - The composed stage.
 * @param deformer - Result of {@link planPrim}.
 * @param sample - The skeleton at the same time.
 * @param time - Time code, or `default` for default values.
 * @param buffers - Receives the result, which the next call with the same buffers overwrites.
 * @returns The deformed prim, with the reasons why blend shapes or joints were not applied.
 */
export function deformPrim(
  stage: Stage,
  deformer: PrimDeformer,
  sample: Pick<SkeletonSample, 'skinning' | 'weights'>,
  time: Time,
  buffers: PrimBuffers = createPrimBuffers(),
): DeformedPrim {
  const { bound, mesh, shapeMap } = deformer;
  const rest = geometryAt(stage, mesh, time);
  const { result } = buffers;
  result.issues.length = 0;
  fitBuffers(buffers, rest);
  result.weights = shapeMap === null || sample.weights === null ? null : weightsForMesh(shapeMap, sample.weights);
  result.shapes = result.weights === null ? null : weightedShapes(mesh.shapes, result.weights);
  result.transform = null;
  if (result.shapes !== null) {
    copyRest(result, rest);
    const mismatch = applyShapes(mesh.shapes, result.shapes, buffers.vertices, buffers.vertices);
    if (mismatch !== null) {
      const message = `The blend shapes of ${bound.prim} do not fit its points: ${mismatch}. They are ignored.`;
      result.issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: bound.prim }));
    }
  }
  const reason = bound.influences.hasInfluences ? skin(mesh, bound, rest, sample.skinning, buffers) : null;
  const isMoved = bound.influences.hasInfluences && reason === null && result.transform === null;
  if (!isMoved && result.shapes === null) copyRest(result, rest);
  result.isSkinned = reason === null;
  if (reason !== null) {
    const message = `${bound.prim} is not skinned: ${reason}.`;
    result.issues.push(issue('USD_INFLUENCES_INVALID', message, { pointer: bound.prim }));
  }
  return result;
}

/** Reallocates the arrays if their sizes differ from those of the geometry. */
function fitBuffers(buffers: PrimBuffers, { vertices, normals, normalsInterpolation, corners }: RestGeometry): void {
  const { result } = buffers;
  const isFit =
    result.points.length === vertices.positions.length &&
    (result.normals?.length ?? -1) === (normals?.length ?? -1) &&
    result.normalsInterpolation === normalsInterpolation;
  if (!isFit) {
    result.points = new Float64Array(vertices.positions.length);
    result.normals = normals === null ? null : new Float64Array(normals.length);
    result.normalsInterpolation = normalsInterpolation;
    const own = normalsInterpolation === 'vertex' ? result.normals : null;
    buffers.vertices = { positions: result.points, normals: own, tangents: null };
  }
  if (corners === null) buffers.cornerNormals = null;
  else if (buffers.cornerNormals === null || buffers.cornerNormals.positions !== corners.positions || !isFit) {
    buffers.cornerNormals = { positions: corners.positions, normals: result.normals, tangents: null };
  }
}

function copyRest(out: PrimBuffers['result'], { vertices, normals }: RestGeometry): void {
  out.points.set(vertices.positions);
  if (normals !== null) out.normals?.set(normals);
}

/** Skins a prim: its rest geometry, or the blended points in `buffers` if it has blend shapes. Returns the reason if it cannot; else null. */
function skin(
  { jointMap, jointCount }: RestMesh,
  { method, influences: declared }: BoundPrim,
  rest: RestGeometry,
  skinning: Float64Array | null,
  buffers: PrimBuffers,
): string | null {
  if (!isSkinningMethod(method)) {
    return `its skinning method is ${method}; expected classicLinear or dualQuaternion`;
  }
  if (skinning === null)
    return 'the skeleton lacks its bind pose, or the rest pose of a joint without animation; author bindTransforms and restTransforms';
  const { influences, plan, corners, geomBind } = rest;
  if (influences === null) return `${rest.reason}`;
  const { result } = buffers;
  buffers.skinning ??= new Float64Array(jointCount * MATRIX_STRIDE);
  const matrices = transformsForMesh(jointMap, skinning, buffers.skinning);
  if (declared.isRigid || plan === null) {
    result.transform = skinTransform(influences, method, matrices, geomBind);
    return null;
  }
  buffers.pose ??= createMeshPose(method, jointCount);
  poseMesh(method, matrices, geomBind, buffers.pose);
  skinVertices(plan, buffers.pose, result.shapes === null ? rest.vertices : buffers.vertices, buffers.vertices);
  if (corners !== null && buffers.cornerNormals !== null)
    skinVertices(corners.plan, buffers.pose, corners.rest, buffers.cornerNormals);
  return null;
}
