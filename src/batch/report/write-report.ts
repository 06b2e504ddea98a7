/** Writes reports into the output folder, on disk or in object storage. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFilesSync } from '../../files/node/write-files.ts';
import { deleteObject } from '../storage/s3-client.ts';
import { isStorageUrl, joinStorageUrl } from '../storage/storage-url.ts';
import { replaceObject } from '../storage/stored-results.ts';
import { type BatchReport, reportName } from './batch-report.ts';
import { reportPage } from './report-page.ts';

/**
 * Writes a report: `report.json` and `report.html`, or `report-I-of-N.json` for a shard.
 *
 * @param folder The output folder, or its URL.
 * @returns Paths or URLs of the files.
 * @throws OutputError when they cannot be written.
 */
export async function writeReport(folder: string, report: BatchReport): Promise<string[]> {
  const encoder = new TextEncoder();
  const at = (name: string): string => (isStorageUrl(folder) ? joinStorageUrl(folder, name) : join(folder, name));
  const files = [{ path: at(reportName(report.shard ?? null)), content: `${JSON.stringify(report)}\n` }];
  if (report.shard === undefined) files.push({ path: at('report.html'), content: reportPage(report) });
  const encoded = files.map(({ path, content }) => ({ path, parts: [encoder.encode(content)] }));
  if (!isStorageUrl(folder)) writeFilesSync(encoded, { force: true });
  else for (const { path, parts } of encoded) await replaceObject(path, parts[0]);
  return files.map(({ path }) => path);
}

/** Removes the reports of shards after they were merged. */
export async function removeReports(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (isStorageUrl(path)) await deleteObject(path);
    else rmSync(path, { force: true });
  }
}
