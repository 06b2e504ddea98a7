import type { OpenFile } from './open.ts';
import { OptionError } from './option-error.ts';

/** Documents of glTF. */
export type GltfFormat = 'glb' | 'gltf' | 'vrm';
/** Layers of USD: text, binary (`.usd` too) and packages. */
export type UsdFormat = 'usd' | 'usda' | 'usdc' | 'usdz';
/** What can be written; the extension of the output decides. */
export type OutputFormat = GltfFormat | UsdFormat | 'vrma' | 'bvh';

const USD_FORMATS: readonly UsdFormat[] = ['usd', 'usda', 'usdc', 'usdz'];
const FORMATS: readonly OutputFormat[] = ['glb', 'gltf', 'vrm', 'vrma', 'bvh', ...USD_FORMATS];

/** The format that the extension of a path asks for. OptionError for any other. */
export function outputFormat(path: string): OutputFormat {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  const format = FORMATS.find((known) => known === extension);
  if (format !== undefined) return format;
  const what = extension === undefined ? `${path} has no extension` : `.${extension} is not written`;
  throw new OptionError(
    'output',
    `${what}; the output can be .glb, .gltf, .usdz, .usda, .usdc, .usd or, when the character is a VRM, .vrm; for motions alone also .vrma and .bvh`,
  );
}

/** Whether a format holds one clip only, and no body. */
export function holdsOneClip(format: OutputFormat): format is 'vrma' | 'bvh' {
  return format === 'vrma' || format === 'bvh';
}

/** Whether a format is one of USD. */
export function isUsd(format: OutputFormat): format is UsdFormat {
  return USD_FORMATS.some((known) => known === format);
}

/** OptionError when a file that is no VRM is to be written as one. */
export function checkIsVrm({ asset, name }: OpenFile, format: OutputFormat): void {
  if (format !== 'vrm' || asset.format === 'vrm0' || asset.format === 'vrm1') return;
  const message = `${name} is no VRM (it is ${asset.format.toUpperCase()}), so that the output cannot be one; write another format`;
  throw new OptionError('output', message);
}
