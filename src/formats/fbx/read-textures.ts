/** The textures of an FBX file: embedded, or files beside it. */
import type { Texture, TextureUse, Wrap } from '../../core/asset/material.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { numberProperty, propertyOf } from './properties.ts';
import { numberOf, recordIn, textOf } from './records.ts';
import { type FbxObject, type FbxScene, objectsBelow } from './scene.ts';
import type { FbxRecord } from './tree.ts';

/** Reads a file beside the FBX by its path, `/` between folders; throws or rejects when there is none. */
export type ReadFbxResource = (path: string) => Promise<Uint8Array>;

/** A Texture of the file before its image is read. */
export interface TextureSource {
  readonly name: string;
  /** The embedded image; null where there is none. */
  readonly content: Uint8Array | null;
  /** Where else to look for it, the best first: paths that stay in the folder of the FBX. */
  readonly paths: readonly string[];
  readonly wrapU: Wrap;
  readonly wrapV: Wrap;
  /** Name of the uv set; empty or `default` for the first. */
  readonly uvSet: string;
  readonly transform: TextureUse['transform'];
  /** Whether it is turned, which is left out. */
  readonly isTurned: boolean;
}

/** What the objects of kind Texture say; their images from Content of the Video below them. */
export function readTextureSource(scene: FbxScene, texture: FbxObject): TextureSource {
  const { name, record, properties } = texture;
  const video = objectsBelow(scene, texture.id, 'Video')[0];
  const wrap = (property: string): Wrap => (numberProperty(properties, property, 0) === 1 ? 'clamp' : 'repeat');
  const paths = new Set<string>();
  for (const part of [record, video?.record]) {
    for (const field of ['RelativeFilename', 'FileName', 'Filename']) {
      for (const path of pathsIn(textOf(recordIn(part?.records ?? [], field)?.properties[0]) ?? '')) paths.add(path);
    }
  }
  return {
    name,
    content: video === undefined ? null : contentOf(video.record),
    paths: [...paths],
    wrapU: wrap('WrapModeU'),
    wrapV: wrap('WrapModeV'),
    uvSet: textOf(propertyOf(properties, 'UVSet')?.[0]) ?? '',
    transform: transformOf(texture),
    isTurned: (propertyOf(properties, 'Rotation') ?? []).some((value) => (numberOf(value) ?? 0) !== 0),
  };
}

/** The path as it is, where it stays in the folder, and the name alone: paths of other machines lead nowhere. */
function pathsIn(written: string): string[] {
  const parts = written.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  const last = parts.at(-1);
  if (last === undefined || last === '..' || last.includes('\0')) return [];
  const isLocal = !/^[\\/]|^\w:/.test(written) && !parts.includes('..');
  return isLocal && parts.length > 1 ? [parts.join('/'), last] : [last];
}

/** The embedded file of a Video: bytes in binary files, base64 in text files, there in pieces; null without. */
function contentOf({ records }: FbxRecord): Uint8Array | null {
  const values = recordIn(records, 'Content')?.properties ?? [];
  const bytes = values.find((value) => value instanceof Uint8Array);
  if (bytes !== undefined) return bytes.length > 0 ? bytes : null;
  const texts = values.filter((value) => typeof value === 'string').map((text) => text.replace(/\s/g, ''));
  // Pieces may be padded each by itself.
  const pieces = texts.every((text) => text.length % 4 === 0) ? texts : [texts.join('')];
  const decoded = pieces.map(decodeBase64);
  if (decoded.includes(null)) return null;
  const parts = decoded.filter((part) => part !== null);
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out.length > 0 ? out : null;
}

function decodeBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

/** `uv · Scaling + Translation` with v upwards, as KHR_texture_transform with v downwards; null where it changes nothing. */
function transformOf({ properties }: FbxObject): TextureUse['transform'] {
  const numbers = (name: string, otherwise: number): [number, number] => {
    const values = propertyOf(properties, name);
    return [numberOf(values?.[0]) ?? otherwise, numberOf(values?.[1]) ?? otherwise];
  };
  const [u, v] = numbers('Translation', 0);
  const scale = numbers('Scaling', 1);
  if (u === 0 && v === 0 && scale[0] === 1 && scale[1] === 1) return null;
  return { offset: [u, 1 - scale[1] - v], rotation: 0, scale };
}

/** The kinds of images that glTF takes, by their first bytes. */
function mimeTypeOf(bytes: Uint8Array): string | null {
  const starts = (...head: readonly number[]): boolean => head.every((byte, i) => bytes[i] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57 && bytes[9] === 0x45) return 'image/webp';
  return starts(0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30) ? 'image/ktx2' : null;
}

/**
 * Reads the images of textures; null for those that are left out, which are reported: RESOURCE_MISSING for files that cannot
 * be read, FBX_MATERIAL for images that are neither PNG, JPEG, WebP nor KTX2. A file that several textures show is read once.
 */
export async function loadTextures(
  sources: readonly TextureSource[],
  readResource: ReadFbxResource | undefined,
  issues: Issue[],
): Promise<(Texture | null)[]> {
  const read = new Map<string, Uint8Array | null>();
  const open = async (path: string): Promise<Uint8Array | null> => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const bytes = (await readResource?.(path).catch(() => null)) ?? null;
    read.set(path, bytes);
    return bytes;
  };
  const textures: (Texture | null)[] = [];
  for (const { name, content, paths, wrapU, wrapV } of sources) {
    let image = content;
    for (const path of paths) image ??= await open(path);
    const mimeType = image === null ? null : mimeTypeOf(image);
    if (image !== null && mimeType !== null) {
      textures.push({ name, image, mimeType, wrapU, wrapV, magFilter: null, minFilter: null });
      continue;
    }
    textures.push(null);
    const whose = `The image of the texture ${JSON.stringify(name)}`;
    if (image !== null) {
      const message = `${whose} is neither PNG, JPEG, WebP nor KTX2; it was left out. Convert it to PNG.`;
      issues.push(issue('FBX_MATERIAL', message));
      continue;
    }
    const places = paths.length > 0 ? `at ${paths.join(' or ')} beside the FBX` : 'anywhere: the file names no path';
    const message = `${whose} is not embedded and cannot be read ${places}; it was left out.`;
    issues.push(issue('RESOURCE_MISSING', message, paths.length > 0 ? { resource: paths[0] } : {}));
  }
  return textures;
}
