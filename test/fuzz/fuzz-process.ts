/** Process of the fuzzer: makes damaged files and runs their jobs: `fuzz-process.ts TASK`, the task as JSON. A watchdog ends it at limits of time and memory. */
import { Worker } from 'node:worker_threads';
import { findFault } from './find-fault.ts';
import { addFinding } from './findings.ts';
import { makeInput } from './mutations/mutate-file.ts';
import { openPartners } from './partners.ts';
import { COUNTS, createProgress, INDEX, processorTime, progressWriter, STARTED, WRITTEN } from './progress.ts';
import { chooseSeeds, FUZZ_FORMATS, makeSeeds } from './seeds.ts';
import type { WatchdogTask } from './watchdog.ts';

/** What the process is started with. */
export interface FuzzTask {
  readonly seed: number;
  /** Index of the first file, and of the one after the last. */
  readonly first: number;
  readonly end: number;
  /** Only files of this format; null for all. */
  readonly format: string | null;
  /** Only jobs that write this extension; null for all. */
  readonly output: string | null;
  /** Whether large files, and files that ask for much work, are left out. */
  readonly isSmall: boolean;
  /** Files for the findings and the progress. */
  readonly findings: string;
  readonly progress: string;
}

async function work({ seed, first, end, format, output, isSmall, findings, progress: path }: FuzzTask): Promise<void> {
  const seeds = chooseSeeds(await makeSeeds(), format, isSmall);
  const partners = await openPartners();
  const progress = createProgress(first);
  const writeProgress = progressWriter(path);
  for (let index = first; index < end; index++) {
    const input = makeInput(seeds, seed, index, { output, isSmall });
    progress[INDEX] = index;
    progress[STARTED] = processorTime();
    writeProgress(progress);
    if (index === first) {
      const workerData: WatchdogTask = { progress, findings };
      new Worker(new URL('./start-watchdog.mjs', import.meta.url), { workerData }).unref();
    }
    const { fault, isWritten } = await findFault(input, partners);
    if (isWritten) progress[WRITTEN]++;
    progress[COUNTS + FUZZ_FORMATS.indexOf(input.format)]++;
    if (fault !== null) addFinding(findings, { index, fault });
  }
  progress[INDEX] = end;
  writeProgress(progress);
}

await work(JSON.parse(process.argv[2]) as FuzzTask);
