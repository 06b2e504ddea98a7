/** Textures: images and samplers. glTF 2.0 section 3.8, EXT_texture_webp, EXT_texture_avif, KHR_texture_basisu, MSFT_texture_dds. */

import type { ReadResource } from '../../../core/asset/asset.ts';
import { imageType } from '../../../core/asset/image-type.ts';
import type { Texture, Wrap } from '../../../core/asset/material.ts';
import { FormatError } from '../../../core/report/format-error.ts';
import { uriBytes, viewBytes } from '../document/buffers.ts';
import { type GltfDocument, plainBytes } from '../document/document.ts';
import { indexAt, integerAt, type JsonObject, listItem, objectAt, stringAt } from '../document/json-access.ts';
import { isDataUri, isRemote, resolveUri } from '../document/uri.ts';
import { countIssue } from './geometry-issues.ts';
import { countExtensions, type GeometryReader } from './geometry-reader.ts';

/** Texture extensions that name an alternative image, in the order in which most players prefer them. */
const SOURCES = ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu', 'MSFT_texture_dds'] as const;

/**
 * Loads the external images of a document into memory. Images that cannot be read are skipped; `readGeometry` reports textures without an image.
 * `readResource` reads the bytes of a relative path; may throw.
 */
export async function loadImages(doc: GltfDocument, readResource: ReadResource): Promise<void> {
  const images = Array.isArray(doc.json['images']) ? (doc.json['images'] as unknown[]) : [];
  for (let i = 0; i < images.length; i++) {
    try {
      const uri = stringAt(listItem(doc.json, 'images', i), 'uri', `/images/${i}`);
      if (uri === undefined || isDataUri(uri) || isRemote(uri)) continue;
      const path = resolveUri(uri, `/images/${i}/uri`);
      if (!doc.resources.has(path)) doc.resources.set(path, plainBytes(await readResource(path)));
    } catch {
      // readGeometry reports textures without an image.
    }
  }
}

/**
 * Reads a texture. Returns the texture; null, and counted, where none of its images is available: remote, not loaded, or damaged. Throws
 * FormatError GLTF_SCHEMA, GLTF_REFERENCE and those of `viewBytes`.
 */
export function readTexture(reader: GeometryReader, index: number): Texture | null {
  const { json } = reader.doc;
  const pointer = `/textures/${index}`;
  const texture = listItem(json, 'textures', index);
  countExtensions(reader, 'textureExtension', texture, pointer, SOURCES);
  const found = findImage(reader, texture, pointer);
  if (found === null) return null;
  const sampler = indexAt(texture, 'sampler', pointer, json, 'samplers');
  const at = `/samplers/${sampler}`;
  const settings = sampler === undefined ? {} : listItem(json, 'samplers', sampler);
  return {
    name: stringAt(texture, 'name', pointer) || found.name,
    image: found.bytes,
    mimeType: found.mimeType,
    wrapU: wrapOf(integerAt(settings, 'wrapS', at)),
    wrapV: wrapOf(integerAt(settings, 'wrapT', at)),
    magFilter: integerAt(settings, 'magFilter', at) ?? null,
    minFilter: integerAt(settings, 'minFilter', at) ?? null,
  };
}

function wrapOf(wrap: number | undefined): Wrap {
  return wrap === 33_071 ? 'clamp' : wrap === 33_648 ? 'mirror' : 'repeat';
}

/** The first available image: those of extensions, then the plain one. */
function findImage(
  reader: GeometryReader,
  texture: JsonObject,
  pointer: string,
): { readonly name: string; readonly bytes: Uint8Array; readonly mimeType: string } | null {
  const { doc, issueCounts } = reader;
  const extensions = objectAt(texture, 'extensions', pointer) ?? {};
  const candidates: number[] = [];
  for (const name of SOURCES) {
    const where = `${pointer}/extensions`;
    const extension = objectAt(extensions, name, where);
    const source = extension && indexAt(extension, 'source', `${where}/${name}`, doc.json, 'images');
    if (source !== undefined) candidates.push(source);
  }
  const plain = indexAt(texture, 'source', pointer, doc.json, 'images');
  if (plain !== undefined) candidates.push(plain);
  let missing = '';
  for (const index of candidates) {
    const image = listItem(doc.json, 'images', index);
    const bytes = imageBytes(doc, image, `/images/${index}`);
    const name = stringAt(image, 'name', `/images/${index}`) ?? '';
    const uri = stringAt(image, 'uri', `/images/${index}`);
    if (bytes !== null) {
      const named = stringAt(image, 'mimeType', `/images/${index}`);
      return { name, bytes, mimeType: imageType(bytes) ?? named ?? 'application/octet-stream' };
    }
    missing ||= uri === undefined || isDataUri(uri) ? name : uri;
  }
  countIssue(issueCounts, 'image', missing, pointer);
  return null;
}

function imageBytes(doc: GltfDocument, image: JsonObject, pointer: string): Uint8Array | null {
  const view = indexAt(image, 'bufferView', pointer, doc.json, 'bufferViews');
  if (view !== undefined) return viewBytes(doc, view);
  const uri = stringAt(image, 'uri', pointer);
  if (uri === undefined || isRemote(uri)) return null;
  try {
    return uriBytes(doc, uri, `${pointer}/uri`);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
