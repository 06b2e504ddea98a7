/** Nodes whose transform means nothing. */
import type { Geometry } from '../../../core/asset/geometry.ts';

/** 1 where the transform of a node moves nothing: it is no joint, nothing is below it, and what it shows is moved by a skin. */
export function nodesWithoutEffect({ nodes, instances, skins, meshes }: Geometry): Uint8Array {
  const out = new Uint8Array(nodes.parents.length);
  for (const { node, skin, mesh } of instances) {
    const isBound = skin >= 0 && skins[skin].joints.length > 0;
    out[node] = isBound && meshes[mesh].primitives.every(({ influences }) => influences !== null) ? 1 : 2;
  }
  for (const parent of nodes.parents) if (parent >= 0) out[parent] = 2;
  for (const { joints } of skins) for (const joint of joints) out[joint] = 2;
  return out.map((state) => (state === 1 ? 1 : 0));
}
