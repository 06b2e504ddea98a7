/** Dual quaternion skinning: joints blend as screw motions, so twisted and bent limbs keep their volume. */
import { BLENDED_STRIDE, BLOCK_BUNDLES, blendMatrices } from './blend-matrices.ts';
import { DUAL_STRIDE, type DualQuaternionPose } from './dual-quaternions.ts';
import type { SkinPlan } from './skin-plan.ts';
import { blendedBlock, transformDirections, transformPoints, type Vertices } from './vertices.ts';

const rigid = new Float64Array(BLOCK_BUNDLES * BLENDED_STRIDE);
const blended = blendedBlock();

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
  const bundleCount = plan.starts.length - 1;
  for (let first = 0; first < bundleCount; first += BLOCK_BUNDLES) {
    const end = Math.min(first + BLOCK_BUNDLES, bundleCount);
    blendDuals(plan, first, end, pose.duals);
    if (pose.hasStretch) blendMatrices(plan, first, end, pose.stretches, blended);
    else repeatMatrix(end - first, pose.bindShape);
    applyRigid(end - first);
    transformPoints(plan, first, end, vertices.positions, out.positions);
    if (vertices.tangents !== null && out.tangents !== null) {
      transformDirections(plan, first, end, vertices.tangents, out.tangents, 4);
    }
    if (vertices.normals === null || out.normals === null) continue;
    if (pose.hasStretch) blendMatrices(plan, first, end, pose.normalStretches, blended);
    else repeatMatrix(end - first, pose.normalBindShape);
    applyRigid(end - first);
    transformDirections(plan, first, end, vertices.normals, out.normals, 3);
  }
}

/** Blends the dual quaternions of bundles and writes them to `rigid` as matrices; the identity where they cancel each other. */
function blendDuals(
  { starts, joints, weights, heaviest }: SkinPlan,
  first: number,
  end: number,
  duals: Float64Array,
): void {
  for (let bundle = first; bundle < end; bundle++) {
    const o = (bundle - first) * BLENDED_STRIDE;
    const stop = starts[bundle + 1];
    let rx = 0;
    let ry = 0;
    let rz = 0;
    let rw = 0;
    let dx = 0;
    let dy = 0;
    let dz = 0;
    let dw = 0;
    const pivot = starts[bundle] < stop ? joints[heaviest[bundle]] * DUAL_STRIDE : 0;
    for (let i = starts[bundle]; i < stop; i++) {
      const d = joints[i] * DUAL_STRIDE;
      const cosine =
        duals[d] * duals[pivot] +
        duals[d + 1] * duals[pivot + 1] +
        duals[d + 2] * duals[pivot + 2] +
        duals[d + 3] * duals[pivot + 3];
      const weight = cosine < 0 ? -weights[i] : weights[i];
      rx += weight * duals[d];
      ry += weight * duals[d + 1];
      rz += weight * duals[d + 2];
      rw += weight * duals[d + 3];
      dx += weight * duals[d + 4];
      dy += weight * duals[d + 5];
      dz += weight * duals[d + 6];
      dw += weight * duals[d + 7];
    }
    const square = rx * rx + ry * ry + rz * rz + rw * rw;
    const s = square > 0 ? 2 / square : 0;
    rigid[o] = 1 - s * (ry * ry + rz * rz);
    rigid[o + 1] = s * (rx * ry + rw * rz);
    rigid[o + 2] = s * (rx * rz - rw * ry);
    rigid[o + 3] = s * (rx * ry - rw * rz);
    rigid[o + 4] = 1 - s * (rx * rx + rz * rz);
    rigid[o + 5] = s * (ry * rz + rw * rx);
    rigid[o + 6] = s * (rx * rz + rw * ry);
    rigid[o + 7] = s * (ry * rz - rw * rx);
    rigid[o + 8] = 1 - s * (rx * rx + ry * ry);
    // The component of the dual part along the real part cancels: it is not a translation.
    rigid[o + 9] = s * (rw * dx - dw * rx + ry * dz - rz * dy);
    rigid[o + 10] = s * (rw * dy - dw * ry + rz * dx - rx * dz);
    rigid[o + 11] = s * (rw * dz - dw * rz + rx * dy - ry * dx);
  }
}

/** Writes one 4×4 matrix to `blended` for `count` bundles. */
function repeatMatrix(count: number, matrix: Float64Array): void {
  for (let o = 0; o < count * BLENDED_STRIDE; o += BLENDED_STRIDE) {
    for (let column = 0; column < 4; column++) {
      blended[o + 3 * column] = matrix[4 * column];
      blended[o + 3 * column + 1] = matrix[4 * column + 1];
      blended[o + 3 * column + 2] = matrix[4 * column + 2];
    }
  }
}

/** Computes `blended = rigid · blended` for `count` bundles. */
function applyRigid(count: number): void {
  for (let o = 0; o < count * BLENDED_STRIDE; o += BLENDED_STRIDE) {
    const r0 = rigid[o];
    const r1 = rigid[o + 1];
    const r2 = rigid[o + 2];
    const r3 = rigid[o + 3];
    const r4 = rigid[o + 4];
    const r5 = rigid[o + 5];
    const r6 = rigid[o + 6];
    const r7 = rigid[o + 7];
    const r8 = rigid[o + 8];
    for (let column = o; column < o + BLENDED_STRIDE; column += 3) {
      const x = blended[column];
      const y = blended[column + 1];
      const z = blended[column + 2];
      blended[column] = r0 * x + r3 * y + r6 * z;
      blended[column + 1] = r1 * x + r4 * y + r7 * z;
      blended[column + 2] = r2 * x + r5 * y + r8 * z;
    }
    blended[o + 9] += rigid[o + 9];
    blended[o + 10] += rigid[o + 10];
    blended[o + 11] += rigid[o + 11];
  }
}
