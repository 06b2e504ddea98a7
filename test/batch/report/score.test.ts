import { expect, it } from 'vitest';
import { FAILED_SCORE, scoreOf } from '../../../src/batch/report/batch-report.ts';
import { issue } from '../../../src/core/report/issue.ts';

const figures = {
  level: 'good',
  findings: [],
  errorScore: 0,
  errorMean: 0,
  errorMax: 0,
  changedMean: 0,
  movedMost: 0,
  slide: 5,
  slideOfSource: 5,
  below: 0,
  above: 0,
} as const;
const clean = { figures, issues: [], failure: null };

it('scoreOf: is the worst error, and does not count what was changed on purpose', () => {
  expect(scoreOf(clean)).toBe(0);
  expect(scoreOf({ ...clean, figures: { ...figures, errorScore: 2 } })).toBe(2);
  expect(scoreOf({ ...clean, figures: { ...figures, changedMean: 40, movedMost: 20 } })).toBe(0);
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
