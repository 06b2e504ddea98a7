import { FormatError } from '../../../core/report/format-error.ts';
import { concatParts } from '../../../formats/gltf/document/parts.ts';
import { serializeUsdc } from '../../../formats/usd/crate/serialize-usdc.ts';
import type { Layer } from '../../../formats/usd/layer/layer.ts';
import type { UsdzEntry } from '../../../formats/usd/package/read-usdz.ts';
import { writeUsdz } from '../../../formats/usd/package/write-usdz.ts';
import { emitUsda } from '../../../formats/usd/text/serialize-usda.ts';
import { stemOf } from '../../clips/clip-names.ts';
import type { OutputFile } from '../../outputs/output-file.ts';
import type { UsdFormat } from '../../outputs/output-format.ts';
import { siblingPath } from '../../outputs/output-paths.ts';
import { encodeTextParts } from '../../outputs/text-parts.ts';
import type { Destination } from '../format-adapter.ts';

/** Serializes a layer. Files can have asset paths and metadata that text cannot express. */
function serialize(layer: Layer, format: 'usda' | 'usdc'): Uint8Array[] {
  try {
    return format === 'usda' ? encodeTextParts((emit) => emitUsda(layer, emit)) : [serializeUsdc(layer)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FormatError('USD_SYNTAX', error.message);
  }
}

export interface PackageRoot {
  readonly name: string;
  readonly kind: 'usda' | 'usdc';
}

/** Serializes a layer and the files that it references. `.usd` is binary. Throws FormatError `USD_SYNTAX` for values that the format cannot hold. */
export function serializeLayer(
  layer: Layer,
  files: readonly UsdzEntry[],
  { path, format }: Destination<UsdFormat>,
  root: PackageRoot = { name: `${stemOf(path)}.usdc`, kind: 'usdc' },
): OutputFile[] {
  if (format === 'usdz') {
    const bytes = concatParts(serialize(layer, root.kind));
    return [{ path, parts: [writeUsdz([{ name: root.name, bytes }, ...files])] }];
  }
  const dependencies = files.map(
    ({ name, bytes }): OutputFile => ({
      path: siblingPath(path, name),
      parts: [bytes],
      isDependency: true,
    }),
  );
  return [...dependencies, { path, parts: serialize(layer, format === 'usda' ? 'usda' : 'usdc') }];
}
