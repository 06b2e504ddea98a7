/** What was retargeted, for people to read. */
import type { BodyReport, ClipReport, NoBodyReport, RetargetReport } from '../files/retarget-report.ts';
import { columns } from './columns.ts';
import { type Io, oneLine, stylesFor } from './io.ts';
import { meters, referenceWords } from './show-humanoid.ts';
import { issueLines } from './show-issues.ts';
import { writeLines } from './write-lines.ts';

/** Clips that are listed; the JSON has all. */
const CLIPS = 20;

/** A side of the work as a row: how many bones, which reference pose. */
export function bodyRow(role: string, body: BodyReport | NoBodyReport): string[] {
  if (!body.humanoid) return [role, oneLine(body.file), 'not humanoid'];
  const bones = Object.keys(body.bones).length;
  const hips = `hips at ${meters(body.hipsHeight)}`;
  return [role, oneLine(body.file), `${bones} bones (${body.mapFrom})`, referenceWords(body.referencePose), hips];
}

/** The clips that were written. */
export function clipLines(clips: readonly ClipReport[]): string[] {
  const rows = clips.slice(0, CLIPS).map(({ name, duration, tracks, keys }) => {
    return ['', oneLine(name), `${duration.toFixed(2)} s`, `${tracks} tracks`, `${keys} keys`];
  });
  const lines = columns(rows, [2, 3, 4]);
  if (clips.length > CLIPS) lines.push(`  and ${clips.length - CLIPS} more`);
  return lines;
}

/** Prints a report. */
export async function showRetarget(report: RetargetReport, io: Io): Promise<void> {
  const style = await stylesFor(io.stdout, io);
  const lines: string[] = [];
  if (report.output === null) lines.push(style('red', 'Nothing was written: no clip could be retargeted'));
  else {
    const count = report.clips.length;
    const files = report.outputs === undefined ? '' : ` in ${report.outputs.length} files`;
    lines.push(`${style('bold', oneLine(report.output))}: ${count} ${count === 1 ? 'clip' : 'clips'} written${files}`);
  }
  lines.push(...clipLines(report.clips));
  const sources = report.sources ?? [report.source];
  const bodies = [...sources.map((source) => bodyRow('motion', source)), bodyRow('character', report.target)];
  lines.push(...columns(bodies));
  if (report.hipsScale !== null) lines.push(`hips scale ${Number(report.hipsScale.toPrecision(4))}`);
  lines.push(...issueLines(report.issues, style));
  writeLines(io.stdout, lines);
}
