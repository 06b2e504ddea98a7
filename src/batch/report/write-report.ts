/** Writes reports into the output folder. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../../files/node/write-files.ts';
import { type BatchReport, reportName } from './batch-report.ts';
import { reportPage } from './report-page.ts';

/**
 * Writes a report: `report.json` and `report.html`, or `report-I-of-N.json` for a shard.
 *
 * @param folder The output folder.
 * @param report The report.
 * @returns Paths of the files.
 * @throws OutputError when they cannot be written.
 */
export function writeReport(folder: string, report: BatchReport): string[] {
  const encoder = new TextEncoder();
  const json = join(folder, reportName(report.shard ?? null));
  const files = [{ path: json, parts: [encoder.encode(`${JSON.stringify(report)}\n`)] }];
  if (report.shard === undefined) {
    files.push({ path: join(folder, 'report.html'), parts: [encoder.encode(reportPage(report))] });
  }
  writeFiles(files, { force: true });
  return files.map(({ path }) => path);
}

/**
 * Removes the reports of shards after they were merged.
 *
 * @param paths Their paths.
 */
export function removeReports(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
}
