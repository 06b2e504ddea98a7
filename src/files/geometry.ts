/** Visible content of opened files: meshes, skins, morph targets, materials and textures. */
import { adapterOf } from './adapters/adapters.ts';
import type { FileGeometry } from './adapters/format-adapter.ts';
import { attachDraco } from './adapters/gltf/attach-draco.ts';
import type { OpenFile } from './open-file.ts';

/**
 * Reads the geometry of an opened file, with its images and decompressed meshes as far as images and decoders are available. Opening a file does not
 * read its geometry.
 *
 * @param file An opened file.
 * @returns The geometry, and issues about what was left out or repaired; null for formats without geometry.
 * @throws FormatError `GLTF_COMPRESSION` when a decoder is not installed, and other codes of the readers.
 */
export async function geometryOf(file: OpenFile): Promise<FileGeometry | null> {
  return (await adapterOf(file).readGeometry?.(file)) ?? null;
}

/**
 * Loads the decoders that the vertices of a file need, as far as they are installed. Functions that read vertices synchronously need them.
 *
 * @param file An opened file; only its cache changes.
 */
export async function loadDecoders(file: OpenFile): Promise<void> {
  if (file.format === 'gltf') await attachDraco(file.document);
}

/**
 * Reads the geometry of a file that has visible content, for writing it into a new file.
 *
 * @param file An opened file.
 * @returns The geometry; null for files without visible meshes.
 * @throws FormatError as {@link geometryOf}.
 */
export async function visibleGeometryOf(file: OpenFile): Promise<FileGeometry | null> {
  const found = await geometryOf(file);
  return found === null || found.geometry.instances.length === 0 ? null : found;
}
