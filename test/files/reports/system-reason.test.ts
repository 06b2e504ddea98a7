import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemReason } from '../../../src/files/reports/system-reason.ts';

it('systemReason: describes known error codes', () => {
  let caught: unknown;
  try {
    readFileSync('/nowhere/at/all');
  } catch (error) {
    caught = error;
  }
  expect(systemReason(caught)).toBe('it does not exist');
});

it('systemReason: returns the message of unknown errors', () => {
  expect(systemReason(new Error('odd'))).toBe('odd');
  expect(systemReason(Object.assign(new Error('odd'), { code: 'toString' }))).toBe('odd');
  expect(systemReason('text')).toBe('text');
  expect(systemReason(null)).toBe('null');
});
