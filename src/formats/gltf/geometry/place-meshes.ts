/**
 * Where the meshes of a geometry stand in a new document: glTF has one mesh a node, the node of a skinned mesh should be a root without
 * a transform of its own (2.0 section 3.7.3.2), joints are unique and have a common root.
 */
import type { Geometry, MeshInstance, Skin } from '../../../core/asset/geometry.ts';
import type { Floats } from '../../../core/math/floats.ts';
import { POSE_STRIDE } from '../../../core/skeleton/skeleton.ts';
import type { Drawn } from './drawn-indices.ts';

/** Primitives of a mesh that make a mesh of the file. */
export interface MeshPart {
  /** Index in `Geometry.meshes`. */
  readonly mesh: number;
  readonly primitives: readonly number[];
  /** Joints of the smallest skin that moves it; 0 where none does. */
  jointCount: number;
}

/** A part at a node of the file. */
export interface PlacedPart {
  readonly part: number;
  readonly node: number;
  /** −1: it moves with its node. */
  readonly skin: number;
  readonly morphWeights: Floats | null;
  /** The node of the geometry that it is shown by: what animates the morph weights there animates them here. */
  readonly shownBy: number;
}

/** The nodes of a document: node i of the geometry is node i, new ones follow. */
export interface PlacedMeshes {
  readonly names: string[];
  readonly parents: number[];
  /** Local: `POSE_STRIDE` floats a node. */
  readonly rest: number[];
  readonly parts: readonly MeshPart[];
  readonly placed: readonly PlacedPart[];
  /** Joints of each skin, each once. */
  readonly joints: readonly (readonly number[])[];
  /** Whether joints of a skin stood in several trees, which now hang below one new node. */
  readonly joinsTrees: boolean;
}

const IDENTITY = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] as const;

/**
 * Decides where each mesh stands. A skinned mesh keeps its node where nothing else needs that (no child, no joint, no animation, no
 * other mesh), moved to the root and without transform, which means nothing there; else it gets a new root node. Primitives without
 * influences of a skinned mesh stay with the node. `drawn`: what each primitive draws, null for nothing: these are left out; `isAnimated`:
 * nodes that a clip moves.
 */
export function placeMeshes(
  geometry: Geometry,
  drawn: readonly (readonly (Drawn | null)[])[],
  isAnimated: ReadonlySet<number>,
): PlacedMeshes {
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

  const shown = instances.map((instance) => ({ instance, ...splitPrimitives(geometry, drawn, instance) }));
  // In the order of the meshes, so that a mesh that is one part keeps its index.
  for (const mesh of meshes.keys()) {
    const uses = shown.filter(({ instance }) => instance.mesh === mesh);
    for (const { instance, bound, rigid } of uses) {
      if (bound.length > 0) takePart(mesh, bound, joints[instance.skin].length);
      if (rigid.length > 0) takePart(mesh, rigid, 0);
    }
    const all = drawn[mesh].flatMap((one, p) => (one === null ? [] : [p]));
    if (uses.length === 0 && all.length > 0) takePart(mesh, all, 0);
  }

  const busy = new Set<number>(isAnimated);
  for (const parent of nodes.parents) if (parent >= 0) busy.add(parent);
  for (const list of joints) for (const joint of list) busy.add(joint);
  const placed: PlacedPart[] = [];
  const standing = new Set<number>();
  for (const { instance, rigid } of shown) {
    if (rigid.length === 0) continue;
    const { node, mesh, morphWeights } = instance;
    const place = standing.has(node) ? addNode(meshes[mesh].name, node) : node;
    standing.add(node);
    placed.push({ part: takePart(mesh, rigid, 0), node: place, skin: -1, morphWeights, shownBy: node });
  }
  for (const { instance, bound } of shown) {
    if (bound.length === 0) continue;
    const { node, mesh, skin, morphWeights } = instance;
    const isFree = !busy.has(node) && !standing.has(node);
    standing.add(node);
    const place = isFree ? node : addNode(meshes[mesh].name || names[node], -1);
    parents[place] = -1;
    for (let c = 0; c < POSE_STRIDE; c++) rest[place * POSE_STRIDE + c] = IDENTITY[c];
    placed.push({ part: takePart(mesh, bound, joints[skin].length), node: place, skin, morphWeights, shownBy: node });
  }
  return { names, parents, rest, parts, placed, joints, joinsTrees: joinTrees(joints, parents, addNode) };
}

/** The primitives of an instance that a skin moves, and those that move with the node. */
function splitPrimitives(
  { meshes, skins }: Geometry,
  drawn: readonly (readonly (Drawn | null)[])[],
  { mesh, skin }: MeshInstance,
): { readonly bound: readonly number[]; readonly rigid: readonly number[] } {
  const all = drawn[mesh].flatMap((one, p) => (one === null ? [] : [p]));
  const hasJoints = skin >= 0 && skins[skin].joints.length > 0;
  const isBound = (p: number): boolean => hasJoints && meshes[mesh].primitives[p].influences !== null;
  return { bound: all.filter(isBound), rigid: all.filter((p) => !isBound(p)) };
}

/** The joints of a skin; one that stands there again is replaced by a new node at the same place, which `twinOf` makes. */
function uniqueJoints({ joints }: Skin, twinOf: (joint: number) => number): number[] {
  const seen = new Set<number>();
  return Array.from(joints, (joint) => {
    if (seen.has(joint)) return twinOf(joint);
    seen.add(joint);
    return joint;
  });
}

/** Puts the trees of skins whose joints have no common root below one new node; whether there are such. */
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
