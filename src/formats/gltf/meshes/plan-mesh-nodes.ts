/**
 * Decides which node of a new document carries which mesh. glTF allows one mesh per node, recommends root nodes without
 * a transform for skinned meshes (2.0 section 3.7.3.2), and requires unique joints with a common root.
 */
import type { Geometry, MeshInstance, Skin } from '../../../core/asset/geometry.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { RepairedIndices } from './repair-indices.ts';

export interface MeshPart {
  readonly mesh: number;
  readonly primitives: readonly number[];
  /** Number of joints of the smallest skin that deforms it; 0 without a skin. */
  jointCount: number;
}

interface PartInstance {
  readonly part: number;
  readonly node: number;
  /** Index in `Geometry.skins`; −1 for a rigid mesh. */
  readonly skin: number;
  /** Initial morph weights of the instance; null for those of the mesh. */
  readonly morphWeights: Floats | null;
  readonly isHidden: boolean;
  /** Node of the geometry with this instance: morph weight tracks of that node animate this one. */
  readonly sourceNode: number;
}

/** The nodes of a document. Node i of the geometry is node i; new nodes follow. */
export interface MeshNodePlan {
  readonly names: string[];
  /** Parent per node, −1 for roots. */
  readonly parents: number[];
  /** Local rest pose, `POSE_STRIDE` floats per node. */
  readonly rest: number[];
  readonly parts: readonly MeshPart[];
  readonly instances: readonly PartInstance[];
  /** Joints of each skin, without repetitions. */
  readonly joints: readonly (readonly number[])[];
  /** Whether a new root node was added because the joints of a skin were in several trees. */
  readonly hasNewRoot: boolean;
}

const IDENTITY = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] as const;

/**
 * Decides which node carries which mesh. A skinned mesh keeps its node where the node has no other purpose (no child, no joint, no animation, no
 * other mesh); that node becomes a root without a transform, as glTF ignores it. Otherwise the mesh gets a new root node. Primitives of a skinned
 * mesh without influences stay at the original node. `drawn`: per mesh and primitive the indices to draw, null for nothing: such primitives are
 * left out.
 */
export function planMeshNodes(
  geometry: Geometry,
  drawn: readonly (readonly (RepairedIndices | null)[])[],
  isAnimated: ReadonlySet<number>,
): MeshNodePlan {
  const { nodes, instances, meshes, skins } = geometry;
  const names = [...nodes.names];
  const parents = Array.from(nodes.parents);
  const rest = Array.from(nodes.rest);
  const addNode = (name: string, parent: number): number => {
    rest.push(...IDENTITY);
    parents.push(parent);
    return names.push(name) - 1;
  };

  const joints = skins.map((skin) => uniqueJoints(skin, (joint) => addNode(names[joint], joint)));
  const parts: MeshPart[] = [];
  const partOf = new Map<string, number>();
  const takePart = (mesh: number, primitives: readonly number[], jointCount: number): number => {
    const key = `${mesh} ${jointCount > 0} ${primitives.join()}`;
    const index = partOf.get(key) ?? parts.push({ mesh, primitives, jointCount }) - 1;
    partOf.set(key, index);
    parts[index].jointCount = Math.min(parts[index].jointCount, jointCount);
    return index;
  };

  const splits = instances.map((instance) => ({ instance, ...splitPrimitives(geometry, drawn, instance) }));
  // In mesh order, so that a mesh with one part keeps its index.
  for (const mesh of meshes.keys()) {
    const uses = splits.filter(({ instance }) => instance.mesh === mesh);
    for (const { instance, bound, rigid } of uses) {
      if (bound.length > 0) takePart(mesh, bound, joints[instance.skin].length);
      if (rigid.length > 0) takePart(mesh, rigid, 0);
    }
    const all = drawn[mesh].flatMap((one, p) => (one === null ? [] : [p]));
    if (uses.length === 0 && all.length > 0) takePart(mesh, all, 0);
  }

  const isParent = new Set(nodes.parents);
  const busy = new Set<number>([...isAnimated, ...isParent]);
  for (const list of joints) for (const joint of list) busy.add(joint);
  const partInstances: PartInstance[] = [];
  const occupied = new Set<number>();
  for (const { instance, rigid } of splits) {
    if (rigid.length === 0) continue;
    const { node, mesh, morphWeights, isHidden = false } = instance;
    // A hidden node hides the nodes below.
    const isShared = occupied.has(node) || (isHidden && isParent.has(node));
    const target = isShared ? addNode(meshes[mesh].name, node) : node;
    occupied.add(node);
    const part = takePart(mesh, rigid, 0);
    partInstances.push({ part, node: target, skin: -1, morphWeights, isHidden, sourceNode: node });
  }
  for (const { instance, bound } of splits) {
    if (bound.length === 0) continue;
    const { node, mesh, skin, morphWeights, isHidden = false } = instance;
    const isFree = !busy.has(node) && !occupied.has(node);
    occupied.add(node);
    const target = isFree ? node : addNode(meshes[mesh].name || names[node], -1);
    parents[target] = -1;
    for (let c = 0; c < POSE_STRIDE; c++) rest[target * POSE_STRIDE + c] = IDENTITY[c];
    partInstances.push({
      part: takePart(mesh, bound, joints[skin].length),
      node: target,
      skin,
      morphWeights,
      isHidden,
      sourceNode: node,
    });
  }
  return {
    names,
    parents,
    rest,
    parts,
    instances: partInstances,
    joints,
    hasNewRoot: joinTrees(joints, parents, addNode),
  };
}

/** The primitives of an instance that its skin deforms, and those that move with the node. */
function splitPrimitives(
  { meshes, skins }: Geometry,
  drawn: readonly (readonly (RepairedIndices | null)[])[],
  { mesh, skin }: MeshInstance,
): { readonly bound: readonly number[]; readonly rigid: readonly number[] } {
  const all = drawn[mesh].flatMap((one, p) => (one === null ? [] : [p]));
  const hasJoints = skin >= 0 && skins[skin].joints.length > 0;
  const isBound = (p: number): boolean => hasJoints && meshes[mesh].primitives[p].influences !== null;
  return { bound: all.filter(isBound), rigid: all.filter((p) => !isBound(p)) };
}

/** The joints of a skin. A repeated joint is replaced by a new child node with an identity transform, made by `twinOf`. */
function uniqueJoints({ joints }: Skin, twinOf: (joint: number) => number): number[] {
  const seen = new Set<number>();
  return Array.from(joints, (joint) => {
    if (seen.has(joint)) return twinOf(joint);
    seen.add(joint);
    return joint;
  });
}

/** Adds a common root node above the trees of skins whose joints have none. Returns whether one was added. */
function joinTrees(
  joints: readonly (readonly number[])[],
  parents: number[],
  addNode: (name: string, parent: number) => number,
): boolean {
  const rootOf = (node: number): number => {
    let root = node;
    while (parents[root] >= 0) root = parents[root];
    return root;
  };
  const scattered = new Set<number>();
  for (const list of joints) {
    const roots = new Set(list.map(rootOf));
    if (roots.size > 1) for (const root of roots) scattered.add(root);
  }
  if (scattered.size === 0) return false;
  const top = addNode('root', -1);
  for (const root of scattered) parents[root] = top;
  return true;
}
