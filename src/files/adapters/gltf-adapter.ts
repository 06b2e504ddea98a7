import { readGeometry, readMovingVertices } from '../../formats/gltf/meshes/read-geometry.ts';
import { loadImages } from '../../formats/gltf/meshes/read-textures.ts';
import { readFace } from '../../formats/gltf/read/read-face.ts';
import { readGltf } from '../../formats/gltf/read/read-gltf.ts';
import type { GltfFile } from '../open-file.ts';
import { type GltfFormat, isGltf, type OutputFormat } from '../outputs/output-format.ts';
import type { FormatAdapter, WriteCharacter } from './format-adapter.ts';
import { attachDraco } from './gltf/attach-draco.ts';
import { imageReader } from './gltf/image-reader.ts';
import { openDocument } from './gltf/open-document.ts';

/** Narrows an output format to the containers of a glTF document. */
function gltfFormat(format: OutputFormat): GltfFormat {
  if (isGltf(format)) return format;
  throw new RangeError(`The glTF adapter was asked to write .${format}; expected .glb, .gltf or .vrm`);
}

/** glTF: GLB, .gltf, VRM and VRMA. What writes is imported on first use: the studio shows results without it. */
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
    const { writeGltf } = await import('./gltf/write-gltf.ts');
    return writeGltf(file, changes, { path, format: gltfFormat(format) }, issues);
  },
  planCharacter: (character, { format }) => {
    let write: WriteCharacter | undefined;
    return async (animations, path, issues) => {
      const { planGltfCharacter } = await import('./gltf/write-gltf-character.ts');
      write ??= planGltfCharacter(character, gltfFormat(format));
      return write(animations, path, issues);
    };
  },
  writeMotion: async (skeleton, clips, { path, format }, _fps, issues) => {
    const { writeGltfMotion, writeVrmaMotion } = await import('./gltf/write-gltf.ts');
    if (format === 'vrma') return writeVrmaMotion(skeleton, clips, path, issues);
    return writeGltfMotion(skeleton, clips, { path, format: gltfFormat(format) }, issues);
  },
};
