/** Skinning of points, normals and whole prims by either method of UsdSkel. */
import {
  type DualQuaternionPose,
  makeDualQuaternionPose,
  poseDualQuaternions,
} from '../../../core/deform/dual-quaternions.ts';
import type { Influences } from '../../../core/deform/influences.ts';
import { skinDualQuaternion } from '../../../core/deform/skin-dual-quaternion.ts';
import { skinLinear } from '../../../core/deform/skin-linear.ts';
import { planSkin, type SkinPlan } from '../../../core/deform/skin-plan.ts';
import { normalMatrices } from '../../../core/deform/skinning-matrices.ts';
import type { Vertices } from '../../../core/deform/vertices.ts';
import type { Floats } from '../../../core/math/floats.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../core/skeleton/skeleton.ts';

/** The methods that skin. */
export type SkinningMethod = 'classicLinear' | 'dualQuaternion';

/** The pose of the joints of a mesh, ready for a method. */
export type MeshPose =
  | { readonly method: 'classicLinear'; readonly points: Float64Array; readonly normals: Float64Array }
  | { readonly method: 'dualQuaternion'; readonly pose: DualQuaternionPose };

/** Whether a token names a method. */
export function isSkinningMethod(token: string): token is SkinningMethod {
  return token === 'classicLinear' || token === 'dualQuaternion';
}

/** Room for the pose of a mesh of so many joints. */
export function makeMeshPose(method: SkinningMethod, jointCount: number): MeshPose {
  if (method === 'dualQuaternion') return { method, pose: makeDualQuaternionPose(jointCount) };
  const size = jointCount * MATRIX_STRIDE;
  return { method, points: new Float64Array(size), normals: new Float64Array(size) };
}

/**
 * The pose of a mesh of skinning matrices (16 floats a joint, in the order of its influences) and its geomBindTransform, in `out`, which is of the same
 * method and as many joints. No allocation with it.
 */
export function poseMesh(
  method: SkinningMethod,
  skinning: Float64Array,
  geomBind: ArrayLike<number>,
  out: MeshPose = makeMeshPose(method, skinning.length / MATRIX_STRIDE),
): MeshPose {
  if (out.method === 'dualQuaternion') {
    poseDualQuaternions(out.pose, skinning, geomBind);
    return out;
  }
  const { points, normals } = out;
  for (let at = 0; at < points.length; at += MATRIX_STRIDE) mat4.multiply(points, at, skinning, at, geomBind, 0);
  normalMatrices(normals, points);
  return out;
}

/** Skins vertices into the space of the skeleton. `out` may be `vertices`. */
export function skinVertices(plan: SkinPlan, pose: MeshPose, vertices: Vertices, out: Vertices): void {
  if (pose.method === 'dualQuaternion') skinDualQuaternion(plan, pose.pose, vertices, out);
  else skinLinear(plan, pose.points, pose.normals, vertices, out);
}

/** The plan of face corners, each of which goes with its point, of that of the points; a corner of no point goes with point 0. */
export function planCorners(plan: SkinPlan, corners: ArrayLike<number>, cornerCount: number): SkinPlan {
  const bundleOfPoint = new Int32Array(plan.vertexCount);
  for (const [place, point] of plan.vertices.entries()) bundleOfPoint[point] = plan.bundles[place];
  const bundleOf = Int32Array.from({ length: cornerCount }, (_, corner) => {
    const point = corners[corner];
    return bundleOfPoint[point >= 0 && point < plan.vertexCount ? point : 0];
  });
  const vertexStarts = new Int32Array(plan.starts.length);
  for (const bundle of bundleOf) vertexStarts[bundle + 1]++;
  for (let bundle = 1; bundle < vertexStarts.length; bundle++) vertexStarts[bundle] += vertexStarts[bundle - 1];
  const next = vertexStarts.slice();
  const vertices = new Int32Array(cornerCount);
  for (const [corner, bundle] of bundleOf.entries()) vertices[next[bundle]++] = corner;
  const bundles = Int32Array.from(vertices, (corner) => bundleOf[corner]);
  return { ...plan, vertexCount: cornerCount, vertexStarts, vertices, bundles };
}

/**
 * Skins normals of face corners, 3 floats each: the normal at corner i moves with point `corners[i]`, a corner of no point with
 * point 0, as in OpenUSD. `plan`: of the points. Empty for a mesh without points.
 */
export function skinCornerNormals(
  plan: SkinPlan,
  pose: MeshPose,
  corners: ArrayLike<number>,
  normals: Floats,
): Float64Array {
  if (plan.vertexCount === 0) return new Float64Array(0);
  const vertices = directionsOnly(Float64Array.from(normals));
  skinVertices(planCorners(plan, corners, normals.length / 3), pose, vertices, vertices);
  return vertices.normals;
}

/** Normals as vertices: positions do not count for them, but skinning wants some. */
export function directionsOnly<Directions extends Floats>(normals: Directions): Vertices & { normals: Directions } {
  return { positions: new Float64Array(normals.length), normals, tangents: null };
}

/** How near to 1 the weight of a lone influence must be for its matrix to be taken as it is. */
const WHOLE_WEIGHT = 1e-6;

const FRAME = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/**
 * Where a prim that moves as a whole (constant influences) goes: a matrix into the space of the skeleton, 16 floats. One joint with weight 1 gives its
 * matrix; several move the origin and the ends of the axes of the prim, as UsdSkelSkinTransform does.
 */
export function skinTransform(
  influences: Influences,
  method: SkinningMethod,
  skinning: Float64Array,
  geomBind: ArrayLike<number>,
): Float64Array {
  const { indices, weights } = influences;
  const out = new Float64Array(MATRIX_STRIDE);
  if (indices.length === 1 && Math.abs(weights[0] - 1) <= WHOLE_WEIGHT) {
    mat4.multiply(out, 0, skinning, indices[0] * MATRIX_STRIDE, geomBind, 0);
    return out;
  }
  const frame = { positions: FRAME.slice(), normals: null, tangents: null };
  const plan = planSkin(influences, 4, skinning.length / MATRIX_STRIDE);
  skinVertices(plan, poseMesh(method, skinning, geomBind), frame, frame);
  const { positions } = frame;
  for (let axis = 0; axis < 3; axis++) {
    for (let c = 0; c < 3; c++) out[4 * axis + c] = positions[3 * axis + c] - positions[9 + c];
    out[12 + axis] = positions[9 + axis];
  }
  out[15] = 1;
  return out;
}
