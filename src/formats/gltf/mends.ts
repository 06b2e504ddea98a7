/** What had to be mended to be stored: counted while a mesh is written, reported once. */
import { type Issue, issue } from '../../core/report/issue.ts';

/** How often each kind of fault was met. */
export type Mends = Map<string, number>;

/** Counts faults; `what` in the plural. */
export function countMends(mends: Mends, what: string, count = 1): void {
  if (count > 0) mends.set(what, (mends.get(what) ?? 0) + count);
}

/** One issue for all that was mended of one thing, `subject`: none when nothing was. */
export function reportMends(mends: Mends, subject: string, issues: Issue[]): void {
  if (mends.size === 0) return;
  const list = [...mends].map(([what, count]) => `${count} × ${what}`).join(', ');
  issues.push(issue('GEOMETRY_REPAIRED', `${subject} was mended to be written as glTF: ${list}`));
}
