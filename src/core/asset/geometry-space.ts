/** Converts geometry to different axes and units without adding a root node. */
import * as mat4 from '../math/mat4.ts';
import * as vec3 from '../math/vec3.ts';
import { changeSpace, type SpaceChange } from '../skeleton/change-space.ts';
import { MATRIX_STRIDE } from '../skeleton/skeleton.ts';
import type { Geometry, Skin } from './geometry.ts';
import { transformMeshes } from './transform-meshes.ts';

/** Converts inverse bind matrices between the new mesh space and the new joint space: `scale · IBM · (scale · rotation)⁻¹`. */
function changeSkin(skin: Skin, { rotation, scale }: SpaceChange): Skin {
  const inverseBindMatrices = Float64Array.from(skin.inverseBindMatrices);
  const [x, y, z, w] = Array.from(rotation);
  const inverse = new Float64Array(MATRIX_STRIDE);
  mat4.compose(inverse, 0, [0, 0, 0, -x, -y, -z, w, 1, 1, 1], 0);
  for (let at = 0; at < inverseBindMatrices.length; at += MATRIX_STRIDE) {
    mat4.multiply(inverseBindMatrices, at, inverseBindMatrices, at, inverse, 0);
    vec3.scale(inverseBindMatrices, at + 12, inverseBindMatrices, at + 12, scale);
  }
  return { ...skin, inverseBindMatrices };
}

/**
 * Converts geometry to different axes and units: a point rendered at p is rendered at `scale · R · p`, in every pose; convert clips by
 * `changeClipSpace`. Nodes change as in `changeSpace`. Rigid meshes are scaled and keep the axes of their node. Skinned meshes are scaled and
 * rotated, so that the stored bind pose has the new axes. A mesh that is used both ways becomes two. Returns a copy in the new space. Throws
 * RangeError for an invalid rotation or scale.
 */
export function changeGeometrySpace(geometry: Geometry, change: SpaceChange): Geometry {
  const nodes = changeSpace(geometry.nodes, change);
  const translation = [0, 0, 0];
  const rigid = { rotation: [0, 0, 0, 1], scale: change.scale, translation };
  const bound = { ...change, translation };
  const { meshes, instances } = transformMeshes(geometry, rigid, () => bound);
  return { ...geometry, nodes, meshes, instances, skins: geometry.skins.map((skin) => changeSkin(skin, change)) };
}
