/** Writes a skeleton and its clips as a new document. */
import type { Clip } from '../../../core/animation/clip.ts';
import type { Skeleton } from '../../../core/skeleton/skeleton.ts';
import { createDocument, type GltfDocument } from '../document/document.ts';
import { appendClips } from './write-clips.ts';
import { writeNodes } from './write-nodes.ts';

/**
 * Creates a document with the nodes of a skeleton, one scene and the clips, but without meshes and skins: a motion file
 * that players share between characters with the same rig. Node i of the file is node i of the skeleton. A declared
 * humanoid is not written.
 *
 * @param skeleton Skeleton in the space of glTF (see `toGltfSpace`).
 * @param clips Clips on the skeleton.
 * @returns New document.
 * @throws {RangeError} For clips that cannot be written: see `appendClips`.
 * @throws FormatError GLTF_SCHEMA for a rest pose beyond the range of float32, in which players compute.
 */
export function writeMotionDocument(skeleton: Skeleton, clips: readonly Clip[]): GltfDocument {
  const doc = createDocument();
  const { nodes, roots } = writeNodes(skeleton);
  Object.assign(doc.json, { scene: 0, scenes: [{ nodes: roots }], nodes });
  const sourceNodes = Int32Array.from(skeleton.parents.keys());
  appendClips(
    doc,
    clips.map((clip) => ({ name: clip.name, clip, sourceNodes })),
  );
  return doc;
}
