import { expect, it } from 'vitest';
import { connectionOf } from '../../../src/batch/queue/queue-names.ts';

it('connectionOf: waits for a server that is away, longer each time up to two seconds, and never gives up', () => {
  const { url, maxRetriesPerRequest, retryStrategy } = connectionOf({ url: 'redis://host:6379' });
  expect([url, maxRetriesPerRequest]).toEqual(['redis://host:6379', null]);
  const waits = Array.from({ length: 1000 }, (_, k) => retryStrategy(k + 1) ?? 0);
  expect(waits.every((wait, k) => wait > 0 && wait >= (waits[k - 1] ?? 0))).toBe(true);
  expect(Math.max(...waits)).toBe(2000);
});
