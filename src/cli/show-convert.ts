/** What was converted, for people to read. */
import type { ConvertReport } from '../files/retarget-report.ts';
import { columns } from './columns.ts';
import { type Io, oneLine, stylesFor } from './io.ts';
import { issueLines } from './show-issues.ts';
import { bodyRow, clipLines } from './show-retarget.ts';
import { writeLines } from './write-lines.ts';

/** Prints a report. */
export async function showConvert(report: ConvertReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines: string[] = [];
  if (report.output === null) lines.push(style('red', 'Nothing was written'));
  else {
    const count = report.clips.length;
    const clips = `${count === 0 ? 'no' : count} ${count === 1 ? 'clip' : 'clips'}`;
    const files = report.outputs === undefined ? '' : ` in ${report.outputs.length} files`;
    lines.push(`${style('bold', oneLine(report.output))}: ${clips}${files}`);
  }
  lines.push(...clipLines(report.clips));
  if (report.body !== null) lines.push(...columns([bodyRow('body', report.body)]));
  lines.push(...issueLines(report.issues, style));
  writeLines(io.stdout, lines);
}
