import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isProcessRunning } from '../../../src/files/node/is-process-running.ts';

it('isProcessRunning: this process runs, one that has ended does not', () => {
  expect(isProcessRunning(process.pid)).toBe(true);
  expect(isProcessRunning(spawnSync(process.execPath, ['-e', '']).pid)).toBe(false);
});
