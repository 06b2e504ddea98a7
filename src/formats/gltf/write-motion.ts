/** A new document that holds a skeleton and its clips and nothing else. */
import type { Clip } from '../../core/animation/clip.ts';
import type { Skeleton } from '../../core/skeleton/skeleton.ts';
import { createDocument, type GltfDocument } from './document.ts';
import { appendClips } from './write-clips.ts';
import { writeNodes } from './write-nodes.ts';

/**
 * A document with the nodes of a skeleton (names, tree, rest pose; node i of the file is node i of the skeleton), one
 * scene and the clips, without meshes and skins: what players share between characters of one rig. A declared humanoid is not carried.
 * RangeError for clips that cannot be written: see `appendClips`. FormatError GLTF_SCHEMA for a rest pose that float32, which players
 * compute in, cannot hold: broken files have sizes that multiply.
 */
export function writeMotionDocument(skeleton: Skeleton, clips: readonly Clip[]): GltfDocument {
  const doc = createDocument();
  const { nodes, roots } = writeNodes(skeleton);
  Object.assign(doc.json, { scene: 0, scenes: [{ nodes: roots }], nodes });
  const sourceNodes = Int32Array.from(skeleton.parents.keys());
  appendClips(
    doc,
    clips.map((clip) => ({ name: clip.name, clip, sourceNodes })),
    [],
  );
  return doc;
}
