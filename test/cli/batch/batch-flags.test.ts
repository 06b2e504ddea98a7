import { expect, it } from 'vitest';
import { readQueueUrl } from '../../../src/cli/batch/batch-flags.ts';

it('readQueueUrl: takes redis:// and rediss:// URLs', () => {
  for (const url of ['redis://queue:6379', 'rediss://:password@queue:6379/2']) expect(readQueueUrl(url)).toBe(url);
});

it.each(['http://:password@queue', 'redis:/user:password@queue', 'user:pass/password@queue', 'redis://'])(
  'readQueueUrl: refuses %s without showing its password',
  (url) => {
    expect(() => readQueueUrl(url)).toThrow(/^--queue is ".*"; expected a URL such as redis:\/\/host:6379$/);
    expect(() => readQueueUrl(url)).not.toThrow(/password/);
  },
);
