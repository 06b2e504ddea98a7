import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { type Io, oneLine, writeLines } from '../io.ts';

/** Joins the reports of shards, as `anyrig batch merge` does: `report.json` and `report.html` replace those of the shards in the output folder. */
export async function mergeShards(
  folders: readonly string[],
  out: string,
  flags: { readonly json?: boolean | undefined },
  io: Io,
): Promise<ExitCode> {
  const { mergeReports, readShardReports, removeReports, writeReport } = await import('../../batch/batch-bundle.ts');
  const { reports, paths } = await readShardReports(folders.length === 0 ? [out] : folders);
  const report = mergeReports(reports);
  const files = await writeReport(out, report);
  await removeReports(paths);
  const { made, failed, ok } = report;
  if (flags.json === true) writeLines(io.stdout, [JSON.stringify({ ok, made, failed, reports: files })]);
  else
    writeLines(io.stdout, [
      `${reports.length} shards: ${made} made, ${failed} failed`,
      `report: ${files.map(oneLine).join(', ')}`,
    ]);
  return ok ? EXIT.done : EXIT.nothing;
}
