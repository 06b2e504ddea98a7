/** Linear blend skinning: transforms every vertex by the weighted sum of the skinning matrices of its joints. */
import { BLOCK_BUNDLES, blendMatrices } from './blend-matrices.ts';
import type { SkinPlan } from './skin-plan.ts';
import {
  blendedBlock,
  transformDirections,
  transformPoints,
  transformPointsAndNormals,
  type Vertices,
} from './vertices.ts';

const blended = blendedBlock();

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
  const bundleCount = plan.starts.length - 1;
  for (let first = 0; first < bundleCount; first += BLOCK_BUNDLES) {
    const end = Math.min(first + BLOCK_BUNDLES, bundleCount);
    blendMatrices(plan, first, end, skinning, blended);
    if (vertices.tangents !== null && out.tangents !== null) {
      transformDirections(plan, first, end, vertices.tangents, out.tangents, 4);
    }
    if (vertices.normals === null || out.normals === null) {
      transformPoints(plan, first, end, vertices.positions, out.positions);
    } else if (normals === null) {
      const { positions } = vertices;
      transformPointsAndNormals(plan, first, end, positions, out.positions, vertices.normals, out.normals);
    } else {
      transformPoints(plan, first, end, vertices.positions, out.positions);
      blendMatrices(plan, first, end, normals, blended);
      transformDirections(plan, first, end, vertices.normals, out.normals, 3);
    }
  }
}
