/** Writes textures, images and samplers; images are embedded in the buffer. glTF 2.0 section 3.8. */
import type { Texture, Wrap } from '../../../core/asset/material.ts';
import { type Issue, issue } from '../../../core/report/issue.ts';
import { type AccessorPool, poolBytes } from '../accessors/accessor-pool.ts';
import type { UsedExtensions } from '../document/extensions-used.ts';
import { ensureList, type JsonObject } from '../document/json-access.ts';

/** Image types that glTF supports, and the extension that each needs; null for none. */
const EXTENSION_OF: ReadonlyMap<string, string | null> = new Map([
  ['image/png', null],
  ['image/jpeg', null],
  ['image/webp', 'EXT_texture_webp'],
  ['image/avif', 'EXT_texture_avif'],
  ['image/ktx2', 'KHR_texture_basisu'],
  ['image/vnd-ms.dds', 'MSFT_texture_dds'],
]);
const WRAPS: Readonly<Record<Wrap, number>> = { clamp: 33071, mirror: 33648, repeat: 10497 };

/**
 * Writes textures. Equal images and samplers are written once. An image type that needs an extension makes it required, as there is no fallback
 * image. `extensions` receives the extensions in use. `issues` receives TEXTURE_DROPPED for image types that glTF does not support (TGA, PSD, TIFF
 * …) and for empty images.
 */
export function writeTextures(
  pool: AccessorPool,
  textures: readonly Texture[],
  extensions: UsedExtensions,
  issues: Issue[],
): Int32Array {
  const images = new Map<string, number>();
  const samplers = new Map<string, number>();
  return Int32Array.from(textures, (texture, t) => {
    const { name, image, mimeType } = texture;
    const extension = EXTENSION_OF.get(mimeType);
    if (extension === undefined || image.length === 0) {
      const reason =
        image.length === 0 ? 'has no data' : `is ${mimeType}, which glTF does not support; convert it to PNG`;
      const message = `The texture ${JSON.stringify(name === '' ? t : name)} ${reason}. Materials were written without it.`;
      issues.push(issue('TEXTURE_DROPPED', message));
      return -1;
    }
    const source = writeImage(pool, texture, images);
    const sampler = writeSampler(pool, texture, samplers);
    if (extension !== null) extensions.required.add(extension);
    const json = {
      ...(name === '' ? {} : { name }),
      ...(sampler === null ? {} : { sampler }),
      ...(extension === null ? { source } : { extensions: { [extension]: { source } } }),
    };
    return ensureList(pool.doc.json, 'textures').push(json) - 1;
  });
}

function writeImage(pool: AccessorPool, { name, image, mimeType }: Texture, known: Map<string, number>): number {
  const json = { ...(name === '' ? {} : { name }), bufferView: poolBytes(pool, image), mimeType };
  return once(pool, 'images', `${json.bufferView}`, json, known);
}

/** Index of the sampler; null where it equals the default of players. */
function writeSampler(
  pool: AccessorPool,
  { wrapU, wrapV, magFilter, minFilter }: Texture,
  known: Map<string, number>,
): number | null {
  const json: JsonObject = {
    ...(magFilter === null ? {} : { magFilter }),
    ...(minFilter === null ? {} : { minFilter }),
    ...(wrapU === 'repeat' ? {} : { wrapS: WRAPS[wrapU] }),
    ...(wrapV === 'repeat' ? {} : { wrapT: WRAPS[wrapV] }),
  };
  if (Object.keys(json).length === 0) return null;
  return once(pool, 'samplers', JSON.stringify(json), json, known);
}

function once(
  { doc }: AccessorPool,
  list: 'images' | 'samplers',
  key: string,
  json: JsonObject,
  known: Map<string, number>,
): number {
  const index = known.get(key) ?? ensureList(doc.json, list).push(json) - 1;
  known.set(key, index);
  return index;
}
