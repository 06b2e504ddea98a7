/** Ranks results: which of thousands should be looked at first. */

import type { Issue } from '../../core/report/issue.ts';
import type { PairFigures, TaskFailure } from '../run/task-outcome.ts';

/** Values from which a figure is visible. A result with one of them has the score 1. */
export const VISIBLE = {
  /** Degrees: the mean over bones and time. */
  poseErrorMean: 3,
  /** Degrees. */
  poseErrorMax: 30,
  /** % of the height per second, more than that of the motion. */
  slide: 3,
  /** % of the height. */
  penetration: 0.5,
  /** % of the height. */
  float: 1,
} as const;

/** Score of a failed task: above every result. */
export const FAILED_SCORE = 1000;
/** What an error and a warning add. */
const ERROR_SCORE = 10;
const WARNING_SCORE = 0.1;

/**
 * Scores a task: the worst of its figures, each relative to the value from which it is visible, plus its errors and warnings.
 *
 * @param result Figures, issues and failure of the task.
 * @returns 0 for a perfect result, about 1 from where something can be seen, 1000 for failed tasks.
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
  let worst = 0;
  if (figures !== null) {
    const { poseErrorMean, poseErrorMax, slide, slideOfSource, penetration, float } = figures;
    worst = Math.max(
      poseErrorMean / VISIBLE.poseErrorMean,
      poseErrorMax / VISIBLE.poseErrorMax,
      (slide - slideOfSource) / VISIBLE.slide,
      penetration / VISIBLE.penetration,
      float / VISIBLE.float,
    );
  }
  return Number((worst + errors * ERROR_SCORE + (codes.size - errors) * WARNING_SCORE).toFixed(3));
}
