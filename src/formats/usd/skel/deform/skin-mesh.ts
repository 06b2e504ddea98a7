/** Skins points, normals and rigid prims by the two skinning methods of UsdSkel. */
import {
  type DualQuaternionPose,
  makeDualQuaternionPose,
  poseDualQuaternions,
} from '../../../../core/deform/dual-quaternions.ts';
import type { Influences } from '../../../../core/deform/influences.ts';
import { skinDualQuaternion } from '../../../../core/deform/skin-dual-quaternion.ts';
import { skinLinear } from '../../../../core/deform/skin-linear.ts';
import { planSkin, type SkinPlan } from '../../../../core/deform/skin-plan.ts';
import { normalMatrices } from '../../../../core/deform/skinning-matrices.ts';
import type { Vertices } from '../../../../core/deform/vertices.ts';
import type { Floats } from '../../../../core/math/floats.ts';
import * as mat4 from '../../../../core/math/mat4.ts';
import { MATRIX_STRIDE } from '../../../../core/skeleton/skeleton.ts';

/** The valid values of `primvars:skel:skinningMethod`. */
type SkinningMethod = 'classicLinear' | 'dualQuaternion';

type MeshPose =
  | { readonly method: 'classicLinear'; readonly points: Float64Array; readonly normals: Float64Array }
  | { readonly method: 'dualQuaternion'; readonly pose: DualQuaternionPose };

export function isSkinningMethod(token: string): token is SkinningMethod {
  return token === 'classicLinear' || token === 'dualQuaternion';
}

/** Prepares skinning matrices, 16 floats per joint in the joint order of the influences, for a method. */
export function poseMesh(method: SkinningMethod, skinning: Float64Array, geomBind: ArrayLike<number>): MeshPose {
  if (method === 'dualQuaternion') {
    const pose = makeDualQuaternionPose(skinning.length / MATRIX_STRIDE);
    poseDualQuaternions(pose, skinning, geomBind);
    return { method, pose };
  }
  const points = new Float64Array(skinning.length);
  const normals = new Float64Array(skinning.length);
  for (let at = 0; at < points.length; at += MATRIX_STRIDE) mat4.multiply(points, at, skinning, at, geomBind, 0);
  normalMatrices(normals, points);
  return { method, points, normals };
}

/** Skins points and normals to skeleton space. `out` receives points and normals; may be `vertices`. */
export function skinVertices(plan: SkinPlan, pose: MeshPose, vertices: Vertices, out: Vertices): void {
  if (pose.method === 'dualQuaternion') skinDualQuaternion(plan, pose.pose, vertices, out);
  else skinLinear(plan, pose.points, pose.normals, vertices, out);
}

/** Wraps normals as vertices. Skinning requires positions, so they get positions of 0. */
export function directionsOnly<Directions extends Floats>(normals: Directions): Vertices & { normals: Directions } {
  return { positions: new Float64Array(normals.length), normals, tangents: null };
}

/** If the weight of a single influence differs from 1 by at most this, its matrix is used unchanged. */
const FULL_WEIGHT_TOLERANCE = 1e-6;

/** The ends of the three axes, then the origin: 3 floats each. */
const FRAME = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/**
 * Computes the transform of a rigid prim (constant influences), as UsdSkelSkinTransform does: the matrix of a single joint with weight 1; else the
 * origin and the ends of the axes are skinned. `skinning`: skinning matrices, 16 floats per joint in the joint order of the influences.
 */
export function skinTransform(
  influences: Influences,
  method: SkinningMethod,
  skinning: Float64Array,
  geomBind: ArrayLike<number>,
): Float64Array {
  const { indices, weights } = influences;
  const out = new Float64Array(MATRIX_STRIDE);
  if (indices.length === 1 && Math.abs(weights[0] - 1) <= FULL_WEIGHT_TOLERANCE) {
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
