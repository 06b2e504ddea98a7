import type { JobProgress } from '../files/jobs/job-control.ts';
import type { JobRun, MotionInput } from '../files/jobs/run-motions.ts';
import { writeFilesSync } from '../files/node/write-files.ts';
import type { OpenFile } from '../files/open.ts';
import type { OutputFile } from '../files/outputs/output-file.ts';
import { EXIT, type ExitCode } from './errors/exit-codes.ts';
import { failureOf } from './errors/failure.ts';
import { clipFilter } from './flags/clip-filter.ts';
import { REPORT_FLAGS } from './flags/output-flags.ts';
import { expandInputs } from './inputs/expand-inputs.ts';
import { type Io, oneLine, writeLines } from './io.ts';
import { type InputOptions, inputsOf, openInput } from './open-input.ts';
import { progressText, startProgress } from './progress.ts';

const MOST_NAMES = 3;

export const JOB_FLAGS = {
  force: { type: 'boolean', description: 'Overwrite existing files' },
  ...REPORT_FLAGS,
} as const;

interface JobFlags {
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

export interface RunningJob {
  readonly step: (text: string) => void;
  readonly onProgress: (progress: JobProgress) => void;
  /** Registers an input, which must not be overwritten; returns it. */
  readonly opened: (file: OpenFile) => OpenFile;
  /** Writes files; `unread` are inputs that are opened later. */
  readonly write: (files: readonly OutputFile[], unread?: readonly string[]) => void;
}

export interface JobResult<Report> {
  readonly report: Report;
  readonly outputs: readonly OutputFile[];
  /** Why some or all motions were left out; null or missing without. */
  readonly failure?: Error | null;
}

/** Runs a job, writes its files and prints its report. */
export async function runJob<Report extends { readonly ok: boolean }>(
  flags: JobFlags,
  io: Io,
  run: (job: RunningJob) => Promise<JobResult<Report>>,
  show: (report: Report, io: Io, isVerbose: boolean) => Promise<void>,
): Promise<ExitCode> {
  const progress = startProgress(io);
  const inputs: string[] = [];
  const { step } = progress;
  const opened: RunningJob['opened'] = (file) => {
    inputs.push(...inputsOf([file]));
    return file;
  };
  const write: RunningJob['write'] = (files, unread = []) =>
    writeFilesSync(files, { force: flags.force === true, inputs, unread });
  let result: JobResult<Report>;
  try {
    result = await run({ step, onProgress: (one) => step(progressText(one)), opened, write });
    if (result.outputs.length > 0) {
      step(`writing ${result.outputs[result.outputs.length - 1].path}`);
      write(result.outputs);
    }
  } finally {
    progress.end();
  }
  const { report, failure = null } = result;
  if (flags.json === true) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, io, flags.verbose === true);
  if (failure !== null) return failureOf(failure).exit;
  return report.ok ? EXIT.done : EXIT.nothing;
}

/**
 * Expands the arguments that name motions; says which files of folders and patterns were skipped. `character`: path of the character, which is no
 * motion; null without one.
 */
export async function findMotions(
  motions: readonly string[],
  output: string,
  character: string | null,
  io: Io,
): Promise<readonly string[]> {
  const { files, outputs } = await expandInputs(motions, { output, except: character === null ? [] : [character] });
  if (outputs.length > 0) {
    const named = `${outputs.slice(0, MOST_NAMES).map(oneLine).join(', ')}${outputs.length > MOST_NAMES ? ', …' : ''}`;
    const what =
      outputs.length === 1 ? '1 file is not read as a motion' : `${outputs.length} files are not read as motions`;
    writeLines(io.stderr, [`${what}, because the output ${oneLine(output)} could have written it: ${named}`]);
  }
  return files;
}

/** Prepares motions that are opened one after the other. Of several, those that cannot be read, converted or written are left out. */
export function motionsOf(
  paths: readonly string[],
  clips: readonly (string | number)[],
  input: InputOptions,
  { opened, write }: RunningJob,
): [motions: MotionInput[], run: JobRun] {
  const motions = paths.map((path): MotionInput => {
    return { name: path, open: async () => opened(await openInput(path, input, { wantsClip: clipFilter(clips) })) };
  });
  const run: JobRun = {
    write: (files, next) => write(files, paths.slice(next)),
    leavesOut: paths.length > 1,
    explain: (error) => failureOf(error).message,
  };
  return [motions, run];
}
