import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileKernel, KERNEL_NAMES, kernelModulePath } from '../../scripts/compile-kernel.ts';
import { sampledCases } from '../law-runs.ts';

describe('compiled kernels', () => {
  // The compiler takes seconds.
  it.each(sampledCases(KERNEL_NAMES, 3))(
    '%s matches its compiled source (otherwise run: npm run kernels)',
    async (name) => {
      expect(readFileSync(kernelModulePath(name), 'utf8')).toBe(await compileKernel(name));
    },
  );
});
