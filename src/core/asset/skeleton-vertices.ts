/** Which nodes of a file belong to one of its skeletons, and the vertices of rigid meshes that move with them. */
import * as mat4 from '../math/mat4.ts';
import { MATRIX_STRIDE, POSE_STRIDE } from '../skeleton/skeleton.ts';
import type { AssetSkeleton } from './asset.ts';
import type { Geometry, MeshInstance, MeshPrimitive } from './geometry.ts';

export function mapToSkeleton(geometry: Geometry, part: AssetSkeleton): readonly number[] {
  const indices = indicesOf(geometry);
  const nodeOf = new Array<number>(geometry.sourceNodes.length).fill(-1);
  for (const [node, source] of part.sourceNodes.entries()) {
    const index = indices.get(source);
    if (index !== undefined) nodeOf[index] = node;
  }
  return nodeOf;
}

/** Node of a geometry by its index in the file. A file may have thousands of skeletons, so it is made once for all. */
const nodeIndices = new WeakMap<Geometry, ReadonlyMap<number, number>>();

function indicesOf(geometry: Geometry): ReadonlyMap<number, number> {
  const indices =
    nodeIndices.get(geometry) ?? new Map(Array.from(geometry.sourceNodes, (source, node) => [source, node]));
  nodeIndices.set(geometry, indices);
  return indices;
}

/** Lists what of a geometry moves with a skeleton. Hidden skinned meshes are left out unless all are hidden, hidden rigid ones unless nothing else moves. */
export function partsOfSkeleton(
  geometry: Geometry,
  nodeOf: readonly number[],
): { readonly skinned: readonly SkinnedPart[]; readonly rigid: readonly MeshInstance[] } {
  const { instances, skins, nodes } = geometry;
  const isMoved = skins.map(({ joints }) => joints.some((joint) => nodeOf[joint] >= 0));
  const isBelow = new Uint8Array(nodeOf.length);
  for (let node = 0; node < isBelow.length; node++) {
    const parent = nodes.parents[node];
    isBelow[node] = nodeOf[node] >= 0 || (parent >= 0 && isBelow[parent] === 1) ? 1 : 0;
  }
  const skinned = instances.filter(({ skin }) => skin >= 0 && isMoved[skin]);
  const rigid = instances.filter(({ skin, node }) => skin < 0 && isBelow[node] === 1);
  const [shown, shownRigid] = [skinned, rigid].map((all) => all.filter(({ isHidden = false }) => !isHidden));
  return {
    skinned: skinnedParts({ ...geometry, instances: shown.length > 0 ? shown : skinned }),
    rigid: shownRigid.length + skinned.length > 0 ? shownRigid : rigid,
  };
}

/** A skinned primitive, and the index of its skin. */
export interface SkinnedPart {
  readonly primitive: MeshPrimitive;
  readonly skin: number;
}

/**
 * Lists the skinned primitives of all instances, each once: the transform of its node does not move a skinned mesh, so equal vertices with the same skin
 * are at the same place. A small file can show one mesh thousands of times.
 */
export function skinnedParts({ instances, meshes }: Geometry): SkinnedPart[] {
  const numbers = new Map<unknown, number>();
  const numberOf = (array: unknown): number => {
    const number = numbers.get(array) ?? numbers.size;
    numbers.set(array, number);
    return number;
  };
  const seen = new Set<string>();
  const parts: SkinnedPart[] = [];
  for (const { mesh, skin } of instances) {
    if (skin < 0 || seen.has(`${mesh} ${skin}`)) continue;
    seen.add(`${mesh} ${skin}`);
    for (const primitive of meshes[mesh].primitives) {
      const { mode, positions, indices, influences } = primitive;
      const arrays = [positions, indices, influences?.indices, influences?.weights].map(numberOf).join(' ');
      const key = `${arrays} ${mode} ${skin}`;
      if (seen.has(key)) continue;
      seen.add(key);
      parts.push({ primitive, skin });
    }
  }
  return parts;
}

/**
 * Visits the vertices of a rigid mesh, which moves with its nearest ancestor in a skeleton; none where no ancestor is in the skeleton. `visit`
 * receives the node of the skeleton, and the vertex in the local space of that node, xyz; the array is reused.
 */
export function visitRigidVertices(
  geometry: Geometry,
  instance: MeshInstance,
  nodeOf: readonly number[],
  visit: (node: number, point: Float64Array) => void,
): void {
  const { rest, parents } = geometry.nodes;
  const toNode = mat4.createIdentity();
  const local = new Float64Array(MATRIX_STRIDE);
  let ancestor = instance.node;
  while (ancestor >= 0 && nodeOf[ancestor] < 0) {
    mat4.compose(local, 0, rest, POSE_STRIDE * ancestor);
    mat4.multiply(toNode, 0, local, 0, toNode, 0);
    ancestor = parents[ancestor];
  }
  if (ancestor < 0) return;
  const point = new Float64Array(3);
  for (const { positions, vertexCount } of geometry.meshes[instance.mesh].primitives) {
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      mat4.transformPoint(point, 0, toNode, 0, positions, 3 * vertex);
      visit(nodeOf[ancestor], point);
    }
  }
}
