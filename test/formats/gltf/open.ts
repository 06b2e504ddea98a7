/** Opens files for the tests of the glTF reader and writer. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { bufferBytes } from '../../../src/formats/gltf/document/buffers.ts';
import type { JsonObject } from '../../../src/formats/gltf/document/json-access.ts';
import { hasCompressedViews } from '../../../src/formats/gltf/document/meshopt.ts';
import {
  attachMeshoptDecoder,
  concatParts,
  type GltfDocument,
  loadResources,
  parseGltf,
  serializeGltf,
} from '../../../src/formats/gltf/index.ts';
import { glbOf } from '../../support/make/glb.ts';

/** Parses a file, loads its resources and attaches the decoders. */
export async function openDocument(path: string): Promise<GltfDocument> {
  const doc = parseGltf(new Uint8Array(readFileSync(path)));
  await loadResources(doc, (name) => readFile(join(dirname(path), name)));
  if (hasCompressedViews(doc)) await attachMeshoptDecoder(doc, MeshoptDecoder);
  return doc;
}

/** Parses a GLB and attaches the decoders. */
export async function reopen(bytes: Uint8Array): Promise<GltfDocument> {
  const doc = parseGltf(bytes);
  if (hasCompressedViews(doc)) await attachMeshoptDecoder(doc, MeshoptDecoder);
  return doc;
}

/** Serializes a document as GLB bytes. */
export function glbBytes(doc: GltfDocument): Uint8Array {
  return concatParts(serializeGltf(doc).parts);
}

/** A GLB with the nodes, skins, meshes and animations of a document, but without materials, so that players load it without a screen. */
export function bareGlb(doc: GltfDocument): Uint8Array {
  const json = structuredClone(doc.json);
  for (const key of ['materials', 'textures', 'images', 'samplers', 'extensions', 'extras']) delete json[key];
  for (const mesh of list(json, 'meshes')) {
    for (const primitive of list(mesh, 'primitives')) {
      delete primitive['material'];
      delete primitive['extensions'];
    }
  }
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    const names = (json[key] ?? []) as string[];
    json[key] = names.filter((name) => name.includes('meshopt') || name.includes('quantization'));
    if ((json[key] as string[]).length === 0) delete json[key];
  }
  const buffers = list(json, 'buffers');
  delete buffers[0]?.['uri'];
  for (let i = 1; i < buffers.length; i++) {
    if (buffers[i]['uri'] === undefined) continue;
    buffers[i]['uri'] = `data:application/octet-stream;base64,${Buffer.from(bufferBytes(doc, i)).toString('base64')}`;
  }
  return glbOf(json, buffers.length > 0 ? bufferBytes(doc, 0) : undefined);
}

function list(json: JsonObject, key: string): JsonObject[] {
  return (json[key] ?? []) as JsonObject[];
}
