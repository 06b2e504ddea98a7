/** What was extracted, for people to read. */
import type { ExtractReport } from '../files/retarget-report.ts';
import { columns } from './columns.ts';
import { type Io, oneLine, stylesFor } from './io.ts';
import { issueLines } from './show-issues.ts';
import { bodyRow, clipLines } from './show-retarget.ts';
import { writeLines } from './write-lines.ts';

/** Prints a report. */
export async function showExtract(report: ExtractReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines: string[] = [];
  if (report.output === null) lines.push(style('red', 'Nothing was written: there is no motion of a humanoid'));
  else {
    const count = report.clips.length;
    const files = report.outputs === undefined ? '' : ` in ${report.outputs.length} files`;
    lines.push(`${style('bold', oneLine(report.output))}: ${count} humanoid ${count === 1 ? 'clip' : 'clips'}${files}`);
  }
  lines.push(...clipLines(report.clips), ...columns(report.sources.map((source) => bodyRow('motion', source))));
  lines.push(...issueLines(report.issues, style));
  writeLines(io.stdout, lines);
}
