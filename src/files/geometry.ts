/** The body of a file that was opened: meshes, skins, morph targets, materials, textures. */
import type { Geometry } from '../core/asset/geometry.ts';
import type { Issue } from '../core/report/issue.ts';
import { attachDracoDecoder, hasDracoMeshes } from '../formats/gltf/draco.ts';
import { readGeometry } from '../formats/gltf/geometry/read-geometry.ts';
import { loadImages } from '../formats/gltf/geometry/read-textures.ts';
import type { OpenFile } from './open.ts';

/** Geometry of a file, and what of it was left out or mended. */
export interface FileGeometry {
  readonly geometry: Geometry;
  readonly issues: readonly Issue[];
}

/**
 * Reads the geometry of a file that was opened, which opening leaves alone; null for formats that have none. Images are
 * loaded and meshes decompressed as far as there are images and decoders.
 *
 * @throws FormatError with a code and a place: `GLTF_COMPRESSION` where the decoder is not installed, and those of the readers.
 */
export async function geometryOf({ document, fbx, usd, readResource }: OpenFile): Promise<FileGeometry | null> {
  if (fbx !== null) {
    const { readFbxTreeGeometry } = await import('./fbx.ts');
    return readFbxTreeGeometry(fbx, readResource === null ? {} : { readResource });
  }
  if (usd !== null) {
    const { readUsdFileGeometry } = await import('./usd.ts');
    return readUsdFileGeometry(usd, readResource);
  }
  if (document === null) return null;
  if (readResource !== null) await loadImages(document, readResource);
  if (document.cache.dracoDecoder === null && hasDracoMeshes(document)) {
    const { loadDracoDecoder } = await import('./draco-decoder.ts');
    const decoder = await loadDracoDecoder();
    if (decoder !== null) attachDracoDecoder(document, decoder);
  }
  const issues: Issue[] = [];
  return { geometry: readGeometry(document, issues), issues };
}

/**
 * What is seen of a file, for a new one to be written: null for files that show nothing.
 *
 * @throws FormatError as {@link geometryOf}.
 */
export async function shownBody(file: OpenFile): Promise<FileGeometry | null> {
  const found = await geometryOf(file);
  return found === null || found.geometry.instances.length === 0 ? null : found;
}
