/** Jobs over many motions: each is opened, converted, written and released before the next one is opened. */
import { FormatError } from '../../core/report/format-error.ts';
import { type Issue, issue } from '../../core/report/issue.ts';
import { type ChosenClip, createClipChooser } from '../clips/choose-clips.ts';
import type { OpenFile } from '../open-file.ts';
import { OptionError } from '../option-error.ts';
import { OutputError } from '../outputs/output-error.ts';
import type { OutputFile } from '../outputs/output-file.ts';
import { isTemplate, mainPaths, pathsOf, sizeOf } from '../outputs/output-paths.ts';
import { createIssueCollector } from '../reports/collect-issues.ts';
import type { ClipReport, FileHumanoidReport, NoHumanoidReport } from '../reports/job-reports.ts';
import { beginStep, type JobControl, type MotionPosition } from './job-control.ts';

/** A motion file that is opened after the ones before it were written. */
export interface MotionInput {
  /** Name or path of the file. */
  readonly name: string;
  /**
   * Opens the file.
   *
   * @returns The opened file.
   * @throws FormatError, or an error with a FormatError as its cause, when it cannot be read.
   */
  readonly open: () => Promise<OpenFile>;
}

/** Clips that a job made from one motion. */
export interface ConvertedMotion<Written> {
  /** The clips to write. */
  readonly clips: readonly Written[];
  /** The same clips for the report. */
  readonly reports: readonly ClipReport[];
  /** Humanoid of the motion. */
  readonly source: FileHumanoidReport | NoHumanoidReport;
  /** Meters that the target's hips travel per meter of the motion; null without a target, and when either humanoid is missing. */
  readonly hipsScale: number | null;
  /** What was unusual or dropped. */
  readonly issues: readonly Issue[];
}

/** A job over motions. */
export interface MotionsJob<Written> {
  /** Names or indices of clips; empty for all. */
  readonly clips: readonly (string | number)[];
  /** Path of the output, or a template for one file per clip. */
  readonly output: string;
  /** Watches and stops the job. */
  readonly control: JobControl;
  /**
   * Converts the chosen clips of a motion.
   *
   * @param motion The opened file.
   * @param chosen Its clips.
   * @param position Which of how many motions it is.
   * @returns The new clips. They share no memory with the file, so that it can be released.
   */
  readonly convert: (
    motion: OpenFile,
    chosen: readonly ChosenClip[],
    position: MotionPosition,
  ) => Promise<ConvertedMotion<Written>>;
  /**
   * Serializes clips: those of one motion for a template, else those of all.
   *
   * @param clips Clips of {@link convert}, at least one.
   * @param issues Receives issues.
   * @returns The files to write in this order.
   */
  readonly serialize: (clips: readonly Written[], issues: Issue[]) => Promise<readonly OutputFile[]>;
}

/** Where the files of a job go, and what happens to motions that fail. */
export interface MotionsRun {
  /**
   * Takes files as soon as they are complete.
   *
   * @param files Files to write in this order.
   * @param next Index of the first motion that is not opened yet.
   * @throws OutputError when they cannot be written.
   */
  readonly write: (files: readonly OutputFile[], next: number) => void;
  /** Whether motions that cannot be read, converted or written are left out and reported; otherwise their error is thrown. */
  readonly leavesOut: boolean;
  /** Words the error of a motion that was left out; by default its message. */
  readonly explain?: (error: Error) => string;
}

/** What a job over motions did. */
export interface MotionsResult {
  /** Humanoid of each motion. */
  readonly sources: readonly (FileHumanoidReport | NoHumanoidReport)[];
  /** The written clips. */
  readonly clips: readonly ClipReport[];
  /** Scale of the hips translation of the first motion that has one; null without. */
  readonly hipsScale: number | null;
  /** Paths of all files, in the order in which they were written. */
  readonly files: readonly string[];
  /** Size of all files together, in bytes. */
  readonly bytes: number;
  /** Paths of the files that hold clips, without the files that they reference. */
  readonly mains: readonly string[];
  /** What was unusual, dropped or left out. */
  readonly issues: readonly Issue[];
  /** Why nothing was written, or why no more was; null when all motions were tried and at least one was written. */
  readonly failure: Error | null;
}

/** One motion of a running job. */
interface Entry<Written> {
  readonly name: string;
  converted: ConvertedMotion<Written> | null;
  /** Issues of serializing its clips. */
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
function leftOut<Written>({ name, failure, converted }: Entry<Written>, explain: (error: Error) => string): Issue[] {
  if (failure === null) {
    return converted === null ? [issue('FILE_LEFT_OUT', `${name} was not read.`, { resource: name })] : [];
  }
  const cause = causeOf(failure);
  const reason = cause instanceof FormatError ? `${cause.code}, ${cause.message}` : explain(failure);
  const where = cause instanceof FormatError ? cause.where : {};
  const message = `${name} was left out: ${reason.replace(/\.$/, '')}.`;
  return [issue('FILE_LEFT_OUT', message, { resource: name, ...where })];
}

function sourceOf<Written>({ name, converted, failure }: Entry<Written>): FileHumanoidReport | NoHumanoidReport {
  if (converted !== null) return converted.source;
  const reason = failure === null ? 'it was not read' : `it was left out: ${failure.message}`;
  return { file: name, skeleton: null, humanoid: false, reason };
}

/**
 * Runs a job over motions. A template writes the files of each motion before the next one is opened; selected clips must all be found first, so
 * that a wrong name writes nothing. Any other output is written at the end.
 *
 * @param inputs The motions.
 * @param job What to do with them.
 * @param run Where the files go, and what happens to motions that fail.
 * @returns What was done.
 * @throws OptionError, FormatError and OutputError that concern all motions, or with `leavesOut: false` any of them.
 */
export async function runMotions<Written>(
  inputs: readonly MotionInput[],
  job: MotionsJob<Written>,
  { write, leavesOut, explain = ({ message }) => message }: MotionsRun,
): Promise<MotionsResult> {
  const { choose, isComplete, check } = createClipChooser(job.clips);
  const splits = isTemplate(job.output);
  const entries = inputs.map(({ name }): Entry<Written> => ({ name, converted: null, writing: [], failure: null }));
  const written: Pick<OutputFile, 'path' | 'isDependency'>[] = [];
  let bytes = 0;
  let pending: Entry<Written>[] = [];

  /** Runs a step of one motion. Its error leaves the motion out, or is thrown. */
  const attempt = async (entry: Entry<Written>, step: () => Promise<void>): Promise<void> => {
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
  const writeClips = async (clips: readonly Written[], issues: Issue[], next: number): Promise<void> => {
    if (clips.length === 0) return;
    await beginStep(job.control, { step: 'write', file: job.output, clip: null, done: next, total });
    const files = await job.serialize(clips, issues);
    if (files.length === 0) return;
    job.control.signal?.throwIfAborted();
    write(files, next);
    written.push(...files.map(({ path, isDependency = false }) => ({ path, isDependency })));
    bytes += sizeOf(files);
  };
  /** Writes the pending motions one by one and releases their clips. */
  const flush = async (next: number): Promise<void> => {
    for (const entry of pending) {
      const { converted } = entry;
      if (converted === null) continue;
      await attempt(entry, () => writeClips(converted.clips, entry.writing, next));
      entry.converted = { ...converted, clips: [] };
    }
    pending = [];
  };
  /** The error of a disk or folder that takes no more files, which ends the job. */
  const refusal = (): Error | null => entries.find(({ failure }) => isRefusal(failure))?.failure ?? null;

  for (const [k, { open }] of inputs.entries()) {
    if (refusal() !== null) break;
    const entry = entries[k];
    await attempt(entry, async () => {
      await beginStep(job.control, { step: 'read', file: entry.name, clip: null, done: k, total });
      const motion = await open();
      entry.converted = await job.convert(motion, choose(motion), { index: k, total });
      pending.push(entry);
    });
    if (splits && isComplete()) await flush(k + 1);
  }
  // A clip that was not found may be in a motion that was left out.
  if (entries.every(({ failure }) => failure === null)) check();
  const issues: Issue[] = [];
  if (splits) await flush(inputs.length);
  else
    await writeClips(
      entries.flatMap(({ converted }) => converted?.clips ?? []),
      issues,
      inputs.length,
    );

  const { issues: all, add } = createIssueCollector();
  for (const entry of entries) add([...(entry.converted?.issues ?? []), ...entry.writing, ...leftOut(entry, explain)]);
  add(issues);
  const done = entries.filter(({ failure }) => failure === null);
  const first = done.length === 0 ? entries[0]?.failure : null;
  return {
    sources: entries.map(sourceOf),
    clips: done.flatMap(({ converted }) => converted?.reports ?? []),
    hipsScale: done.find(({ converted }) => (converted?.hipsScale ?? null) !== null)?.converted?.hipsScale ?? null,
    files: pathsOf(written),
    bytes,
    mains: mainPaths(written, job.output),
    issues: all,
    failure: refusal() ?? first ?? null,
  };
}
