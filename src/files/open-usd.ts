/** USD files with all that they name, as a stage. Runs in browsers and Node. */
import type { ReadResource } from '../formats/gltf/buffers.ts';
import type { Layer } from '../formats/usd/layer/layer.ts';
import { readUsdz, type Usdz } from '../formats/usd/package/read-usdz.ts';
import { expectUsdKind, readLayer } from '../formats/usd/read-layer.ts';
import { openStage } from '../formats/usd/stage/open-stage.ts';
import type { Stage } from '../formats/usd/stage/stage.ts';
import { loadLayers, loadWanted, makeUsdFiles, type UsdFiles } from './usd-files.ts';

/** A USD file that was opened. */
export interface UsdFile {
  /** The root layer with all that it names. What is missing is told in `issues` of the stage. */
  readonly stage: Stage;
  /** By the content: `.usd` may be any of them. */
  readonly kind: 'usda' | 'usdc' | 'usdz';
  /** What the file itself says; of a package its root layer. */
  readonly layer: Layer;
  /** The id of the root layer: where its asset paths start from. */
  readonly id: string;
  /** The files of a package; null for other kinds. */
  readonly package: Usdz | null;
  /** What it names, as far as it was read: layers, and images when they were asked for (`loadAssets`). */
  readonly files: UsdFiles;
}

export interface OpenUsdOptions {
  /** Name or path of the file, for messages. */
  readonly name?: string;
  /**
   * Reads the files that the scene names, by their paths from the folder of the file, with slashes: `parts/body.usdc`, also `../body.usdc`, or an absolute
   * path where a layer has one. Which of them may be read is for this function to say: what it refuses is left out with its reason. Without it only
   * the file itself is read.
   */
  readonly readResource?: ReadResource;
}

const KINDS = { text: 'usda', binary: 'usdc', package: 'usdz' } as const;

/**
 * Opens a text, binary or packaged USD file with its sublayers, references, payloads and value clips, all variants included.
 *
 * @throws FormatError USD_SYNTAX, USD_CRATE or USD_PACKAGE when the file cannot be read, USD_LIMIT when it asks for too much. What it names and is
 *   missing, refused or damaged is left out, with an issue of the stage.
 */
export async function openUsdStage(bytes: Uint8Array, options: OpenUsdOptions = {}): Promise<UsdFile> {
  const { name = '', readResource } = options;
  const kind = expectUsdKind(bytes);
  const path = name.replace(/^.*[/\\]/, '') || `scene.${KINDS[kind]}`;
  const files = makeUsdFiles(path, bytes);
  const root = files.resolve(path, '') ?? { layer: readLayer(bytes), id: path };
  await loadLayers(files, root, readResource);
  const { layer, id } = root;
  const { resolve } = files;
  let stage = openStage(layer, { id, resolve });
  // Names of clips that follow a template are known only now.
  while (files.wanted.size > 0) {
    await loadWanted(files, readResource);
    stage = openStage(layer, { id, resolve });
  }
  const usdz = kind === 'package' ? (files.openedPackage(path) ?? readUsdz(bytes)) : null;
  return { stage, kind: KINDS[kind], layer, id, package: usdz, files };
}
