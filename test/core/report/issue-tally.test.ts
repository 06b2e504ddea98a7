import { expect, it } from 'vitest';
import { formatTally, type IssueTally, tallyIssue } from '../../../src/core/report/issue-tally.ts';

it('tallyIssue: adds up equal findings and ignores counts of 0 or less', () => {
  const tally: IssueTally = new Map();
  tallyIssue(tally, 'b', 2);
  tallyIssue(tally, 'a');
  tallyIssue(tally, 'b', 3);
  tallyIssue(tally, 'c', 0);
  tallyIssue(tally, 'd', -1);
  expect([...tally]).toEqual([
    ['b', 5],
    ['a', 1],
  ]);
});

it('formatTally: lists kinds in the order of their first occurrence, without counts of 0 or less', () => {
  const tally: IssueTally = new Map([
    ['cameras', 3],
    ['none', 0],
    ['lights', 1],
    ['negative', -2],
  ]);
  expect(formatTally(tally)).toBe('3 × cameras, 1 × lights');
  expect(formatTally(new Map())).toBe('');
});
