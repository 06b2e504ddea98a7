/** Flags of `anyrig batch`, and the job that they describe. */
import { resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BATCH_FORMATS,
  type BatchFormat,
  type BatchHumanoidOptions,
  type BatchOptions,
} from '../../batch/plan/batch-task.ts';
import type { BatchRequest } from '../../batch/plan/plan-batch.ts';
import { isQueueUrl } from '../../batch/queue/queue-names.ts';
import type { ReportShard } from '../../batch/report/batch-report.ts';
import type { RunBatchOptions } from '../../batch/run/run-batch.ts';
import { isStorageUrl } from '../../batch/storage/storage-url.ts';
import { STANDARD_RIG_NAMES } from '../../core/humanoid/rigs/rig-names.ts';
import { decodeText } from '../../core/text/decode-text.ts';
import type { HumanoidOptions } from '../../files/humanoid/describe-file-humanoid.ts';
import { readInputSync } from '../../files/node/read-input.ts';
import { rigOfUrl, rigUrl } from '../../files/rig-url.ts';
import { UsageError } from '../errors/cli-errors.ts';
import type { FlagValues } from '../flags/check-flags.ts';
import { readRig } from '../flags/input-flags.ts';
import { readOpenOptions, readRetargetOptions } from '../flags/motion-flags.ts';
import { expandInputs } from '../inputs/expand-inputs.ts';
import { blame } from '../open-input.ts';
import { LIMIT_FLAGS, type LimitArgs, readLimits } from './limit-flags.ts';

/** Splits the files of a command line at `--onto`, which shells expand to several arguments: everything after it up to the next flag is a character. */
export function splitOnto(
  rawArgs: readonly string[],
  positionals: readonly string[],
): { motions: string[]; characters: string[] } {
  const { tokens } = parseArgs({
    args: [...rawArgs],
    options: { onto: { type: 'string', multiple: true } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const characters: string[] = [];
  const after: string[] = [];
  let isOnto = false;
  for (const token of tokens) {
    if (token.kind === 'option') {
      isOnto = token.name === 'onto';
      if (isOnto && typeof token.value === 'string') characters.push(token.value);
    } else if (token.kind === 'positional' && isOnto) {
      characters.push(token.value);
      after.push(token.value);
    }
  }
  const motions = [...positionals];
  for (const path of after) motions.splice(motions.lastIndexOf(path), 1);
  return { motions, characters };
}

export const BATCH_FLAGS = {
  onto: {
    type: 'string',
    valueHint: 'CHARACTER...',
    description: 'Characters: files, patterns, folders, lists, s3:// URLs; all arguments up to the next option',
  },
  to: {
    type: 'string',
    valueHint: 'RIG',
    description: `A standard rig as a character; repeatable: ${STANDARD_RIG_NAMES.join(', ')}`,
  },
  out: {
    type: 'string',
    alias: 'o',
    required: true,
    valueHint: 'FOLDER',
    description: 'Folder of the results, or s3://bucket/folder',
  },
  manifest: {
    type: 'string',
    valueHint: 'FILE',
    description: 'JSON with motions, characters, and pairs with options of their own',
  },
  format: {
    type: 'string',
    valueHint: 'EXTENSION',
    description:
      'Format of the results: glb, vrm, vrma, bvh, usdz or fbx. By default vrma for VRM, usdz for USD, fbx for FBX, else glb',
  },
  pack: { type: 'boolean', description: 'One file per character, with all clips' },
  extract: { type: 'boolean', description: 'One clip library per motion, without characters' },
  ...LIMIT_FLAGS,
  shard: { type: 'string', valueHint: 'I/N', description: 'Only the I-th of N parts, balanced by size' },
  queue: {
    type: 'string',
    valueHint: 'URL',
    description: 'redis:// URL of a queue: "anyrig worker" on other machines makes the results',
  },
  'dry-run': { type: 'boolean', description: 'Only list what would be made' },
  'fail-fast': { type: 'boolean', description: 'Stop at the first failure' },
  prune: { type: 'boolean', description: 'Remove results of earlier runs that are no longer asked for' },
} as const;

interface BatchArgs extends LimitArgs {
  readonly [flag: string]: unknown;
  readonly _: readonly string[];
  readonly out: string;
  readonly manifest?: string | undefined;
  readonly format?: string | undefined;
  readonly pack?: boolean | undefined;
  /** One clip library per motion. */
  readonly extract?: boolean | undefined;
  readonly shard?: string | undefined;
  readonly queue?: string | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly 'fail-fast'?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly preset?: string | undefined;
  readonly name?: string | undefined;
  readonly replace?: boolean | undefined;
  readonly mesh: boolean;
}

export interface BatchJob {
  readonly request: BatchRequest;
  readonly run: RunBatchOptions;
  /** Part of the batch; null for all. */
  readonly shard: ReportShard | null;
  /** URL of a queue; null for threads of this process. */
  readonly queue: string | null;
}

function readFormat(text: string): BatchFormat {
  const format = BATCH_FORMATS.find((one) => one === text.replace(/^\./, '').toLowerCase());
  if (format !== undefined) return format;
  throw new UsageError(`--format is ${JSON.stringify(text)}; expected ${BATCH_FORMATS.join(', ')}`);
}

/** Parses `--queue`. Throws UsageError unless it is a redis:// or rediss:// URL. */
export function readQueueUrl(text: string): string {
  if (isQueueUrl(text)) return text;
  // A password is not shown.
  const shown = text.replace(/^([a-z]+:\/*)?.*@/is, '$1…@');
  throw new UsageError(`--queue is ${JSON.stringify(shown)}; expected a URL such as redis://host:6379`);
}

function readShard(text: string): ReportShard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new UsageError(`--shard is ${JSON.stringify(text)}; expected I/N with I from 1 to N, such as 3/7`);
}

/** Checks that options of a humanoid are plain data, which threads can receive. */
function plainHumanoid(flag: string, { pose, ...others }: HumanoidOptions): BatchHumanoidOptions {
  if (pose === undefined) return others;
  if (typeof pose === 'object' && !('frame' in pose))
    throw new UsageError(
      `--${flag} is a file; a batch takes auto, declared, bind, node or frame:N. Use a bone map or "anyrig retarget"`,
    );
  return { ...others, pose };
}

async function readOptions(args: BatchArgs, values: FlagValues): Promise<BatchOptions> {
  const { source, target, ...options } = await readRetargetOptions(args, values, {});
  const clips = values.get('clip') ?? [];
  return {
    ...readOpenOptions(args, values),
    ...options,
    ...(clips.length === 0 ? {} : { clips }),
    ...(args.name === undefined ? {} : { name: args.name }),
    ...(args.replace === true ? { replace: true } : {}),
    ...(args.mesh ? {} : { mesh: false }),
    source: plainHumanoid('source-pose', source),
    target: plainHumanoid('target-pose', target),
  };
}

/** Expands arguments. Patterns and folders do not stand for results of earlier runs; standard rigs (`rig://ue5`) stay as they are. */
async function expand(all: readonly string[], out: string): Promise<readonly string[]> {
  const isRig = (path: string): boolean => rigOfUrl(path) !== null;
  const files = await expandFiles(
    all.filter((path) => !isRig(path)),
    out,
  );
  return [...files, ...all.filter(isRig)];
}

async function expandFiles(args: readonly string[], out: string): Promise<readonly string[]> {
  const { files } = await expandInputs(args, { output: out, except: [] });
  const isResult = (path: string): boolean => resolve(path).startsWith(resolve(out) + sep);
  const own = files.filter((path) => args.includes(path) || isStorageUrl(path) || !isResult(path));
  if (!own.some(isStorageUrl)) return own;
  const { expandStorage } = await import('../../batch/batch-bundle.ts');
  return expandStorage(own, isStorageUrl(out) ? out : null);
}

async function readManifest(path: string, out: string): Promise<BatchRequest> {
  const { parseManifest } = await import('../../batch/batch-bundle.ts');
  const { text } = await blame(path, () => decodeText(readInputSync(path), 'FORMAT_UNKNOWN'));
  const { motions, characters, pairs, options } = parseManifest(text);
  return { motions: await expand(motions, out), characters: await expand(characters, out), pairs, options };
}

/**
 * Reads the flags of a batch, and expands its patterns, folders, lists and manifest. Throws UsageError for values out of range; InputError for
 * patterns without files.
 */
export async function readBatchJob(args: BatchArgs, rawArgs: readonly string[], values: FlagValues): Promise<BatchJob> {
  const files = splitOnto(rawArgs, args._);
  if (args.pack === true && args.extract === true)
    throw new UsageError('--pack and --extract exclude each other; use one of them');
  if (args.extract === true && values.has('to'))
    throw new UsageError('--extract writes motions without characters; leave out --to');
  if (args.extract === true && files.characters.length > 0)
    throw new UsageError('--extract writes motions without characters; leave out --onto');
  const shard = args.shard === undefined ? null : readShard(args.shard);
  const manifest = args.manifest === undefined ? {} : await readManifest(args.manifest, args.out);
  const request: BatchRequest = {
    ...manifest,
    motions: [...(await expand(files.motions, args.out)), ...(manifest.motions ?? [])],
    characters: [
      ...(await expand(files.characters, args.out)),
      ...(values.get('to') ?? []).map((name) => rigUrl(readRig(name))),
      ...(manifest.characters ?? []),
    ],
    mode: args.pack === true ? 'pack' : args.extract === true ? 'extract' : 'pairs',
    ...(args.format === undefined ? {} : { format: readFormat(args.format) }),
    options: { ...(await readOptions(args, values)), ...manifest.options },
  };
  const run: RunBatchOptions = {
    folder: args.out,
    journal: shard === null ? 'main' : `shard-${shard.index}-of-${shard.count}`,
    dryRun: args['dry-run'] === true,
    failFast: args['fail-fast'] === true,
    prune: args.prune === true,
    ...readLimits(args),
  };
  return { request, run, shard, queue: args.queue === undefined ? null : readQueueUrl(args.queue) };
}
