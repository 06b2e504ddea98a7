import { expect, it } from 'vitest';
import { readQueueUrl, splitOnto } from '../../../src/cli/batch/batch-flags.ts';

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

it.each([
  ['a b --onto c d -o out', 'a b', 'c d'],
  ['a --onto c d -o out b', 'a b', 'c d'],
  ['a --onto=c d --jobs 2 b', 'a b', 'c d'],
  ['--onto c --onto d', '', 'c d'],
  ['a c --onto c', 'a c', 'c'],
])('splitOnto: takes everything after --onto up to the next flag: %s', (line, motions, characters) => {
  const rawArgs = line.split(' ');
  const values = new Set(['out', '2']);
  const isFlagValue = (arg: string, k: number): boolean =>
    values.has(arg) || (rawArgs[k - 1] === '--onto' && arg !== 'a');
  const positionals = rawArgs.filter((arg, k) => !arg.startsWith('-') && !isFlagValue(arg, k));
  expect(splitOnto(rawArgs, positionals)).toEqual({
    motions: motions.split(' ').filter((path) => path !== ''),
    characters: characters.split(' '),
  });
});
