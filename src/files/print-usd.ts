/** Layers as files: text, binary, or a package with all that belongs to it. */
import { printUsdc } from '../formats/usd/crate/print-usdc.ts';
import type { Layer } from '../formats/usd/layer/layer.ts';
import type { UsdzEntry } from '../formats/usd/package/read-usdz.ts';
import { writeUsdz } from '../formats/usd/package/write-usdz.ts';
import { printUsda } from '../formats/usd/text/print-usda.ts';
import { stemOf } from './clip-names.ts';
import type { OutputFile } from './output-file.ts';
import type { UsdFormat } from './output-format.ts';
import { beside } from './output-paths.ts';

/** Where a layer goes. */
export interface UsdPlace {
  readonly path: string;
  readonly format: UsdFormat;
}

function printed(layer: Layer, format: 'usda' | 'usdc'): Uint8Array {
  return format === 'usda' ? new TextEncoder().encode(printUsda(layer)) : printUsdc(layer);
}

/** The root layer in a package. */
export interface PackedRoot {
  /** Path in the package. */
  readonly name: string;
  readonly kind: 'usda' | 'usdc';
}

/**
 * The files of a layer and of what it names, the layer last; `.usd` is binary. `files` have their paths from the folder of the layer, in a package from the top
 * of that, where the layer comes first: binary and with the name of the package, unless `root` says otherwise.
 */
export function layerFiles(
  layer: Layer,
  files: readonly UsdzEntry[],
  { path, format }: UsdPlace,
  root: PackedRoot = { name: `${stemOf(path)}.usdc`, kind: 'usdc' },
): OutputFile[] {
  if (format === 'usdz') {
    return [{ path, parts: [writeUsdz([{ name: root.name, bytes: printed(layer, root.kind) }, ...files])] }];
  }
  const named = files.map(
    ({ name, bytes }): OutputFile => ({
      path: beside(path, name),
      parts: [bytes],
      comesAlong: true,
    }),
  );
  return [...named, { path, parts: [printed(layer, format === 'usda' ? 'usda' : 'usdc')] }];
}
