/** A new document that holds a skeleton and its clips and nothing else. */
import type { Clip } from '../../core/animation/clip.ts';
import { FormatError } from '../../core/report/format-error.ts';
import { POSE_STRIDE, type Skeleton } from '../../core/skeleton/skeleton.ts';
import { createDocument, type GltfDocument } from './document.ts';
import type { JsonObject } from './schema.ts';
import { appendClips } from './write-clips.ts';

/**
 * A document with the nodes of a skeleton (names, tree, rest pose; node i of the file is node i of the skeleton), one
 * scene and the clips, without meshes and skins: what players share between characters of one rig. A declared humanoid is not carried.
 * RangeError for clips that cannot be written: see `appendClips`. FormatError GLTF_SCHEMA for a rest pose that float32, which players
 * compute in, cannot hold: broken files have sizes that multiply.
 */
export function writeMotionDocument(skeleton: Skeleton, clips: readonly Clip[]): GltfDocument {
  const { parents, names, rest } = skeleton;
  const doc = createDocument();
  const nodes = names.map(
    (name, node): JsonObject => ({ ...(name === '' ? {} : { name }), ...transformOf(rest, node) }),
  );
  const roots: number[] = [];
  const children: number[][] = nodes.map(() => []);
  parents.forEach((parent, node) => {
    (parent < 0 ? roots : children[parent]).push(node);
  });
  children.forEach((list, node) => {
    if (list.length > 0) nodes[node]['children'] = list;
  });
  Object.assign(doc.json, { scene: 0, scenes: [{ nodes: roots }], nodes });
  const sourceNodes = Int32Array.from(parents.keys());
  appendClips(
    doc,
    clips.map((clip) => ({ name: clip.name, clip, sourceNodes })),
    [],
  );
  return doc;
}

const FLOAT32_MAX = 3.4028235e38;

/** The members of a node that are not what glTF takes where they are missing. */
function transformOf(rest: ArrayLike<number>, node: number): JsonObject {
  const at = node * POSE_STRIDE;
  const numbers = Array.from({ length: POSE_STRIDE }, (_, c) => rest[at + c]);
  const wrong = numbers.find((value) => !(Math.abs(value) <= FLOAT32_MAX));
  if (wrong !== undefined) {
    const message = `A node rests at ${wrong}, which is more than a float32 can hold; the sizes in the file it comes from make no sense`;
    throw new FormatError('GLTF_SCHEMA', message, { pointer: `/nodes/${node}` });
  }
  const translation = numbers.slice(0, 3);
  const rotation = numbers.slice(3, 7);
  const scale = numbers.slice(7);
  return {
    ...(translation.some((value) => value !== 0) ? { translation } : {}),
    ...(rotation.some((value, c) => value !== (c === 3 ? 1 : 0)) ? { rotation } : {}),
    ...(scale.some((value) => value !== 1) ? { scale } : {}),
  };
}
