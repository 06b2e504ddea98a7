import type { ReadResource } from '../../../core/asset/asset.ts';
import type { Texture, TextureUse, Wrap } from '../../../core/asset/material.ts';
import { texturePaths } from '../../../core/asset/texture-paths.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { decodeBase64 } from '../../../core/text/base64.ts';
import type { FbxRecord, FbxTree } from '../document/fbx-tree.ts';
import { numberProperty, propertyOf } from '../document/object-properties.ts';
import { numberOf, recordIn, textOf } from '../document/records.ts';
import { childObjects, type FbxObject, type FbxScene, readScene } from '../nodes/fbx-scene.ts';

export interface TextureSource {
  readonly name: string;
  /** The embedded image; null without one. */
  readonly content: Uint8Array | null;
  /** Paths within the folder of the FBX to try otherwise, the preferred one first. */
  readonly paths: readonly string[];
  readonly wrapU: Wrap;
  readonly wrapV: Wrap;
  /** Name of the UV set; empty or `default` for the first. */
  readonly uvSet: string;
  /** UV transform; null for the identity. */
  readonly transform: TextureUse['transform'];
  /** True for a texture with a rotation, which is left out. */
  readonly isRotated: boolean;
}

/** Lists the paths of images that a file may be read with beside it: those without an embedded image, as its textures are read. */
export function imagePaths(tree: FbxTree): string[] {
  const scene = readScene(tree, []);
  const textures = [...scene.objects.values()].filter(({ kind }) => kind === 'Texture');
  return textures.flatMap((texture) => {
    const { content, paths } = readTextureSource(scene, texture);
    return content === null ? paths : [];
  });
}

/** Reads a Texture object. Its image is the Content of a Video child. */
export function readTextureSource(scene: FbxScene, texture: FbxObject): TextureSource {
  const { name, record, properties } = texture;
  const video = childObjects(scene, texture.id, 'Video')[0];
  const wrap = (property: string): Wrap => (numberProperty(properties, property, 0) === 1 ? 'clamp' : 'repeat');
  const paths = new Set<string>();
  for (const part of [record, video?.record]) {
    for (const field of ['RelativeFilename', 'FileName', 'Filename']) {
      for (const path of texturePaths(textOf(recordIn(part?.records ?? [], field)?.properties[0]) ?? ''))
        paths.add(path);
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
    isRotated: (propertyOf(properties, 'Rotation') ?? []).some((value) => (numberOf(value) ?? 0) !== 0),
  };
}

/** Returns the embedded file of a Video: bytes in binary files, pieces of base64 in text files; null without content. */
function contentOf({ records }: FbxRecord): Uint8Array | null {
  const values = recordIn(records, 'Content')?.properties ?? [];
  const bytes = values.find((value) => value instanceof Uint8Array);
  if (bytes !== undefined) return bytes.length > 0 ? bytes : null;
  const texts = values.filter((value) => typeof value === 'string').map((text) => text.replace(/\s/g, ''));
  // Each piece may have its own padding.
  const pieces = texts.every((text) => text.length % 4 === 0) ? texts : [texts.join('')];
  const decoded = pieces.map((text) => decodeBase64(text));
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

/** Converts `uv · Scaling + Translation` with v up to KHR_texture_transform with v down; null for the identity. */
function transformOf({ properties }: FbxObject): TextureUse['transform'] {
  const numbers = (name: string, fallback: number): [number, number] => {
    const values = propertyOf(properties, name);
    return [numberOf(values?.[0]) ?? fallback, numberOf(values?.[1]) ?? fallback];
  };
  const [u, v] = numbers('Translation', 0);
  const scale = numbers('Scaling', 1);
  if (u === 0 && v === 0 && scale[0] === 1 && scale[1] === 1) return null;
  return { offset: [u, 1 - scale[1] - v], rotation: 0, scale };
}

/** Detects the image formats that glTF supports by their first bytes; null for others. */
function mimeTypeOf(bytes: Uint8Array): string | null {
  const starts = (...head: readonly number[]): boolean => head.every((byte, i) => bytes[i] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x52, 0x49, 0x46, 0x46) && bytes[8] === 0x57 && bytes[9] === 0x45) return 'image/webp';
  return starts(0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30) ? 'image/ktx2' : null;
}

/**
 * Reads the images of textures. A file that several textures use is read once. `readResource` reads files beside the FBX; undefined to read
 * embedded images only. `issues` receives RESOURCE_MISSING for unreadable files and FBX_MATERIAL for images other than PNG, JPEG, WebP and KTX2.
 * These are left out. Returns the textures, in the order of `sources`; null for those left out.
 */
export async function loadTextures(
  sources: readonly TextureSource[],
  readResource: ReadResource | undefined,
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
    const message =
      paths.length > 0
        ? `${whose} is not embedded, and ${paths.join(' or ')} beside the FBX cannot be read; it was left out. Put it there.`
        : `${whose} is not embedded, and the file names no path; it was left out. Embed the image.`;
    issues.push(issue('RESOURCE_MISSING', message, paths.length > 0 ? { resource: paths[0] } : {}));
  }
  return textures;
}
