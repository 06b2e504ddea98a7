/** A bound prim at a time: blend shapes first, then joints, as players of UsdSkel do it. */

import type { Vertices } from '../../../core/deform/vertices.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type OrderMap, planOrderMap } from '../../../core/skeleton/order-map.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Stage, Time } from '../stage/stage.ts';
import {
  applyShapes,
  readBlendShapes,
  tellBlendShapes,
  type WeightedShape,
  weightedShapes,
  weightsForMesh,
} from './blend-shapes.ts';
import { type BoundPrim, INHERITED_ATTRIBUTES } from './bound-prim.ts';
import { transformsForMesh } from './joint-transforms.ts';
import { GEOMETRY_ATTRIBUTES, geometryAt, makeRestMesh, type RestGeometry, type RestMesh } from './rest-mesh.ts';
import { sharedPath } from './shared-path.ts';
import type { AnimatedSkeleton, SkeletonSample } from './skeleton-sample.ts';
import { isSkinningMethod, type MeshPose, makeMeshPose, poseMesh, skinTransform, skinVertices } from './skin-mesh.ts';

/** A bound prim with all that does not change over time. */
export interface PrimDeformer {
  readonly bound: BoundPrim;
  /** What it is made of; the same object for all instances that are made of the same. */
  readonly mesh: RestMesh;
  /** From the blend shapes of the animation to those of the prim; null without blend shapes or animation. */
  readonly shapeMap: OrderMap | null;
}

/** Meshes at rest that were planned before, by what they are made of: one for a stage. */
export type RestMeshes = Map<string, RestMesh>;

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

/** Where {@link deformPrim} puts what it makes, again and again: nothing of it is kept for a prim but by who has it. */
export interface PrimRoom {
  readonly out: { -readonly [Key in keyof DeformedPrim]: DeformedPrim[Key] };
  /** The arrays of `out` as vertices, and its normals of face corners. */
  vertices: Vertices;
  corners: Vertices | null;
  skinning: Float64Array | null;
  pose: MeshPose | null;
}

/** Room for one prim. */
export function makePrimRoom(): PrimRoom {
  const points = new Float64Array(0);
  const none = { weights: null, shapes: null, normals: null, normalsInterpolation: null, transform: null };
  return {
    out: { ...none, points, isSkinned: true },
    vertices: { positions: points, normals: null, tangents: null },
    corners: null,
    skinning: null,
    pose: null,
  };
}

/**
 * A bound prim, planned for a skeleton. What is odd goes to `issues`. With the same `meshes` given, instances of one prototype with the same bindings
 * share all that is not their own: points, normals, influences, the plan of skinning, blend shapes.
 */
export function planPrim(
  stage: Stage,
  bound: BoundPrim,
  skeleton: AnimatedSkeleton,
  issues: Issue[],
  meshes: RestMeshes = new Map(),
): PrimDeformer {
  const { blendShapes, blendShapeTargets } = bound;
  const { definition, animation } = skeleton;
  const key = meshKey(stage, bound, skeleton);
  let mesh = meshes.get(key);
  if (mesh === undefined) {
    tellBlendShapes(stage, bound, issues);
    mesh = makeRestMesh(stage, bound, definition.joints, readBlendShapes(stage, bound));
    meshes.set(key, mesh);
  }
  const hasShapes = blendShapes !== null && (blendShapeTargets ?? []).length > 0 && animation !== null;
  return { bound, mesh, shapeMap: hasShapes ? planOrderMap(animation.blendShapes, blendShapes) : null };
}

/** What a mesh at rest is made of. */
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
 * The prim at a time, with the skeleton at the same time. `room`: what comes out is in it, until it is used again; then meshes without blend shapes
 * whose influences differ by vertex are skinned without allocation, as long as their geometry stays.
 */
export function deformPrim(
  stage: Stage,
  deformer: PrimDeformer,
  sample: Pick<SkeletonSample, 'skinning' | 'weights'>,
  time: Time,
  issues: Issue[],
  room: PrimRoom = makePrimRoom(),
): DeformedPrim {
  const { bound, mesh, shapeMap } = deformer;
  const rest = geometryAt(stage, mesh, time);
  const { out } = room;
  fitRoom(room, rest);
  out.weights = shapeMap === null || sample.weights === null ? null : weightsForMesh(shapeMap, sample.weights);
  out.shapes = out.weights === null ? null : weightedShapes(mesh.shapes, out.weights);
  out.transform = null;
  if (out.shapes !== null) {
    takeRest(out, rest);
    const misfit = applyShapes(mesh.shapes, out.shapes, room.vertices, room.vertices);
    if (misfit !== null) {
      const message = `Blend shapes of ${bound.prim} do not fit: ${misfit}. They are left out.`;
      issues.push(issue('USD_BLEND_SHAPE_INVALID', message, { pointer: bound.prim }));
    }
  }
  const reason = bound.influences.hasInfluences ? skin(mesh, bound, rest, sample.skinning, room) : null;
  const isMoved = bound.influences.hasInfluences && reason === null && out.transform === null;
  if (!isMoved && out.shapes === null) takeRest(out, rest);
  out.isSkinned = reason === null;
  if (reason !== null) {
    const message = `Joints do not move ${bound.prim}: ${reason}.`;
    issues.push(issue('USD_INFLUENCES_INVALID', message, { pointer: bound.prim }));
  }
  return out;
}

/** Arrays of the sizes of the geometry: those that are there, where they fit. */
function fitRoom(room: PrimRoom, { vertices, normals, normalsInterpolation, corners }: RestGeometry): void {
  const { out } = room;
  const isFit =
    out.points.length === vertices.positions.length &&
    (out.normals?.length ?? -1) === (normals?.length ?? -1) &&
    out.normalsInterpolation === normalsInterpolation;
  if (!isFit) {
    out.points = new Float64Array(vertices.positions.length);
    out.normals = normals === null ? null : new Float64Array(normals.length);
    out.normalsInterpolation = normalsInterpolation;
    const own = normalsInterpolation === 'vertex' ? out.normals : null;
    room.vertices = { positions: out.points, normals: own, tangents: null };
  }
  if (corners === null) room.corners = null;
  else if (room.corners === null || room.corners.positions !== corners.positions || !isFit) {
    room.corners = { positions: corners.positions, normals: out.normals, tangents: null };
  }
}

function takeRest(out: PrimRoom['out'], { vertices, normals }: RestGeometry): void {
  out.points.set(vertices.positions);
  if (normals !== null) out.normals?.set(normals);
}

/** Moves a prim by its joints: what is at rest, or, where shapes have changed it, what is in the room. Returns why not, else null. */
function skin(
  { jointMap, jointCount }: RestMesh,
  { method, influences: declared }: BoundPrim,
  rest: RestGeometry,
  skinning: Float64Array | null,
  room: PrimRoom,
): string | null {
  if (!isSkinningMethod(method)) {
    return `its skinning method is ${method}, expected classicLinear or dualQuaternion`;
  }
  if (skinning === null) return 'the skeleton lacks a bind pose, or a rest pose that it needs';
  const { influences, plan, corners, geomBind } = rest;
  if (influences === null) return `${rest.reason}`;
  const { out } = room;
  room.skinning ??= new Float64Array(jointCount * MATRIX_STRIDE);
  const matrices = transformsForMesh(jointMap, skinning, room.skinning);
  if (declared.isRigid || plan === null) {
    out.transform = skinTransform(influences, method, matrices, geomBind);
    return null;
  }
  room.pose ??= makeMeshPose(method, jointCount);
  poseMesh(method, matrices, geomBind, room.pose);
  skinVertices(plan, room.pose, out.shapes === null ? rest.vertices : room.vertices, room.vertices);
  if (corners !== null && room.corners !== null) skinVertices(corners.plan, room.pose, corners.rest, room.corners);
  return null;
}
