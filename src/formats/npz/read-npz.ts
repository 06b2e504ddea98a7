import type { Asset, AssetClip } from '../../core/asset/asset.ts';
import { limitAsset } from '../../core/asset/limit-asset.ts';
import { limitRest } from '../../core/skeleton/limit-rest.ts';
import { type NumpyValues, parseNumpy } from './container/parse-numpy.ts';
import { describeValues, layoutError } from './layouts/arrays.ts';
import { readKimodo } from './layouts/kimodo.ts';
import type { NpzMotion, NpzOptions } from './layouts/motion.ts';
import { readPoints } from './layouts/points.ts';
import { readPoselib } from './layouts/poselib.ts';
import { readSmpl } from './layouts/smpl.ts';

export type { NpzOptions, UpAxis } from './layouts/motion.ts';

/** The layouts that are known, most special first. */
const LAYOUTS: readonly ((values: NumpyValues, options: NpzOptions) => NpzMotion | null)[] = [
  readKimodo,
  readPoselib,
  readPoints,
  readSmpl,
];

function checkOptions({ frameRate }: NpzOptions): void {
  if (frameRate === undefined || (frameRate > 0 && frameRate < Infinity)) return;
  throw new RangeError(`frameRate is ${frameRate}; expected frames per second, above 0`);
}

function assetOf({ skeleton, declared, up, clips, issues }: NpzMotion): Asset {
  const sourceNodes = Int32Array.from(skeleton.names, (_, joint) => joint);
  const limited = limitRest(skeleton.parents, skeleton.rest, skeleton.names);
  return limitAsset({
    format: 'npz',
    metersPerUnit: 1,
    up,
    skeletons: [{ skeleton, sourceNodes, declared }],
    clips: clips.map((clip): AssetClip => {
      return { name: clip.name, duration: clip.duration, clips: [clip], morphs: [], otherChannels: 0 };
    }),
    issues: [...issues, ...limited],
  });
}

/**
 * Reads a motion from a file of NumPy: `.npz`, `.smpl`, `.npy` or a pickle of arrays. Its layout is recognized by names and shapes of the arrays. Nothing in
 * the file is executed.
 *
 * @param bytes The file.
 * @param options Frame rate and up axis, where the file says neither, or says them wrongly.
 * @returns A skeleton and a clip per take, in meters.
 * @throws FormatError `NPZ_INVALID` for a damaged file; `NPZ_LAYOUT` for arrays that are no motion that anyrig knows. RangeError for an impossible frame rate.
 * @experimental
 * @example
 * const { clips } = readNpz(await readFile('walk.npz'));
 */
export function readNpz(bytes: Uint8Array, options: NpzOptions = {}): Asset {
  checkOptions(options);
  const values = parseNumpy(bytes);
  for (const read of LAYOUTS) {
    const motion = read(values, options);
    if (motion !== null) return assetOf(motion);
  }
  const message = `The arrays are no motion that anyrig knows: ${describeValues(values)}. Known are poses of SMPL, SMPL-H and SMPL-X (AMASS, GVHMR, AIST++, .smpl), Kimodo, poselib, and positions of joints (HumanML3D, MDM, Human3.6M, MediaPipe); convert others to BVH, FBX or GLB`;
  throw layoutError(message);
}
