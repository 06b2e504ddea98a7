import { expect, it } from 'vitest';
import { FAILED_SCORE, scoreOf, VISIBLE } from '../../../src/batch/report/score.ts';
import { issue } from '../../../src/core/report/issue.ts';

const figures = {
  poseErrorMean: 0,
  poseErrorMax: 0,
  poseErrorBone: null,
  slide: 5,
  slideOfSource: 5,
  penetration: 0,
  float: 0,
};
const clean = { figures, issues: [], failure: null };

it('scoreOf: is 0 for a perfect result, 1 where one figure is visible, and counts only the worst figure', () => {
  expect(scoreOf(clean)).toBe(0);
  expect(scoreOf({ ...clean, figures: { ...figures, penetration: VISIBLE.penetration, float: VISIBLE.float } })).toBe(
    1,
  );
  expect(scoreOf({ ...clean, figures: { ...figures, slide: 5 + 2 * VISIBLE.slide } })).toBe(2);
});

it('scoreOf: ranks failures above errors, errors above figures, and counts a repeated warning once', () => {
  const warning = issue('NODE_MATRIX_DECOMPOSED', 'a');
  const error = issue('FILE_LEFT_OUT', 'a');
  const failure = { code: 'BUG', message: '' };
  expect(scoreOf({ ...clean, failure })).toBe(FAILED_SCORE);
  expect(scoreOf({ ...clean, issues: [error] })).toBe(10);
  if (warning.severity === 'warning')
    expect(scoreOf({ ...clean, issues: [warning, { ...warning, message: 'b' }] })).toBe(0.1);
});
