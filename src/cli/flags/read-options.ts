/** Converts flag values to options of jobs. */
import { existsSync, statSync } from 'node:fs';
import type { BoneAssignments } from '../../core/humanoid/humanoid.ts';
import { HIPS_SCALES, type HipsScale } from '../../core/retarget/options.ts';
import { parseBoneMap } from '../../files/humanoid/bone-map-file.ts';
import type { HumanoidOptions, PoseOption } from '../../files/humanoid/describe-file-humanoid.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { systemReason } from '../../files/reports/system-reason.ts';
import { readCount } from '../batch/limit-flags.ts';
import { UsageError } from '../errors/cli-errors.ts';
import { blame, type InputOptions, openInput } from '../open-input.ts';

/**
 * Parses `--fps`.
 * @param text the value of the flag
 * @returns keys per second
 * @throws UsageError unless it is a number above 0, up to 1000
 */
export function readFrameRate(text: string): number {
  const fps = Number(text);
  if (text.trim() !== '' && fps > 0 && fps <= 1000) return fps;
  throw new UsageError(`--fps is ${JSON.stringify(text)}; expected a number above 0, up to 1000`);
}

/**
 * Parses `--hips-scale`.
 * @param text the value of the flag
 * @returns the scale of hips translation
 * @throws UsageError unless it is `hips`, `legs`, `stature`, `none` or a number of at least 0
 */
export function readHipsScale(text: string): HipsScale {
  const named = HIPS_SCALES.find((one) => one === text);
  if (named !== undefined) return named;
  const factor = Number(text);
  if (text.trim() !== '' && factor >= 0 && Number.isFinite(factor)) return factor;
  throw new UsageError(
    `--hips-scale is ${JSON.stringify(text)}; expected ${HIPS_SCALES.join(', ')} or a number of at least 0`,
  );
}

/** Values of `--contacts`. */
const CONTACT_MODES = ['auto', 'lock', 'ground', 'off'] as const;

/**
 * Parses `--contacts`.
 * @param text the value of the flag
 * @returns how contacts with the ground are kept
 * @throws UsageError unless it is `auto`, `lock`, `ground` or `off`
 */
export function readContacts(text: string): (typeof CONTACT_MODES)[number] {
  const mode = CONTACT_MODES.find((one) => one === text);
  if (mode !== undefined) return mode;
  throw new UsageError(`--contacts is ${JSON.stringify(text)}; expected ${CONTACT_MODES.join(', ')}`);
}

/**
 * Parses `--arm-space` and `--leg-space`.
 * @param flag name of the flag
 * @param text its value; undefined without the flag
 * @param contacts value of `--contacts`
 * @returns degrees, or `auto`; 0 without the flag
 * @throws UsageError unless it is `auto` or a number from −90 to 90, or if contacts are off
 */
export function readSpace(flag: string, text: string | undefined, contacts: string): 'auto' | number {
  if (text === undefined) return 0;
  if (contacts === 'off') throw new UsageError(`--${flag} has no effect with --contacts off; leave out one of them`);
  if (text === 'auto') return text;
  const degrees = Number(text);
  if (text.trim() !== '' && Math.abs(degrees) <= 90) return degrees;
  throw new UsageError(`--${flag} is ${JSON.stringify(text)}; expected auto or degrees from -90 to 90`);
}

/**
 * Parses `--hands`.
 * @param text its value; undefined without the flag
 * @param contacts value of `--contacts`
 * @returns whether hands touch what those of the motion touch
 * @throws UsageError unless it is `keep` or `off`, or if contacts are off
 */
export function readHands(text: string | undefined, contacts: string): boolean {
  if (text === undefined || text === 'off') return false;
  if (text !== 'keep') throw new UsageError(`--hands is ${JSON.stringify(text)}; expected keep or off`);
  if (contacts === 'off') throw new UsageError('--hands keep has no effect with --contacts off; leave out one of them');
  return true;
}

/** Greatest value of `--max-vertices`: more fit into no array. */
const MOST_VERTICES = 2 ** 32;

/**
 * Checks `--asset-root` and `--max-vertices`.
 * @param assetRoot path of a folder
 * @param maxVertices number of vertices, as text
 * @returns options for opening inputs
 * @throws UsageError if it is not a folder, or not a number
 */
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

async function readMap(path: string): Promise<BoneAssignments> {
  return blame(path, () => parseBoneMap(readInputSync(path)));
}

/** Values of flags for a reference pose, for their help. */
export const POSE_CHOICES: string =
  'auto, declared, bind, node, frame:N, or a file of the same rig, whose pose is corrected to a T-pose; exact:FILE uses it unchanged';

/** The estimator starts from the pose of the file, unless this prefix precedes its name. */
const EXACT = 'exact:';

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

/** Values of the flags for the humanoid of one side, source or target. */
export interface HumanoidFlags {
  /** Path of a bone map file. */
  readonly map: string | undefined;
  /** Name or index of the skeleton. */
  readonly skeleton: string | undefined;
  /** Reference pose, one of {@link POSE_CHOICES}. */
  readonly pose: string | undefined;
}

/**
 * Converts the flags of one side, and reads the files that they name.
 * @param flags bone map, skeleton and pose
 * @param options which files an input may reference
 * @returns options for finding the humanoid
 * @throws InputError when a file cannot be read
 */
export async function readHumanoidOptions(
  { map, skeleton, pose }: HumanoidFlags,
  options: InputOptions,
): Promise<HumanoidOptions> {
  return {
    ...(skeleton === undefined ? {} : { skeleton }),
    ...(map === undefined ? {} : { map: await readMap(map) }),
    ...(pose === undefined ? {} : { pose: await readPose(pose, options) }),
  };
}
