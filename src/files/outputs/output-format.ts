/** Formats that can be written, chosen by the file extension of the output. */
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';

/**
 * Containers of a glTF document.
 *
 * @inline
 */
export type GltfFormat = 'glb' | 'gltf' | 'vrm';
/** USD files: text (`usda`), binary (`usdc`, also `usd`) and packages (`usdz`). */
export type UsdFormat = 'usd' | 'usda' | 'usdc' | 'usdz';
/**
 * File extensions that can be written.
 *
 * @useDeclaredType
 */
export type OutputFormat = GltfFormat | UsdFormat | 'fbx' | 'vrma' | 'bvh';

const FAMILIES: Readonly<Record<OutputFormat, OpenFile['format']>> = {
  glb: 'gltf',
  gltf: 'gltf',
  vrm: 'gltf',
  vrma: 'gltf',
  bvh: 'bvh',
  fbx: 'fbx',
  usd: 'usd',
  usda: 'usd',
  usdc: 'usd',
  usdz: 'usd',
};

/** Returns the format that the extension of a path selects. Throws OptionError (`output`) for a missing or unsupported extension. */
export function outputFormat(path: string): OutputFormat {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1].toLowerCase();
  if (extension !== undefined && Object.hasOwn(FAMILIES, extension)) return extension as OutputFormat;
  const folder = path.replace(/[/\\]+$/, '');
  if (folder !== path || path === '') {
    const what = path === '' ? 'The path is empty' : `${path} is a folder`;
    const example = path === '' ? 'out.glb' : `${folder}/{clip}.glb`;
    throw new OptionError('output', `${what}; name a file, such as ${example}`);
  }
  const what = extension === undefined ? `${path} has no extension` : `anyrig cannot write .${extension} files`;
  throw new OptionError(
    'output',
    `${what}; write .glb, .gltf, .fbx, .usdz, .usda, .usdc, .usd or, for a VRM character, .vrm; without a mesh also .vrma and .bvh`,
  );
}

export function formatFamily(format: OutputFormat): OpenFile['format'] {
  return FAMILIES[format];
}

/**
 * Keys that a format can hold: any interpolation (glTF), curves that all programs read (FBX), LINEAR only (VRMA), LINEAR at times that all joints share (USD), or
 * a value per frame (BVH).
 */
export type OutputKeys = 'any' | 'curves' | 'linear' | 'shared' | 'frames';

export function outputKeysOf(format: OutputFormat): OutputKeys {
  if (format === 'bvh') return 'frames';
  if (format === 'fbx') return 'curves';
  if (isUsd(format)) return 'shared';
  return format === 'vrma' ? 'linear' : 'any';
}

export function holdsOneClip(format: OutputFormat): format is 'vrma' | 'bvh' {
  return format === 'vrma' || format === 'bvh';
}

export function isGltf(format: OutputFormat): format is GltfFormat {
  return format === 'glb' || format === 'gltf' || format === 'vrm';
}

export function isUsd(format: OutputFormat): format is UsdFormat {
  return FAMILIES[format] === 'usd';
}

/** Rejects `.vrm` as the output of a file that is not a VRM. Throws OptionError (`output`) for a `.vrm` output of another format. */
export function checkIsVrm({ asset, name }: OpenFile, format: OutputFormat): void {
  if (format !== 'vrm' || asset.format === 'vrm0' || asset.format === 'vrm1') return;
  const message = `${name} is ${asset.format.toUpperCase()}, not VRM; write .glb, or make it a VRM first, by converting it with the option vrm`;
  throw new OptionError('output', message);
}
