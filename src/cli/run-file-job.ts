/** Jobs that read files, write files and report what became of them: their run, from the first input to the exit code. */
import type { OpenFile } from '../files/open.ts';
import type { OutputFile } from '../files/output-file.ts';
import { writeFiles } from '../files/write-files.ts';
import { clipFilter } from './clip-filter.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import { blame, type InputOptions, inputsOf, openInput } from './open-input.ts';
import { startProgress } from './progress.ts';
import { writeLines } from './write-lines.ts';

/** Says on the terminal what comes next. */
export type Step = (text: string) => void;

/** The flags of such a job. */
export const JOB_FLAGS = {
  force: { type: 'boolean', description: 'Replace files that exist' },
  json: { type: 'boolean', description: 'Print what was done as JSON' },
} as const;

/** A job, and what the user said about its output. */
export interface FileJob<Report extends { readonly ok: boolean }> {
  readonly output: string;
  /** The values of {@link JOB_FLAGS}. */
  readonly flags: { readonly force?: boolean | undefined; readonly json?: boolean | undefined };
  readonly open: (step: Step) => Promise<readonly OpenFile[]>;
  readonly run: (
    files: readonly OpenFile[],
    step: Step,
  ) => Promise<{ readonly report: Report; readonly outputs: readonly OutputFile[] }>;
  readonly show: (report: Report, io: Io) => Promise<void>;
}

/** Opens files with motions, of which only the wanted clips are read. InputError when one cannot be read. */
export async function openMotions(
  paths: readonly string[],
  clips: readonly (string | number)[],
  options: InputOptions,
  step: Step,
): Promise<OpenFile[]> {
  const opened: OpenFile[] = [];
  for (const path of paths) {
    step(`reading ${path}`);
    opened.push(await openInput(path, options, { wantsClip: clipFilter(clips) }));
  }
  return opened;
}

/** Runs a job. Nothing is written where it gives no outputs; its report is printed last. */
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
  else await show(report, io);
  return report.ok ? EXIT.done : EXIT.nothing;
}

/** Runs a job on one file; FormatErrors of the job are put down to it. */
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
