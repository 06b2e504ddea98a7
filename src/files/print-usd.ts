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

/**
 * The files of a layer and of what it names, `files` by their paths from its folder; the layer last. A package has the layer first, binary unless
 * `kind` says otherwise; `.usd` is binary.
 */
export function layerFiles(
  layer: Layer,
  files: readonly UsdzEntry[],
  { path, format }: UsdPlace,
  kind: 'usda' | 'usdc' = 'usdc',
): OutputFile[] {
  if (format === 'usdz') {
    const root = { name: `${stemOf(path)}.${kind}`, bytes: printed(layer, kind) };
    return [{ path, parts: [writeUsdz([root, ...files])] }];
  }
  const named = files.map(({ name, bytes }): OutputFile => ({ path: beside(path, name), parts: [bytes] }));
  return [...named, { path, parts: [printed(layer, format === 'usda' ? 'usda' : 'usdc')] }];
}
