/** What is seen of a file in another space, its axes turned and its unit changed, without a node put on top. */
import * as mat4 from '../math/mat4.ts';
import * as vec3 from '../math/vec3.ts';
import { changeSpace, type SpaceChange } from '../skeleton/change-space.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { Geometry, Skin } from './geometry.ts';
import { transformMeshes } from './transform-meshes.ts';

/** From the turned and scaled space of the mesh to that of the joint, which has the new unit: `scale · IBM · (scale · rotation)⁻¹`. */
function changeSkin(skin: Skin, { rotation, scale }: SpaceChange): Skin {
  const inverseBindMatrices = Float64Array.from(skin.inverseBindMatrices);
  const [x, y, z, w] = Array.from(rotation);
  const back = new Float64Array(MATRIX_STRIDE);
  mat4.compose(back, 0, [0, 0, 0, -x, -y, -z, w, 1, 1, 1], 0);
  for (let at = 0; at < inverseBindMatrices.length; at += MATRIX_STRIDE) {
    mat4.multiply(inverseBindMatrices, at, inverseBindMatrices, at, back, 0);
    vec3.scale(inverseBindMatrices, at + 12, inverseBindMatrices, at + 12, scale);
  }
  return { ...skin, inverseBindMatrices };
}

/**
 * The geometry in another space: what is seen at p is seen at `scale · R · p`, with every motion, rigid or skinned, morphed or not; clips
 * change by `changeClipSpace`. Nodes change as in `changeSpace`, so meshes that stand at nodes only get the new unit, in the axes of their
 * node; what skins move is turned as well, so that the bind pose has the new axes as it is stored. A mesh that is shown both ways
 * becomes two. RangeError for a change that is none.
 */
export function changeGeometrySpace(geometry: Geometry, change: SpaceChange): Geometry {
  const nodes = changeSpace(geometry.nodes, change);
  const translation = [0, 0, 0];
  const rigid = { rotation: [0, 0, 0, 1], scale: change.scale, translation };
  const bound = { ...change, translation };
  const { meshes, instances } = transformMeshes(geometry, rigid, () => bound);
  return { ...geometry, nodes, meshes, instances, skins: geometry.skins.map((skin) => changeSkin(skin, change)) };
}
