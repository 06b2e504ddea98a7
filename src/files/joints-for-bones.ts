/** Joints for humanoids that no skin moves: robots and dolls of stiff parts. */
import type { AssetSkeleton } from '../core/asset/asset.ts';
import type { Geometry } from '../core/asset/geometry.ts';
import type { Humanoid } from '../core/humanoid/humanoid.ts';
import * as mat4 from '../core/math/mat4.ts';
import { localToModelMatrices } from '../core/skeleton/pose.ts';
import { MATRIX_STRIDE } from '../core/skeleton/skeleton.ts';

/**
 * The same geometry, with one more skin, that nothing is seen of, of the bones where none of them is a joint yet: in formats whose animations move joints, as those
 * of UsdSkel, clips have something to move then. The bones are bound as they rest.
 */
export function jointsForBones(geometry: Geometry, part: AssetSkeleton, { map }: Humanoid): Geometry {
  const { nodes, skins, sourceNodes } = geometry;
  const nodeOf = new Map(Array.from(sourceNodes, (source, node) => [source, node]));
  const bones = Array.from(map.nodes).flatMap((place) =>
    place < 0 ? [] : (nodeOf.get(part.sourceNodes[place]) ?? []),
  );
  const taken = new Set(skins.flatMap(({ joints }) => Array.from(joints)));
  if (bones.length === 0 || bones.some((node) => taken.has(node))) return geometry;
  const worlds = new Float64Array(MATRIX_STRIDE * nodes.parents.length);
  localToModelMatrices(worlds, nodes.parents, nodes.rest);
  const inverseBindMatrices = new Float64Array(MATRIX_STRIDE * bones.length);
  for (const [joint, node] of bones.entries()) {
    const at = MATRIX_STRIDE * joint;
    if (!mat4.invertAffine(inverseBindMatrices, at, worlds, MATRIX_STRIDE * node)) return geometry;
  }
  return { ...geometry, skins: [...skins, { name: '', joints: Int32Array.from(bones), inverseBindMatrices }] };
}
