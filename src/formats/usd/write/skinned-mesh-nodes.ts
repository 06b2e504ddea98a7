/** Finds nodes that only hold a skinned mesh, so that their transform has no effect. */
import type { Geometry } from '../../../core/asset/geometry.ts';

/**
 * Marks the nodes whose transform has no effect: leaf nodes that are not joints and whose meshes are moved by a skin (glTF 2.0 section 3.7.3.3).
 */
export function skinnedMeshNodes({ nodes, instances, skins, meshes }: Geometry): Uint8Array {
  const out = new Uint8Array(nodes.parents.length);
  for (const { node, skin, mesh } of instances) {
    const isBound = skin >= 0 && skins[skin].joints.length > 0;
    out[node] = isBound && meshes[mesh].primitives.every(({ influences }) => influences !== null) ? 1 : 2;
  }
  for (const parent of nodes.parents) if (parent >= 0) out[parent] = 2;
  for (const { joints } of skins) for (const joint of joints) out[joint] = 2;
  return out.map((state) => (state === 1 ? 1 : 0));
}
