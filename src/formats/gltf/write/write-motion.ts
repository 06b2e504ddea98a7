import type { Clip } from '../../../core/animation/clip.ts';
import type { NewAnimation } from '../../../core/asset/asset.ts';
import * as mat4 from '../../../core/math/mat4.ts';
import { MATRIX_STRIDE, type Skeleton } from '../../../core/skeleton/skeleton.ts';
import { isUsable } from '../../../core/skeleton/solve-bind.ts';
import { createAccessorPool } from '../accessors/accessor-pool.ts';
import { createDocument, type GltfDocument } from '../document/document.ts';
import { ensureList } from '../document/json-access.ts';
import { appendBonesSkin } from '../normalize/append-bones-skin.ts';
import { appendClips } from './write-clips.ts';
import { writeNodes } from './write-nodes.ts';

/**
 * Adds a skin of all its nodes to each tree. Without a skin, programs see loose nodes: Blender makes an object and an
 * action of each of them instead of one armature.
 */
function addSkins(doc: GltfDocument, { parents, bind }: Skeleton): void {
  const trees = new Map<number, number[]>();
  const rootOf = new Int32Array(parents.length);
  for (const [node, parent] of parents.entries()) {
    rootOf[node] = parent < 0 ? node : rootOf[parent];
    const tree = trees.get(rootOf[node]);
    if (tree === undefined) trees.set(node, [node]);
    else tree.push(node);
  }
  const isBound = bind !== null && parents.every((_, node) => isUsable(bind, MATRIX_STRIDE * node));
  const matrixOf = (node: number): Float64Array =>
    Float64Array.from(bind?.slice(MATRIX_STRIDE * node, MATRIX_STRIDE * (node + 1)) ?? []);
  const pool = createAccessorPool(doc);
  const identity = mat4.createIdentity();
  for (const joints of trees.values()) {
    if (joints.length < 2) continue;
    if (isBound)
      appendBonesSkin(
        pool,
        joints.map((node) => ({ node, matrix: matrixOf(node) })),
        identity,
      );
    else ensureList(doc.json, 'skins').push({ joints });
  }
}

/**
 * Creates a document with the nodes of a skeleton, one scene and the clips, but without meshes: a motion file that
 * players share between characters with the same rig. Node i of the file is node i of the skeleton; a skin without a mesh
 * makes joints of the nodes of each tree and keeps the bind pose. A declared humanoid is not written.
 *
 * @param skeleton Skeleton in the space of glTF (see `toGltfSpace`).
 * @param clips Clips on the skeleton.
 * @returns New document.
 * @throws RangeError For clips that cannot be written: see `appendClips`.
 * @throws FormatError GLTF_SCHEMA for a rest pose beyond the range of float32, in which players compute.
 */
export function writeMotionDocument(
  skeleton: Skeleton,
  clips: readonly (Clip & Pick<NewAnimation, 'events' | 'extras'>)[],
): GltfDocument {
  const doc = createDocument();
  const { nodes, roots } = writeNodes(skeleton);
  Object.assign(doc.json, { scene: 0, scenes: [{ nodes: roots }], nodes });
  addSkins(doc, skeleton);
  const sourceNodes = Int32Array.from(skeleton.parents.keys());
  appendClips(
    doc,
    clips.map(({ events, extras, ...clip }) => ({
      name: clip.name,
      clip,
      sourceNodes,
      ...(events && { events }),
      extras,
    })),
  );
  return doc;
}
