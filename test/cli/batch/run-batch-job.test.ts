import { expect, it } from 'vitest';
import { createRate, durationText } from '../../../src/cli/batch/run-batch-job.ts';

it('createRate: follows the latest results', () => {
  let time = 0;
  const rate = createRate(() => time);
  for (let k = 0; k < 300; k++) {
    time += k < 100 ? 1000 : 10;
    rate.add();
  }
  expect(rate.perSecond()).toBeCloseTo(100);
});

it('durationText: uses seconds, minutes or hours', () => {
  expect([0.25, 42, 200, 18_720].map(durationText)).toEqual(['0.3 s', '42 s', '3 min 20 s', '5 h 12 min']);
});
