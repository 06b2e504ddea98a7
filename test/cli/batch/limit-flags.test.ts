import { expect, it } from 'vitest';
import { readCount, readLimits } from '../../../src/cli/batch/limit-flags.ts';

it('readLimits: megabytes become bytes, and missing flags are missing options', () => {
  expect(readLimits({ jobs: '4', 'memory-limit': '500' })).toEqual({ jobs: 4, memoryLimit: 5e8 });
  expect(readLimits({ 'time-limit': '10' })).toEqual({ timeLimit: 10 });
});

it.each(['0', '-1', '2.5', 'two', '', '9'])('readCount: %j is no whole number from 1 to 8', (text) => {
  expect(() => readCount('jobs', text, 8)).toThrow(
    `--jobs is ${JSON.stringify(text)}; expected a whole number from 1 to 8`,
  );
});
