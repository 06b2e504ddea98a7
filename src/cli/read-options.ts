/** Values of flags as options of jobs. */
import { statSync } from 'node:fs';
import type { GivenBones } from '../core/humanoid/humanoid.ts';
import { parseBoneMap } from '../files/bone-map-file.ts';
import type { BodyOptions, PoseOption } from '../files/describe-body.ts';
import { readInputSync } from '../files/read-input.ts';
import { systemReason } from '../files/system-reason.ts';
import { blame, type InputOptions, openInput } from './open-input.ts';
import { UsageError } from './usage-error.ts';

/** A number above 0. UsageError for anything else. */
export function readFrameRate(text: string): number {
  const fps = Number(text);
  if (text.trim() !== '' && fps > 0 && fps <= 1000) return fps;
  throw new UsageError(`--fps is ${JSON.stringify(text)}; expected a number above 0, up to 1000`);
}

/** `auto`, `none` or a number of at least 0. UsageError for anything else. */
export function readHipsScale(text: string): 'auto' | 'none' | number {
  if (text === 'auto' || text === 'none') return text;
  const factor = Number(text);
  if (text.trim() !== '' && factor >= 0 && Number.isFinite(factor)) return factor;
  throw new UsageError(`--hips-scale is ${JSON.stringify(text)}; expected auto, none or a number of at least 0`);
}

/** The folder of `--asset-root`. UsageError when it is none. */
export function readInputOptions(assetRoot: string | undefined): InputOptions {
  if (assetRoot === undefined) return {};
  let reason = 'it is no folder';
  try {
    if (statSync(assetRoot).isDirectory()) return { assetRoot };
  } catch (error) {
    reason = systemReason(error);
  }
  throw new UsageError(`--asset-root is ${JSON.stringify(assetRoot)}: ${reason}; expected a folder`);
}

async function readMap(path: string): Promise<GivenBones> {
  return blame(path, () => parseBoneMap(readInputSync(path)));
}

/** What flags for a reference pose take, for their help. */
export const POSE_CHOICES: string =
  'auto, declared, bind, node, frame:N, or a file of the same rig, whose pose is made a T-pose; exact:FILE takes it as it is';

/** The pose of another file is only where the estimator starts, unless this goes before its name. */
const EXACT = 'exact:';

async function readPose(text: string, options: InputOptions): Promise<PoseOption> {
  if (text === 'auto' || text === 'declared' || text === 'bind' || text === 'node') return text;
  const frame = /^frame:(\d+)$/.exec(text);
  if (frame !== null) return { frame: Number(frame[1]) };
  if (text.startsWith('frame:')) throw new UsageError(`${text} is no pose; expected frame:N, N counted from 0`);
  if (text.startsWith(EXACT)) return { file: await openInput(text.slice(EXACT.length), options), exact: true };
  return { file: await openInput(text, options) };
}

/** What flags say about the body of one side. */
export interface BodyFlags {
  readonly map: string | undefined;
  readonly skeleton: string | undefined;
  readonly pose: string | undefined;
}

/** The options of one side; files that they name are read. InputError when one cannot be. */
export async function readBodyOptions({ map, skeleton, pose }: BodyFlags, options: InputOptions): Promise<BodyOptions> {
  return {
    ...(skeleton === undefined ? {} : { skeleton }),
    ...(map === undefined ? {} : { map: await readMap(map) }),
    ...(pose === undefined ? {} : { pose: await readPose(pose, options) }),
  };
}
