/** The report of a batch: plain data, the same for one machine and for merged shards. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Issue } from '../../core/report/issue.ts';
import { OptionError } from '../../files/option-error.ts';
import { packageVersion } from '../../files/package-version.ts';
import { systemReason } from '../../files/reports/system-reason.ts';
import { REPORT_FIELDS, resultFile, taskFailure } from '../check/result-shapes.ts';
import {
  count,
  figure,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  orNull,
  type Shape,
  text,
  valueThat,
} from '../check/shape.ts';
import { BATCH_FORMATS, type BatchFormat, type BatchTaskKind } from '../plan/batch-task.ts';
import type { BatchEntry } from '../run/run-batch.ts';
import type { PairFigures, ResultFile, TaskFailure, TaskReport } from '../run/task-outcome.ts';
import { listObjects } from '../storage/s3-client.ts';
import { isStorageUrl, joinStorageUrl } from '../storage/storage-url.ts';
import { readStoredFile } from '../storage/stored-files.ts';

/** Score of a failed task: above every result. */
export const FAILED_SCORE = 1000;
/** What an error and a warning add. */
const ERROR_SCORE = 10;
const WARNING_SCORE = 0.1;

/**
 * Scores a task: its worst error relative to the value from which a person should look at it, plus its errors and warnings. What contacts and arms changed on
 * purpose does not count.
 */
export function scoreOf({
  figures,
  issues,
  failure,
}: {
  readonly figures: PairFigures | null;
  readonly issues: readonly Issue[];
  readonly failure: TaskFailure | null;
}): number {
  if (failure !== null) return FAILED_SCORE;
  const codes = new Set(issues.map(({ severity, code }) => `${severity} ${code}`));
  const errors = [...codes].filter((code) => code.startsWith('error')).length;
  const worst = figures?.errorScore ?? 0;
  return Number((worst + errors * ERROR_SCORE + (codes.size - errors) * WARNING_SCORE).toFixed(3));
}

/** A task in a report. */
export interface ReportEntry extends TaskReport {
  /** The task: path of its result without extension. */
  readonly id: string;
  /** What it makes. */
  readonly kind: BatchTaskKind;
  /** Paths of the motions. */
  readonly motions: readonly string[];
  /** Path of the character; null for clip libraries. */
  readonly character: string | null;
  /** File extension of the result. */
  readonly format: BatchFormat;
  /** The files of the result; empty when it failed. */
  readonly files: readonly ResultFile[];
  /** Why there is no result; null when there is one. */
  readonly failure: TaskFailure | null;
  /** How bad it is; see `scoreOf`. */
  readonly score: number;
}

/** Which part of a batch a report is about. */
export interface ReportShard {
  /** Number of the shard, from 1. */
  readonly index: number;
  /** Number of shards. */
  readonly count: number;
}

/** A report. It contains no times, so that equal results have equal reports. */
export interface BatchReport {
  /** Version of anyrig. */
  readonly anyrig: string;
  /** Whether all tasks have results. */
  readonly ok: boolean;
  /** Part of the batch; missing for whole batches. */
  readonly shard?: ReportShard;
  /** Number of results. */
  readonly made: number;
  /** Number of failed tasks. */
  readonly failed: number;
  /** The tasks, sorted by `id`. */
  readonly entries: readonly ReportEntry[];
}

const shardNumber: Shape<number> = valueThat(
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  'a number from 1',
);

const batchReport: Shape<BatchReport> = objectOf<BatchReport>({
  anyrig: text,
  ok: flag,
  shard: optional(objectOf<ReportShard>({ index: shardNumber, count: shardNumber })),
  made: count,
  failed: count,
  entries: listOf(
    objectOf<ReportEntry>({
      id: text,
      kind: oneOf<BatchTaskKind>(['pair', 'pack', 'extract']),
      motions: listOf(text),
      character: orNull(text),
      format: oneOf(BATCH_FORMATS),
      files: listOf(resultFile),
      failure: orNull(taskFailure),
      score: figure,
      ...REPORT_FIELDS,
    }),
  ),
});

const MOST_MISSING = 20;

function entryOf({ task, result, failure }: BatchEntry): ReportEntry {
  const { id, kind, motions, character, format } = task;
  const report: TaskReport = result?.report ?? { clips: [], figures: null, strips: [], issues: [] };
  const files = result?.files ?? [];
  return { id, kind, motions, character, format, files, failure, score: scoreOf({ ...report, failure }), ...report };
}

function reportOf(entries: readonly ReportEntry[], shard: ReportShard | null): BatchReport {
  const failed = entries.filter(({ failure }) => failure !== null).length;
  return {
    anyrig: packageVersion(),
    ok: failed === 0,
    ...(shard === null ? {} : { shard }),
    made: entries.length - failed,
    failed,
    entries: [...entries].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/**
 * Reports the tasks of a run.
 *
 * @param entries Result of `runBatch`; tasks that were not tried are left out.
 * @param shard Part of the batch; null for the whole batch.
 * @returns The report.
 */
export function reportBatch(entries: readonly BatchEntry[], shard: ReportShard | null = null): BatchReport {
  return reportOf(entries.filter(({ state }) => state !== 'open').map(entryOf), shard);
}

/** Returns the name of the report of a shard; null is the whole batch. */
export function reportName(shard: ReportShard | null): string {
  return shard === null ? 'report.json' : `report-${shard.index}-of-${shard.count}.json`;
}

/**
 * Joins the reports of all shards of a batch.
 *
 * @param reports One report per shard.
 * @returns The report of the whole batch: the same as of a run without shards.
 * @throws OptionError when shards are missing, or belong to different batches.
 */
export function mergeReports(reports: readonly BatchReport[]): BatchReport {
  const counts = new Set(reports.map(({ shard }) => shard?.count));
  const [count] = counts;
  if (counts.size !== 1 || count === undefined) {
    const found =
      reports.length === 0 ? 'There is no report of a shard' : 'The reports are not those of one set of shards';
    throw new OptionError('shard', `${found}; expected files like report-1-of-4.json, written with the option shard`);
  }
  const there = new Set(reports.map(({ shard }) => shard?.index));
  const missing: number[] = [];
  // No longer than the reports that are there: a count can be any number.
  for (let index = 1; index <= count && missing.length <= MOST_MISSING; index++)
    if (!there.has(index)) missing.push(index);
  if (missing.length > 0) {
    const named = missing.slice(0, MOST_MISSING).map((index) => `${index}/${count}`);
    const more = missing.length > MOST_MISSING ? ' and others' : '';
    throw new OptionError(
      'shard',
      `The reports of shards ${named.join(', ')}${more} are missing; run them, then merge again`,
    );
  }
  const byId = new Map(reports.flatMap(({ entries }) => entries.map((entry) => [entry.id, entry] as const)));
  return reportOf([...byId.values()], null);
}

async function shardReportsOf(folder: string): Promise<string[]> {
  const isReport = (path: string): boolean => /(?:^|\/)report-\d+-of-\d+\.json$/.test(path);
  if (isStorageUrl(folder)) {
    const objects = await listObjects(joinStorageUrl(folder, ''), false);
    return objects.map(({ url }) => url).filter(isReport);
  }
  try {
    const names = readdirSync(folder).filter(isReport).sort();
    // A pipe would never end.
    const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return names.map((name) => join(folder, name)).filter(isFile);
  } catch (error) {
    throw new OptionError(
      'shard',
      `The folder ${folder} cannot be read: ${systemReason(error)}; expected the output folder of a shard`,
    );
  }
}

/**
 * Reads the reports of shards from folders. Throws OptionError for a folder that cannot be read, and a file that is not a report; StorageError when
 * the storage cannot be used.
 */
export async function readShardReports(
  folders: readonly string[],
): Promise<{ reports: BatchReport[]; paths: string[] }> {
  const reports: BatchReport[] = [];
  const paths: string[] = [];
  for (const folder of folders) {
    for (const path of await shardReportsOf(folder)) {
      const { bytes } = await readStoredFile(path);
      try {
        reports.push(batchReport(JSON.parse(new TextDecoder().decode(bytes)), 'it'));
      } catch (error) {
        throw new OptionError('shard', `${path} is not a report: ${(error as Error).message}; run its shard again`);
      }
      paths.push(path);
    }
  }
  return { reports, paths };
}
