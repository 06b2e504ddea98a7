import { describe, expect, it } from 'vitest';
import { lawRuns, parseRuns } from './law-runs.ts';

describe('lawRuns', () => {
  it('scales the number of cases in proportion to the cases of a law', () => {
    expect([lawRuns(1000, 1000), lawRuns(300, 1000), lawRuns(20_000, 1000)]).toEqual([1000, 300, 20_000]);
    expect([lawRuns(1000, 100), lawRuns(300, 100), lawRuns(20_000, 100)]).toEqual([100, 30, 2000]);
  });

  it('never returns fewer than 5 cases, unless a full run has fewer', () => {
    expect([lawRuns(12, 100), lawRuns(3, 100), lawRuns(1000, 1)]).toEqual([5, 3, 5]);
  });
});

describe('parseRuns', () => {
  it('defaults to 20', () => {
    expect([parseRuns(undefined), parseRuns(''), parseRuns('1000')]).toEqual([20, 20, 1000]);
  });

  it.each(['0', '-1', '1.5', 'many'])('throws for %s', (text) => {
    expect(() => parseRuns(text)).toThrow(/ANYRIG_LAW_RUNS is .* Expected a positive integer/);
  });
});
