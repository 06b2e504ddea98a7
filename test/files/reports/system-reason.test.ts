import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemReason } from '../../../src/files/reports/system-reason.ts';

it('says in words what the system gives as a code', () => {
  let caught: unknown;
  try {
    readFileSync('/nowhere/at/all');
  } catch (error) {
    caught = error;
  }
  expect(systemReason(caught)).toBe('it does not exist');
});

it('says what an unknown error says, whatever was thrown', () => {
  expect(systemReason(new Error('odd'))).toBe('odd');
  expect(systemReason(Object.assign(new Error('odd'), { code: 'toString' }))).toBe('odd');
  expect(systemReason('text')).toBe('text');
  expect(systemReason(null)).toBe('null');
});
