import { expect, it } from 'vitest';
import { NO_ALLOCATION } from '../tolerances.ts';
import { bytesPerCall } from './bytes-per-call.ts';

const probe = (name: string): URL => new URL(`${name}.probe.ts`, import.meta.url);

it('finds nothing where nothing is allocated', async () => {
  expect(Math.abs(await bytesPerCall(probe('nothing')))).toBeLessThan(NO_ALLOCATION);
});

it.each(['boxed-number', 'large-array'])('finds what %s allocates', async (name) => {
  expect(await bytesPerCall(probe(name))).toBeGreaterThan(12);
});

it('fails on a module that does not call anything', async () => {
  await expect(bytesPerCall(probe('missing'))).rejects.toThrow('missing.probe.ts');
});
