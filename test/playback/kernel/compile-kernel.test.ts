import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileKernel, KERNEL_FILE } from '../../../scripts/compile-kernel.ts';

it('the committed kernel matches its source (otherwise run: npm run kernel)', async () => {
  expect(readFileSync(KERNEL_FILE, 'utf8')).toBe(await compileKernel());
});
