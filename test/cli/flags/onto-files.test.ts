import { expect, it } from 'vitest';
import { splitOnto } from '../../../src/cli/batch/batch-flags.ts';

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
