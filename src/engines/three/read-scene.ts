import type { Bone, Object3D, Skeleton, SkinnedMesh } from 'three';
import { MATRIX_STRIDE, POSE_STRIDE } from '../../core/skeleton/skeleton.ts';
import { type SceneGraph, type SceneSkin, writeTransform } from '../scene/scene-graph.ts';

export function isBone(object: Object3D): object is Bone {
  return (object as Partial<Bone>).isBone === true;
}

function isSkinnedMesh(object: Object3D): object is SkinnedMesh {
  return (object as Partial<SkinnedMesh>).isSkinnedMesh === true;
}

/** Lists all objects at and below the roots, depth first. The loop avoids recursion, which deep hierarchies would overflow. */
function objectsBelow(roots: readonly Object3D[]): Object3D[] {
  const objects: Object3D[] = [];
  const stack = [...roots].reverse();
  for (let object = stack.pop(); object !== undefined; object = stack.pop()) {
    objects.push(object);
    for (let k = object.children.length - 1; k >= 0; k--) stack.push(object.children[k]);
  }
  return objects;
}

function selfAndAncestors(object: Object3D): Object3D[] {
  const chain: Object3D[] = [];
  for (let above: Object3D | null = object; above !== null; above = above.parent) chain.push(above);
  return chain;
}

/**
 * Returns the topmost objects of a character: the root, or the common ancestor of the root and the bones of its skinned meshes. The topmost objects of
 * bones in other trees follow.
 */
function topsOf(root: Object3D): Object3D[] {
  let top = root;
  const bones = new Set<Object3D>();
  for (const object of objectsBelow([root])) {
    if (isSkinnedMesh(object)) for (const bone of object.skeleton?.bones ?? []) if (bone) bones.add(bone);
  }
  const tops: Object3D[] = [];
  for (const bone of bones) {
    const chain = selfAndAncestors(bone);
    if (chain.includes(top)) continue;
    const shared = selfAndAncestors(top).find((above) => chain.includes(above));
    if (shared !== undefined) top = shared;
    else if (!tops.includes(chain[chain.length - 1])) tops.push(chain[chain.length - 1]);
  }
  return [top, ...tops];
}

/** Returns the name of an object in its file. Loaders remove dots, colons and brackets from `name` and keep the original in `userData`. */
function nameOf({ name, userData }: Object3D): string {
  for (const key of ['originalName', 'name']) {
    const original: unknown = userData[key];
    if (typeof original === 'string' && original !== '') return original;
  }
  return name;
}

/** Reads the local transform of an object: 10 numbers at `o`. */
export function readTransform(out: Float64Array, o: number, { position, quaternion, scale }: Object3D): void {
  writeTransform(out, o, position, quaternion, scale);
}

function readSkins(objects: readonly Object3D[], indexOf: ReadonlyMap<Object3D, number>): SceneSkin[] {
  const meshes = new Map<Skeleton, SkinnedMesh[]>();
  for (const object of objects) {
    if (!isSkinnedMesh(object) || !object.skeleton) continue;
    const list = meshes.get(object.skeleton);
    if (list === undefined) meshes.set(object.skeleton, [object]);
    else list.push(object);
  }
  const skins: SceneSkin[] = [];
  for (const [{ bones, boneInverses }, list] of meshes) {
    const boneIndices = new Map<number, number>();
    bones.forEach((bone, k) => {
      const index = bone ? indexOf.get(bone) : undefined;
      if (index !== undefined && boneInverses[k] !== undefined && !boneIndices.has(index)) boneIndices.set(index, k);
    });
    if (boneIndices.size === 0) continue;
    const inverseBind = new Float64Array(boneIndices.size * MATRIX_STRIDE);
    [...boneIndices.values()].forEach((k, joint) => {
      inverseBind.set(boneInverses[k].elements, joint * MATRIX_STRIDE);
    });
    skins.push({
      name: '',
      joints: Int32Array.from(boneIndices.keys()),
      inverseBind,
      meshes: list.map((mesh) => indexOf.get(mesh) as number),
    });
  }
  return skins;
}

/** A scene graph of three.js. */
export interface ThreeScene extends SceneGraph<Object3D> {
  /** Index in the graph of each object. */
  readonly indexOf: ReadonlyMap<Object3D, number>;
  /** Roots whose own transform positions the character in the scene and is ignored. */
  readonly ignoredRoots: ReadonlySet<Object3D>;
}

/**
 * Reads all objects at and below a root, with the skins of skinned meshes. Transforms are relative to the root: its own transform counts as the
 * identity, unless it is a bone or animated.
 */
export function readScene(root: Object3D, movesRoot: boolean): ThreeScene {
  const tops = topsOf(root);
  const nodes = objectsBelow(tops);
  const indexOf = new Map(nodes.map((object, index) => [object, index]));
  const ignoredRoots = new Set(tops.filter((top) => !isBone(top) && !movesRoot));
  const rest = new Float64Array(nodes.length * POSE_STRIDE);
  nodes.forEach((object, index) => {
    if (ignoredRoots.has(object)) rest.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], index * POSE_STRIDE);
    else readTransform(rest, index * POSE_STRIDE, object);
  });
  const parents = Int32Array.from(nodes, ({ parent }) => (parent === null ? -1 : (indexOf.get(parent) ?? -1)));
  return { nodes, names: nodes.map(nameOf), parents, rest, skins: readSkins(nodes, indexOf), indexOf, ignoredRoots };
}
