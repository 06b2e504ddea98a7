/** Jobs over many motions: each is opened, converted, written and released before the next one is opened. */
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { type ChosenClip, createClipChooser } from '../clips/choose-clips.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { OutputError } from '../outputs/output-error.ts';
import { describeOutput, type OutputFile, type WrittenFile } from '../outputs/output-file.ts';
import { isTemplate } from '../outputs/output-paths.ts';
import type { OutputClip, WriteClips } from '../outputs/plan-output.ts';
import { createIssueCollector } from '../reports/collect-issues.ts';
import {
  type ClipReport,
  type FileHumanoidReport,
  type NoHumanoidReport,
  reportWritten,
  type WrittenReport,
} from '../reports/job-reports.ts';
import { beginStep, type JobControl, type MotionPosition } from './job-control.ts';

/** A motion file that is opened after the ones before it were written. */
export interface MotionInput {
  /** Name or path of the file. */
  readonly name: string;
  /**
   * Opens the file.
   *
   * @throws FormatError, or an error with a FormatError as its cause, when it cannot be read.
   */
  readonly open: () => Promise<OpenFile>;
}

/** Where the files of a job go, and what happens to motions that fail. */
export interface JobRun {
  /**
   * Takes files as soon as they are complete; by default they are in the result.
   *
   * @throws OutputError when they cannot be written.
   */
  readonly write?: (files: readonly OutputFile[], next: number) => void;
  /** Whether motions that cannot be read, converted or written are left out and reported; by default their error is thrown. */
  readonly leavesOut?: boolean;
  /** Words the error of a motion that was left out; by default its message. */
  readonly explain?: (error: Error) => string;
}

interface MadeMotion {
  /** The clips to write. They share no memory with the file, so that it can be released. */
  readonly clips: readonly OutputClip[];
  readonly reports: readonly ClipReport[];
  readonly source: FileHumanoidReport | NoHumanoidReport;
  /** Meters that the target's hips travel per meter of the motion; null without a target, and when either humanoid is missing. */
  readonly hipsScale: number | null;
  readonly issues: readonly Issue[];
}

interface MotionsJob extends JobControl {
  /** Names or indices of clips; all by default. */
  readonly clips?: readonly (string | number)[];
  /** Path of the output, or a template for one file per clip. */
  readonly output: string;
  readonly make: (motion: OpenFile, chosen: readonly ChosenClip[], position: MotionPosition) => Promise<MadeMotion>;
  /** Serializes clips: those of one motion for a template, else those of all; at least one. */
  readonly serialize: WriteClips;
}

interface MotionsResult {
  readonly report: WrittenReport;
  readonly sources: readonly (FileHumanoidReport | NoHumanoidReport)[];
  /** Scale of the hips translation of the first motion that has one; null without. */
  readonly hipsScale: number | null;
  /** Files that `write` did not take, in this order. */
  readonly outputs: readonly OutputFile[];
  /** Why nothing was written, or why no more was; null when all motions were tried and at least one was written. */
  readonly failure: Error | null;
}

interface Entry {
  readonly name: string;
  made: MadeMotion | null;
  readonly writing: Issue[];
  failure: Error | null;
}

/** Returns the error that concerns only one of several motions; null for bugs, and for outputs that the system refuses. */
function causeOf(error: unknown): FormatError | OptionError | OutputError | null {
  const found = [error, error instanceof Error ? error.cause : null].find(
    (one) => one instanceof FormatError || one instanceof OptionError || one instanceof OutputError,
  );
  return (found as FormatError | OptionError | OutputError | undefined) ?? null;
}

function isRefusal(error: Error | null): boolean {
  return error instanceof OutputError && error.code === 'CANNOT_WRITE';
}

/** Reports a motion that failed, or that was not tried any more. */
function leftOut({ name, failure, made }: Entry, explain: (error: Error) => string): Issue[] {
  if (failure === null) {
    return made === null ? [issue('FILE_LEFT_OUT', `${name} was not read.`, { resource: name })] : [];
  }
  const cause = causeOf(failure);
  const reason = cause instanceof FormatError ? `${cause.code}, ${cause.message}` : explain(failure);
  const where = cause instanceof FormatError ? cause.where : {};
  const message = `${name} was left out: ${reason.replace(/\.$/, '')}.`;
  return [issue('FILE_LEFT_OUT', message, { resource: name, ...where })];
}

function sourceOf({ name, made, failure }: Entry): FileHumanoidReport | NoHumanoidReport {
  if (made !== null) return made.source;
  const reason = failure === null ? 'it was not read' : `it was left out: ${failure.message}`;
  return { file: name, skeleton: null, humanoid: false, reason };
}

/**
 * Runs a job over motions: each is opened, its clips are made, written and released before the next one is opened. A template writes the files of
 * each motion at once; selected clips must all be found first, so that a wrong name writes nothing. Any other output is written at the end. Throws
 * OptionError, FormatError and OutputError that concern all motions, or with `leavesOut: false` any of them.
 */
export async function runMotions(
  inputs: readonly (OpenFile | MotionInput)[],
  job: MotionsJob,
  { write, leavesOut = false, explain = ({ message }) => message }: JobRun,
): Promise<MotionsResult> {
  const { choose, isComplete, check } = createClipChooser(job.clips ?? []);
  const splits = isTemplate(job.output);
  const entries = inputs.map(({ name }): Entry => ({ name, made: null, writing: [], failure: null }));
  const outputs: OutputFile[] = [];
  const written: WrittenFile[] = [];
  let pending: Entry[] = [];

  /** Runs a step of one motion. Its error leaves the motion out, or is thrown. */
  const attempt = async (entry: Entry, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      const cause = causeOf(error);
      if (!leavesOut || cause === null) throw error;
      if (isRefusal(cause) && written.length === 0) throw error;
      entry.failure = error as Error;
    }
  };
  const total = inputs.length;
  const writeClips = async (clips: readonly OutputClip[], issues: Issue[], next: number): Promise<void> => {
    if (clips.length === 0) return;
    await beginStep(job, { step: 'write', file: job.output, clip: null, done: next, total });
    const files = await job.serialize(clips, issues);
    if (files.length === 0) return;
    job.signal?.throwIfAborted();
    if (write === undefined) outputs.push(...files);
    else write(files, next);
    written.push(...files.map(describeOutput));
  };
  /** Writes the pending motions one by one and releases their clips. */
  const flush = async (next: number): Promise<void> => {
    for (const entry of pending) {
      const { made } = entry;
      if (made === null) continue;
      await attempt(entry, () => writeClips(made.clips, entry.writing, next));
      entry.made = { ...made, clips: [] };
    }
    pending = [];
  };
  /** The error of a disk or folder that takes no more files, which ends the job. */
  const refusal = (): Error | null => entries.find(({ failure }) => isRefusal(failure))?.failure ?? null;

  for (const [k, input] of inputs.entries()) {
    if (refusal() !== null) break;
    const entry = entries[k];
    await attempt(entry, async () => {
      await beginStep(job, { step: 'read', file: entry.name, clip: null, done: k, total });
      const motion = 'open' in input ? await input.open() : input;
      entry.made = await job.make(motion, choose(motion), { index: k, total });
      pending.push(entry);
    });
    if (splits && isComplete()) await flush(k + 1);
  }
  // A clip that was not found may be in a motion that was left out.
  if (entries.every(({ failure }) => failure === null)) check();
  const writing: Issue[] = [];
  if (splits) await flush(total);
  else
    await writeClips(
      entries.flatMap(({ made }) => made?.clips ?? []),
      writing,
      total,
    );

  const { issues, add } = createIssueCollector();
  for (const entry of entries) add([...(entry.made?.issues ?? []), ...entry.writing, ...leftOut(entry, explain)]);
  add(writing);
  const done = entries.filter(({ failure }) => failure === null);
  const first = done.length === 0 ? entries[0]?.failure : null;
  const clips = done.flatMap(({ made }) => made?.reports ?? []);
  return {
    report: reportWritten(job.output, written, clips, issues),
    sources: entries.map(sourceOf),
    hipsScale: done.find(({ made }) => (made?.hipsScale ?? null) !== null)?.made?.hipsScale ?? null,
    outputs,
    failure: refusal() ?? first ?? null,
  };
}
