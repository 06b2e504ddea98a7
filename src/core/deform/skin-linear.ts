/** Linear blend skinning: every vertex is moved by the weighted sum of the skinning matrices of its joints. */
import { BLOCK_BUNDLES, blendMatrices } from './blend-matrices.ts';
import type { SkinPlan } from './skin-plan.ts';
import { blendedBlock, transformPoints, transformPointsAndNormals, transformDirections, type Vertices } from './vertices.ts';

const blended = blendedBlock();

/**
 * Skins a mesh: `position = Σ wᵢ · Mᵢ · position`, glTF 2.0 section 3.7.3.3 and UsdSkel's classicLinear; the sum is not divided by
 * the weights. Normals are turned by `Σ wᵢ · Nᵢ` (UsdSkel), tangents by the matrices of the points; both get length 1, handedness
 * is copied. Morphs come before.
 *
 * `skinning`: of `skinningMatrices`. `normals`: of `normalMatrices`, or null to turn normals by the skinning matrices themselves,
 * right where that function says so (and what players do that know no other). `out` may be `vertices`; what it has and `vertices` has not
 * is left alone. No allocation.
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
