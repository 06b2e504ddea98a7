/** Runs jobs that read files, write files and print a report. */

import { writeFiles } from '../files/node/write-files.ts';
import type { OpenFile } from '../files/open.ts';
import type { OutputFile } from '../files/outputs/output-file.ts';
import { EXIT, type ExitCode } from './errors/exit-codes.ts';
import { REPORT_FLAGS } from './flags/output-flags.ts';
import type { Io } from './io.ts';
import { writeLines } from './io.ts';
import { blame, type InputOptions, inputsOf, openInput } from './open-input.ts';
import { startProgress } from './progress.ts';

/** Shows the next step in the status line. */
export type Step = (text: string) => void;

/** Flags of all such jobs. */
export const JOB_FLAGS = {
  force: { type: 'boolean', description: 'Overwrite existing files' },
  ...REPORT_FLAGS,
} as const;

/** A job and its flags. */
export interface FileJob<Report extends { readonly ok: boolean }> {
  /** Path or template of the output. */
  readonly output: string;
  /** The values of {@link JOB_FLAGS}. */
  readonly flags: {
    readonly force?: boolean | undefined;
    readonly json?: boolean | undefined;
    readonly verbose?: boolean | undefined;
  };
  /** Opens the inputs. */
  readonly open: (step: Step) => Promise<readonly OpenFile[]>;
  /** Computes outputs and report. */
  readonly run: (
    files: readonly OpenFile[],
    step: Step,
  ) => Promise<{ readonly report: Report; readonly outputs: readonly OutputFile[] }>;
  /** Prints the report as text. */
  readonly show: (report: Report, io: Io, isVerbose: boolean) => Promise<void>;
}

/**
 * Runs a job: opens inputs, computes, writes outputs, prints the report.
 * @param job the job and its flags
 * @param io the terminal
 * @returns the exit code
 */
export async function runFileJob<Report extends { readonly ok: boolean }>(
  { output, flags, open, run, show }: FileJob<Report>,
  io: Io,
): Promise<ExitCode> {
  const progress = startProgress(io);
  let report: Report;
  try {
    const files = await open(progress.step);
    const inputs = inputsOf(files);
    const result = await run(files, progress.step);
    report = result.report;
    if (result.outputs.length > 0) {
      progress.step(`writing ${output}`);
      writeFiles(result.outputs, { force: flags.force === true, inputs });
    }
  } finally {
    progress.end();
  }
  if (flags.json === true) writeLines(io.stdout, [JSON.stringify(report)]);
  else await show(report, io, flags.verbose === true);
  return report.ok ? EXIT.done : EXIT.nothing;
}

/**
 * Runs a job on one file and attributes its FormatErrors to that file.
 * @param path path of the file
 * @param options which files it may reference
 * @param job the job and its flags
 * @param io the terminal
 * @returns the exit code
 */
export async function runJobOnFile<Report extends { readonly ok: boolean }>(
  path: string,
  options: InputOptions,
  {
    run,
    ...job
  }: Omit<FileJob<Report>, 'open' | 'run'> & {
    readonly run: (file: OpenFile) => ReturnType<FileJob<Report>['run']>;
  },
  io: Io,
): Promise<ExitCode> {
  const open: FileJob<Report>['open'] = async (step) => {
    step(`reading ${path}`);
    return [await openInput(path, options)];
  };
  const runOnFile: FileJob<Report>['run'] = ([file], step) => {
    step(`writing ${job.output}`);
    return blame(path, () => run(file));
  };
  return runFileJob({ ...job, open, run: runOnFile }, io);
}
