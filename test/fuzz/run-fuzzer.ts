/** Runs the fuzzer in processes of its own, so that it survives every file and can name those that end a process. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addFinding, type Finding, readFindings } from './findings.ts';
import type { FuzzTask } from './fuzz-process.ts';
import { COUNTS, INDEX, readProgress, STARTED, WRITTEN } from './progress.ts';
import { FUZZ_FORMATS } from './seeds.ts';

/** Files after which a new process goes on, so that what a process gathers ends no run. */
const FILES_PER_PROCESS = 10_000;
/** Heap of a process, in MiB; the watchdog limits all of its memory. */
const HEAP = 1024;
/** Room for what lives shortly, in MiB: with the default of 16 a third of the time goes to collecting it. */
const YOUNG_HEAP = 64;
/** Interval of the reports of progress, in ms. */
const REPORT_INTERVAL = 1000;

/** What to run. */
export interface FuzzRun {
  readonly seed: number;
  readonly seconds: number;
  /** Only files of this format; null for all. */
  readonly format: string | null;
  /** Only jobs that write this extension; null for all. */
  readonly output: string | null;
  /** Whether large files, and files that ask for much work, are left out. */
  readonly isSmall: boolean;
  /** Receives the number of files done and of faults found, now and then. */
  readonly report: (files: number, faults: number) => void;
}

/** What was found. */
export interface FuzzResult {
  readonly findings: readonly Finding[];
  /** Number of files per format. */
  readonly counts: readonly number[];
  /** Number of files whose job wrote an output. */
  readonly written: number;
}

/** Runs one process until its last file, its death or the end of the run. Returns the index to continue with. */
async function runProcess(task: FuzzTask, endTime: number, report: () => void): Promise<number> {
  const script = fileURLToPath(new URL('./fuzz-process.ts', import.meta.url));
  const node = [
    `--max-old-space-size=${HEAP}`,
    `--max-semi-space-size=${YOUNG_HEAP}`,
    '--import',
    'tsx',
    script,
    JSON.stringify(task),
  ];
  const child = spawn(process.execPath, node, { stdio: ['ignore', 'inherit', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  let isOver = false;
  const reports = setInterval(report, REPORT_INTERVAL);
  const end = setTimeout(() => {
    isOver = true;
    child.kill('SIGKILL');
  }, endTime - Date.now());
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (...how) => resolve(how));
  });
  clearInterval(reports);
  clearTimeout(end);
  const progress = readProgress(task.progress, task.first);
  const index = progress[INDEX];
  if (code === 0 || isOver) return index;
  if (progress[STARTED] === 0) throw new Error(`A process of the fuzzer did not start: ${errors}`);
  if (readFindings(task.findings).at(-1)?.index !== index) {
    const why = /^(?:FATAL ERROR|\w*Error): .*$/m.exec(errors)?.[0] ?? errors.slice(0, 200);
    addFinding(task.findings, {
      index,
      fault: { job: 'any', message: `ends the process (${signal ?? code}): ${why}` },
    });
  }
  return index + 1;
}

/**
 * Runs the fuzzer for a time.
 *
 * @param run Seed, seconds, format and output.
 * @returns Faults and counts.
 */
export async function runFuzzer({ seed, seconds, format, output, isSmall, report }: FuzzRun): Promise<FuzzResult> {
  const endTime = Date.now() + 1000 * seconds;
  const folder = mkdtempSync(join(tmpdir(), 'anyrig-fuzz-'));
  const findings = join(folder, 'findings');
  const totals = FUZZ_FORMATS.map(() => 0);
  let written = 0;
  const countsAt = (path: string): number[] => {
    const done = readProgress(path, 0).subarray(COUNTS);
    return totals.map((count, k) => count + done[k]);
  };
  try {
    for (let first = 0; Date.now() < endTime; ) {
      const progress = join(folder, `progress-${first}`);
      const task = { seed, first, end: first + FILES_PER_PROCESS, format, output, isSmall, findings, progress };
      const count = (): number => countsAt(progress).reduce((sum, one) => sum + one, 0);
      first = await runProcess(task, endTime, () => report(count(), readFindings(findings).length));
      for (const [k, value] of countsAt(progress).entries()) totals[k] = value;
      written += readProgress(progress, first)[WRITTEN];
    }
    return { findings: readFindings(findings), counts: totals, written };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
