/** Opens USD files with all that they reference as a stage. Runs in browsers and Node. */
import type { ReadResource } from '../../../core/asset/asset.ts';
import type { Layer } from '../../../formats/usd/layer/layer.ts';
import { readUsdz, type Usdz } from '../../../formats/usd/package/read-usdz.ts';
import { expectUsdKind, readUsdLayer } from '../../../formats/usd/read-usd-layer.ts';
import { openStage } from '../../../formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../formats/usd/stage/stage.ts';
import { createUsdFiles, loadLayers, loadWanted, type UsdFiles } from './usd-files.ts';

/** A USD file that was opened. */
export interface OpenedUsdStage {
  /** The composed stage; its `issues` name references that could not be resolved. */
  readonly stage: Stage;
  /** Kind of the file by its content; a `.usd` file may be any of them. */
  readonly kind: 'usda' | 'usdc' | 'usdz';
  /** The root layer; in a package the first layer. */
  readonly layer: Layer;
  /** Identifier of the root layer, which its asset paths are relative to. */
  readonly id: string;
  /** The files of a package; null for other kinds. */
  readonly package: Usdz | null;
  /**
   * Referenced files as far as they were read: layers, and images after `loadAssets`.
   *
   * @internal
   */
  readonly files: UsdFiles;
}

export interface OpenUsdOptions {
  readonly name?: string;
  /**
   * Reads referenced files by their paths from the folder of the file, with slashes: `parts/body.usdc`, also `../body.usdc`, or an absolute path
   * where a layer has one. The function decides which files may be read; files that it rejects are left out with its reason. Without it, only the file
   * itself is read.
   */
  readonly readResource?: ReadResource;
}

const KINDS = { text: 'usda', binary: 'usdc', package: 'usdz' } as const;

/**
 * Opens a text, binary or packaged USD file with its sublayers, references, payloads and value clips, including all variants. Returns the composed
 * stage and the root layer. References that are missing, rejected or damaged are left out, with an issue of the stage. Throws FormatError
 * `USD_SYNTAX`, `USD_CRATE` or `USD_PACKAGE` when the file cannot be read, `USD_LIMIT` when it exceeds the limits.
 */
export async function openUsdStage(bytes: Uint8Array, options: OpenUsdOptions = {}): Promise<OpenedUsdStage> {
  const { name = '', readResource } = options;
  const kind = expectUsdKind(bytes);
  const path = name.replace(/^.*[/\\]/, '') || `scene.${KINDS[kind]}`;
  const files = createUsdFiles(path, bytes);
  const root = files.resolve(path, '') ?? { layer: readUsdLayer(bytes), id: path };
  await loadLayers(files, root, readResource);
  const { layer, id } = root;
  const { resolve } = files;
  let stage = openStage(layer, { id, resolve });
  // Value clips that follow a name template are only known after composition.
  while (files.wanted.size > 0) {
    await loadWanted(files, readResource);
    stage = openStage(layer, { id, resolve });
  }
  const usdz = kind === 'package' ? (files.openedPackage(path) ?? readUsdz(bytes)) : null;
  return { stage, kind: KINDS[kind], layer, id, package: usdz, files };
}
