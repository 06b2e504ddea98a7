/** Converts flag values to options of jobs. */
import { existsSync, statSync } from 'node:fs';
import type { BoneAssignments } from '../../core/humanoid/humanoid.ts';
import { parseBoneMap, parseExtraPairs } from '../../files/humanoid/bone-map-file.ts';
import type { HumanoidOptions, PoseOption } from '../../files/humanoid/describe-file-humanoid.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { systemReason } from '../../files/reports/system-reason.ts';
import { readCount } from '../batch/limit-flags.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { blame, type InputOptions, openInput } from '../open-input.ts';

/** Greatest value of `--max-vertices`: more fit into no array. */
const MOST_VERTICES = 2 ** 32;

/** Checks `--asset-root` and `--max-vertices`. Throws UsageError if it is not a folder, or not a number. */
export function readInputOptions(assetRoot: string | undefined, maxVertices?: string): InputOptions {
  const limits =
    maxVertices === undefined ? {} : { maxVertices: readCount('max-vertices', maxVertices, MOST_VERTICES) };
  if (assetRoot === undefined) return limits;
  let reason = 'it is not a folder';
  try {
    if (statSync(assetRoot).isDirectory()) return { assetRoot, ...limits };
  } catch (error) {
    reason = systemReason(error);
  }
  throw new UsageError(`--asset-root is ${JSON.stringify(assetRoot)}: ${reason}; expected a folder`);
}

/** Opens the model of a motion of MMD that a flag names. Throws InputError when it cannot be read. */
export async function withModel(input: InputOptions, path: string | undefined): Promise<InputOptions> {
  return path === undefined ? input : { ...input, model: await openInput(path, input) };
}

function readMap(path: string): BoneAssignments {
  return blame(path, () => parseBoneMap(readInputSync(path)));
}

/**
 * Reads the pairs of nodes beyond the humanoid of a file: a bone map, or pairs alone. Throws InputError when it cannot be read, or has other things
 * than pairs.
 */
export function readExtraPairs(path: string): Readonly<Record<string, string>> | null {
  return blame(path, () => parseExtraPairs(readInputSync(path)));
}

export const POSE_CHOICES: string =
  'auto, declared, bind, node, frame:N, or a file of the same rig, whose pose is corrected to a T-pose; exact:FILE uses it unchanged';

/** The estimator starts from the pose of the file, unless this prefix precedes its name. */
const EXACT = 'exact:';

/** Returns whether a pose is no file: a name, or a frame of the first clip. */
export function isNamedPose(text: string): boolean {
  return /^(?:auto|declared|bind|node|frame:.*)$/.test(text);
}

async function readPose(text: string, options: InputOptions): Promise<PoseOption> {
  if (text === 'auto' || text === 'declared' || text === 'bind' || text === 'node') return text;
  const frame = /^frame:(\d+)$/.exec(text);
  if (frame !== null) return { frame: Number(frame[1]) };
  if (text.startsWith('frame:')) throw new UsageError(`${text} is not a pose; expected frame:N with N counted from 0`);
  if (text.startsWith(EXACT)) return { file: await openInput(text.slice(EXACT.length), options), exact: true };
  if (!/[./\\]/.test(text) && !existsSync(text))
    throw new UsageError(`${JSON.stringify(text)} is neither a pose nor a file; expected ${POSE_CHOICES}`);
  return { file: await openInput(text, options) };
}

export interface HumanoidFlags {
  /** Path of a bone map file, or the nodes of bones. */
  readonly map: string | BoneAssignments | undefined;
  /** Name or index of the skeleton. */
  readonly skeleton: string | undefined;
  /** Reference pose, one of {@link POSE_CHOICES}. */
  readonly pose: string | undefined;
}

/** Converts the flags of one side, and reads the files that they name. Throws InputError when a file cannot be read. */
export async function readHumanoidOptions(
  { map, skeleton, pose }: HumanoidFlags,
  options: InputOptions,
): Promise<HumanoidOptions> {
  return {
    ...(skeleton === undefined ? {} : { skeleton }),
    ...(map === undefined ? {} : { map: typeof map === 'string' ? readMap(map) : map }),
    ...(pose === undefined ? {} : { pose: await readPose(pose, options) }),
  };
}
