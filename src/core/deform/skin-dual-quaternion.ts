/** Dual quaternion skinning: joints blend as screw motions, so twisted and bent limbs keep their volume. */
import * as mat4 from '../math/mat4.ts';
import * as quat from '../math/quat.ts';
import { DUAL_STRIDE, type DualQuaternionPose } from './dual-quaternions.ts';
import type { SkinPlan } from './skin-plan.ts';
import { blendMatrices, transformUnit, transformVertex, type Vertices } from './vertices.ts';

const rigid = mat4.createIdentity();
const blended = mat4.createIdentity();

/**
 * Skins a mesh by dual quaternions, like UsdSkel's dualQuaternion method. Bind shape, scale and shear are blended linearly and apply first. The
 * normalized blend of the dual quaternions follows (L. Kavan and others, Geometric Skinning with Approximate Dual Quaternion Blending, 2008); each
 * quaternion has the sign that is closest to that of the joint with the largest weight. Normals are transformed by the inverse transposes, tangents
 * like points; both are normalized, and the handedness is copied. Morph first. No allocation.
 *
 * @param plan The plan of the mesh, from `planSkin`.
 * @param pose The pose, from `poseDualQuaternions`.
 * @param vertices Vertices in mesh space.
 * @param out Receives the vertices in the space of the skinning matrices; may be `vertices`. Attributes that `vertices` lacks are left unchanged.
 * @example
 * const pose = makeDualQuaternionPose(joints.length);
 * poseDualQuaternions(pose, skinning);
 * skinDualQuaternion(plan, pose, vertices, out);
 */
export function skinDualQuaternion(plan: SkinPlan, pose: DualQuaternionPose, vertices: Vertices, out: Vertices): void {
  for (let vertex = 0; vertex < plan.vertexCount; vertex++) {
    blendDuals(plan, vertex, pose.duals);
    if (pose.hasStretch) blendMatrices(blended, plan, vertex, pose.stretches);
    else blended.set(pose.bindShape);
    mat4.multiply(blended, 0, rigid, 0, blended, 0);
    transformVertex(out, vertices, vertex, blended);
    if (vertices.normals === null || out.normals === null) continue;
    if (pose.hasStretch) blendMatrices(blended, plan, vertex, pose.normalStretches);
    else blended.set(pose.normalBindShape);
    mat4.multiply(blended, 0, rigid, 0, blended, 0);
    transformUnit(out.normals, vertices.normals, 3 * vertex, blended);
  }
}

const sum = new Float64Array(DUAL_STRIDE);

/** Blends the dual quaternions of a vertex and writes them to `rigid` as a matrix; the identity where they cancel each other. */
function blendDuals({ starts, joints, weights }: SkinPlan, vertex: number, duals: Float64Array): void {
  const end = starts[vertex + 1];
  let heaviest = starts[vertex];
  for (let i = heaviest + 1; i < end; i++) if (weights[i] > weights[heaviest]) heaviest = i;
  sum.fill(0);
  for (let i = starts[vertex]; i < end; i++) {
    const d = joints[i] * DUAL_STRIDE;
    const cosine = quat.dot(duals, d, duals, joints[heaviest] * DUAL_STRIDE);
    const weight = cosine < 0 ? -weights[i] : weights[i];
    for (let c = 0; c < DUAL_STRIDE; c++) sum[c] += weight * duals[d + c];
  }
  const { 0: rx, 1: ry, 2: rz, 3: rw, 4: dx, 5: dy, 6: dz, 7: dw } = sum;
  const square = rx * rx + ry * ry + rz * rz + rw * rw;
  const s = square > 0 ? 2 / square : 0;
  rigid[0] = 1 - s * (ry * ry + rz * rz);
  rigid[1] = s * (rx * ry + rw * rz);
  rigid[2] = s * (rx * rz - rw * ry);
  rigid[4] = s * (rx * ry - rw * rz);
  rigid[5] = 1 - s * (rx * rx + rz * rz);
  rigid[6] = s * (ry * rz + rw * rx);
  rigid[8] = s * (rx * rz + rw * ry);
  rigid[9] = s * (ry * rz - rw * rx);
  rigid[10] = 1 - s * (rx * rx + ry * ry);
  // The component of the dual part along the real part cancels: it is not a translation.
  rigid[12] = s * (rw * dx - dw * rx + ry * dz - rz * dy);
  rigid[13] = s * (rw * dy - dw * ry + rz * dx - rx * dz);
  rigid[14] = s * (rw * dz - dw * rz + rx * dy - ry * dx);
}
