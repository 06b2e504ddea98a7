/** Ranks results: which of thousands should be looked at first. */

import type { Issue } from '../../core/report/issue.ts';
import type { PairFigures, TaskFailure } from '../run/task-outcome.ts';

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
