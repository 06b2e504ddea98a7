import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemReason, writeReason } from '../../../src/files/reports/system-reason.ts';

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

it('writeReason: says why a file cannot be written, with the code of the system', () => {
  const failed = (code: string): unknown => Object.assign(new Error(`${code}: odd`), { code });
  expect(writeReason(failed('ENOENT'))).toBe(
    'its folder does not exist, or the system allows no new files in it (ENOENT)',
  );
  expect(writeReason(failed('ENOSPC'))).toBe('the disk is full (ENOSPC)');
  expect(writeReason(failed('EXDEV'))).toBe('EXDEV: odd');
});
