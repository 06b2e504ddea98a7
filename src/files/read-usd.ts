/** USD files for jobs: what they move and what they show. */
import type { Asset } from '../core/asset/asset.ts';
import type { Issue } from '../core/report/issue.ts';
import type { ReadResource } from '../formats/gltf/buffers.ts';
import { type ReadUsdOptions, readUsdAsset } from '../formats/usd/read/read-asset.ts';
import { readUsdGeometry } from '../formats/usd/read/read-geometry.ts';
import { readUsdScene } from '../formats/usd/read/read-scene.ts';
import type { FileGeometry } from './geometry.ts';
import { openUsdStage } from './open-usd.ts';
import { loadAssets } from './usd-files.ts';
import type { UsdSource } from './usd-source.ts';

/** A USD file with all that it names, and the clips that are wanted. FormatError USD_… when it cannot be read. */
export async function readUsdFile(
  bytes: Uint8Array,
  name: string,
  readResource: ReadResource | null,
  options: ReadUsdOptions = {},
): Promise<{ readonly asset: Asset; readonly usd: UsdSource }> {
  const file = await openUsdStage(bytes, { name, ...(readResource === null ? {} : { readResource }) });
  const scene = readUsdScene(file.stage);
  const readShape: UsdSource['readShape'] = () => readUsdGeometry(scene, () => null, []);
  return { asset: readUsdAsset(scene, options), usd: { ...file, scene, readShape } };
}

/** What is seen of a USD file, its images loaded. */
export async function readUsdFileGeometry(
  { scene, files }: UsdSource,
  readResource: ReadResource | null,
): Promise<FileGeometry> {
  await loadAssets(files, readResource ?? undefined);
  const issues: Issue[] = [];
  return { geometry: readUsdGeometry(scene, files.readAsset, issues), issues };
}
