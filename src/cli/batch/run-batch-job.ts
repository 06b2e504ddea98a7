import { type BatchPlan, type BatchTask, inputsOfTask } from '../../batch/plan/batch-task.ts';
import type { ReportShard } from '../../batch/report/batch-report.ts';
import type { BatchEntry, BatchEvent, BatchResult } from '../../batch/run/run-batch.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { withFlags } from '../errors/flag-names.ts';
import { type Io, oneLine, stylesFor, writeLines } from '../io.ts';
import { startLog, startProgress } from '../progress.ts';
import type { BatchJob } from './batch-flags.ts';

/** Results that the rate is measured over: the latest ones, because characters differ. */
const LATEST = 200;

export function createRate(now: () => number): { readonly add: () => void; readonly perSecond: () => number } {
  const times: number[] = [now()];
  const add = (): void => {
    times.push(now());
    if (times.length > LATEST + 1) times.shift();
  };
  const perSecond = (): number => {
    const seconds = ((times.at(-1) ?? 0) - times[0]) / 1000;
    return (times.length - 1) / Math.max(seconds, 1e-3);
  };
  return { add, perSecond };
}

export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.round((whole % 3600) / 60)} min`;
}

/** Most reasons of failures that are printed, and most tasks that are named for each. */
const MOST_FAILURES = 20;
const MOST_NAMES = 3;

/** Shows events in the status line, or in a log every ten seconds. */
function createObserver(io: Io): { onEvent: (event: BatchEvent) => void; end: () => void } {
  const progress = io.stderr.isTerminal ? startProgress(io) : startLog(io);
  const rate = createRate(() => performance.now());
  let total = 0;
  progress.step('reading files and journals');
  const onEvent = (event: BatchEvent): void => {
    if (event.type === 'planned') total = event.total;
    else if (event.type === 'ended') {
      rate.add();
      const speed = `${rate.perSecond().toPrecision(3)}/s, ${durationText(event.open / rate.perSecond())} left`;
      progress.step(`[${event.done}/${total}] ${speed}, ${event.entry.task.id}`);
    }
  };
  return { onEvent, end: progress.end };
}

function countText(entries: readonly BatchEntry[]): string {
  const count = (state: BatchEntry['state']): number => entries.filter((entry) => entry.state === state).length;
  const open = count('open');
  const parts = [`${count('made')} made`, `${count('kept')} unchanged`, `${count('failed')} failed`];
  return [...parts, ...(open > 0 ? [`${open} not tried`] : [])].join(', ');
}

async function show(
  { entries, removed, failure }: BatchResult,
  {
    isDry,
    isVerbose,
    files,
    seconds,
  }: { isDry: boolean; isVerbose: boolean; files: readonly string[]; seconds: number },
  io: Io,
): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const failed = entries.filter((entry) => entry.failure !== null);
  const lines: string[] = [];
  if (isVerbose || isDry) {
    const words = { made: 'made', kept: 'unchanged', failed: 'failed', open: isDry ? 'to do' : 'not tried' };
    lines.push(
      ...entries.map(({ task, state }) => `${words[state].padEnd(10)}${oneLine(`${task.id}.${task.format}`)}`),
    );
  }
  const groups = new Map<string, BatchEntry[]>();
  for (const entry of failed) {
    const reason = `${entry.failure?.code}: ${withFlags(entry.failure?.message ?? '')}`;
    groups.set(reason, [...(groups.get(reason) ?? []), entry]);
  }
  for (const [reason, tasks] of isVerbose ? groups : [...groups].slice(0, MOST_FAILURES)) {
    const named = tasks.slice(0, isVerbose ? tasks.length : MOST_NAMES).map(({ task }) => oneLine(task.id));
    const more = tasks.length > named.length ? ` and ${tasks.length - named.length} more` : '';
    lines.push(`${style('red', `error ${oneLine(reason)}`)} (${named.join(', ')}${more})`);
  }
  if (!isVerbose && groups.size > MOST_FAILURES)
    lines.push(`and ${groups.size - MOST_FAILURES} more reasons; --verbose lists all`);
  if (removed.length > 0) lines.push(`${removed.length} ${removed.length === 1 ? 'file' : 'files'} removed`);
  if (failure !== null)
    lines.push(
      style('red', `Stopped early: ${oneLine(withFlags(failure.message))}. Run the same command again to go on.`),
    );
  const made = entries.filter(({ state }) => state === 'made').length;
  const speed = made === 0 ? '' : ` in ${durationText(seconds)} (${(made / seconds).toPrecision(3)}/s)`;
  if (isDry) {
    const open = entries.filter(({ state }) => state === 'open').length;
    lines.push(`${open} to do, ${entries.length - open - failed.length} unchanged, ${failed.length} unreadable`);
  } else lines.push(`${countText(entries)}${speed}`);
  if (files.length > 0) lines.push(`report: ${files.map(oneLine).join(', ')}`);
  writeLines(io.stdout, lines);
}

/** Selects the tasks of a shard by the sizes of their inputs. */
async function tasksOf({ tasks }: BatchPlan, shard: ReportShard | null): Promise<readonly BatchTask[]> {
  if (shard === null) return tasks;
  const { inspectFiles, shardTasks } = await import('../../batch/batch-bundle.ts');
  const files = await inspectFiles(tasks.flatMap(inputsOfTask));
  const sizes = new Map(Array.from(files, ([path, file]) => [path, file?.bytes ?? 0]));
  return shardTasks(tasks, sizes, shard.index, shard.count);
}

export async function runBatchJob(
  { request, run, shard, queue }: BatchJob,
  flags: { readonly json?: boolean | undefined; readonly verbose?: boolean | undefined },
  io: Io,
): Promise<ExitCode> {
  const { createQueuePool, planBatch, reportBatch, runBatch, writeReport } = await import(
    '../../batch/batch-bundle.ts'
  );
  const plan = planBatch(request);
  const tasks = await tasksOf(plan, shard);
  const start = performance.now();
  const { onEvent, end } = createObserver(io);
  let result: BatchResult;
  let files: string[] = [];
  const isDry = run.dryRun === true;
  const pool = queue === null || isDry ? null : await createQueuePool({ url: queue });
  try {
    result = await runBatch(plan, { ...run, tasks, onEvent, ...(pool === null ? {} : { pool }) });
    if (!isDry && result.failure?.code !== 'CANNOT_WRITE')
      files = await writeReport(run.folder, reportBatch(result.entries, shard));
  } finally {
    await pool?.close();
    end();
  }
  const seconds = (performance.now() - start) / 1000;
  if (flags.json === true) writeLines(io.stdout, [JSON.stringify(jsonOf(result, files, seconds))]);
  else await show(result, { isDry, isVerbose: flags.verbose === true, files, seconds }, io);
  if (result.failure?.code === 'CANNOT_WRITE') return EXIT.unwritable;
  return result.entries.some(({ failure }) => failure !== null) ? EXIT.nothing : EXIT.done;
}

/** What `--json` prints: states of the tasks; their figures are in the report. */
function jsonOf({ entries, removed, failure }: BatchResult, files: readonly string[], seconds: number): object {
  return {
    ok: failure === null && entries.every((entry) => entry.failure === null),
    seconds,
    reports: files,
    removed,
    failure,
    tasks: entries.map(({ task, state, result, failure: reason }) => {
      const paths = result?.files.map(({ path }) => path) ?? [];
      return { id: task.id, state, files: paths, ...(reason === null ? {} : { failure: reason }) };
    }),
  };
}
