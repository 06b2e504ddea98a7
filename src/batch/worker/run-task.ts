import { getHeapStatistics } from 'node:v8';
import { FormatError } from '../../core/report/format-error.ts';
import { extractMotions } from '../../files/jobs/extract-motions.ts';
import { sampleBytes } from '../../files/jobs/motion-memory.ts';
import type { RetargetedFile } from '../../files/jobs/retarget-clips.ts';
import {
  prepareRetargetTarget,
  type RetargetTarget,
  retargetMotions,
  withProportions,
} from '../../files/jobs/retarget-motions.ts';
import type { JobRun, MotionInput } from '../../files/jobs/run-motions.ts';
import type { OpenFile } from '../../files/open.ts';
import { OptionError } from '../../files/option-error.ts';
import { OutputError } from '../../files/outputs/output-error.ts';
import { holdsOneClip } from '../../files/outputs/output-format.ts';
import { rigOfUrl } from '../../files/rig-url.ts';
import { type BatchOpenOptions, type BatchOptions, type BatchTask, inputsOfTask } from '../plan/batch-task.ts';
import {
  type MadeResult,
  TaskError,
  type TaskFailure,
  type TaskOutcome,
  type TaskReport,
} from '../run/task-outcome.ts';
import { StorageError } from '../storage/storage-error.ts';
import { publishRecord } from '../storage/stored-results.ts';
import { type CachedFile, createFileCache, type FileCache } from './file-cache.ts';
import { createMotionStrips, createTaskMeter, type MotionStrips } from './task-meter.ts';
import type { TaskRequest } from './task-request.ts';
import { CHARACTER_BYTES, MOTION_BYTES } from './worker-limits.ts';
import { storeResults, writeResults } from './write-results.ts';

interface WorkerState {
  readonly motions: FileCache;
  readonly characters: FileCache;
  /** Prepared characters by path, format and options. */
  readonly targets: Map<string, { readonly from: CachedFile; readonly target: Promise<RetargetTarget> }>;
  readonly stripOf: MotionStrips;
}

/**
 * Creates the state of a worker.
 *
 * @returns A function that runs a task. Its result has a failure instead of throwing.
 */
export function createTaskRunner(): (request: TaskRequest) => Promise<TaskOutcome> {
  const targets: WorkerState['targets'] = new Map();
  const release = (path: string): void => {
    for (const key of targets.keys()) if (key.startsWith(`${path}\0`)) targets.delete(key);
  };
  const state: WorkerState = {
    motions: createFileCache('motion', MOTION_BYTES),
    characters: createFileCache('character', CHARACTER_BYTES, release),
    targets,
    stripOf: createMotionStrips(),
  };
  return async (request) => {
    try {
      return await runTask(state, request);
    } catch (error) {
      return { failure: failureOf(error) };
    }
  };
}

function failureOf(error: unknown): TaskFailure {
  if (error instanceof FormatError) return { code: error.code, message: error.message };
  // Every task needs the client of the storage.
  if (error instanceof OptionError && error.option === 'storage')
    return { code: 'OPTION_INVALID', message: error.message, isFatal: true };
  if (error instanceof OptionError) return { code: 'OPTION_INVALID', message: error.message };
  if (error instanceof OutputError) return { code: error.code, message: error.message, isFatal: true };
  if (error instanceof StorageError) return { code: error.code, message: error.message, isFatal: true };
  if (error instanceof TaskError) return error.failure;
  return { code: 'BUG', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** Throws when a worker uses more memory than a task may. */
function checkMemory(limit: number, name: string): void {
  const { used_heap_size, external_memory } = getHeapStatistics();
  if (used_heap_size + external_memory <= limit) return;
  const message = `${name} needs more than ${Math.round(limit / 1e6)} MB; allow more with the option memoryLimit`;
  throw new TaskError({ code: 'MEMORY_LIMIT', message });
}

function jobOptions({ task }: TaskRequest): Omit<BatchOptions, keyof BatchOpenOptions> & { output: string } {
  const { frameRate: _, up: __, ...options } = task.options;
  const isRig = task.character !== null && rigOfUrl(task.character) !== null;
  return { ...options, output: `out.${task.format}`, ...(isRig ? { mesh: false } : {}) };
}

/** How the motions of a task are opened. */
function openOptions({ task }: TaskRequest): BatchOpenOptions {
  const { frameRate, up } = task.options;
  return { ...(frameRate === undefined ? {} : { frameRate }), ...(up === undefined ? {} : { up }) };
}

async function openPlanned(
  cache: FileCache,
  path: string,
  request: TaskRequest,
  options: BatchOpenOptions = {},
): Promise<CachedFile> {
  const planned = request.hashes[path] ?? null;
  const cached = await cache.open(path, planned, options);
  if (planned !== null && cached.hash !== planned) {
    const message = `${path} has changed since the batch was planned; run the batch again`;
    throw new TaskError({ code: 'INPUT_CHANGED', message, isTemporary: true });
  }
  checkMemory(request.memoryLimit, path);
  return cached;
}

async function openTarget(
  state: WorkerState,
  path: string,
  motions: readonly MotionInput[],
  request: TaskRequest,
): Promise<[CachedFile, RetargetTarget]> {
  const from = await openPlanned(state.characters, path, request);
  const options = jobOptions(request);
  // A rig with the proportions of the motion is another one for each motion.
  if (options.proportions === 'source')
    return [from, await prepareRetargetTarget(await withProportions(motions, from.file, options), options)];
  const key = `${path}\0${request.task.format}\0${JSON.stringify(request.task.options)}`;
  const known = state.targets.get(key);
  if (known?.from === from) return [from, await known.target];
  const target = prepareRetargetTarget(from.file, options);
  state.targets.set(key, { from, target });
  return [from, await target];
}

async function runTask(state: WorkerState, request: TaskRequest): Promise<TaskOutcome> {
  const { task, memoryLimit } = request;
  const options = jobOptions(request);
  const opened = new Set<CachedFile>();
  let weigh = (): void => undefined;
  const motions = task.motions.map((path): MotionInput => {
    const open = async (): Promise<OpenFile> => {
      const cached = await openPlanned(state.motions, path, request, openOptions(request));
      opened.add(cached);
      weigh = () => state.motions.weigh(path, sampleBytes(cached.file), openOptions(request));
      return cached.file;
    };
    return { name: path, open };
  });
  const run: JobRun = { leavesOut: task.kind === 'pack' };
  const [from, target] =
    task.character === null ? [null, null] : await openTarget(state, task.character, motions, request);
  if (from !== null) opened.add(from);
  const meter = createTaskMeter(target, state.stripOf);
  const onMotion = (done: RetargetedFile): void => {
    meter.add(done);
    weigh();
  };
  const isSplit = task.kind === 'pair' && holdsOneClip(task.format) && (await hasSeveralClips(motions[0], options));
  const output = isSplit ? `out/{clip}.${task.format}` : options.output;
  const job =
    target === null
      ? await extractMotions(motions, options, run)
      : await retargetMotions(motions, target, { ...options, output }, { ...run, onMotion });
  const { outputs } = job;
  checkMemory(memoryLimit, inputsOfTask(task).join(' and '));
  for (const { check } of opened) check();
  const issues = job.report.issues.filter(({ severity }) => severity !== 'info');
  if (job.failure !== null) return { failure: failureOf(job.failure) };
  if (outputs.length === 0) return { failure: nothingMade(task, issues) };
  const read = [...opened].flatMap(({ resources }) => Array.from(resources, ([path, sha256]) => ({ path, sha256 })));
  const clips = job.report.clips.map(({ name, duration, from: { file } }) => ({ name, duration, motion: file }));
  const found = { resources: read, report: { clips, ...meter.result(), issues } };
  const { destination } = request;
  if (destination.type === 'folder') {
    const [files, temporary] = writeResults(outputs, task, destination);
    return { made: { files, temporary, ...found } };
  }
  const [files, etags] = await storeResults(outputs, task, destination);
  const made: MadeResult = { files, temporary: [], ...found };
  await publishRecord(destination, task.id, made, etags);
  return { made };
}

async function hasSeveralClips(motion: MotionInput, { clips = [] }: BatchOptions): Promise<boolean> {
  return clips.length !== 1 && (await motion.open()).asset.clips.length > 1;
}

function nothingMade(task: BatchTask, issues: TaskReport['issues']): TaskFailure {
  const [first] = issues.filter(
    ({ code }) => code === 'NOT_HUMANOID' || code === 'CLIP_EMPTY' || code === 'CLIP_OVERFLOW',
  );
  if (first !== undefined) return { code: first.code, message: first.message };
  return { code: 'CLIP_EMPTY', message: `${task.motions.join(', ')} has no clip; expected a motion` };
}
