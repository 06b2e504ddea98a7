/** Runs jobs over many motions: each is read, converted, written and released before the next one. */

import type { JobProgress } from '../files/jobs/job-control.ts';
import type { MotionInput, MotionsRun } from '../files/jobs/run-motions.ts';
import { writeFiles } from '../files/node/write-files.ts';
import type { OpenFile } from '../files/open.ts';
import { EXIT, type ExitCode } from './errors/exit-codes.ts';
import { failureOf } from './errors/failure.ts';
import { clipFilter } from './flags/clip-filter.ts';
import { expandInputs } from './inputs/expand-inputs.ts';
import { type Io, oneLine, writeLines } from './io.ts';
import { type InputOptions, inputsOf, openInput } from './open-input.ts';
import { progressText, startProgress } from './progress.ts';
import type { FileJob } from './run-file-job.ts';

/** Most skipped files that are named. */
const MOST_NAMES = 3;

/** A job over motions, and its flags. */
export interface MotionsCommand<Report extends { readonly ok: boolean }> {
  /** Paths of the motions; also patterns, folders and lists. */
  readonly motions: readonly string[];
  /** Path of the file that the motions are for, opened first; null without one. */
  readonly character: string | null;
  /** Names or indices of the clips to read; empty for all. */
  readonly clips: readonly (string | number)[];
  /** Path or template of the output. */
  readonly output: string;
  /** Which files an input may reference. */
  readonly input: InputOptions;
  /** The values of `JOB_FLAGS`. */
  readonly flags: FileJob<Report>['flags'];
  /** Converts and writes the motions. `opened` registers another input, which must not be overwritten. */
  readonly run: (
    motions: readonly MotionInput[],
    run: MotionsRun,
    onProgress: (progress: JobProgress) => void,
    opened: (file: OpenFile) => void,
  ) => Promise<{ readonly report: Report; readonly failure: Error | null }>;
  /** Prints the report as text. */
  readonly show: FileJob<Report>['show'];
}

/** Expands the arguments; says which files of folders and patterns were skipped. */
async function findMotions(
  { motions, character, output }: Pick<MotionsCommand<never>, 'motions' | 'character' | 'output'>,
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

/**
 * Runs a job over motions. Of several motions, those that cannot be read, converted or written are left out and reported.
 * @param job the job and its flags
 * @param io the terminal
 * @returns the exit code
 * @throws InputError and other errors that concern all motions, or the only one
 */
export async function runMotionsJob<Report extends { readonly ok: boolean }>(
  job: MotionsCommand<Report>,
  io: Io,
): Promise<ExitCode> {
  const paths = await findMotions(job, io);
  const progress = startProgress(io);
  const inputs: string[] = [];
  const opened = (file: OpenFile): void => {
    inputs.push(...inputsOf([file]));
  };
  const motions = paths.map((path): MotionInput => {
    const open = async (): Promise<OpenFile> => {
      const file = await openInput(path, job.input, { wantsClip: clipFilter(job.clips) });
      opened(file);
      return file;
    };
    return { name: path, open };
  });
  const write: MotionsRun['write'] = (files, next) => {
    writeFiles(files, { force: job.flags.force === true, inputs, unread: paths.slice(next) });
  };
  let result: Awaited<ReturnType<typeof job.run>>;
  try {
    const explain = (error: Error): string => failureOf(error).message;
    result = await job.run(
      motions,
      { write, leavesOut: paths.length > 1, explain },
      (one) => progress.step(progressText(one)),
      opened,
    );
  } finally {
    progress.end();
  }
  const { report, failure } = result;
  if (job.flags.json === true) writeLines(io.stdout, [JSON.stringify(report)]);
  else await job.show(report, io, job.flags.verbose === true);
  if (failure !== null) return failureOf(failure).exit;
  return report.ok ? EXIT.done : EXIT.nothing;
}
