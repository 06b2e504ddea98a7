import { expect, it } from 'vitest';
import { labelOf, usageLine } from '../../../src/cli/flags/labels.ts';

it('labelOf: names arguments in capitals and flags by their shortest spelling', () => {
  expect(labelOf('motion', { type: 'positional', valueHint: '...' })).toBe('<MOTION...>');
  expect(labelOf('out', { type: 'string', alias: 'o', valueHint: 'FILE' })).toBe('-o <FILE>');
  expect(labelOf('clip', { type: 'string' })).toBe('--clip <CLIP>');
  expect(labelOf('force', { type: 'boolean' })).toBe('--force');
});

it('usageLine: lists arguments and required flags', () => {
  const defs = {
    file: { type: 'positional' },
    other: { type: 'positional', required: false },
    out: { type: 'string', alias: 'o', required: true, valueHint: 'FILE' },
    dir: { type: 'string', required: true, default: '.' },
    json: { type: 'boolean' },
  } as const;
  expect(usageLine('anyrig x', defs)).toBe('anyrig x [OPTIONS] <FILE> [OTHER] -o <FILE>');
});
