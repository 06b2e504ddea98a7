/** Reports the repairs of a mesh that is written. */
import { type Issue, issue } from '../../../core/report/issue.ts';
import { formatTally, type IssueTally } from '../../../core/report/issue-tally.ts';

/** Reports the counted repairs of one object as one issue. Without repairs nothing is reported. */
export function reportRepairs(repairs: IssueTally, subject: string, issues: Issue[]): void {
  const list = formatTally(repairs);
  if (list === '') return;
  issues.push(issue('GEOMETRY_REPAIRED', `${subject} has data that glTF does not allow; it was repaired: ${list}`));
}
