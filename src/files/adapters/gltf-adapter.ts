import { copyDocument } from '../../formats/gltf/document/copy-document.ts';
import { readGeometry, readMovingVertices } from '../../formats/gltf/meshes/read-geometry.ts';
import { loadImages } from '../../formats/gltf/meshes/read-textures.ts';
import { readFace } from '../../formats/gltf/read/read-face.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import { appendClips, replaceClips } from '../../formats/gltf/write/write-clips.ts';
import type { GltfFile } from '../open-file.ts';
import { type GltfFormat, holdsOneClip, isUsd, type OutputFormat } from '../outputs/output-format.ts';
import { serializeDocument } from '../outputs/serialize-output.ts';
import type { FormatAdapter } from './format-adapter.ts';
import { attachDraco } from './gltf/attach-draco.ts';
import { imageReader } from './gltf/image-reader.ts';
import { openDocument } from './gltf/open-document.ts';
import { planGltfCharacter } from './gltf/write-gltf-character.ts';
import { writeGltfMotion, writeVrmaMotion } from './gltf/write-gltf-motion.ts';

/** Narrows an output format to the containers of a glTF document. */
function gltfFormat(format: OutputFormat): GltfFormat {
  if (!isUsd(format) && !holdsOneClip(format)) return format;
  throw new RangeError(`The glTF adapter was asked to write .${format}; expected .glb, .gltf or .vrm`);
}

/** glTF: GLB, .gltf, VRM and VRMA. */
export const GLTF_ADAPTER: FormatAdapter<GltfFile> = {
  format: 'gltf',
  open: async (bytes, { name = '', readResource, wantsClip }) => {
    const document = await openDocument(bytes, readResource);
    const asset = readGltf(document, wantsClip === undefined ? {} : { wantsClip });
    return { format: 'gltf', name, asset, document, readResource: readResource ?? null };
  },
  resources: ({ document }) => [...document.resources.keys()],
  readGeometry: async ({ document, readResource }) => {
    if (readResource !== null) await loadImages(document, imageReader(readResource));
    await attachDraco(document);
    return readGeometry(document);
  },
  readVertices: ({ document }) => readMovingVertices(document),
  readFace: ({ document }, issues) => {
    const face = readFace(document);
    issues.push(...face.issues);
    return face.rig;
  },
  parseIssues: ({ document }) => document.issues,
  writeLossless: async (file, changes, { path, format }, issues) => {
    const destination = { path, format: gltfFormat(format) };
    if (changes === null) return serializeDocument(file.document, file, destination, issues);
    const edited = copyDocument(file.document);
    issues.push(...(changes.replace ? replaceClips : appendClips)(edited, changes.animations).issues);
    return serializeDocument(edited, file, destination, issues);
  },
  planCharacter: (character, format) => planGltfCharacter(character, gltfFormat(format)),
  writeMotion: (skeleton, clips, { path, format }, _fps, issues) => {
    if (format === 'vrma') return writeVrmaMotion(skeleton, clips, path, issues);
    return writeGltfMotion(skeleton, clips, { path, format: gltfFormat(format) }, issues);
  },
};
