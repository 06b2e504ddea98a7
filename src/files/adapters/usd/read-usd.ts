import type { ReadResource } from '../../../core/asset/asset.ts';
import type { FileGeometry } from '../../../core/asset/geometry.ts';
import { readUsdAsset } from '../../../formats/usd/read/read-usd-asset.ts';
import { readUsdGeometry } from '../../../formats/usd/read/read-usd-geometry.ts';
import { readUsdScene } from '../../../formats/usd/read/read-usd-scene.ts';
import type { OpenOptions, UsdFile } from '../../open-file.ts';
import { openUsdStage } from './open-stage.ts';
import { loadAssets } from './usd-files.ts';
import type { UsdSource } from './usd-source.ts';

/**
 * Opens a USD file with all that it references. Throws FormatError `USD_SYNTAX`, `USD_CRATE`, `USD_PACKAGE` or `USD_LIMIT` when it cannot be read.
 */
export async function openUsd(
  bytes: Uint8Array,
  { name = '', readResource, wantsClip }: OpenOptions,
): Promise<UsdFile> {
  const opened = await openUsdStage(bytes, { name, ...(readResource === undefined ? {} : { readResource }) });
  const scene = readUsdScene(opened.stage);
  const readVertices: UsdSource['readVertices'] = () => readUsdGeometry(scene, () => null).geometry;
  const asset = readUsdAsset(scene, wantsClip === undefined ? {} : { wantsClip });
  return { format: 'usd', name, asset, source: { ...opened, scene, readVertices }, readResource: readResource ?? null };
}

/** Reads the geometry of a USD file, with its images. `readResource` reads images; null reads none. Throws FormatError when it cannot be read. */
export async function readUsdFileGeometry(
  { scene, files }: UsdSource,
  readResource: ReadResource | null,
): Promise<FileGeometry> {
  await loadAssets(files, readResource ?? undefined);
  return readUsdGeometry(scene, files.readAsset);
}
