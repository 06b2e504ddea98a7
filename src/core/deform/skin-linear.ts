/** Linear blend skinning: transforms every vertex by the weighted sum of the skinning matrices of its joints. */
import * as mat4 from '../math/mat4.ts';
import type { SkinPlan } from './skin-plan.ts';
import { blendMatrices, transformUnit, transformVertex, type Vertices } from './vertices.ts';

const blended = mat4.createIdentity();

/**
 * Skins a mesh: `position = Σ wᵢ · Mᵢ · position`, glTF 2.0 section 3.7.3.3 and UsdSkel's classicLinear. The sum is not divided by the total
 * weight. Normals are transformed by `Σ wᵢ · Nᵢ` (UsdSkel), tangents like points; both are normalized, and the handedness is copied. Morph first.
 * No allocation.
 *
 * @param plan The plan of the mesh, from `planSkin`.
 * @param skinning Matrices M, from `skinningMatrices`: 16 floats per joint.
 * @param normals Matrices N, from `normalMatrices`: 16 floats per joint. Null transforms normals by `skinning`, as most players do; this is correct
 * where `normalMatrices` returns true.
 * @param vertices Vertices in mesh space.
 * @param out Receives the vertices in the space of the skinning matrices; may be `vertices`. Attributes that `vertices` lacks are left unchanged.
 * @experimental
 * @example
 * const plan = planSkin(influences, vertices.positions.length / 3, joints.length);
 * const skinning = new Float64Array(MATRIX_STRIDE * joints.length);
 * // For every frame:
 * skinningMatrices(skinning, modelMatrices, joints, inverseBindMatrices);
 * skinLinear(plan, skinning, null, vertices, out);
 */
export function skinLinear(
  plan: SkinPlan,
  skinning: Float64Array,
  normals: Float64Array | null,
  vertices: Vertices,
  out: Vertices,
): void {
  for (let vertex = 0; vertex < plan.vertexCount; vertex++) {
    blendMatrices(blended, plan, vertex, skinning);
    transformVertex(out, vertices, vertex, blended);
    if (vertices.normals === null || out.normals === null) continue;
    if (normals !== null) blendMatrices(blended, plan, vertex, normals);
    transformUnit(out.normals, vertices.normals, 3 * vertex, blended);
  }
}
