import { expect, it } from 'vitest';
import { NO_ALLOCATION } from '../support/tolerances.ts';
import { bytesPerCall } from './bytes-per-call.ts';

const probe = (name: string): URL => new URL(`${name}.probe.ts`, import.meta.url);

it('bytesPerCall: returns about 0 for a function that does not allocate', async () => {
  expect(Math.abs(await bytesPerCall(probe('nothing')))).toBeLessThan(NO_ALLOCATION);
});

it.each(['boxed-number', 'large-array'])('bytesPerCall: measures the allocation of %s', async (name) => {
  expect(await bytesPerCall(probe(name))).toBeGreaterThan(12);
});

it('bytesPerCall: fails for a module without a call', async () => {
  await expect(bytesPerCall(probe('missing'))).rejects.toThrow('missing.probe.ts');
});
